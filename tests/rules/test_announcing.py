"""Announcing that one tile is left, and calling a seat that did not (``rules.md`` §5, *announce*)."""

import pytest

from rules.mexican_train.announcing import calls_of, shows_last_tile
from rules.mexican_train.legality import legal_moves_of
from rules.mexican_train.notation import move_text
from rules.mexican_train.reasons import Reason
from rules.mexican_train.state import State
from tests.rules.drawing import after, check_after, check_illegal, check_legal, drawn, legal_texts

PENALTY: dict[str, object] = {"announce": "penalty"}
TWO_LEFT = """
    engine 12-12; turn 0; boneyard 1-1 2-2 3-3
    0: 12-5 | 5-1 8-8
    1: 12-7 | 7-6 9-9 7-0
    2: 12-9 | 9-2 4-4 4-0
    mexican:
"""
EXPOSED = """
    engine 12-12; turn 1; exposed 0; boneyard 1-1 2-2 3-3
    0: 12-5 5-1 | 8-8
    1: 12-7 | 7-6 9-9 7-0
    2: 12-9 | 9-2 4-4 4-0
    mexican:
"""


def who_may_call(state: State) -> dict[int, str]:
    """The seats that may call somebody, and whom."""
    return {seat: move_text(call) for seat in range(state.setup.seats) for call in calls_of(state, seat)}


@pytest.mark.parametrize("announce", ["off", "automatic"])
def test_without_the_option_nobody_announces_or_calls(announce: str) -> None:
    check_legal(TWO_LEFT, "5-1>0", announce=announce)
    check_illegal(TWO_LEFT, "announce", Reason.NOTHING_TO_CALL, announce=announce)
    check_after(TWO_LEFT, "5-1>0", then=EXPOSED.replace("; exposed 0", ""), announce=announce)
    check_illegal(EXPOSED.replace("; exposed 0", ""), "call 0", Reason.NOTHING_TO_CALL, announce=announce)


@pytest.mark.parametrize(("announce", "tells"), [("off", False), ("automatic", True), ("penalty", False)])
def test_the_server_announces_only_with_the_option_automatic(announce: str, tells: bool) -> None:
    state = after(drawn(TWO_LEFT, announce=announce), "5-1>0")
    assert shows_last_tile(state, 0) is tells
    assert not shows_last_tile(state, 1)


def test_everybody_sees_an_announcement() -> None:
    state = after(drawn(TWO_LEFT, **PENALTY), "announce")
    assert not shows_last_tile(state, 0)
    assert shows_last_tile(after(state, "5-1>0"), 0)


def test_a_seat_announces_with_two_tiles_of_which_it_can_lay_one() -> None:
    check_legal(TWO_LEFT, "5-1>0", "announce", **PENALTY)
    check_after(TWO_LEFT, "announce", then=TWO_LEFT.replace("turn 0", "turn 0; announced 0"), **PENALTY)


def test_a_seat_does_not_announce_with_two_tiles_of_which_it_can_lay_none() -> None:
    stuck = TWO_LEFT.replace("5-1 8-8", "7-1 8-8")
    check_legal(stuck, "draw", **PENALTY)
    check_illegal(stuck, "announce", Reason.NOTHING_TO_CALL, **PENALTY)


def test_a_seat_does_not_announce_with_more_tiles() -> None:
    check_illegal(TWO_LEFT.replace("8-8", "8-8 6-0"), "announce", Reason.NOTHING_TO_CALL, **PENALTY)


def test_a_seat_with_one_tile_announces_whether_it_can_lay_it_or_not() -> None:
    check_legal(TWO_LEFT.replace("5-1 8-8", "5-1"), "5-1>0", "announce", **PENALTY)
    check_legal(TWO_LEFT.replace("5-1 8-8", "8-8"), "draw", "announce", **PENALTY)


def test_a_seat_announces_once() -> None:
    said = TWO_LEFT.replace("turn 0", "turn 0; announced 0")
    check_legal(said, "5-1>0", **PENALTY)
    check_illegal(said, "announce", Reason.NOTHING_TO_CALL, **PENALTY)


