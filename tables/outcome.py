"""How a match ended: who has won, whether a forfeit decided it, and whose moves a seat's turns were."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from rules.moves import Call
from rules.notation import parse_move
from rules.options import Options
from rules.versions import Version
from tables.models import By, EndedReason

OWN = frozenset({By.PERSON, By.HOST})
"""Who makes a person's own moves: the person, or the table's ``auto_pass`` where there is nothing to decide."""
OWN_SHARE = (2, 3)
"""At least so many of a seat's turns are its player's own in a match that the player has played."""


@dataclass(frozen=True, slots=True)
class Decided:
    """The seats that have won, perhaps none, and the reason that the end is reported with."""

    winners: list[int]
    reason: EndedReason


def decided(
    rules: Version, options: Options, points_by_round: Sequence[Sequence[int]], forfeited: Sequence[bool]
) -> Decided:
    """Who wins a match whose rounds are all over. ``forfeited`` has one value a seat."""
    winners = rules.winners(options, points_by_round, [not each for each in forfeited])
    by_points = rules.winners(options, points_by_round, [True] * len(forfeited))
    return Decided(winners, EndedReason.PLAYED if winners == by_points else EndedReason.FORFEITED)


def cut_short(
    rules: Version, options: Options, points_by_round: Sequence[Sequence[int]], bots: Sequence[bool]
) -> Decided:
    """Who wins a match that ends because no person is left who can: the bots with the lowest total so far.

    ``bots`` has one value a seat: whether it is a bot's own.
    """
    return Decided(rules.winners(options, points_by_round, bots), EndedReason.FORFEITED)


@dataclass(frozen=True, slots=True)
class LoggedMove:
    """What the log says of a move, as far as it matters here. ``round`` tells rounds apart."""

    round: int
    seat: int
    text: str
    by: str


def seats_left(log: Iterable[LoggedMove], persons: Iterable[int]) -> set[int]:
    """Of these seats, those whose players made too few of their turns themselves. A seat without a turn is not left.

    A turn is the player's own if every move of it is. A call is made out of turn and counts for nothing.
    """
    turns, own = Counter[int](), Counter[int]()
    in_turn = (move for move in log if not isinstance(parse_move(move.text), Call))
    for (_, seat), moves in groupby(in_turn, key=lambda move: (move.round, move.seat)):
        turns[seat] += 1
        own[seat] += all(move.by in OWN for move in moves)
    part, whole = OWN_SHARE
    return {seat for seat in persons if own[seat] * whole < turns[seat] * part}
