"""The longest way through a hand from the end of a train, found within a limited number of steps."""

from collections.abc import Callable
from operator import attrgetter
from typing import NamedTuple

from rules.tiles import DOUBLES, TILES, WITH_PIP, Tile, TileSet

TILE_VALUE = 100
"""What one more tile in the trail is worth, in pips, so that length counts more than weight."""
SUMS = tuple(each.pips for each in TILES)
"""The sum of both ends of each tile. Minus the end that is laid against a train, it is the end that stays free."""


class Loose(NamedTuple):
    """The doubles that a trail may lay without a cover. ``at_the_end`` allows any double as the last tile of a hand."""

    anywhere: TileSet = 0
    at_the_end: bool = True


CLASSIC = Loose()


def trail(
    hand: TileSet,
    end: int,
    limit: int,
    loose: Loose = CLASSIC,
    points_of: Callable[[Tile], int] = attrgetter("pips"),
) -> tuple[Tile, ...]:
    """Tiles of the hand that follow each other from this end: the best trail found within ``limit`` steps.

    Length counts more than weight. When the trail reaches the pip of a double in the hand, it lays the double at once
    if another tile can cover it or it is loose. Otherwise the trail ends before the double.
    """
    best: tuple[int, ...] = ()
    best_value, steps, path = 0, limit, list[int]()
    values = {at: TILE_VALUE + points_of(TILES[at]) for at in places(hand)}

    def extend(end: int, rest: TileSet, value: int, left: int) -> None:
        nonlocal best, best_value, steps
        steps -= 1
        depth = len(path)
        fits = rest & WITH_PIP[end]
        if twin := fits & DOUBLES:
            if fits == twin and not (twin & loose.anywhere or (rest == twin and loose.at_the_end)):
                fits = 0
            else:
                at = twin.bit_length() - 1
                path.append(at)
                value, left, rest, fits = value + values[at], left - values[at], rest ^ twin, fits ^ twin
        if value > best_value:
            best_value, best = value, tuple(path)
        while fits and steps > 0 and value + left > best_value:
            at = fits.bit_length() - 1  # of the tiles with one pip, the highest bit is the heaviest
            fits ^= 1 << at
            path.append(at)
            extend(SUMS[at] - end, rest ^ 1 << at, value + values[at], left - values[at])
            path.pop()
        del path[depth:]

    extend(end, hand, 0, sum(values.values()))
    return tuple(TILES[at] for at in best)


def places(tiles: TileSet) -> list[int]:
    """The places of a set's tiles in the numbering, the last first."""
    found = []
    while tiles:
        at = tiles.bit_length() - 1
        found.append(at)
        tiles ^= 1 << at
    return found