def test_a_seat_announces_between_a_double_and_its_cover() -> None:
    double = TWO_LEFT.replace("5-1 8-8", "5-5 5-1 8-8")
    state = after(drawn(double, **PENALTY), "5-5>0")
    assert legal_texts(state) == ["5-1>0", "announce"]


def test_a_seat_announces_within_a_long_first_turn_before_it_ends_it() -> None:
    long = TWO_LEFT.replace("turn 0", "turn 0; laid 1; first 0").replace("5-1 8-8", "8-8")
    check_legal(long, "end", "announce", **PENALTY, first_turn_length="unlimited")
    assert after(drawn(long, **PENALTY, first_turn_length="unlimited"), "end").standing.exposed == 0


def test_an_announcement_is_valid_while_each_turn_ends_with_one_tile() -> None:
    said = "engine 12-12; turn 0; announced 0\n0: 12-5 | 8-8\n1: 12-7 | 7-6 9-9\nmexican:"
    state = after(drawn(said, **PENALTY), "pass")
    assert (state.standing.announced, state.standing.exposed) == (0b01, None)


def test_a_seat_that_draws_and_lays_that_tile_need_not_announce_again() -> None:
    said = TWO_LEFT.replace("turn 0", "turn 0; announced 0").replace("5-1 8-8", "8-8").replace("1-1 2-2", "5-1 2-2")
    state = after(drawn(said, **PENALTY), "draw", "5-1>0")
    assert (state.turn, state.standing.exposed) == (1, None)


def test_a_turn_that_ends_with_more_tiles_ends_the_announcement() -> None:
    said = TWO_LEFT.replace("turn 0", "turn 0; announced 0").replace("5-1 8-8", "8-8")
    state = after(drawn(said, **PENALTY), "draw", "pass")
    assert (state.standing.announced, state.standing.exposed) == (0, None)


def test_a_seat_that_announced_and_then_keeps_two_tiles_has_to_say_it_again() -> None:
    said = TWO_LEFT.replace("turn 0", "turn 0; announced 0").replace("; boneyard 1-1 2-2 3-3", "")
    state = after(drawn(said, **PENALTY, must_play=False), "pass", "7-6>1", "9-2>2")
    assert legal_texts(state) == ["5-1>0", "announce", "pass"]


def test_a_turn_that_ends_with_one_tile_unannounced_exposes_the_seat() -> None:
    check_after(TWO_LEFT, "5-1>0", then=EXPOSED, **PENALTY)


def test_a_pass_with_one_tile_unannounced_exposes_the_seat_too() -> None:
    state = after(drawn("engine 12-12; turn 0\n0: 12-5 | 8-8\n1: 12-7 | 7-6 9-9\nmexican:", **PENALTY), "pass")
    assert state.standing.exposed == 0


def test_a_seat_that_announced_is_not_exposed() -> None:
    said = EXPOSED.replace("exposed 0", "announced 0")
    check_after(TWO_LEFT, "announce", "5-1>0", then=said, **PENALTY)
    check_illegal(said, "call 0", Reason.NOTHING_TO_CALL, **PENALTY)


@pytest.mark.parametrize("hand", ["5-1 8-8 6-0", "5-1"])
def test_a_turn_that_ends_with_another_number_of_tiles_exposes_no_seat(hand: str) -> None:
    assert after(drawn(TWO_LEFT.replace("5-1 8-8", hand), **PENALTY), "5-1>0").standing.exposed is None


def test_a_seat_with_a_double_still_to_cover_has_not_ended_its_turn() -> None:
    state = after(drawn(TWO_LEFT.replace("5-1 8-8", "5-5 8-8"), **PENALTY), "5-5>0")
    assert (state.turn, state.standing.exposed) == (0, None)


def test_every_seat_but_the_exposed_one_may_call_it() -> None:
    check_legal(EXPOSED, "7-6>1", "7-0>1", "call 0", **PENALTY)
    state = drawn(EXPOSED, **PENALTY)
    assert who_may_call(state) == {1: "call 0", 2: "call 0"}
    assert list(map(move_text, legal_moves_of(state, 2))) == ["call 0"]
    assert not list(legal_moves_of(state, 0))


