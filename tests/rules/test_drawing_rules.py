"""When a seat draws, how often, and what it may do with a drawn tile (``rules.md`` §3, §5)."""

import pytest

from rules.mexican_train.reasons import Reason
from tests.rules.drawing import after, check_after, check_illegal, check_legal, drawn, legal_texts

FREE: dict[str, object] = {"must_play": False}
KEEPS: dict[str, object] = {"drawn_tile": "may"}
UNTIL: dict[str, object] = {"draw_rule": "until_playable"}
UNTIL_UNSTARTED: dict[str, object] = {"draw_rule": "until_playable_if_unstarted"}
ONE_A_TURN: dict[str, object] = {"draw_scope": "per_turn"}
ABLE = """
    engine 12-12; turn 0; boneyard 1-1 5-3 2-2
    0: 12-5 | 5-4 9-8
    1: 12-7 | 3-3
    mexican:
"""
STUCK = """
    engine 12-12; turn 0; boneyard 1-1 5-3 2-2
    0: 12-5 | 9-8
    1: 12-7 | 3-3
    mexican:
"""
EMPTY = STUCK.replace("; boneyard 1-1 5-3 2-2", "")


def test_an_able_seat_plays() -> None:
    check_legal(ABLE, "5-4>0")
    check_illegal(ABLE, "draw", Reason.MUST_PLAY)
    check_illegal(ABLE, "pass", Reason.MUST_PLAY)


def test_an_able_seat_may_draw_instead_but_not_pass_at_once() -> None:
    check_legal(ABLE, "5-4>0", "draw", **FREE)
    check_illegal(ABLE, "pass", Reason.MUST_DRAW_FIRST, **FREE)


def test_an_able_seat_that_drew_plays_or_passes_and_draws_no_more() -> None:
    drew = after(drawn(ABLE, **FREE), "draw")
    assert legal_texts(drew) == ["5-4>0", "pass"]
    check_illegal(ABLE.replace("turn 0", "turn 0; drew 1"), "draw", Reason.ALREADY_DREW, **FREE)


def test_an_able_seat_passes_at_once_where_there_is_nothing_to_draw() -> None:
    empty = ABLE.replace("; boneyard 1-1 5-3 2-2", "")
    check_legal(empty, "5-4>0", "pass", **FREE)
    check_illegal(empty, "draw", Reason.BONEYARD_EMPTY, **FREE)


def test_an_able_seat_that_passes_is_marked_like_any_other() -> None:
    check_after(
        ABLE,
        "draw",
        "pass",
        then="""
            engine 12-12; turn 1; passed 0; boneyard 5-3 2-2
            0: 12-5 marked | 5-4 9-8 1-1
            1: 12-7 | 3-3
            mexican:
        """,
        **FREE,
    )


def test_a_seat_that_owes_a_cover_may_decline_it_too() -> None:
    laid = ABLE.replace("turn 0", "turn 0; open 0/0*").replace("12-5 |", "12-5 5-5 |")
    check_legal(laid, "5-4>0")
    check_legal(laid, "5-4>0", "draw", **FREE)


def test_a_seat_that_need_not_play_may_keep_a_drawn_tile() -> None:
    state = after(drawn(STUCK.replace("1-1 5-3", "5-3 1-1"), **FREE), "draw")
    assert legal_texts(state) == ["5-3>0", "pass"]


def test_one_tile_is_drawn() -> None:
    check_illegal(STUCK.replace("turn 0", "turn 0; drew 1"), "draw", Reason.ALREADY_DREW)
    assert legal_texts(after(drawn(STUCK), "draw")) == ["pass"]


def test_tiles_are_drawn_until_one_can_be_laid() -> None:
    state = after(drawn(STUCK, **UNTIL), "draw")
    assert legal_texts(state) == ["draw"]
    assert legal_texts(after(state, "draw")) == ["5-3>0"]


