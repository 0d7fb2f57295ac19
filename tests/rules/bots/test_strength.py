"""Strength: each level against a weaker one over duplicate deals, at four seats."""

from statistics import mean

import pytest

from laboratory.duplicates import play_twice
from laboratory.experiment import Experiment
from rules.mexican_train.presets import rules_of

pytestmark = [pytest.mark.by_chance, pytest.mark.slow]


DEALS = 200


def gain(stronger: str, weaker: str) -> float:
    """How many points fewer a round costs the first."""
    pair = (stronger, weaker)
    experiment = Experiment(pair, 4, DEALS, rules_of("classic", {}))
    return -mean(play_twice(experiment, pair, number).difference for number in range(DEALS))


def test_easy_is_better_than_random() -> None:
    assert gain("easy", "random") > 4


def test_medium_is_better_than_easy() -> None:
    assert gain("medium", "easy") > 4


def test_hard_is_better_than_medium() -> None:
    assert gain("hard", "medium") >= 3.5


def test_hard_is_far_better_than_easy() -> None:
    assert gain("hard", "easy") >= 12
