"""The bot that gets rid of its heaviest tile, on its own train if it can choose."""

from collections.abc import Callable

from rules.moves import Announce, Call, Move, Play
from rules.view import View


def heaviest(view: View, chance: Callable[[int], int]) -> Move:
    return max(view.legal_moves, key=lambda move: weight(move, view.seat))


def weight(move: Move, seat: int | None) -> tuple[int, int, bool]:
    """What is said comes first and costs no tile; then pips, then the own train; whatever is not a play comes last."""
    match move:
        case Call():
            return (2, 0, False)
        case Announce():
            return (1, 0, False)
        case Play():
            return (0, move.tile.pips, move.train == seat)
        case _:
            return (-1, 0, False)
