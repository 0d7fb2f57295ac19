"""The points of the tiles left in hand (``rules.md`` §4)."""

import pytest

from rules.mexican_train.options import OPTIONS
from rules.mexican_train.presets import rules_of
from rules.mexican_train.scoring import hand_points, round_points
from rules.tiles import parse_tile, set_of
from tests.rules.drawing import drawn

COUNTED = ("double_blank_points", "blank_half_points", "double_factor", "going_out_points")
"""Options whose value is a number that is counted. This file has a case for every value of them."""

OUT = "engine 12-12; turn 0; ended out\n0: 12-5 5-1 |\n1: | 12-10 6-6 0-0\n2: | 9-0 5-0\nmexican:"
BLOCKED = "engine 12-12; turn 0; ended blocked\n0: | 9-8\n1: | 9-6\n2: | 8-7\nmexican:"


def points(position: str, **options: object) -> tuple[int, ...]:
    return round_points(drawn(position, **options))


def test_every_seat_scores_the_pips_left_in_its_hand() -> None:
    assert points(OUT) == (0, 34, 14)


def test_in_a_blocked_round_every_seat_scores() -> None:
    assert points(BLOCKED) == (17, 15, 15)


@pytest.mark.parametrize("value", OPTIONS["double_blank_points"].values)
def test_the_double_blank_counts_the_points_of_the_option(value: int) -> None:
    assert points(OUT, double_blank_points=value) == (0, 34 + value, 14)


@pytest.mark.parametrize("value", OPTIONS["blank_half_points"].values)
def test_a_blank_end_counts_the_points_of_the_option_except_on_the_double_blank(value: int) -> None:
    assert points(OUT, blank_half_points=value) == (0, 34, 14 + 2 * value)


@pytest.mark.parametrize("value", OPTIONS["double_factor"].values)
def test_doubles_may_count_several_times_but_not_the_double_blank(value: int) -> None:
    assert points(OUT, double_factor=value, double_blank_points=50) == (0, 22 + 12 * value + 50, 14)


@pytest.mark.parametrize("value", OPTIONS["going_out_points"].values)
def test_going_out_counts_for_the_seat_that_went_out_alone(value: int) -> None:
    assert points(OUT, going_out_points=value) == (value, 34, 14)


def test_going_out_counts_nothing_in_a_blocked_round() -> None:
    assert points(BLOCKED, going_out_points=-10) == (17, 15, 15)


def test_the_lowest_hands_of_a_blocked_round_may_score_nothing() -> None:
    assert points(BLOCKED, blocked_lowest_zero=True) == (17, 0, 0)


def test_the_lowest_hand_is_spared_only_where_the_round_is_blocked() -> None:
    assert points(OUT, blocked_lowest_zero=True, going_out_points=-5) == (-5, 34, 14)


def test_the_lowest_hand_is_decided_by_points_and_not_by_pips() -> None:
    with_blank = "engine 12-12; turn 0; ended blocked\n0: | 0-0\n1: | 9-6\nmexican:"
    assert points(with_blank, blocked_lowest_zero=True, double_blank_points=50) == (50, 0)


@pytest.mark.parametrize(
    ("tile", "expected"),
    [("0-0", 25), ("1-0", 6), ("12-0", 17), ("1-1", 4), ("12-12", 48), ("12-11", 23)],
)
def test_the_options_add_up_tile_by_tile(tile: str, expected: int) -> None:
    options = rules_of("classic", {"double_blank_points": 25, "blank_half_points": 5, "double_factor": 2})
    assert hand_points(options, set_of([parse_tile(tile)])) == expected


def test_of_two_seats_without_tiles_only_the_one_that_went_out_first_is_rewarded() -> None:
    both = "engine 12-12; turn 0; out 1; ended out\n0: 12-5 |\n1: 12-6 |\n2: | 5-0\nmexican:"
    assert points(both, going_out_points=-5, first_turn_out="finish_lap") == (0, -5, 5)


def test_an_empty_hand_counts_nothing() -> None:
    assert hand_points(rules_of("classic", {"double_blank_points": 50}), 0) == 0
