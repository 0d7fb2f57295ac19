"""The bot that plays any legal move."""

from collections.abc import Callable

from rules.moves import Move
from rules.view import View


def any_legal(view: View, chance: Callable[[int], int]) -> Move:
    return view.legal_moves[chance(len(view.legal_moves))]
