"""Which seats the doubles of earlier turns bind, in which order, and the marker for failing (``rules.md`` §3 A)."""

import pytest

from rules.mexican_train.reasons import Reason
from tests.rules.drawing import after, check_after, check_illegal, check_legal, drawn, legal_texts

ONE_LAP: dict[str, object] = {"double_obligation": "one_lap"}
LAYER_ONLY: dict[str, object] = {"double_obligation": "layer_only"}
NONE: dict[str, object] = {"double_obligation": "none"}
REVERSE: dict[str, object] = {"double_close_order": "reverse"}
GOES_ON: dict[str, object] = {"cover_continues": True}
OWN_FIRST: dict[str, object] = {"own_train_required_for": ["covering"]}
EXEMPT: dict[str, object] = {"cover_fail_marker": "layer_exempt"}
LEFT_OPEN = """
    engine 12-12; turn 1; open 0/0; boneyard 1-1 2-2 3-3
    0: 12-5 5-5 | 12-3 6-5
    1: 12-7 | 12-1 9-5
    2: 12-9 | 9-2 5-2
    mexican:
"""
BACK = LEFT_OPEN.replace("turn 1", "turn 0")
OPENED = LEFT_OPEN.replace("5-5 |", "5-5 marked |")


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_double_binds_the_whole_table(seat: int) -> None:
    cover = ["6-5>0", "9-5>0", "5-2>0"][seat]
    check_legal(LEFT_OPEN.replace("turn 1", f"turn {seat}"), cover)


def test_for_one_lap_a_double_binds_the_others() -> None:
    check_legal(LEFT_OPEN, "9-5>0", **ONE_LAP)
    check_legal(LEFT_OPEN.replace("turn 1", "turn 2"), "5-2>0", **ONE_LAP)
    check_illegal(LEFT_OPEN, "12-1>1", Reason.DOUBLE_NOT_COVERED, **ONE_LAP)


def test_after_one_lap_a_double_lapses() -> None:
    check_after(
        LEFT_OPEN.replace("turn 1", "turn 2; drew 1").replace("9-2 5-2", "8-8"),
        "pass",
        then="""
            engine 12-12; turn 0; passed 2; boneyard 1-1 2-2 3-3
            0: 12-5 5-5 | 12-3 6-5
            1: 12-7 | 12-1 9-5
            2: 12-9 marked | 8-8
            mexican:
        """,
        **ONE_LAP,
    )


def test_after_one_lap_only_the_layers_own_doubles_lapse() -> None:
    two = LEFT_OPEN.replace("turn 1; open 0/0", "turn 2; open 0/0 1/1 mexican/0; drew 1").replace("9-2 5-2", "8-8")
    two = two.replace("12-7 |", "12-7 7-7 |").replace("mexican:", "mexican: 12-11 11-11")
    state = after(drawn(two, **ONE_LAP), "pass")
    assert [(each.train, each.layer) for each in state.open_doubles] == [(1, 1)]
    assert legal_texts(state) == ["draw"]


def test_a_double_lapses_before_a_blocked_round_is_looked_for() -> None:
    stuck = """
        engine 12-12; turn 1; open 0/0; passed 0
        0: 12-5 5-5 | 12-3
        1: 12-7 | 9-8
        mexican:
    """
    assert after(drawn(stuck), "pass").ended == "blocked"
    state = after(drawn(stuck, **ONE_LAP), "pass")
    assert (state.ended, legal_texts(state)) == (None, ["12-3>mexican"])


def test_layer_only_leaves_the_others_free_and_the_train_closed() -> None:
    check_legal(LEFT_OPEN, "12-1>mexican", **LAYER_ONLY)
    check_illegal(LEFT_OPEN, "9-5>0", Reason.TRAIN_NOT_OPEN, **LAYER_ONLY)


def test_layer_only_lets_another_seat_cover_where_the_train_is_open() -> None:
    check_legal(OPENED, "9-5>0", "12-1>mexican", **LAYER_ONLY)
    assert after(drawn(OPENED, **LAYER_ONLY), "9-5>0").open_doubles == ()


