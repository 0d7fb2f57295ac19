"""Going out if the last double must be covered: when a seat without tiles is out (``rules.md`` §5)."""

from rules.mexican_train.reasons import Reason
from rules.mexican_train.scoring import round_points
from tests.rules.drawing import after, check_after, check_illegal, check_legal, drawn, legal_texts

MUST: dict[str, object] = {"finish_on_double": "must_cover"}
LAST_DOUBLE = """
    engine 12-12; turn 0
    0: 12-5 | 5-5
    1: 12-7 | 9-5 12-1
    2: 12-9 | 9-2 3-3
    mexican:
"""
LAID = """
    engine 12-12; turn 0; open 0/0*
    0: 12-5 5-5 |
    1: 12-7 | 9-5 12-1
    2: 12-9 | 9-2 3-3
    mexican:
"""
LEFT_OPEN = """
    engine 12-12; turn 1; open 0/0; passed 0
    0: 12-5 5-5 marked |
    1: 12-7 | 9-5 12-1
    2: 12-9 | 9-2 3-3
    mexican:
"""


def test_without_the_option_a_last_double_ends_the_round() -> None:
    assert after(drawn(LAST_DOUBLE), "5-5>0").out == 0


def test_a_last_double_that_must_be_covered_does_not_end_the_round() -> None:
    check_after(LAST_DOUBLE, "5-5>0", then=LAID, **MUST)


def test_a_seat_without_tiles_passes_where_there_is_nothing_to_draw() -> None:
    check_legal(LAID, "pass", **MUST)
    check_after(LAID, "pass", then=LEFT_OPEN, **MUST)


def test_a_seat_without_tiles_draws_while_it_can_and_may_not_pass() -> None:
    drawing = LAID.replace("open 0/0*", "open 0/0*; boneyard 8-5 1-1")
    check_legal(drawing, "draw", **MUST)
    check_illegal(drawing, "pass", Reason.MUST_DRAW_FIRST, **MUST)


def test_a_seat_that_draws_the_cover_lays_it_and_is_out() -> None:
    state = after(drawn(LAID.replace("open 0/0*", "open 0/0*; boneyard 8-5"), **MUST), "draw", "8-5>0")
    assert (state.ended, state.out, state.open_doubles) == ("out", 0, ())


def test_a_seat_that_drew_a_useless_tile_is_not_out_when_its_double_is_covered() -> None:
    state = after(drawn(LAID.replace("open 0/0*", "open 0/0*; boneyard 1-1"), **MUST), "draw", "pass", "9-5>0")
    assert (state.ended, state.out, state.turn) == (None, None, 2)


def test_a_seat_is_out_at_the_moment_another_seat_covers_its_double() -> None:
    state = after(drawn(LEFT_OPEN, **MUST), "9-5>0")
    assert (state.ended, state.out) == ("out", 0)
    assert list(round_points(state)) == [0, 13, 17]


NOBODY_CAN = """
    engine 12-12; turn 2; open 0/0; passed 0 1
    0: 12-5 5-5 marked |
    1: 12-7 marked | 9-8
    2: 12-9 | 3-3
    mexican:
"""


def test_a_last_double_that_no_seat_can_cover_blocks_the_round() -> None:
    assert after(drawn(NOBODY_CAN, **MUST), "pass").ended == "blocked"


def test_it_does_not_block_the_round_while_the_boneyard_has_a_tile() -> None:
    drawing = NOBODY_CAN.replace("passed 0 1", "passed 0 1; boneyard 8-4 1-1")
    assert after(drawn(drawing, **MUST), "draw", "pass").ended is None


def test_whether_a_seat_can_cover_it_is_checked_after_a_pass() -> None:
    laid = NOBODY_CAN.replace("turn 2; open 0/0; passed 0 1", "turn 0").replace("5-5 marked |", "| 5-5")
    state = after(drawn(laid.replace("12-7 marked", "12-7"), **MUST, blocked_detection="no_move"), "5-5>0")
    assert (state.ended, state.turn) == (None, 0)
    assert after(state, "pass").ended == "blocked"


def test_a_tile_laid_elsewhere_blocks_no_round_either() -> None:
    drawing = """
        engine 12-12; turn 1; open 0/0
        0: 12-5 5-5 marked |
        1: 12-7 | 9-7 8-4
        2: 12-9 | 3-3
        mexican:
    """
    state = after(drawn(drawing, **MUST, double_obligation="layer_only", blocked_detection="no_move"), "9-7>1")
    assert (state.ended, state.turn) == (None, 2)
    assert after(state, "pass").ended == "blocked"


def test_a_last_tile_that_is_a_cover_ends_the_round() -> None:
    covered = LAID.replace("5-5 |", "5-5 | 5-1")
    assert after(drawn(covered, **MUST), "5-1>0").out == 0


def test_a_last_tile_that_is_no_double_ends_the_round() -> None:
    assert after(drawn(LAST_DOUBLE.replace("| 5-5", "| 5-1"), **MUST), "5-1>0").out == 0


