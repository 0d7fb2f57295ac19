"""The deal of a round at a table: decided from values, before anything is written."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from rules.options import Options
from rules.state import State
from rules.tiles import tiles_in
from rules.versions import Version
from tables import snapshots


@dataclass(frozen=True, slots=True)
class Commitment:
    """The secret of a round to come, which is published as its hash before anybody's contribution is fixed."""

    number: int
    secret: bytes


@dataclass(frozen=True, slots=True)
class EndedRound:
    """What later rounds and the end of the match need to know of a round that is over. ``points`` has one a seat."""

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
    """Seats that a bot plays to the end of the round, and whose players are back."""
    deleted: frozenset[int] = frozenset()
    """Seats whose players are deleted."""

    @property
    def points_by_round(self) -> list[list[int]]:
        return [each.points for each in self.ended]


@dataclass(frozen=True, slots=True)
class Deal:
    """A round as it was dealt. ``hands`` has one a seat, before any drawing for the engine."""

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
    """Deal the round that was committed to, with the seats' contributions. ``standing`` has the total of each seat."""
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
    """The seat from which a round counts; chance chooses the first round's, where the rules want that."""
    if facts.ended:
        first = facts.ended[0].first_seat
    else:
        first = rules.drawn_seat(*inputs) if options.draws_first_seat else options.first_seat_chosen
    return rules.first_seat_of(options, len(standing), inputs[2] - 1, first, standing)
