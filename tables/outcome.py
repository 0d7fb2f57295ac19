"""How a match ended: who has won, whether a forfeit decided it, and which players have left it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from rules.game import AnyGame, AnyOptions
from tables.models import By, EndedReason

OWN = frozenset({By.PERSON, By.HOST})
"""Who makes a person's own moves: the person, or the table's ``auto_pass`` where passing is the only choice."""
OWN_SHARE = (2, 3)
"""A match counts as played by a player who made at least this share, two of three, of the seat's turns themselves."""


@dataclass(frozen=True, slots=True)
class Decided:
    """The seats that have won, possibly none, and the reason of the end."""

    winners: list[int]
    reason: EndedReason


def decided(
    rules: AnyGame, options: AnyOptions, points_by_round: Sequence[Sequence[int]], forfeited: Sequence[bool]
) -> Decided:
    """Return who wins a match after its last round. ``forfeited`` has one value a seat."""
    winners = rules.winners(options, points_by_round, [not each for each in forfeited])
    by_points = rules.winners(options, points_by_round, [True] * len(forfeited))
    return Decided(winners, EndedReason.PLAYED if winners == by_points else EndedReason.FORFEITED)


def cut_short(
    rules: AnyGame, options: AnyOptions, points_by_round: Sequence[Sequence[int]], bots: Sequence[bool]
) -> Decided:
    """Return who wins a match that ends because no person is left who can: the bots with the lowest total so far.

    ``bots`` has one value a seat: whether the seat belongs to a bot.
    """
    return Decided(rules.winners(options, points_by_round, bots), EndedReason.FORFEITED)


@dataclass(frozen=True, slots=True)
class MoveFacts:
    """The facts of a log entry that matter here. ``round`` distinguishes rounds."""

    round: int
    seat: int
    text: str
    by: str


def seats_left(rules: AnyGame, log: Iterable[MoveFacts], persons: Iterable[int]) -> set[int]:
    """Return those of ``persons`` who made too few of their turns themselves.

    A turn is the player's own if every move of it is. Moves out of turn do not count. A player without a turn has not
    left.
    """
    turns, own = Counter[int](), Counter[int]()
    in_turn = (move for move in log if not rules.is_out_of_turn(rules.parse(move.text)))
    for (_, seat), moves in groupby(in_turn, key=lambda move: (move.round, move.seat)):
        turns[seat] += 1
        own[seat] += all(move.by in OWN for move in moves)
    part, whole = OWN_SHARE
    return {seat for seat in persons if own[seat] * whole < turns[seat] * part}
