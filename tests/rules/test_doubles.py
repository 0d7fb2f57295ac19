"""Doubles and the tiles that cover them (``rules.md`` §3)."""

from rules.mexican_train.reasons import Reason
from tests.rules.drawing import check_after, check_illegal, check_legal

BEFORE = """
    engine 12-12; turn 0; boneyard 12-8 4-4
    0: 12-5 | 5-5 5-1 12-3
    1: 12-7 | 9-5 12-1 7-5
    2: 12-9 | 9-2
    mexican:
"""
LAID = """
    engine 12-12; turn 0; open 0/0*; boneyard 12-8 4-4
    0: 12-5 5-5 | 5-1 12-3
    1: 12-7 | 9-5 12-1 7-5
    2: 12-9 | 9-2
    mexican:
"""
LEFT_OPEN = """
    engine 12-12; turn 1; open 0/0; passed 0; boneyard 4-4
    0: 12-5 5-5 marked | 12-3 12-8
    1: 12-7 | 9-5 12-1 7-5
    2: 12-9 | 9-2
    mexican:
"""


def test_a_double_is_laid_where_any_tile_would_be() -> None:
    check_legal(BEFORE, "5-5>0", "5-1>0", "12-3>mexican")


def test_a_double_keeps_the_turn() -> None:
    check_after(BEFORE, "5-5>0", then=LAID)


def test_a_double_must_be_covered_before_anything_else_is_laid() -> None:
    check_legal(LAID, "5-1>0")
    check_illegal(LAID, "12-3>mexican", Reason.DOUBLE_NOT_COVERED)


def test_a_double_is_not_covered_by_a_tile_that_does_not_fit_it() -> None:
    check_illegal(LAID, "12-3>0", Reason.ENDS_DO_NOT_MATCH)


def test_a_seat_that_can_cover_may_neither_draw_nor_pass() -> None:
    check_illegal(LAID, "draw", Reason.MUST_PLAY)
    check_illegal(LAID, "pass", Reason.MUST_PLAY)


def test_covering_ends_the_turn() -> None:
    check_after(
        LAID,
        "5-1>0",
        then="""
            engine 12-12; turn 1; boneyard 12-8 4-4
            0: 12-5 5-5 5-1 | 12-3
            1: 12-7 | 9-5 12-1 7-5
            2: 12-9 | 9-2
            mexican:
        """,
    )


def test_a_seat_without_a_cover_draws_though_another_tile_would_fit_elsewhere() -> None:
    bare = LAID.replace("5-1 12-3", "12-3")
    check_legal(bare, "draw")
    check_illegal(bare, "pass", Reason.MUST_DRAW_FIRST)
    check_illegal(bare, "12-3>mexican", Reason.DOUBLE_NOT_COVERED)


def test_a_drawn_cover_must_be_played() -> None:
    drew = LAID.replace("5-1 12-3", "12-3 8-5").replace("turn 0", "turn 0; drew 1")
    check_legal(drew, "8-5>0")
    check_illegal(drew, "pass", Reason.MUST_PLAY)


def test_a_drawn_tile_that_fits_elsewhere_is_no_cover() -> None:
    drew = LAID.replace("5-1 12-3", "12-3 12-8").replace("turn 0", "turn 0; drew 1")
    check_legal(drew, "pass")
    check_illegal(drew, "12-8>mexican", Reason.DOUBLE_NOT_COVERED)


def test_failing_to_cover_marks_the_layer_and_leaves_the_double_to_the_next_seat() -> None:
    check_after(LAID.replace("5-1 12-3", "12-3"), "draw", "pass", then=LEFT_OPEN)


def test_a_later_seat_must_cover_even_on_a_train_that_is_not_its_own() -> None:
    check_legal(LEFT_OPEN, "9-5>0", "7-5>0")
    check_illegal(LEFT_OPEN, "12-1>mexican", Reason.DOUBLE_NOT_COVERED)
    check_illegal(LEFT_OPEN, "7-5>1", Reason.DOUBLE_NOT_COVERED)


