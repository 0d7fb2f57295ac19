"""The plans that a play-out keeps for every seat: the same trail as everywhere, as a chain of tiles."""

from random import Random

from rules.mexican_train.bots.plans import planned, tiles_of
from rules.mexican_train.bots.trail import trail
from rules.tiles import TILES, double_set, set_of, tile
from tests.cases import for_each

STEPS = 24
ENOUGH = 1_000_000


def test_a_plan_is_a_trail_from_the_end_and_the_rest_is_spare() -> None:
    hand = set_of([tile(12, 5), tile(5, 3), tile(9, 8)])
    head, plan, spare = planned(hand, 12, STEPS)
    assert head == 12
    assert [TILES[at] for at in tiles_of(plan)] == [tile(12, 5), tile(5, 3)]
    assert spare == tile(9, 8).bit


def test_without_a_tile_that_fits_there_is_no_plan() -> None:
    hand = set_of([tile(9, 8)])
    assert planned(hand, 12, STEPS) == (12, None, hand)
    assert list(tiles_of(None)) == []


@for_each("seed", range(200))
def test_with_enough_steps_a_plan_is_worth_as_much_as_a_trail(seed: int) -> None:
    chance = Random(seed)
    hand = set_of(chance.sample(double_set(12), chance.randint(1, 9)))
    end = chance.randrange(13)
    plan = [TILES[at] for at in tiles_of(planned(hand, end, ENOUGH).plan)]
    longest = trail(hand, end, ENOUGH)
    assert (len(plan), sum(each.pips for each in plan)) == (len(longest), sum(each.pips for each in longest))