def test_an_open_double_of_another_seat_does_not_prevent_going_out() -> None:
    others = LEFT_OPEN.replace("open 0/0", "open 0/0 2/2").replace("12-9 |", "12-9 9-9 |")
    assert after(drawn(others, **MUST), "9-5>0").out == 0


def test_every_double_that_a_seat_laid_has_to_be_covered() -> None:
    chain = LAID.replace("open 0/0*", "open 0/0* mexican/0*").replace("5-5 |", "5-5 | 5-1")
    chain = chain.replace("mexican:", "mexican: 12-3 3-3").replace("9-2 3-3", "9-3 9-2")
    state = after(drawn(chain, **MUST, doubles_per_turn=None), "5-1>0")
    assert (state.ended, state.turn, len(state.open_doubles)) == (None, 1, 1)
    assert after(state, "pass", "9-3>mexican").out == 0


def test_a_coverer_without_tiles_goes_on_to_its_other_double_and_draws_for_it() -> None:
    chain = LAID.replace("open 0/0*", "open 0/0* mexican/0*; boneyard 3-2").replace("5-5 |", "5-5 | 5-1")
    chain = chain.replace("mexican:", "mexican: 12-3 3-3").replace("9-2 3-3", "9-3")
    state = after(drawn(chain, **MUST, doubles_per_turn=None, cover_continues=True), "5-1>0")
    assert (state.ended, legal_texts(state)) == (None, ["draw"])
    assert after(state, "draw", "3-2>mexican").out == 0


def test_a_bound_seat_without_tiles_is_stuck_turn_after_turn() -> None:
    back = LEFT_OPEN.replace("turn 1; open 0/0; passed 0", "turn 0; open 0/0; passed 1 2; boneyard 1-1")
    check_legal(back, "draw", **MUST)
    check_legal(back.replace("; boneyard 1-1", ""), "pass", **MUST)


def test_a_double_that_lapses_puts_its_seat_out_as_the_turn_comes_back() -> None:
    last = LEFT_OPEN.replace("turn 1; open 0/0; passed 0", "turn 2; open 0/0; passed 0 1").replace("9-2 3-3", "9-2 9-1")
    state = after(drawn(last, **MUST, double_obligation="one_lap"), "pass")
    assert (state.ended, state.out) == ("out", 0)


def test_a_last_double_that_binds_nobody_puts_its_seat_out_at_the_end_of_the_turn() -> None:
    state = after(drawn(LAID, **MUST, double_obligation="none"), "pass")
    assert (state.ended, state.out) == ("out", 0)


def test_a_double_without_follow_up_is_never_open_and_its_seat_is_out() -> None:
    assert after(drawn(LAST_DOUBLE, **MUST, double_follow_up="none"), "5-5>0").out == 0


def test_layer_only_puts_a_seat_out_when_somebody_covers_of_their_own_will() -> None:
    state = drawn(LEFT_OPEN, **MUST, double_obligation="layer_only")
    assert after(state, "12-1>mexican").ended is None
    assert after(state, "9-5>0").out == 0


def test_in_a_round_blocked_by_the_last_double_no_seat_is_out() -> None:
    nobody_can = LEFT_OPEN.replace("9-5 12-1", "9-8 12-1")
    state = after(drawn(nobody_can, **MUST), "pass", "pass")
    assert (state.ended, state.out) == ("blocked", None)
    assert list(round_points(state)) == [0, 30, 17]


SIX: dict[str, object] = {"set_max_pip": 6, "hand_sizes": {"2": 8}}
# All fives but 5-5 and 5-3 lie on the table.
FIVES = """
    engine 6-6; turn 0
    0: 6-1 1-5 5-0 0-4 4-5 | 5-5
    1: 6-2 2-5 | 5-3 2-2
    mexican: 6-5
"""


def test_a_last_double_that_is_dead_when_laid_puts_its_seat_out() -> None:
    dead = FIVES.replace("2-5 | 5-3", "2-5 5-3 |")
    assert after(drawn(dead, **MUST, **SIX), "5-5>0").out == 0


def test_a_last_double_that_dies_later_puts_its_seat_out() -> None:
    """Seat 1, bound to nothing, lays the last five on its own train."""
    state = after(drawn(FIVES, **MUST, **SIX, double_obligation="layer_only"), "5-5>0", "pass")
    assert (state.ended, legal_texts(state)) == (None, ["5-3>0", "5-3>1", "5-3>mexican"])
    assert after(state, "5-3>1").out == 0


def test_a_dead_last_double_keeps_its_seat_in_where_dead_doubles_block() -> None:
    dead = FIVES.replace("2-5 | 5-3", "2-5 5-3 |")
    state = after(drawn(dead, **MUST, **SIX, dead_double="blocks"), "5-5>0")
    assert (state.ended, legal_texts(state)) == (None, ["pass"])


def test_a_seat_that_covers_with_its_last_tile_is_out_before_the_layer() -> None:
    """Both hands are empty then, and no double is open; the seat whose turn it is comes first."""
    state = after(drawn(LEFT_OPEN.replace("9-5 12-1", "9-5"), **MUST), "9-5>0")
    assert (state.ended, state.out) == ("out", 1)
