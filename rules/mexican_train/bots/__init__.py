"""The bots: each strategy takes a ``View`` and returns a move with its reasons. It uses only what its seat may know."""

from collections.abc import Mapping
from dataclasses import dataclass

from rules.mexican_train.bots.any_legal import any_legal
from rules.mexican_train.bots.choice import Choice, Grounds, Strategy, Why
from rules.mexican_train.bots.easy import heaviest
from rules.mexican_train.bots.expert import searched
from rules.mexican_train.bots.hard import spare_first
from rules.mexican_train.bots.medium import own_train_first
from rules.mexican_train.moves import Move
from rules.mexican_train.view import View
from rules.thinking import Chance, Guard, never


@dataclass(frozen=True, slots=True)
class Bot:
    """A level: its strategy, its description in one sentence, and the milliseconds that a move typically takes."""

    level: str
    likes: str
    strategy: Strategy
    typical_ms: float
    reads_history: bool = False


BOTS: Mapping[str, Bot] = {
    bot.level: bot
    for bot in (  # weakest first
        Bot("random", "Plays any legal move.", any_legal, 0.001),
        Bot("easy", "Lays its heaviest tile; on a tie, on its own train.", heaviest, 0.005),
        Bot("medium", "Plans its own train, and lays there first.", own_train_first, 0.03),
        Bot(
            "hard",
            ("First lays the tiles that its plan does not use, and hurries when a rival is nearly out."),
            spare_first,
            0.03,
        ),
        Bot(
            "expert",
            "Tries its moves out in hundreds of possible deals of the tiles that it cannot see.",
            searched,
            40,
            reads_history=True,
        ),
    )
}


def choose(level: str, view: View, chance: Chance, guard: Guard = never) -> Move:
    """The move that a bot of this level makes for the seat to move.

    If only one move is legal, the strategy is not run.
    """
    only, *others = view.legal_moves
    return BOTS[level].strategy(view, chance, guard).move if others else only


def advise(level: str, view: View, chance: Chance, guard: Guard = never) -> Choice:
    """The same move with its reasons. ``rules.mexican_train.bots.words`` makes a sentence of them."""
    only, *others = view.legal_moves
    return BOTS[level].strategy(view, chance, guard) if others else Choice(only, Grounds(Why.ONLY))
