"""From an order of tiles to the first state of a round."""

from collections.abc import Sequence

from rules.options import Options, hand_size
from rules.state import Setup, State, Train
from rules.tiles import Tile, double, set_of


def deal(options: Options, seats: int, engine: int, starter: int, order: Sequence[Tile]) -> State:
    """Set the engine aside, give each seat its hand from the front of the order, and leave the rest as boneyard.

    ``order`` is the whole set, shuffled. Seat 0 gets the first tiles, then seat 1, and so on. Raises ``BadOption``
    where so many seats cannot be dealt.
    """
    size = hand_size(options, seats)
    set_aside = double(engine)
    tiles = tuple([tile for tile in order if tile is not set_aside])
    dealt = seats * size
    return State(
        setup=Setup(options, seats, engine),
        trains=(Train((), engine, is_marked=False),) * (seats + 1),
        hands=tuple(set_of(tiles[first : first + size]) for first in range(0, dealt, size)),
        boneyard=tiles[dealt:],
        on_table=set_aside.bit,
        open_doubles=(),
        turn=starter,
    )
