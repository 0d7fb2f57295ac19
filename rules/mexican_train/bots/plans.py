"""Plans for play-outs: the best way through a hand from the end of a train, found in few steps."""

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from rules.mexican_train.bots.fast import BITS, SUMS
from rules.tiles import DOUBLES, TILES, WITH_PIP, TileSet

Plan: TypeAlias = tuple[int, "Plan"] | None
"""A tile and the rest of the plan. Copies of a round can share such a chain."""
VALUES = tuple(100 + each.pips for each in TILES)
"""A tile counts 100 besides its pips, so that length counts more than weight."""
NO_PLACE = -1


class Planned(NamedTuple):
    """What a seat plans. ``head`` is the end at which the plan begins, ``spare`` are the tiles outside the plan."""

    head: int
    plan: Plan
    spare: TileSet


def tiles_of(plan: Plan) -> Iterator[int]:
    """The tiles of a plan, the next one first."""
    while plan:
        at, plan = plan
        yield at


def planned(hand: TileSet, end: int, steps: int) -> Planned:
    """The best plan found within this many steps."""
    plan: Plan = None
    spare = hand
    if hand & WITH_PIP[end]:
        for at in reversed(best_way(hand, end, steps)):
            plan = (at, plan)
            spare ^= BITS[at]
    return Planned(end, plan, spare)


def best_way(hand: TileSet, end: int, steps: int) -> list[int]:
    """The tiles that follow each other from this end. ``trail`` explains how doubles are treated."""
    best, path = list[int](), list[int]()
    best_value = 0

    def extend(end: int, rest: TileSet, value: int) -> None:
        nonlocal best, best_value, steps
        steps -= 1
        fits, depth = rest & WITH_PIP[end], len(path)
        if twin := fits & DOUBLES:
            if fits == twin != rest:
                fits = 0
            else:
                at = twin.bit_length() - 1
                path.append(at)
                value, rest, fits = value + VALUES[at], rest ^ twin, fits ^ twin
        if not fits and value > best_value:
            best_value, best = value, path[:]
        while fits:
            at = fits.bit_length() - 1  # of the tiles with one pip, the highest bit is the heaviest
            fits ^= BITS[at]
            path.append(at)
            extend(SUMS[at] - end, rest ^ BITS[at], value + VALUES[at])
            path.pop()
            if steps <= 0:
                break
        del path[depth:]

    extend(end, hand, 0)
    return best
