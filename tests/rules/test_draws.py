"""Drawing from the boneyard (``rules.md`` §3)."""

from rules.mexican_train.reasons import Reason
from rules.mexican_train.state import START
from rules.tiles import tile
from tests.rules.drawing import after, check_after, check_illegal, check_legal, drawn, legal_texts

STUCK = """
    engine 12-12; turn 0; boneyard 12-4 1-1
    0: | 11-5 9-9
    1: | 8-8
    mexican:
"""
ABLE = STUCK.replace("11-5", "12-5")
DREW = """
    engine 12-12; turn 0; drew 1; boneyard 1-1
    0: | 11-5 9-9 12-4
    1: | 8-8
    mexican:
"""


def test_a_stuck_seat_draws() -> None:
    check_legal(STUCK, "draw")


def test_a_seat_that_can_lay_a_tile_may_not_draw() -> None:
    check_illegal(ABLE, "draw", Reason.MUST_PLAY)


def test_the_drawn_tile_is_the_front_of_the_boneyard_and_the_turn_continues() -> None:
    check_after(STUCK, "draw", then=DREW)


def test_a_drawn_tile_that_fits_must_be_played() -> None:
    check_legal(DREW, "12-4>0", "12-4>mexican")
    check_illegal(DREW, "pass", Reason.MUST_PLAY)
    check_illegal(DREW, "draw", Reason.MUST_PLAY)


def test_no_other_tile_may_be_played_instead_of_the_drawn_one() -> None:
    check_illegal(DREW, "11-5>0", Reason.ENDS_DO_NOT_MATCH)


def test_a_stuck_seat_draws_only_once() -> None:
    still_stuck = DREW.replace("12-4", "3-3")
    check_legal(still_stuck, "pass")
    check_illegal(still_stuck, "draw", Reason.ALREADY_DREW)


def test_no_seat_draws_from_an_empty_boneyard() -> None:
    empty = STUCK.replace("; boneyard 12-4 1-1", "")
    check_legal(empty, "pass")
    check_illegal(empty, "draw", Reason.BONEYARD_EMPTY)


def test_having_drawn_the_last_tile_a_seat_has_drawn_already() -> None:
    last = DREW.replace("12-4", "3-3").replace("; boneyard 1-1", "")
    check_illegal(last, "draw", Reason.ALREADY_DREW)


def test_a_new_turn_brings_a_new_draw() -> None:
    state = after(drawn(STUCK.replace("12-4 1-1", "7-7 6-6 5-5")), "draw", "pass")
    assert state.progress == START
    assert legal_texts(state) == ["draw"]


def test_a_double_brings_a_new_draw_for_its_cover() -> None:
    state = drawn("engine 12-12; turn 0; boneyard 5-5 5-2 6-6\n0: 12-5 | 3-1\n1: 12-7 | 8-8\nmexican:")
    state = after(state, "draw", "5-5>0")
    assert legal_texts(state) == ["draw"]
    assert legal_texts(after(state, "draw")) == ["5-2>0"]


def test_a_draw_does_not_change_the_other_hands() -> None:
    before, drew = drawn(STUCK), after(drawn(STUCK), "draw")
    assert drew.hands[1] == before.hands[1]
    assert drew.hands[0] == before.hands[0] | tile(12, 4).bit
