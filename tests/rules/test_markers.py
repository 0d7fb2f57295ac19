"""Which seat gets a marker, and what removes it (``rules.md`` §5: the *marker* options)."""

import pytest

from rules.mexican_train.reasons import Reason
from tests.rules.drawing import after, check_after, check_illegal, check_legal, drawn

IF_NOTHING: dict[str, object] = {"marker_on_fail": "if_nothing_played"}
NOT_WHEN_EMPTY: dict[str, object] = {"marker_on_empty_boneyard": False}
OPTIONAL: dict[str, object] = {"marker_clear": "optional_own_play"}
ANY: dict[str, object] = {"marker_clear": "any_play"}
STUCK = """
    engine 12-12; turn 0; drew 1; boneyard 1-1 2-2
    0: 12-5 | 9-8
    1: 12-7 | 7-6 3-3
    mexican:
"""
LAID = """
    engine 12-12; turn 0; drew 1; open 0/0*; boneyard 1-1 2-2
    0: 12-5 5-5 | 12-3
    1: 12-7 | 9-5 3-3
    mexican:
"""
MARKED = """
    engine 12-12; turn 0; boneyard 1-1 2-2
    0: 12-5 marked | 5-2 12-3 7-1
    1: 12-7 marked | 7-6 3-3
    mexican:
"""


@pytest.mark.parametrize("rule", ["always", "if_nothing_played"])
def test_a_seat_that_laid_nothing_is_marked(rule: str) -> None:
    marked = STUCK.replace("turn 0; drew 1", "turn 1; passed 0").replace("12-5 |", "12-5 marked |")
    check_after(STUCK, "pass", then=marked, marker_on_fail=rule)


def test_a_seat_that_laid_a_double_and_is_stuck_is_marked_too() -> None:
    assert after(drawn(LAID), "pass").trains[0].is_marked


def test_a_seat_that_laid_a_double_and_is_stuck_is_not_marked_where_only_nothing_played_counts() -> None:
    check_after(
        LAID,
        "pass",
        then=LAID.replace("turn 0; drew 1; open 0/0*", "turn 1; open 0/0; passed 0"),
        **IF_NOTHING,
    )


def test_a_later_seat_that_cannot_cover_has_played_nothing() -> None:
    later = LAID.replace("turn 0; drew 1; open 0/0*", "turn 1; drew 1; open 0/0").replace("9-5", "9-8")
    assert after(drawn(later, **IF_NOTHING), "pass").trains[1].is_marked


def test_a_marker_that_is_there_stays_though_something_was_played() -> None:
    elsewhere = """
        engine 12-12; turn 0; drew 1; open mexican/0*
        0: 12-7 marked | 12-3
        1: 12-6 | 9-5
        mexican: 12-5 5-5
    """
    assert after(drawn(elsewhere, **IF_NOTHING), "pass").trains[0].is_marked


def test_a_seat_that_is_stuck_with_an_empty_boneyard_is_marked() -> None:
    assert after(drawn(STUCK.replace("drew 1; boneyard 1-1 2-2", "passed 1")), "pass").trains[0].is_marked


def test_a_seat_that_is_stuck_with_an_empty_boneyard_may_be_spared() -> None:
    empty = STUCK.replace("; drew 1; boneyard 1-1 2-2", "")
    check_after(empty, "pass", then=empty.replace("turn 0", "turn 1; passed 0"), **NOT_WHEN_EMPTY)


def test_a_seat_that_is_stuck_while_there_are_tiles_is_marked_in_any_case() -> None:
    assert after(drawn(STUCK, **NOT_WHEN_EMPTY), "pass").trains[0].is_marked


def test_a_seat_that_drew_a_useless_last_tile_is_stuck_with_an_empty_boneyard() -> None:
    last = drawn(STUCK.replace("drew 1; boneyard 1-1 2-2", "boneyard 1-1"), **NOT_WHEN_EMPTY)
    assert not after(last, "draw", "pass").trains[0].is_marked


