"""The deal of a round, computed from values before anything is written."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from rules.mexican_train.options import Options
from rules.mexican_train.state import State
from rules.mexican_train.versions import Version
from rules.tiles import tiles_in
from tables import snapshots


@dataclass(frozen=True, slots=True)
class Commitment:
    """The secret of a coming round. Its hash is published before the seats' client seeds are fixed."""

    number: int
    secret: bytes


@dataclass(frozen=True, slots=True)
class EndedRound:
    """What later rounds and the end of the match need from an ended round. ``points`` has one value a seat."""

    engine: int
    first_seat: int
    points: list[int]


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """What the next deal and the end of a match need besides the snapshot."""

    ended: tuple[EndedRound, ...]
    coming: Commitment | None
    client_seeds: list[str]
    back: frozenset[int] = frozenset()
    """Seats whose players are back while a bot plays the round to its end."""
    deleted: frozenset[int] = frozenset()
    """Seats whose players are deleted."""

    @property
    def points_by_round(self) -> list[list[int]]:
        return [each.points for each in self.ended]


@dataclass(frozen=True, slots=True)
class Deal:
    """A dealt round. ``hands`` has one text a seat, from before any draw for the engine."""

    number: int
    engine: int
    first_seat: int
    starter: int
    client_seeds: list[str]
    order: str
    hands: list[str]


def deal_coming(
    table: UUID, rules: Version, options: Options, facts: MatchFacts, standing: Sequence[int]
) -> tuple[Deal, State]:
    """Deal the round that was committed to, with the seats' client seeds. ``standing`` has the total of each seat."""
    assert facts.coming is not None
    number, seats = facts.coming.number, len(standing)
    inputs = (facts.coming.secret, str(table), number, facts.client_seeds)
    order = rules.shuffled(*inputs, options.highest_pip)
    first = first_seat(rules, options, facts, inputs, standing)
    used = [each.engine for each in facts.ended]
    engine = rules.choose_engine(options, seats, number - 1, used, first, order)
    state = rules.deal(options, seats, engine, first, order)
    hands = [snapshots.tiles_to(tiles_in(hand)) for hand in rules.hands_dealt(options, seats, engine, order).hands]
    return Deal(number, engine, first, state.turn, facts.client_seeds, snapshots.tiles_to(order), hands), state


def first_seat(
    rules: Version,
    options: Options,
    facts: MatchFacts,
    inputs: tuple[bytes, str, int, Sequence[str]],
    standing: Sequence[int],
) -> int:
    """Return the seat from which a round counts. For the first round, chance chooses it if the options say so."""
    if facts.ended:
        first = facts.ended[0].first_seat
    else:
        first = rules.drawn_seat(*inputs) if options.draws_first_seat else options.first_seat_chosen
    return rules.first_seat_of(options, len(standing), inputs[2] - 1, first, standing)
