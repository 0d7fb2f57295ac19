"""All rounds of a table: engines, totals, winners (``rules.md`` §4). First seats are in ``test_first_seat``."""

import pytest

from rules.game import totals
from rules.mexican_train.dealing import choose_engine
from rules.mexican_train.match import winners
from rules.mexican_train.options import Options
from rules.mexican_train.presets import rules_of
from rules.tiles import double_set
from tests.rules.drawing import CLASSIC

BY_ROUNDS = rules_of("classic", {"tie_break": "zero_rounds_then_low_round"})


def engines(options: Options) -> list[int]:
    """The engine of each round of a match."""
    chosen = list[int]()
    for each in range(options.round_count):
        chosen.append(choose_engine(options, 2, each, chosen, 0, double_set(options.highest_pip)))
    return chosen


def test_a_full_match_has_one_round_a_double_falling_to_the_double_blank() -> None:
    assert CLASSIC.round_count == 13
    assert engines(CLASSIC) == list(range(12, -1, -1))


@pytest.mark.parametrize(("max_pip", "rounds"), [(6, 7), (9, 10), (12, 13), (15, 16), (18, 19)])
def test_a_full_match_begins_with_the_highest_double_of_its_set(max_pip: int, rounds: int) -> None:
    options = rules_of("classic", {"set_max_pip": max_pip, "hand_sizes": {"2": 8}})
    assert options.round_count == rounds
    assert engines(options) == list(range(max_pip, -1, -1))


def test_a_match_may_begin_with_a_lower_engine() -> None:
    assert engines(rules_of("classic", {"engine_first": 5})) == [5, 4, 3, 2, 1, 0]
    assert engines(rules_of("classic", {"engine_first": 5, "rounds": 2})) == [5, 4]


def test_points_add_up_over_the_rounds() -> None:
    assert totals([[1, 2, 3], [10, 0, -5]], 3) == (11, 2, -2)
    assert totals([], 2) == (0, 0)


def test_the_lowest_total_wins_alone() -> None:
    assert winners(CLASSIC, [[0, 12], [30, 1]], [True, True]) == [1]


def test_equal_lowest_totals_share_the_win() -> None:
    assert winners(CLASSIC, [[5, 9, 3], [5, 9, 7]], [True] * 3) == [0, 2]


def test_a_seat_that_may_not_win_does_not_though_its_total_is_lowest() -> None:
    assert winners(CLASSIC, [[0, 12, 9]], [False, True, True]) == [2]


def test_no_seat_wins_if_none_may_win() -> None:
    for options in (CLASSIC, BY_ROUNDS):
        assert winners(options, [[0, 12]], [False, False]) == []


def test_everybody_wins_a_match_without_rounds() -> None:
    for options in (CLASSIC, BY_ROUNDS):
        assert winners(options, [], [True, True]) == [0, 1]


def test_a_tie_goes_to_the_seat_with_most_rounds_without_points() -> None:
    rounds = [[0, 60], [0, 0], [120, 60]]
    assert winners(BY_ROUNDS, rounds, [True, True]) == [0]
    assert winners(CLASSIC, rounds, [True, True]) == [0, 1]


def test_an_equal_tie_goes_to_the_seat_with_the_lowest_other_round() -> None:
    assert winners(BY_ROUNDS, [[0, 10], [10, 0], [5, 3], [5, 7]], [True, True]) == [1]


def test_a_tie_with_equal_lowest_rounds_is_shared() -> None:
    assert winners(BY_ROUNDS, [[0, 4], [4, 0]], [True, True]) == [0, 1]
    assert winners(BY_ROUNDS, [[0, 0], [0, 0]], [True, True]) == [0, 1]


def test_rounds_without_points_do_not_beat_a_lower_total() -> None:
    assert winners(BY_ROUNDS, [[0, 3], [0, 3], [7, 0]], [True, True]) == [1]


def test_a_seat_that_may_not_win_does_not_decide_a_tie() -> None:
    assert winners(BY_ROUNDS, [[0, 2, 1], [0, 0, 1], [2, 0, 0]], [False, True, True]) == [1]
