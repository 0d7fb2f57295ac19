"""The deal of a round, computed from values before anything is written."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from rules.game import AnyGame, AnyOptions, AnyState, EndedRound, Facts
from rules.tiles import tiles_in
from tables import snapshots


@dataclass(frozen=True, slots=True)
class Commitment:
    """The secret of a coming round. Its hash is published before the seats' client seeds are fixed."""

    number: int
    secret: bytes


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
    def points_by_round(self) -> list[Sequence[int]]:
        return [each.points for each in self.ended]


@dataclass(frozen=True, slots=True)
class DealtRound:
    """A dealt round, as it is written. ``hands`` has one text a seat, as the tiles were dealt."""

    number: int
    facts: Facts
    client_seeds: list[str]
    order: str
    hands: list[str]


def deal_coming(
    table: UUID, rules: AnyGame, options: AnyOptions, facts: MatchFacts, seats: int
) -> tuple[DealtRound, AnyState]:
    """Deal the round that was committed to, with the seats' client seeds."""
    assert facts.coming is not None
    number = facts.coming.number
    inputs = (facts.coming.secret, str(table), number, facts.client_seeds)
    order = rules.shuffled(options, *inputs)
    dealt = rules.deal(options, seats, order, facts.ended, lambda: rules.drawn_seat(*inputs))
    hands = [snapshots.tiles_to(tiles_in(hand)) for hand in dealt.hands]
    return DealtRound(number, dealt.facts, facts.client_seeds, snapshots.tiles_to(order), hands), dealt.state