def test_a_seat_that_draws_on_may_not_pass_before_the_boneyard_is_empty() -> None:
    drew = STUCK.replace("turn 0", "turn 0; drew 1")
    check_illegal(drew, "pass", Reason.MUST_DRAW_FIRST, **UNTIL)
    check_legal(drew.replace("; boneyard 1-1 5-3 2-2", ""), "pass", **UNTIL)
    check_illegal(drew.replace("; boneyard 1-1 5-3 2-2", ""), "draw", Reason.BONEYARD_EMPTY, **UNTIL)


def test_a_seat_that_drew_until_it_could_play_draws_no_more() -> None:
    drew = ABLE.replace("turn 0", "turn 0; drew 2")
    check_illegal(drew, "draw", Reason.MUST_PLAY, **UNTIL)
    check_illegal(drew, "draw", Reason.ALREADY_DREW, **UNTIL, **FREE)
    check_illegal(drew, "draw", Reason.ALREADY_DREW, **UNTIL, **KEEPS, **FREE)


def test_a_seat_with_a_started_train_draws_one_where_only_unstarted_ones_draw_on() -> None:
    assert legal_texts(after(drawn(STUCK, **UNTIL_UNSTARTED), "draw")) == ["pass"]


def test_a_seat_whose_own_train_is_empty_draws_on() -> None:
    unstarted = STUCK.replace("12-5 |", "|").replace("5-3", "12-3")
    state = after(drawn(unstarted, **UNTIL_UNSTARTED), "draw")
    assert legal_texts(state) == ["draw"]
    assert legal_texts(after(state, "draw")) == ["12-3>0", "12-3>mexican"]


def test_a_tile_that_somebody_else_laid_starts_the_train_of_who_draws() -> None:
    others = STUCK.replace("turn 0", "turn 0; waiting 0; drew 1")
    check_legal(others, "pass", **UNTIL_UNSTARTED)


def test_a_seat_that_cannot_cover_draws_until_it_can() -> None:
    bound = STUCK.replace("turn 0", "turn 0; open 1/1").replace("12-7 |", "12-7 7-7 |").replace("2-2", "7-2")
    state = after(drawn(bound, **UNTIL), "draw", "draw")
    assert legal_texts(state) == ["draw"]
    assert legal_texts(after(state, "draw")) == ["7-2>1"]


def test_a_drawn_tile_that_fits_is_laid() -> None:
    drew = ABLE.replace("turn 0", "turn 0; drew 1")
    check_legal(drew, "5-4>0")
    check_illegal(drew, "pass", Reason.MUST_PLAY)


def test_a_drawn_tile_that_fits_may_be_kept() -> None:
    drew = ABLE.replace("turn 0", "turn 0; drew 1")
    check_legal(drew, "5-4>0", "pass", **KEEPS)
    assert after(drawn(drew, **KEEPS), "pass").trains[0].is_marked


def test_a_seat_that_has_not_drawn_has_nothing_to_keep() -> None:
    check_legal(ABLE, "5-4>0", **KEEPS)
    check_illegal(ABLE, "pass", Reason.MUST_PLAY, **KEEPS)


def test_a_seat_that_may_keep_its_tile_draws_no_other_instead() -> None:
    check_illegal(ABLE.replace("turn 0", "turn 0; drew 1"), "draw", Reason.MUST_PLAY, **KEEPS)


def test_a_seat_that_draws_until_it_can_play_may_keep_that_tile() -> None:
    state = after(drawn(STUCK, **UNTIL, **KEEPS), "draw")
    assert legal_texts(state) == ["draw"]
    assert legal_texts(after(state, "draw")) == ["5-3>0", "pass"]


def test_a_drawn_double_may_be_kept_but_not_laid_and_left() -> None:
    state = after(drawn(STUCK.replace("1-1 5-3", "5-5 1-1").replace("9-8", "9-3"), **KEEPS), "draw")
    assert legal_texts(state) == ["5-5>0", "pass"]
    assert legal_texts(after(state, "5-5>0")) == ["draw"]


