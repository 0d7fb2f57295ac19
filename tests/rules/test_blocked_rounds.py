"""Blocked rounds (``rules.md`` §3, *Blocked round*)."""

from rules.mexican_train.reasons import Reason
from tests.rules.drawing import after, check_after, check_illegal, check_legal, drawn

LAST_PASS = """
    engine 12-12; turn 1; passed 0
    0: 12-5 marked | 9-8
    1: 12-7 | 9-6
    mexican: 12-4
"""


def test_a_lap_of_passes_blocks_the_round_if_no_seat_can_play() -> None:
    state = after(drawn(LAST_PASS), "pass")
    assert (state.ended, state.out) == ("blocked", None)
    assert state.trains[1].is_marked


def test_one_pass_too_few_blocks_nothing() -> None:
    state = after(drawn(LAST_PASS.replace("passed 0", "passed 1")), "pass")
    assert state.ended is None


def test_a_lap_of_passes_does_not_block_if_its_last_marker_allows_a_play() -> None:
    helped = LAST_PASS.replace("9-8", "8-7")
    check_after(
        helped,
        "pass",
        then="""
            engine 12-12; turn 0; passed 0 1
            0: 12-5 marked | 8-7
            1: 12-7 marked | 9-6
            mexican: 12-4
        """,
    )
    check_legal(helped.replace("turn 1; passed 0", "turn 0; passed 0 1").replace("12-7 |", "12-7 marked |"), "8-7>1")


def test_a_lap_of_passes_does_not_block_if_a_later_seat_can_play() -> None:
    """Seat 0, whose turn is next, is stuck; seat 1 could lay on the train that seat 2 has just opened."""
    state = after(
        drawn("engine 12-12; turn 2; passed 0 1\n0: 12-5 marked | 9-8\n1: 12-7 marked | 9-6\n2: 12-6 | 1-1\nmexican:"),
        "pass",
    )
    assert state.ended is None
    assert after(state, "pass").ended is None


def test_a_round_is_not_blocked_while_the_boneyard_has_a_tile() -> None:
    state = after(drawn(LAST_PASS.replace("passed 0", "drew 1; passed 0; boneyard 1-1")), "pass")
    assert state.ended is None


def test_a_tile_laid_in_between_starts_the_lap_again() -> None:
    state = drawn("engine 12-12; turn 1; passed 0\n0: 12-5 marked | 9-8\n1: 12-7 | 7-6 0-0\nmexican: 12-4")
    state = after(state, "7-6>1", "pass")
    assert state.ended is None
    assert after(state, "pass").ended == "blocked"


def test_an_open_double_that_no_seat_can_cover_blocks_although_other_tiles_fit() -> None:
    """7-1 would fit its own train, but the double comes first."""
    state = drawn("engine 12-12; turn 1; open 0/0; passed 0\n0: 12-5 5-5 marked | 9-8\n1: 12-7 | 7-1\nmexican:")
    assert after(state, "pass").ended == "blocked"


def test_an_open_double_that_somebody_can_cover_does_not_block() -> None:
    state = drawn("engine 12-12; turn 1; open 0/0; passed 0\n0: 12-5 5-5 marked | 9-5\n1: 12-7 | 7-1\nmexican:")
    assert after(state, "pass").ended is None


def test_a_stuck_seat_may_not_draw_from_an_empty_boneyard() -> None:
    check_illegal(LAST_PASS, "draw", Reason.BONEYARD_EMPTY)


def test_nothing_is_legal_once_a_round_is_blocked() -> None:
    over = LAST_PASS.replace("turn 1; passed 0", "turn 0; passed 0 1; ended blocked")
    check_legal(over)
    for move in ("pass", "draw", "9-8>0", "9-8>mexican", "end", "call 1", "1-1>7"):
        check_illegal(over, move, Reason.ROUND_OVER)
