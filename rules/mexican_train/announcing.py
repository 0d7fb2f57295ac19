"""Announcing that one tile is left, and calling a seat that did not (``rules.md`` §5, *announce*)."""

from rules.mexican_train.moves import Call
from rules.mexican_train.state import State


def may_announce(state: State, *, is_able: bool) -> bool:
    """Whether the seat to move may announce: it holds one tile, or two of which it can lay one.

    ``is_able`` says that it can lay a tile.
    """
    if not state.setup.options.must_announce or has_announced(state, state.turn):
        return False
    tiles = state.hands[state.turn].bit_count()
    return tiles == 1 or (tiles == 2 and is_able)


def has_announced(state: State, seat: int) -> bool:
    return bool(state.announced >> seat & 1)


def calls_of(state: State, seat: int) -> tuple[Call, ...]:
    """The calls that a seat may make now, in its own turn or in another seat's."""
    exposed = state.exposed
    if exposed is None or exposed == seat or state.ended is not None:
        return ()
    return (Call(exposed),)


def shows_last_tile(state: State, seat: int) -> bool:
    """Whether this seat has one tile left and the table knows it.

    The server announces it, or the seat has announced it.
    """
    options = state.setup.options
    is_last = state.hands[seat].bit_count() == 1
    return is_last and (options.announces_itself or has_announced(state, seat))
