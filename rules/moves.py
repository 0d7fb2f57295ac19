"""The moves a seat can make, as values."""

from dataclasses import dataclass
from typing import TypeAlias

from rules.tiles import Tile

MEXICAN = -1
"""The Mexican Train's name among the trains; a seat's own train has the seat's number."""


@dataclass(frozen=True, slots=True)
class Play:
    """Lay ``tile`` on ``train``. It fits in one orientation only, so nothing more needs saying.

    ``keep_marker`` leaves the marker of the seat's own train where it is, at tables whose rules let a seat choose;
    where there is nothing to keep it says nothing.
    """

    tile: Tile
    train: int
    keep_marker: bool = False


@dataclass(frozen=True, slots=True)
class Draw:
    """Take the front tile of the boneyard."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Give the turn up, stuck."""


@dataclass(frozen=True, slots=True)
class End:
    """Finish a first turn of many tiles."""


@dataclass(frozen=True, slots=True)
class Announce:
    """Say that one tile is left."""


@dataclass(frozen=True, slots=True)
class Call:
    """Catch a seat that did not announce."""

    seat: int


Move: TypeAlias = Play | Draw | Pass | End | Announce | Call
DRAW = Draw()
PASS = Pass()
END = End()
ANNOUNCE = Announce()