def test_a_spared_seat_keeps_the_marker_that_it_has() -> None:
    marked = STUCK.replace("; drew 1; boneyard 1-1 2-2", "").replace("12-5 |", "12-5 marked |")
    assert after(drawn(marked, **NOT_WHEN_EMPTY), "pass").trains[0].is_marked


def test_a_play_on_the_own_train_takes_the_marker_off() -> None:
    check_legal(MARKED, "5-2>0", "7-1>1", "12-3>mexican")
    check_after(
        MARKED,
        "5-2>0",
        then="""
            engine 12-12; turn 1; boneyard 1-1 2-2
            0: 12-5 5-2 | 12-3 7-1
            1: 12-7 marked | 7-6 3-3
            mexican:
        """,
    )


@pytest.mark.parametrize("rule", ["auto_own_play", "optional_own_play"])
@pytest.mark.parametrize("elsewhere", ["12-3>mexican", "7-1>1"])
def test_a_play_elsewhere_leaves_both_markers(rule: str, elsewhere: str) -> None:
    state = after(drawn(MARKED, marker_clear=rule), elsewhere)
    assert [train.is_marked for train in state.trains] == [True, True, False]


def test_a_seat_may_choose_to_keep_its_marker() -> None:
    check_legal(MARKED, "5-2>0", "5-2>0 keep", "7-1>1", "12-3>mexican", **OPTIONAL)
    kept = MARKED.replace("turn 0", "turn 1").replace("12-5 marked | 5-2", "12-5 5-2 marked |")
    check_after(MARKED, "5-2>0 keep", then=kept, **OPTIONAL)
    check_after(MARKED, "5-2>0", then=kept.replace("5-2 marked", "5-2"), **OPTIONAL)


def test_there_is_no_choice_without_a_marker() -> None:
    check_legal(MARKED.replace("12-5 marked", "12-5"), "5-2>0", "7-1>1", "12-3>mexican", **OPTIONAL)


def test_a_cover_of_the_own_train_may_keep_the_marker_too() -> None:
    back = LAID.replace("drew 1; open 0/0*", "open 0/0").replace("5-5 | 12-3", "5-5 marked | 9-5 12-3")
    back = back.replace("1: 12-7 | 9-5 3-3", "1: 12-7 | 3-3")
    check_legal(back, "9-5>0", "9-5>0 keep", **OPTIONAL)


@pytest.mark.parametrize("rule", ["auto_own_play", "any_play"])
def test_keep_marker_has_no_effect_if_the_option_does_not_allow_it(rule: str) -> None:
    assert not after(drawn(MARKED, marker_clear=rule), "5-2>0 keep").trains[0].is_marked


@pytest.mark.parametrize("play", ["5-2>0", "12-3>mexican", "7-1>1"])
def test_any_play_takes_the_own_marker_off_and_no_other(play: str) -> None:
    state = after(drawn(MARKED, **ANY), play)
    assert [train.is_marked for train in state.trains] == [False, True, False]


def test_a_double_that_any_play_lays_elsewhere_takes_the_marker_off_and_failing_brings_it_back() -> None:
    double = MARKED.replace("5-2 12-3 7-1", "7-7 12-3")
    state = after(drawn(double, **ANY), "7-7>1")
    assert not state.trains[0].is_marked
    assert after(state, "draw", "pass").trains[0].is_marked


def test_a_train_whose_marker_came_off_is_closed_again() -> None:
    closed = MARKED.replace("turn 0", "turn 1").replace("12-5 marked | 5-2", "12-5 5-2 |").replace("3-3", "3-2")
    check_illegal(closed, "3-2>0", Reason.TRAIN_NOT_OPEN)


def test_drawing_takes_no_marker_off() -> None:
    assert after(drawn(MARKED.replace("5-2 12-3 7-1", "9-8"), **ANY), "draw").trains[0].is_marked
