"""Strategies: a ``View`` in, a ``Move`` out. They see what their seat sees, and cannot import what knows more."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from rules.bots.easy import heaviest
from rules.bots.random import any_legal
from rules.moves import Move
from rules.view import View

Chance: TypeAlias = Callable[[int], int]
"""A number from 0 to n - 1, all equally likely: the one thing a bot may not make itself."""


@dataclass(frozen=True, slots=True)
class Bot:
    level: str
    likes: str
    choose: Callable[[View, Chance], Move]


BOTS: Mapping[str, Bot] = {
    bot.level: bot
    for bot in (
        Bot("random", "Plays any legal move.", any_legal),
        Bot("easy", "Lays its heaviest tile; on a tie, on its own train.", heaviest),
    )
}


def choose(level: str, view: View, chance: Chance) -> Move:
    """The move that a bot of this level makes for the seat to move. A single legal move needs no thought."""
    only, *others = view.legal_moves
    return BOTS[level].choose(view, chance) if others else only
