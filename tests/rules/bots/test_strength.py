"""Strength: each level against a weaker one over duplicate deals, at four seats."""

from rules.presets import rules_of
from tests.rules.bots.duplicate import strength

DEALS = 200


def gain(stronger: str, weaker: str) -> float:
    """How many points fewer a round costs the first."""
    return -strength(rules_of("classic", {}), 4, DEALS, stronger, weaker)[0]


def test_easy_is_better_than_random() -> None:
    assert gain("easy", "random") > 4


def test_medium_is_better_than_easy() -> None:
    assert gain("medium", "easy") > 4


def test_hard_is_better_than_medium() -> None:
    assert gain("hard", "medium") >= 3.5


def test_hard_is_far_better_than_easy() -> None:
    assert gain("hard", "easy") >= 12
