"""The *easy* bot: it lays its heaviest tile, and prefers its own train on a tie."""

from rules.mexican_train.bots.choice import Choice, Grounds, Why
from rules.mexican_train.moves import Announce, Call, Move, Play
from rules.mexican_train.view import View
from rules.thinking import Chance, Guard


def heaviest(view: View, chance: Chance, guard: Guard) -> Choice:
    move = max(view.legal_moves, key=lambda move: weight(move, view.seat))
    return Choice(move, grounds_of(move))


def weight(move: Move, seat: int | None) -> tuple[int, int, bool]:
    """What decides between moves.

    Calls and announcements cost no tile, so they come first. Then come plays by pips and by own train, then other
    moves.
    """
    match move:
        case Call():
            return (2, 0, False)
        case Announce():
            return (1, 0, False)
        case Play():
            return (0, move.tile.pips, move.train == seat)
        case _:
            return (-1, 0, False)


def grounds_of(move: Move) -> Grounds:
    match move:
        case Call():
            return Grounds(Why.CALL, seat=move.seat)
        case Announce():
            return Grounds(Why.ANNOUNCE)
        case _:
            return Grounds(Why.HEAVIEST)
