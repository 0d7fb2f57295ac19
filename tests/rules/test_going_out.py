"""Going out (``rules.md`` §4)."""

from rules.mexican_train.reasons import Reason
from tests.rules.drawing import after, check_after, check_illegal, check_legal, drawn

LAST = "engine 12-12; turn 0; boneyard 3-2\n0: 12-5 | 5-4\n1: 12-7 | 8-8 0-0\nmexican:"
OUT = "engine 12-12; turn 1; ended out; boneyard 3-2\n0: 12-5 5-4 |\n1: 12-7 | 8-8 0-0\nmexican:"


def test_the_last_tile_ends_the_round() -> None:
    check_after(LAST, "5-4>0", then=OUT)
    assert drawn(OUT).out == 0


def test_a_round_with_tiles_in_every_hand_continues() -> None:
    state = after(drawn(LAST.replace("5-4", "5-4 1-1")), "5-4>0")
    assert (state.ended, state.out) == (None, None)


def test_a_double_as_last_tile_ends_the_round_uncovered() -> None:
    state = after(drawn(LAST.replace("5-4", "5-5")), "5-5>0")
    assert (state.ended, state.out) == ("out", 0)


def test_the_cover_of_an_own_double_may_be_the_last_tile() -> None:
    state = after(drawn(LAST.replace("5-4", "5-5 5-4")), "5-5>0")
    assert state.ended is None
    assert after(state, "5-4>0").out == 0


def test_a_seat_may_go_out_on_any_train_that_is_open_to_it() -> None:
    for place in ("mexican", "1"):
        state = drawn("engine 12-12; turn 0\n0: 12-5 | 7-1\n1: 12-7 marked | 8-8\nmexican: 12-9 9-7")
        assert after(state, f"7-1>{place}").out == 0


def test_a_later_seat_may_go_out_too() -> None:
    assert after(drawn(LAST.replace("turn 0", "turn 1").replace("8-8 0-0", "7-0")), "7-0>1").out == 1


def test_nothing_is_legal_once_a_seat_is_out() -> None:
    check_legal(OUT)
    for move in ("pass", "draw", "8-8>1", "announce"):
        check_illegal(OUT, move, Reason.ROUND_OVER)


def test_one_tile_left_need_not_be_announced() -> None:
    check_illegal(LAST, "announce", Reason.NOTHING_TO_CALL)
