"""95 % intervals, against printed tables and worked examples."""

import pytest

from laboratory.intervals import half_width, share_interval, t_point

STUDENT = {1: 12.706, 2: 4.303, 5: 2.571, 9: 2.262, 10: 2.228, 20: 2.086, 30: 2.042, 60: 2.000, 100: 1.984, 1000: 1.962}


@pytest.mark.parametrize("freedom", STUDENT)
def test_students_points_are_those_of_the_tables(freedom: int) -> None:
    assert t_point(freedom) == pytest.approx(STUDENT[freedom], abs=0.0006)


def test_many_deals_have_the_normal_point() -> None:
    assert t_point(10**6) == pytest.approx(1.96, abs=0.0001)


def test_the_interval_of_a_mean_is_students() -> None:
    """Mean 3, deviation √2.5, standard error √0.5, four degrees of freedom: 2.776 · 0.7071."""
    assert half_width([1, 2, 3, 4, 5]) == pytest.approx(1.963, abs=0.001)


def test_equal_values_leave_no_doubt() -> None:
    assert half_width([4, 4, 4]) == 0


def test_a_single_value_has_no_interval() -> None:
    assert half_width([4]) is None


@pytest.mark.parametrize(
    ("won", "of", "low", "high"), [(5, 10, 0.237, 0.763), (8, 10, 0.490, 0.943), (15, 50, 0.191, 0.438)]
)
def test_the_interval_of_a_share_is_wilsons(won: int, of: int, low: float, high: float) -> None:
    assert share_interval([1] * won + [0] * (of - won)) == pytest.approx((low, high), abs=0.001)


def test_winning_all_of_a_few_is_not_certainty() -> None:
    assert share_interval([1] * 10) == pytest.approx((0.722, 1), abs=0.001)
    assert share_interval([0] * 10) == pytest.approx((0, 0.278), abs=0.001)


def test_half_wins_count_in_half() -> None:
    assert share_interval([0.5] * 10) == share_interval([1, 0] * 5)


def test_no_match_has_no_interval() -> None:
    assert share_interval([]) is None
