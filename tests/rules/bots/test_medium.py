"""The level *medium*: its own train first, and tiles outside the plan where that costs nothing."""

from typing import Any

from tests.rules.bots.asking import check_no_chance, chosen

# Seat 0's train ends with a 5; the Mexican Train has not begun and takes a 12, seat 1's is marked and ends with a 9.
OPEN = "engine 12-12; turn 0; boneyard 3-2\n0: 12-5 | {}\n1: 12-9 marked | 8-7 7-6\nmexican:"


def lays(hand: str, position: str = OPEN, **options: Any) -> str:
    return chosen("medium", position.format(hand), **options)


def test_the_plans_next_tile_goes_before_a_heavier_one_elsewhere() -> None:
    assert lays("5-1 1-0 12-11") == "5-1>0"


def test_a_tile_outside_the_plan_goes_on_a_public_train_when_the_plan_has_none_next() -> None:
    assert lays("12-11 8-4") == "12-11>mexican"
    assert lays("9-4 12-0 8-3") == "9-4>1"


def test_a_double_that_another_tile_covers_goes_before_the_plan() -> None:
    assert lays("5-1 9-9 9-8") == "9-9>1"
    assert lays("5-1 9-9 8-3") == "5-1>0"


def test_a_double_that_nothing_covers_is_not_laid_on_a_public_train_while_anything_else_can_be() -> None:
    assert lays("9-9 12-0 8-3") == "12-0>mexican"
    assert lays("9-9 5-0 8-3") == "5-0>0"


def test_on_its_own_train_such_a_double_is_a_tile_like_others() -> None:
    assert lays("5-5 9-1 8-3") == "9-1>1"  # as heavy, and a public train first
    assert lays("5-5 9-0 8-3") == "5-5>0"


def test_a_tile_of_the_plan_goes_elsewhere_only_if_nothing_else_is_legal() -> None:
    covering = "engine 12-12; turn 0; open 1/1; boneyard 3-2\n0: 12-5 | {}\n1: 12-9 9-9 | 8-7 7-6\nmexican:"
    assert lays("5-9 9-8 9-3", covering) == "9-3>1"
    assert lays("5-9 11-4", covering) == "9-5>1"


def test_its_own_double_is_covered_by_the_plan() -> None:
    own = "engine 12-12; turn 0; open 0/0*\n0: 12-5 5-5 | {}\n1: 12-9 | 8-7 7-6\nmexican:"
    assert lays("5-1 1-0 5-4", own) == "5-1>0"


def test_it_needs_no_chance() -> None:
    check_no_chance("medium", OPEN.format("5-1 9-9 9-8 12-0"))