def test_layer_only_binds_the_layer_when_its_turn_is_back() -> None:
    check_legal(BACK, "6-5>0", **LAYER_ONLY)
    check_illegal(BACK, "12-3>mexican", Reason.DOUBLE_NOT_COVERED, **LAYER_ONLY)


def test_layer_only_binds_each_layer_to_its_own_doubles() -> None:
    two = BACK.replace("open 0/0", "open 1/1 0/0").replace("12-7 |", "12-7 7-7 |")
    check_legal(two, "6-5>0", **LAYER_ONLY)
    check_legal(two.replace("turn 0", "turn 1").replace("12-1", "7-1"), "7-1>1", **LAYER_ONLY)


def test_without_obligation_a_double_binds_no_seat_after_its_turn() -> None:
    laid = BACK.replace("open 0/0", "drew 1; open 0/0*").replace("12-3 6-5", "12-3")
    check_illegal(laid, "12-3>mexican", Reason.DOUBLE_NOT_COVERED, **NONE)
    state = after(drawn(laid, **NONE), "pass")
    assert (state.open_doubles, state.trains[0].is_marked) == ((), True)
    assert legal_texts(state) == ["12-1>mexican", "9-5>0"]


def test_a_double_binds_every_seat_even_on_a_closed_train() -> None:
    check_legal(LEFT_OPEN, "9-5>0")
    check_after(
        LEFT_OPEN,
        "9-5>0",
        then="""
            engine 12-12; turn 2; boneyard 1-1 2-2 3-3
            0: 12-5 5-5 5-9 | 12-3 6-5
            1: 12-7 | 12-1
            2: 12-9 | 9-2 5-2
            mexican:
        """,
    )


TWO = """
    engine 12-12; turn 1; open 0/0 2/2; boneyard 1-1 2-2 3-3
    0: 12-5 5-5 | 12-3 6-5
    1: 12-7 | 12-1 9-5 4-1 7-6
    2: 12-4 4-4 | 5-2 4-2
    mexican:
"""


def test_the_oldest_double_is_covered_first() -> None:
    check_legal(TWO, "9-5>0")
    check_illegal(TWO, "4-1>2", Reason.DOUBLE_NOT_COVERED)


def test_in_reverse_the_newest_double_is_covered_first() -> None:
    check_legal(TWO, "4-1>2", **REVERSE)
    check_illegal(TWO, "9-5>0", Reason.DOUBLE_NOT_COVERED, **REVERSE)


@pytest.mark.parametrize(("order", "cover", "left"), [("in_order", "9-5>0", "4-2>2"), ("reverse", "4-1>2", "5-2>0")])
def test_the_next_seat_faces_the_other_double(order: str, cover: str, left: str) -> None:
    state = after(drawn(TWO, double_close_order=order), cover)
    assert legal_texts(state) == [left]


def test_a_seat_that_cannot_cover_the_first_in_order_is_stuck_though_it_could_cover_another() -> None:
    check_legal(TWO.replace("9-5 ", ""), "draw")
    check_legal(TWO.replace("4-1 ", ""), "draw", **REVERSE)


def test_only_the_doubles_that_bind_count_for_the_order() -> None:
    own_is_newest = TWO.replace("turn 1; open 0/0 2/2", "turn 2; open 0/2 1/0 2/2").replace("12-7 |", "12-7 7-7 |")
    check_legal(own_is_newest, "5-2>0", **LAYER_ONLY)
    check_legal(own_is_newest, "4-2>2", **LAYER_ONLY, **REVERSE)


def test_a_cover_ends_the_turn_though_another_double_is_open() -> None:
    assert after(drawn(TWO), "9-5>0").turn == 2


def test_a_coverer_goes_on_with_the_next_double_and_nothing_else() -> None:
    check_after(
        TWO,
        "9-5>0",
        then="""
            engine 12-12; turn 1; laid 1; open 2/2; boneyard 1-1 2-2 3-3
            0: 12-5 5-5 5-9 | 12-3 6-5
            1: 12-7 | 12-1 4-1 7-6
            2: 12-4 4-4 | 5-2 4-2
            mexican:
        """,
        **GOES_ON,
    )
    assert legal_texts(after(drawn(TWO, **GOES_ON), "9-5>0")) == ["4-1>2"]


