"""Tiles and sets of tiles: what a tile is, which tiles a double-N set holds, and which have a pip.

A set of tiles (a hand, the tiles on the table) is an ``int`` with one bit for each tile. One ``&`` finds the tiles that
fit an end, and a set is immutable and cheap to copy.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from rules.errors import UnreadableText
from rules.sentences import Sentence, quoted

TileSet: TypeAlias = int
LARGEST_PIP = 18
SET_SIZES = (6, 9, 12, 15, 18)
TEXT = re.compile(r"(0|[1-9]\d?)-(0|[1-9]\d?)", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class Tile:
    """A domino. ``high`` is the larger end, in pips. ``bit`` is its place in a ``TileSet``, the same in every set."""

    high: int
    low: int
    bit: TileSet
    is_double: bool

    @property
    def pips(self) -> int:
        return self.high + self.low

    def other_end(self, pip: int) -> int:
        """The end that stays free when ``pip`` is laid against a train."""
        return self.low if pip == self.high else self.high


# In the order 0-0, 1-0, 1-1, 2-0 …: the tiles of a smaller set come first, so one numbering serves every set.
TILES = tuple(
    Tile(high, low, 1 << (high * (high + 1) // 2 + low), high == low)
    for high in range(LARGEST_PIP + 1)
    for low in range(high + 1)
)
WITH_PIP: tuple[TileSet, ...] = tuple(
    sum(tile.bit for tile in TILES if pip in (tile.high, tile.low)) for pip in range(LARGEST_PIP + 1)
)

DOUBLES: TileSet = sum(tile.bit for tile in TILES if tile.is_double)


def tile(one: int, other: int) -> Tile:
    """The tile with these two ends, in either order. Raises ``IndexError`` beyond the largest set."""
    high, low = max(one, other), min(one, other)
    if low < 0 or high > LARGEST_PIP:
        raise IndexError(f"{one}-{other} is in no set")
    return TILES[high * (high + 1) // 2 + low]


def double(pip: int) -> Tile:
    return tile(pip, pip)


def set_size(max_pip: int) -> int:
    """How many tiles a double-N set holds."""
    return (max_pip + 1) * (max_pip + 2) // 2


def double_set(max_pip: int) -> tuple[Tile, ...]:
    """Every tile of a double-N set, in the order that a shuffle starts from."""
    return TILES[: set_size(max_pip)]


@cache
def all_with_pip(pip: int, max_pip: int) -> TileSet:
    """The tiles of a double-N set that have this pip, the double once."""
    return WITH_PIP[pip] & ((1 << set_size(max_pip)) - 1)


def set_of(tiles: Iterable[Tile]) -> TileSet:
    result = 0
    for each in tiles:
        result |= each.bit
    return result


def tiles_in(tiles: TileSet) -> Iterator[Tile]:
    """The tiles of a set, in the order of the numbering."""
    while tiles:
        lowest = tiles & -tiles
        yield TILES[lowest.bit_length() - 1]
        tiles ^= lowest


def highest_in(tiles: TileSet) -> Tile:
    """The last tile of a non-empty set in the order of the numbering. Among doubles, it is the highest."""
    return TILES[tiles.bit_length() - 1]


def tile_text(tile: Tile) -> str:
    return f"{tile.high}-{tile.low}"


def tile_texts(tiles: Iterable[Tile]) -> list[str]:
    return [tile_text(each) for each in tiles]


def parse_tile(text: str) -> Tile:
    """A tile from its text, with the ends in either order. Raises ``UnreadableText``."""
    match = TEXT.fullmatch(text)
    try:
        if match:
            return tile(int(match[1]), int(match[2]))
    except IndexError:
        pass
    raise UnreadableText(Sentence("{text} is not a tile; write a tile as 12-5.", text=quoted(text[:40])))
