"""The bot that gets rid of its heaviest tile, on its own train if it can choose."""

from collections.abc import Callable

from rules.moves import Move, Play
from rules.view import View


def heaviest(view: View, chance: Callable[[int], int]) -> Move:
    return max(view.legal_moves, key=lambda move: weight(move, view.seat))


def weight(move: Move, seat: int | None) -> tuple[int, bool]:
    """Pips first, then whether it goes on the own train; whatever is not a play weighs nothing."""
    return (move.tile.pips, move.train == seat) if isinstance(move, Play) else (-1, False)