def test_a_double_binds_also_where_its_train_carries_no_marker() -> None:
    closed = LEFT_OPEN.replace("5-5 marked", "5-5")
    check_legal(closed, "9-5>0", "7-5>0")
    check_after(
        closed,
        "9-5>0",
        then="""
            engine 12-12; turn 2; boneyard 4-4
            0: 12-5 5-5 5-9 | 12-3 12-8
            1: 12-7 | 12-1 7-5
            2: 12-9 | 9-2
            mexican:
        """,
    )


def test_a_later_seat_that_cannot_cover_draws_passes_and_is_marked() -> None:
    stuck = LEFT_OPEN.replace("turn 1; open 0/0; passed 0", "turn 2; open 0/0; passed 0 1")
    check_legal(stuck, "draw")
    check_after(
        stuck,
        "draw",
        "pass",
        then="""
            engine 12-12; turn 0; open 0/0; passed 0 1 2
            0: 12-5 5-5 marked | 12-3 12-8
            1: 12-7 | 9-5 12-1 7-5
            2: 12-9 marked | 9-2 4-4
            mexican:
        """,
    )


def test_a_cover_by_another_seat_does_not_change_the_markers() -> None:
    check_after(
        LEFT_OPEN.replace("1: 12-7 |", "1: 12-7 marked |"),
        "9-5>0",
        then="""
            engine 12-12; turn 2; boneyard 4-4
            0: 12-5 5-5 5-9 marked | 12-3 12-8
            1: 12-7 marked | 12-1 7-5
            2: 12-9 | 9-2
            mexican:
        """,
    )


def test_the_layer_that_covers_later_on_its_own_train_loses_its_marker() -> None:
    check_after(
        "engine 12-12; turn 0; open 0/0\n0: 12-5 5-5 marked | 5-3 4-4\n1: 12-7 | 9-5\nmexican:",
        "5-3>0",
        then="engine 12-12; turn 1\n0: 12-5 5-5 5-3 | 4-4\n1: 12-7 | 9-5\nmexican:",
    )


def test_a_double_may_go_on_the_mexican_train_and_is_covered_there() -> None:
    laid = "engine 12-12; turn 1; open mexican/1*\n0: | 5-3\n1: 12-7 | 7-1 6-5\nmexican: 12-5 5-5"
    check_after(
        "engine 12-12; turn 1\n0: | 5-3\n1: 12-7 | 7-1 6-5 5-5\nmexican: 12-5",
        "5-5>mexican",
        then=laid,
    )
    check_legal(laid, "6-5>mexican")
    check_illegal(laid, "7-1>1", Reason.DOUBLE_NOT_COVERED)


def test_a_double_may_go_on_another_seats_marked_train_and_the_marker_stays() -> None:
    check_after(
        "engine 12-12; turn 1\n0: 12-5 marked | 5-3\n1: 12-7 | 5-5 6-5\nmexican:",
        "5-5>0",
        "6-5>0",
        then="engine 12-12; turn 0; ended out\n0: 12-5 5-5 5-6 marked | 5-3\n1: 12-7 |\nmexican:",
    )


def test_a_second_double_cannot_be_laid_instead_of_a_cover() -> None:
    two = "engine 12-12; turn 0; open 0/0*\n0: 12-5 5-5 | 5-1 7-7\n1: 12-6 | 9-5\nmexican: 12-7"
    check_legal(two, "5-1>0")
    check_illegal(two, "7-7>mexican", Reason.DOUBLES_LIMIT)


def test_a_second_double_that_would_not_fit_is_no_cover() -> None:
    two = "engine 12-12; turn 0; open 0/0*\n0: 12-5 5-5 | 5-1 7-7\n1: 12-6 | 9-5\nmexican: 12-8"
    check_illegal(two, "7-7>mexican", Reason.DOUBLE_NOT_COVERED)


def test_a_double_is_not_laid_on_a_closed_train() -> None:
    check_illegal(BEFORE.replace("5-5 5-1", "9-9 5-1"), "9-9>2", Reason.TRAIN_NOT_OPEN)