def test_a_coverer_goes_on_in_reverse_order_too() -> None:
    state = after(drawn(TWO, **GOES_ON, **REVERSE), "4-1>2")
    assert (state.turn, legal_texts(state)) == (1, ["9-5>0"])


def test_the_turn_is_over_with_the_last_cover() -> None:
    assert after(drawn(TWO, **GOES_ON), "9-5>0", "4-1>2").turn == 2
    assert after(drawn(LEFT_OPEN, **GOES_ON), "9-5>0").turn == 2


def test_a_coverer_that_cannot_go_on_draws_for_it_passes_and_is_marked() -> None:
    state = after(drawn(TWO.replace("4-1 ", ""), **GOES_ON), "9-5>0")
    assert legal_texts(state) == ["draw"]
    state = after(state, "draw", "pass")
    assert (state.turn, state.trains[1].is_marked, len(state.open_doubles)) == (2, True, 1)


def test_a_coverer_that_has_laid_a_tile_is_spared_where_that_spares() -> None:
    stuck = drawn(TWO.replace("4-1 ", ""), **GOES_ON, marker_on_fail="if_nothing_played")
    assert not after(stuck, "9-5>0", "draw", "pass").trains[1].is_marked


def test_a_coverer_has_no_second_draw_where_a_turn_has_one() -> None:
    drew = TWO.replace("turn 1", "turn 1; drew 1").replace("4-1 ", "")
    state = after(drawn(drew, **GOES_ON, draw_scope="per_turn"), "9-5>0")
    assert legal_texts(state) == ["pass"]


def test_a_coverer_continues_only_with_doubles_that_bind_it() -> None:
    marked = TWO.replace("5-5 |", "5-5 marked |")
    assert after(drawn(marked, **GOES_ON, **LAYER_ONLY), "9-5>0").turn == 2


def test_a_seat_that_covers_its_own_double_goes_on_with_the_others_of_its_turn() -> None:
    chain = """
        engine 12-12; turn 0; open 0/0* mexican/0*
        0: 12-5 5-5 | 5-1 3-2 7-7
        1: 12-7 marked | 9-5
        mexican: 12-3 3-3
    """
    rules = GOES_ON | {"doubles_per_turn": None}
    state = after(drawn(chain, **rules), "5-1>0")
    assert (state.turn, legal_texts(state)) == (0, ["3-2>mexican"])
    assert after(state, "3-2>mexican").turn == 1
    assert after(drawn(chain, doubles_per_turn=None), "5-1>0").turn == 1


def test_a_seat_that_follows_elsewhere_has_covered_nothing_and_does_not_go_on() -> None:
    laid = BACK.replace("open 0/0", "open 0/0*")
    state = after(drawn(laid, **GOES_ON, double_follow_up="anywhere"), "12-3>mexican")
    assert (state.turn, len(state.open_doubles)) == (1, 1)


def test_a_coverer_with_its_last_tile_is_out() -> None:
    assert after(drawn(TWO.replace("12-1 9-5 4-1 7-6", "9-5"), **GOES_ON), "9-5>0").out == 1


UNSTARTED = """
    engine 12-12; turn 1; open 0/0; boneyard 1-1 2-2
    0: 12-5 5-5 | 12-3 6-5
    1: | 12-1 9-5
    2: 12-9 | 9-2 5-2
    mexican:
"""


def test_a_bound_seat_starts_its_own_train_instead_of_covering() -> None:
    check_legal(UNSTARTED, "12-1>1", **OWN_FIRST)
    check_after(
        UNSTARTED,
        "12-1>1",
        then="""
            engine 12-12; turn 2; open 0/0; boneyard 1-1 2-2
            0: 12-5 5-5 | 12-3 6-5
            1: 12-1 | 9-5
            2: 12-9 | 9-2 5-2
            mexican:
        """,
        **OWN_FIRST,
    )


