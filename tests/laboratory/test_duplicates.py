"""Duplicate deals: the same tiles twice, and the two levels in each other's seats."""

from array import array

import pytest

from laboratory.duplicates import Duplicate, play_twice, side_at
from tests.cases import slow_after
from tests.laboratory.experiments import experiment


def test_the_levels_sit_in_turn_and_change_places() -> None:
    assert [side_at(seat, 0) for seat in range(5)] == [0, 1, 0, 1, 0]
    assert [side_at(seat, 1) for seat in range(5)] == [1, 0, 1, 0, 1]


@pytest.mark.parametrize("seats", slow_after(1, [2, 3, 4, 5, 8]))
@pytest.mark.parametrize("level", ["random", "hard"])
def test_a_level_gains_nothing_on_itself(level: str, seats: int) -> None:
    duplicate = play_twice(experiment(seats=seats), (level, level), 1)
    assert duplicate.points[0] == duplicate.points[1]
    assert duplicate.difference == 0


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_pair_the_other_way_round_is_the_same_two_rounds_in_the_other_order(seats: int) -> None:
    one = play_twice(experiment(seats=seats), ("easy", "random"), 2)
    other = play_twice(experiment(seats=seats), ("random", "easy"), 2)
    assert one.points == other.points[::-1]
    assert one.points[0] != one.points[1]
    assert one.difference == -other.difference
    assert [len(each) for each in one.seconds] == [len(each) for each in reversed(other.seconds)]


@pytest.mark.slow
def test_a_better_level_scores_less() -> None:
    asked = experiment(seats=2)
    assert sum(play_twice(asked, ("hard", "random"), number).difference for number in range(6)) < -60


def test_the_difference_is_of_the_means_of_each_levels_seats_over_both_seatings() -> None:
    duplicate = Duplicate(((10, 1, 20), (4, 7, 6)), 0, duplicate_times())
    assert duplicate.penalties == ((15 + 7) / 2, (1 + 5) / 2)
    assert duplicate.difference == 8


def duplicate_times() -> tuple["array[float]", "array[float]"]:
    return array("d"), array("d")
