"""Rounds and matches played by a script: seeded, legal, and the same in every run."""

from collections.abc import Iterator
from random import Random

from rules.mexican_train.bots.any_legal import any_legal
from rules.mexican_train.legality import legal_moves
from rules.mexican_train.moves import Move
from rules.mexican_train.state import State
from rules.mexican_train.transitions import apply
from rules.mexican_train.view import view_for
from rules.thinking import never


def chosen(state: State, chance: Random) -> Move:
    """A random legal move."""
    return any_legal(view_for(state, state.turn), chance.randrange, never).move


def played_out(dealt: State, chance: Random) -> Iterator[tuple[int, Move]]:
    """Random legal moves to the end of a round, each with the seat that makes it."""
    state = dealt
    while state.ended is None:
        moves = legal_moves(state)
        move = moves[chance.randrange(len(moves))]
        yield state.turn, move
        state = apply(state, move)