def test_a_seat_that_is_not_exposed_is_not_called() -> None:
    for nobody in ("call 1", "call 2", "call 7"):
        check_illegal(EXPOSED, nobody, Reason.NOTHING_TO_CALL, **PENALTY)


def test_a_seat_may_be_called_through_the_whole_next_turn() -> None:
    drawing = drawn(EXPOSED.replace("7-6 9-9 7-0", "9-9 6-0").replace("1-1 2-2", "7-7 2-2"), **PENALTY)
    for state in (after(drawing, "draw"), after(drawing, "draw", "7-7>1"), after(drawing, "draw", "7-7>1", "draw")):
        assert (state.turn, who_may_call(state)) == (1, {1: "call 0", 2: "call 0"})


def test_after_the_next_turn_the_seat_may_no_longer_be_called() -> None:
    state = after(drawn(EXPOSED, **PENALTY), "7-6>1")
    assert (state.turn, who_may_call(state)) == (2, {})
    check_illegal(EXPOSED.replace("turn 1; exposed 0", "turn 2"), "call 0", Reason.NOTHING_TO_CALL, **PENALTY)


def test_the_next_seat_may_be_exposed_in_its_turn() -> None:
    state = after(drawn(EXPOSED.replace("7-6 9-9 7-0", "7-6 9-9"), **PENALTY), "7-6>1")
    assert who_may_call(state) == {0: "call 1", 2: "call 1"}


def test_after_the_round_no_seat_may_be_called() -> None:
    state = after(drawn(EXPOSED.replace("7-6 9-9 7-0", "7-6"), **PENALTY), "7-6>1")
    assert (state.out, who_may_call(state)) == (1, {})


@pytest.mark.parametrize(("tiles", "left", "hand"), [(1, "2-2 3-3", "1-1 8-8"), (2, "3-3", "1-1 2-2 8-8")])
def test_the_called_seat_draws_and_the_turn_stays_where_it_is(tiles: int, left: str, hand: str) -> None:
    caught = EXPOSED.replace("exposed 0; boneyard 1-1 2-2 3-3", f"boneyard {left}").replace("| 8-8", f"| {hand}")
    check_after(EXPOSED, "call 0", then=caught, **PENALTY, announce_penalty_tiles=tiles)


@pytest.mark.parametrize(("boneyard", "hand"), [("; boneyard 1-1", "1-1 8-8"), ("", "8-8")])
def test_the_called_seat_draws_as_far_as_the_boneyard_goes(boneyard: str, hand: str) -> None:
    short = EXPOSED.replace("; boneyard 1-1 2-2 3-3", boneyard)
    caught = EXPOSED.replace("; exposed 0; boneyard 1-1 2-2 3-3", "").replace("| 8-8", f"| {hand}")
    check_after(short, "call 0", then=caught, **PENALTY)


def test_a_seat_is_called_once() -> None:
    check_illegal(EXPOSED.replace("; exposed 0", ""), "call 0", Reason.NOTHING_TO_CALL, **PENALTY)
    assert who_may_call(after(drawn(EXPOSED, **PENALTY), "call 0")) == {}


def test_a_penalty_may_take_the_tile_that_the_next_seat_would_have_drawn() -> None:
    last = EXPOSED.replace("1-1 2-2 3-3", "1-1 2-2").replace("7-6 9-9 7-0", "9-9 6-0")
    check_legal(last, "draw", "call 0", **PENALTY)
    assert legal_texts(after(drawn(last, **PENALTY), "call 0")) == ["pass"]


def test_a_call_during_a_turn_does_not_change_the_turn() -> None:
    laid = EXPOSED.replace("turn 1", "turn 1; drew 1; open 1/1*").replace("12-7 |", "12-7 7-7 |")
    before, state = drawn(laid, **PENALTY), after(drawn(laid, **PENALTY), "call 0")
    assert (state.turn, state.progress, state.open_doubles) == (before.turn, before.progress, before.open_doubles)


def test_a_called_seat_that_is_down_to_one_tile_again_has_to_announce() -> None:
    caught = EXPOSED.replace("turn 1; exposed 0", "turn 0").replace("| 8-8", "| 1-1 8-8")
    check_legal(caught, "1-1>0", "announce", **PENALTY)
