"""Passing, and the marker that it brings (``rules.md`` §3)."""

from rules.mexican_train.reasons import Reason
from tests.rules.drawing import check_after, check_illegal, check_legal

STUCK = """
    engine 12-12; turn 0; drew 1; boneyard 1-1
    0: 12-5 | 9-8
    1: 12-7 | 7-6
    mexican:
"""


def test_a_seat_that_drew_a_useless_tile_passes() -> None:
    check_legal(STUCK, "pass")


def test_passing_marks_the_own_train_and_the_next_seat_moves() -> None:
    check_after(
        STUCK,
        "pass",
        then="""
            engine 12-12; turn 1; passed 0; boneyard 1-1
            0: 12-5 marked | 9-8
            1: 12-7 | 7-6
            mexican:
        """,
    )


def test_passing_leaves_a_marker_that_is_there() -> None:
    marked = STUCK.replace("12-5 |", "12-5 marked |")
    check_after(marked, "pass", then=marked.replace("turn 0; drew 1", "turn 1; passed 0"))


def test_a_seat_that_has_not_drawn_may_not_pass() -> None:
    check_illegal(STUCK.replace("; drew 1", ""), "pass", Reason.MUST_DRAW_FIRST)


def test_a_seat_that_can_lay_a_tile_may_not_pass() -> None:
    check_illegal(STUCK.replace("9-8", "9-8 5-1"), "pass", Reason.MUST_PLAY)


def test_with_an_empty_boneyard_a_stuck_seat_passes_at_once_and_is_marked() -> None:
    bare = "engine 12-12; turn 0\n0: 12-5 | 9-8\n1: 12-7 | 7-6\nmexican:"
    check_legal(bare, "pass")
    check_after(
        bare,
        "pass",
        then="engine 12-12; turn 1; passed 0\n0: 12-5 marked | 9-8\n1: 12-7 | 7-6\nmexican:",
    )


def test_a_tile_laid_ends_the_lap_of_passes() -> None:
    check_after(
        "engine 12-12; turn 1; passed 0\n0: 12-5 marked | 9-8\n1: 12-7 | 7-6 1-1\nmexican:",
        "7-6>1",
        then="engine 12-12; turn 0\n0: 12-5 marked | 9-8\n1: 12-7 7-6 | 1-1\nmexican:",
    )


def test_a_draw_does_not_end_the_lap_of_passes() -> None:
    check_after(
        "engine 12-12; turn 1; passed 0; boneyard 3-2\n0: 12-5 marked | 9-8\n1: 12-7 | 1-1\nmexican:",
        "draw",
        then="engine 12-12; turn 1; drew 1; passed 0\n0: 12-5 marked | 9-8\n1: 12-7 | 1-1 3-2\nmexican:",
    )


def test_there_is_no_long_first_turn_to_end_and_nobody_to_call() -> None:
    check_illegal(STUCK, "end", Reason.NOTHING_TO_END)
    check_illegal(STUCK, "announce", Reason.NOTHING_TO_CALL)
    check_illegal(STUCK, "call 1", Reason.NOTHING_TO_CALL)
