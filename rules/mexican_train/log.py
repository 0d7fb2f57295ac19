"""Replay of a log: a deal and the moves made after it."""

from collections.abc import Iterable, Iterator

from rules.errors import BrokenLog, IllegalMove
from rules.mexican_train.moves import Move
from rules.mexican_train.state import State
from rules.mexican_train.transitions import apply
from rules.tiles import Tile


def replay(dealt: State, moves: Iterable[Move]) -> State:
    """The state after these moves. Raises ``BrokenLog`` with the number of legal moves."""
    state = dealt
    for played, move in enumerate(moves):
        try:
            state = apply(state, move)
        except IllegalMove as refusal:
            raise BrokenLog(played, refusal.reason) from refusal
    return state


def drawn_tiles(dealt: State, moves: Iterable[Move]) -> Iterator[tuple[Tile, ...]]:
    """For each move, the tiles that it took from the boneyard: one for a draw, the penalty for a call, else none."""
    state = dealt
    for move in moves:
        after = apply(state, move)
        yield state.boneyard[: len(state.boneyard) - len(after.boneyard)]
        state = after
