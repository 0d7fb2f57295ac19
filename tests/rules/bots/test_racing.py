"""The race of the *expert*'s moves: who leaves it, when, and who wins."""

import random

from rules.mexican_train.bots.racing import EVERY, FIRST_CHECK, Race


def raced(*means: float, worlds: int, spread: float = 4, ready: int = 0) -> Race:
    """A race between moves of these values, give or take the same for all of them and a little for each."""
    chance, race = random.Random(1), Race(len(means), ready)
    for _ in range(worlds):
        common = chance.gauss(0, 50)
        race.note([common + means[move] + chance.gauss(0, spread) for move in race.alive])
    return race


def test_no_move_is_dropped_before_enough_worlds() -> None:
    assert raced(0, 100, worlds=FIRST_CHECK - 1).alive == [0, 1]


def test_a_move_that_is_clearly_behind_is_dropped() -> None:
    assert raced(0, 100, 99, worlds=FIRST_CHECK).alive == [1, 2]


def test_moves_are_compared_every_few_worlds() -> None:
    race = raced(0, 0, worlds=FIRST_CHECK)
    for _ in range(EVERY - 1):
        race.note([0, 1000])
        assert race.alive == [0, 1]
    race.note([0, 1000])
    assert race.alive == [1]


def test_differences_between_worlds_do_not_matter() -> None:
    assert raced(0, 10, worlds=FIRST_CHECK).alive == [1]


def test_moves_of_one_value_stay() -> None:
    assert raced(3, 3, 3, worlds=200, spread=0).alive == [0, 1, 2]


def test_one_that_is_better_in_every_world_by_the_same_is_better() -> None:
    assert raced(2, 3, worlds=FIRST_CHECK, spread=0).alive == [1]


def test_a_move_that_is_a_little_behind_stays_if_the_leader_still_has_to_beat_the_one_that_was_ready() -> None:
    little = raced(0, 2.5, worlds=FIRST_CHECK)
    assert 1 < little.lead(1, 0) < 3
    assert little.alive == [0, 1]


def test_a_move_that_is_a_little_behind_the_one_that_was_ready_leaves() -> None:
    assert raced(0, 2.5, worlds=FIRST_CHECK, ready=1).alive == [1]


def test_the_best_wins() -> None:
    assert raced(0, 9, 3, worlds=64).winner() == 1


def test_the_move_that_was_ready_wins_unless_another_is_clearly_better() -> None:
    race = raced(0, 0.1, worlds=32)
    assert race.alive == [0, 1]
    assert race.winner() == 0
    assert raced(0, 2.5, worlds=FIRST_CHECK).winner() == 1


def test_the_move_that_was_ready_wins_a_race_that_was_cut_short() -> None:
    assert raced(0, 100, worlds=FIRST_CHECK - 1).winner() == 0


def test_the_gain_is_that_over_the_next_best() -> None:
    race = raced(0, 9, 3, worlds=64, spread=0)
    assert abs(race.gain(1) - 6) < 1e-9
    assert abs(race.gain(2) + 6) < 1e-9