def test_a_tile_drawn_before_the_double_does_not_free_from_its_cover() -> None:
    laid = ABLE.replace("turn 0", "turn 0; open 0/0*").replace("12-5 |", "12-5 5-5 |")
    check_legal(laid, "5-4>0", **KEEPS)
    check_legal(laid.replace("open", "drew 1; open"), "5-4>0", "pass", **KEEPS)


DREW_DOUBLE = STUCK.replace("1-1 5-3 2-2", "5-5 5-3 2-2")


def test_laying_a_double_renews_the_draw() -> None:
    state = after(drawn(DREW_DOUBLE), "draw", "5-5>0")
    assert legal_texts(state) == ["draw"]
    assert legal_texts(after(state, "draw")) == ["5-3>0"]


def test_one_draw_is_all_where_a_turn_has_one() -> None:
    state = after(drawn(DREW_DOUBLE, **ONE_A_TURN), "draw", "5-5>0")
    assert legal_texts(state) == ["pass"]
    check_after(
        DREW_DOUBLE,
        "draw",
        "5-5>0",
        "pass",
        then="""
            engine 12-12; turn 1; open 0/0; passed 0; boneyard 5-3 2-2
            0: 12-5 5-5 marked | 9-8
            1: 12-7 | 3-3
            mexican:
        """,
        **ONE_A_TURN,
    )


def test_a_second_draw_of_a_turn_that_has_one_is_refused() -> None:
    used = STUCK.replace("turn 0", "turn 0; open 0/0*; renewed no").replace("12-5 |", "12-5 5-5 |")
    check_illegal(used, "draw", Reason.ALREADY_DREW, **ONE_A_TURN)


def test_a_turn_that_has_one_draw_may_use_it_for_the_cover() -> None:
    in_hand = STUCK.replace("9-8", "9-8 5-5").replace("1-1 5-3", "5-3 1-1")
    state = after(drawn(in_hand, **ONE_A_TURN), "5-5>0")
    assert legal_texts(state) == ["draw"]
    assert legal_texts(after(state, "draw")) == ["5-3>0"]


def test_a_new_turn_has_a_new_draw() -> None:
    state = after(drawn(DREW_DOUBLE, **ONE_A_TURN), "draw", "5-5>0", "pass")
    assert legal_texts(state) == ["draw"]


@pytest.mark.parametrize(("scope", "legal"), [("per_placement", ["draw"]), ("per_turn", ["pass"])])
def test_drawing_on_ends_for_the_turn_with_a_tile_laid(scope: str, legal: list[str]) -> None:
    state = drawn(STUCK.replace("1-1 5-3", "1-1 5-5 6-6"), **UNTIL, draw_scope=scope)
    assert legal_texts(after(state, "draw", "draw", "5-5>0")) == legal


def test_a_seat_that_need_not_play_draws_anew_after_a_double_only_where_that_renews() -> None:
    laid = ABLE.replace("turn 0", "turn 0; drew 1").replace("5-4 9-8", "5-5 5-4")
    assert legal_texts(after(drawn(laid, **FREE), "5-5>0")) == ["5-4>0", "draw"]
    assert legal_texts(after(drawn(laid, **FREE, **ONE_A_TURN), "5-5>0")) == ["5-4>0", "pass"]


def test_a_seat_that_keeps_drawn_tiles_covers_its_double_where_that_was_its_draw() -> None:
    laid = ABLE.replace("turn 0", "turn 0; drew 1").replace("5-4 9-8", "5-5 5-4")
    assert legal_texts(after(drawn(laid, **KEEPS, **ONE_A_TURN), "5-5>0")) == ["5-4>0"]


@pytest.mark.parametrize("rule", ["one", "until_playable", "until_playable_if_unstarted"])
def test_no_seat_draws_from_an_empty_boneyard(rule: str) -> None:
    check_legal(EMPTY, "pass", draw_rule=rule)
    check_illegal(EMPTY, "draw", Reason.BONEYARD_EMPTY, draw_rule=rule)
