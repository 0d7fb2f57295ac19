"""Replay of a log: a deal and the moves made after it."""

from collections.abc import Iterable

from rules.errors import BrokenLog, IllegalMove
from rules.mexican_train.moves import Move
from rules.mexican_train.state import State
from rules.mexican_train.transitions import change


def replay(dealt: State, moves: Iterable[Move]) -> State:
    """The state after these moves. Raises ``BrokenLog`` with the number of legal moves."""
    state = dealt.copy()
    for played, move in enumerate(moves):
        try:
            change(state, move)
        except IllegalMove as refusal:
            raise BrokenLog(played, refusal.reason) from refusal
    return state
