"""The trail: the longest way through a hand from one end, doubles covered, within a number of steps."""

import random
from cProfile import Profile
from itertools import permutations

import pytest

from rules.mexican_train.bots.trail import CLASSIC, Loose, trail
from rules.tiles import DOUBLES, Tile, TileSet, double, double_set, parse_tile, set_of, tile_texts, tiles_in

ENOUGH = 10_000
LOOSE = (CLASSIC, Loose(at_the_end=False), Loose(DOUBLES), Loose(double(3).bit, at_the_end=False))


def hand(tiles: str) -> TileSet:
    return set_of(map(parse_tile, tiles.split()))


def found(tiles: str, end: int, loose: Loose = CLASSIC) -> str:
    return " ".join(tile_texts(trail(hand(tiles), end, ENOUGH, loose)))


def test_a_trail_lays_as_many_tiles_as_follow_each_other() -> None:
    assert found("12-9 12-5 5-4 4-1 9-8", 12) == "12-5 5-4 4-1"
    assert found("9-8", 12) == ""


def test_among_equally_many_tiles_it_lays_the_heaviest() -> None:
    assert found("12-9 12-5 9-8 5-4", 12) == "12-9 9-8"


def test_a_double_is_laid_at_once_if_another_tile_can_cover_it() -> None:
    assert found("12-5 5-5 5-4", 12) == "12-5 5-5 5-4"
    assert found("5-5 5-4", 5) == "5-5 5-4"


def test_a_trail_stops_short_of_a_double_that_nothing_can_cover() -> None:
    assert found("12-5 5-5 9-8", 12) == "12-5"
    assert found("5-5 9-8", 5) == ""


def test_the_last_tile_of_a_hand_may_be_a_double() -> None:
    assert found("12-5 5-5", 12) == "12-5 5-5"
    assert found("12-5 5-5", 12, Loose(at_the_end=False)) == "12-5"


def test_a_loose_double_needs_no_cover() -> None:
    assert found("12-5 5-5 9-8", 12, Loose(double(5).bit)) == "12-5 5-5"
    assert found("12-5 5-5 9-8", 12, Loose(double(9).bit)) == "12-5"


def test_the_points_of_the_tiles_decide_between_equally_long_trails() -> None:
    tiles = hand("12-1 12-0 0-0 1-0")
    assert trail(tiles, 12, ENOUGH, points_of=lambda tile: 50 if tile is double(0) else tile.pips) == tuple(
        map(parse_tile, ["12-1", "1-0", "0-0", "12-0"])
    )


def is_trail(tiles: tuple[Tile, ...], held: TileSet, end: int, loose: Loose) -> bool:
    """Whether a trail may go so: each tile fits, and a double comes as soon as it may and at no other time."""
    left = held
    for each in tiles:
        twin = double(end)
        others = [tile for tile in tiles_in(left) if end in (tile.high, tile.low) and tile is not twin]
        may_lay_twin = others or twin.bit & loose.anywhere or (left == twin.bit and loose.at_the_end)
        must_be = twin if left & twin.bit and may_lay_twin else None
        if end not in (each.high, each.low) or (must_be or each) is not each or (each is twin and must_be is None):
            return False
        left, end = left ^ each.bit, each.other_end(end)
    return True


def worth(tiles: tuple[Tile, ...]) -> int:
    return sum(100 + each.pips for each in tiles)


@pytest.mark.parametrize("loose", LOOSE)
def test_no_other_order_of_a_small_hand_is_better(loose: Loose) -> None:
    source = random.Random(4)
    for _ in range(60):
        tiles, end = source.sample(double_set(5), 5), source.randrange(6)
        held = set_of(tiles)
        orders = [order for length in range(6) for order in permutations(tiles, length)]
        best = max(worth(order) for order in orders if is_trail(order, held, end, loose))
        result = trail(held, end, ENOUGH, loose)
        assert is_trail(result, held, end, loose)
        assert worth(result) == best


def steps_of(tiles: TileSet, end: int, limit: int) -> int:
    """How many steps the search really takes: each is one call."""
    profile = Profile()
    profile.runcall(trail, tiles, end, limit)
    return sum(each.callcount for each in profile.getstats() if getattr(each.code, "co_name", "") == "extend")


@pytest.mark.parametrize("limit", [1, 24, 300])
@pytest.mark.parametrize("size", [4, 15, 25, 91])
def test_it_never_takes_more_steps_than_it_may(size: int, limit: int) -> None:
    source = random.Random(size)
    taken = [steps_of(set_of(source.sample(double_set(12), size)), source.randrange(13), limit) for _ in range(40)]
    assert max(taken) <= limit
    assert max(taken) == limit or size != 25


def test_with_few_steps_the_result_is_still_a_trail() -> None:
    source = random.Random(6)
    for _ in range(60):
        held, end = set_of(source.sample(double_set(12), 25)), source.randrange(13)
        few, many = trail(held, end, 24), trail(held, end, 300)
        assert is_trail(few, held, end, CLASSIC)
        assert worth(few) <= worth(many)
