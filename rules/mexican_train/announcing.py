"""Announcing that one tile is left, and calling a seat that did not (``rules.md`` §5, *announce*)."""

from rules.mexican_train.moves import Call
from rules.mexican_train.state import Standing, State


def may_announce(state: State, *, is_able: bool) -> bool:
    """Whether the seat to move may announce: it holds one tile, or two of which it can lay one.

    ``is_able`` says that it can lay a tile.
    """
    if not state.setup.options.must_announce or has_announced(state.standing, state.turn):
        return False
    tiles = state.hands[state.turn].bit_count()
    return tiles == 1 or (tiles == 2 and is_able)


def has_announced(standing: Standing, seat: int) -> bool:
    return bool(standing.announced >> seat & 1)


def calls_of(state: State, seat: int) -> tuple[Call, ...]:
    """The calls that a seat may make now, in its own turn or in another seat's."""
    exposed = state.standing.exposed
    if exposed is None or exposed == seat or state.ended is not None:
        return ()
    return (Call(exposed),)


def announced(standing: Standing, seat: int) -> Standing:
    return standing._replace(announced=standing.announced | 1 << seat)


def after_turn_of(standing: Standing, seat: int, tiles: int) -> Standing:
    """A seat that ends its turn with one tile and did not announce may be called.

    With another number of tiles, its announcement ends. An earlier seat can no longer be called.
    """
    if tiles != 1:
        return standing._replace(announced=standing.announced & ~(1 << seat), exposed=None)
    return standing._replace(exposed=None if has_announced(standing, seat) else seat)


def shows_last_tile(state: State, seat: int) -> bool:
    """Whether this seat has one tile left and the table knows it.

    The server announces it, or the seat has announced it.
    """
    options = state.setup.options
    is_last = state.hands[seat].bit_count() == 1
    return is_last and (options.announces_itself or has_announced(state.standing, seat))
