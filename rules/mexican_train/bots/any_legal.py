"""The *random* bot: it plays any legal move."""

from rules.mexican_train.bots.choice import Choice, Grounds, Why
from rules.mexican_train.view import View
from rules.thinking import Chance, Guard

CHANCE = Grounds(Why.CHANCE)


def any_legal(view: View, chance: Chance, guard: Guard) -> Choice:
    return Choice(view.legal_moves[chance(len(view.legal_moves))], CHANCE)