def test_covering_before_the_own_train_is_started_is_refused() -> None:
    check_illegal(UNSTARTED, "9-5>0", Reason.OWN_TRAIN_FIRST, **OWN_FIRST)
    check_illegal(UNSTARTED, "12-1>mexican", Reason.OWN_TRAIN_FIRST, **OWN_FIRST)
    check_illegal(UNSTARTED, "9-5>1", Reason.ENDS_DO_NOT_MATCH, **OWN_FIRST)
    check_legal(UNSTARTED, "9-5>0")


def test_a_bound_seat_that_cannot_start_its_own_train_draws_and_passes_though_it_could_cover() -> None:
    check_legal(UNSTARTED.replace("12-1 ", ""), "draw", **OWN_FIRST)
    state = after(drawn(UNSTARTED.replace("12-1 ", ""), **OWN_FIRST), "draw", "pass")
    assert (state.turn, state.trains[1].is_marked) == (2, True)


def test_a_bound_seat_whose_own_train_is_started_covers() -> None:
    check_legal(LEFT_OPEN, "9-5>0", **OWN_FIRST)


def test_a_seat_covers_the_double_that_it_has_just_laid_though_its_own_train_is_empty() -> None:
    laid = UNSTARTED.replace("open 0/0", "open mexican/1*").replace("mexican:", "mexican: 12-9 9-9")
    check_legal(laid, "9-5>mexican", **OWN_FIRST)


def test_a_seat_that_is_bound_to_nothing_uses_every_train_before_its_own() -> None:
    free = UNSTARTED.replace("; open 0/0", "").replace("5-5 |", "5-5 marked |")
    check_legal(free, "9-5>0", "12-1>1", "12-1>mexican", **OWN_FIRST)


JUST_LAID = """
    engine 12-12; turn 0; drew 1; open 0/0*; boneyard 1-1 2-2
    0: 12-5 5-5 | 12-3
    1: 12-7 | 12-1
    mexican:
"""


def test_everybody_that_fails_to_cover_is_marked() -> None:
    state = after(drawn(JUST_LAID), "pass", "draw", "pass")
    assert [train.is_marked for train in state.trains] == [True, True, False]


def test_the_layer_that_fails_to_cover_is_exempt_and_the_others_are_not() -> None:
    state = after(drawn(JUST_LAID, **EXEMPT), "pass", "draw", "pass")
    assert [train.is_marked for train in state.trains] == [False, True, False]


def test_the_layer_is_exempt_when_its_double_comes_back_to_it() -> None:
    back = JUST_LAID.replace("open 0/0*", "open 0/0")
    assert not after(drawn(back, **EXEMPT), "pass").trains[0].is_marked
    assert after(drawn(back), "pass").trains[0].is_marked


def test_the_layer_is_not_exempt_from_another_seats_double() -> None:
    others = JUST_LAID.replace("open 0/0*", "open 1/1").replace("5-5 | 12-3", "| 12-3").replace("12-7 |", "12-7 7-7 |")
    assert after(drawn(others, **EXEMPT), "pass").trains[0].is_marked


def test_exemption_takes_no_marker_away() -> None:
    marked = JUST_LAID.replace("5-5 |", "5-5 marked |")
    assert after(drawn(marked, **EXEMPT), "pass").trains[0].is_marked


def test_a_stuck_seat_without_a_double_is_not_exempt() -> None:
    plain = JUST_LAID.replace("; open 0/0*", "").replace("12-5 5-5 | 12-3", "12-5 | 9-3")
    assert after(drawn(plain, **EXEMPT), "pass").trains[0].is_marked


def test_a_layer_that_is_asked_to_start_its_own_train_is_not_exempt() -> None:
    own_first = JUST_LAID.replace("12-5 5-5 | 12-3", "| 9-3").replace("open 0/0*", "open mexican/0")
    own_first = own_first.replace("mexican:", "mexican: 12-5 5-5")
    assert after(drawn(own_first, **EXEMPT, **OWN_FIRST), "pass").trains[0].is_marked
    assert not after(drawn(own_first, **EXEMPT), "pass").trains[0].is_marked
