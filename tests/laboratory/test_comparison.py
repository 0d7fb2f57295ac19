"""Figures computed from played deals, compared with calculations by hand."""

from array import array
from dataclasses import astuple

import pytest

from laboratory.comparison import Comparison, Thinking, compare, match_shares
from laboratory.duplicates import Duplicate
from rules.mexican_train.presets import rules_of
from tests.laboratory.experiments import experiment

TWO_ROUNDS = rules_of("classic", {"rounds": 2})


def duplicate(one: tuple[int, ...], other: tuple[int, ...], blocked: int = 0, ms: tuple[float, ...] = ()) -> Duplicate:
    return Duplicate((one, other), blocked, (array("d", [each / 1000 for each in ms]), array("d")))


def compared(*duplicates: Duplicate) -> Comparison:
    asked = experiment("hard", "easy", seats=2, deals=len(duplicates), rounds=2)
    return compare(asked, ("hard", "easy"), duplicates)


def test_the_interval_is_of_the_differences_of_duplicate_deals_not_of_rounds() -> None:
    """Differences -3 and +2: mean -0.5, deviation 3.5355, one degree of freedom."""
    found = compared(duplicate((10, 0), (20, 4)), duplicate((0, 5), (0, 9)))
    assert found.pips == -0.5
    assert found.pips_within == pytest.approx(12.7062 * 3.5355 / 2**0.5, abs=0.001)
    assert (found.first_points, found.second_points) == ((7 + 4.5) / 2, (10 + 2.5) / 2)


def test_the_luck_of_the_tiles_does_not_widen_the_interval() -> None:
    found = compared(*(duplicate((luck, 3), (luck, 5)) for luck in (0, 50, 100)))
    assert (found.pips, found.pips_within) == (1, 0)


def test_rounds_are_grouped_into_matches_each_seating_for_itself() -> None:
    """In the first seating the second wins with 5 against 10; in the other the first, in seat 1, with 13 against 20."""
    found = compared(duplicate((10, 0), (20, 4)), duplicate((0, 5), (0, 9)))
    assert (found.share, found.matches, found.rounds) == (0.5, 2, 4)
    assert found.share_from == pytest.approx(0.0945, abs=0.0001)
    assert found.share_to == pytest.approx(0.9055, abs=0.0001)


def test_the_rounds_of_a_match_that_is_not_whole_count_for_the_pips_alone() -> None:
    found = compared(*[duplicate((0, 9), (9, 0))] * 5)
    assert (found.share, found.matches, found.rounds, found.pips) == (1, 4, 10, -9)


def test_too_few_deals_have_no_share_of_matches() -> None:
    found = compared(duplicate((0, 9), (9, 0)))
    assert (found.pips, found.pips_within, found.matches) == (-9, None, 0)
    assert found.share is found.share_from is found.share_to is None


def test_a_shared_win_counts_by_its_winners() -> None:
    """Three of four seats share the first match, two of them the first's; all four share the other."""
    match = [duplicate((1, 1, 1, 9), (5, 5, 5, 5)), duplicate((0, 0, 0, 0), (0, 0, 0, 0))]
    assert match_shares(TWO_ROUNDS, match) == [2 / 3, 1 / 2]


def test_ties_are_broken_as_the_rules_of_the_match_say() -> None:
    tournament = rules_of("tournament", {"rounds": 2})
    assert match_shares(tournament, [duplicate((0, 3), (6, 0)), duplicate((6, 3), (0, 6))]) == [1, 0.5]


def test_blocked_rounds_are_counted() -> None:
    assert compared(duplicate((1, 2), (1, 2), blocked=2), duplicate((1, 2), (1, 2), blocked=1)).blocked == 3


def test_times_are_given_for_both_levels() -> None:
    found = compared(duplicate((1, 2), (1, 2), ms=(3, 1)), duplicate((1, 2), (1, 2), ms=(2, 40, 5)))
    assert astuple(found.first_thinking) == pytest.approx((5, 3, 40, 40))
    assert found.second_thinking == Thinking(0, None, None, None)
