"""The moves that a seat can make, as values."""

from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from rules.tiles import TILES, Tile

MEXICAN = -1
"""The Mexican Train's number among the trains. A seat's own train has the seat's number."""


@dataclass(frozen=True, slots=True)
class Play:
    """Lay ``tile`` on ``train``.

    A tile fits a train in one orientation only. ``keep_marker`` keeps the marker on the seat's own train, at tables
    whose options allow that. Elsewhere it has no effect.
    """

    tile: Tile
    train: int
    keep_marker: bool = False


@dataclass(frozen=True, slots=True)
class Draw:
    """Take the front tile of the boneyard."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Give up the rest of the turn."""


@dataclass(frozen=True, slots=True)
class End:
    """End a first turn of many tiles."""


@dataclass(frozen=True, slots=True)
class Announce:
    """Announce that one tile is left."""


@dataclass(frozen=True, slots=True)
class Call:
    """Call a seat that did not announce."""

    seat: int


@cache
def plays_on(train: int) -> tuple[Play, ...]:
    """The play of each tile on a train, in the order of the numbering. Made once, because lists of moves need many."""
    return tuple(Play(tile, train) for tile in TILES)


Move: TypeAlias = Play | Draw | Pass | End | Announce | Call
DRAW = Draw()
PASS = Pass()
END = End()
ANNOUNCE = Announce()
