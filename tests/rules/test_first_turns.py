"""First turns: how long, where, what their doubles ask for, who is out in them (``rules.md`` §3, §5)."""

import pytest

from rules.mexican_train.doubles import visible_doubles
from rules.mexican_train.reasons import Reason
from tests.rules.drawing import after, check_after, check_illegal, check_legal, drawn, legal_texts

LONG: dict[str, object] = {"first_turn_length": "unlimited"}
DEFERRED: dict[str, object] = {"first_turn_double": "deferred"}
LAP: dict[str, object] = {"first_turn_out": "finish_lap"}
MUST_COVER: dict[str, object] = {"finish_on_double": "must_cover"}
BEGIN = """
    engine 12-12; turn 0; first 0 1 2; boneyard 0-0 2-2
    0: | 12-5 5-5 5-3 9-7
    1: | 12-8 9-5 5-1
    2: | 12-1 8-6
    mexican:
"""
ONE_LAID = """
    engine 12-12; turn 0; laid 1; first 0 1 2; boneyard 0-0 2-2
    0: 12-5 | 5-5 5-3 9-7
    1: | 12-8 9-5 5-1
    2: | 12-1 8-6
    mexican:
"""
DOUBLE_LAID = """
    engine 12-12; turn 0; open 0/0*; laid 2; first 0 1 2; boneyard 0-0 2-2
    0: 12-5 5-5 | 5-3 9-7
    1: | 12-8 9-5 5-1
    2: | 12-1 8-6
    mexican:
"""
LEFT_OPEN = """
    engine 12-12; turn 1; open 0/0; first 1 2; boneyard 0-0 2-2
    0: 12-5 5-5 | 5-3 9-7
    1: | 12-8 9-5 5-1
    2: | 12-1 8-6
    mexican:
"""


def test_a_first_turn_of_one_tile_is_over_with_it() -> None:
    check_after(BEGIN, "12-5>0", then=ONE_LAID.replace("turn 0; laid 1; first 0 1 2", "turn 1; first 1 2"))
    check_illegal(BEGIN, "end", Reason.NOTHING_TO_END)


def test_a_long_first_turn_goes_on_after_its_first_tile() -> None:
    check_after(BEGIN, "12-5>0", then=ONE_LAID, **LONG)
    check_legal(ONE_LAID, "5-5>0", "5-3>0", "end", **LONG)


def test_a_long_first_turn_is_not_ended_before_its_first_tile() -> None:
    check_legal(BEGIN, "12-5>0", "12-5>mexican", **LONG)
    check_illegal(BEGIN, "end", Reason.NOTHING_TO_END, **LONG)


def test_ending_a_long_first_turn_brings_no_marker_and_the_next_seats_first_turn() -> None:
    check_after(ONE_LAID, "end", then=ONE_LAID.replace("turn 0; laid 1; first 0 1 2", "turn 1; first 1 2"), **LONG)


def test_a_long_first_turn_that_has_begun_never_draws_or_passes() -> None:
    stuck = ONE_LAID.replace("5-5 5-3 9-7", "9-7")
    for position in (ONE_LAID, stuck):
        check_illegal(position, "draw", Reason.MUST_PLAY, **LONG)
        check_illegal(position, "pass", Reason.MUST_PLAY, **LONG)
    check_legal(stuck, "end", **LONG)


def test_with_voluntary_draws_a_long_first_turn_can_be_ended_too() -> None:
    check_legal(ONE_LAID, "5-5>0", "5-3>0", "end", **LONG, must_play=False)


def test_a_long_first_turn_that_is_stuck_before_its_first_tile_draws_and_passes() -> None:
    check_after(
        BEGIN.replace("12-5 5-5 5-3 9-7", "5-3 9-7"),
        "draw",
        "pass",
        then="""
            engine 12-12; turn 1; first 1 2; passed 0; boneyard 2-2
            0: marked | 5-3 9-7 0-0
            1: | 12-8 9-5 5-1
            2: | 12-1 8-6
            mexican:
        """,
        **LONG,
    )


def test_a_long_first_turn_goes_on_after_a_tile_that_was_drawn() -> None:
    drew = BEGIN.replace("12-5 5-5 5-3 9-7", "5-3 9-7").replace("0-0 2-2", "12-5 2-2")
    assert legal_texts(after(drawn(drew, **LONG), "draw", "12-5>0")) == ["5-3>0", "end"]


def test_the_doubles_of_a_long_first_turn_need_no_cover() -> None:
    check_after(ONE_LAID, "5-5>0", then=DOUBLE_LAID, **LONG)
    check_legal(DOUBLE_LAID.replace("9-7", "12-7"), "5-3>0", "12-7>mexican", "end", **LONG)


def test_the_doubles_of_a_long_first_turn_lie_open_when_it_ends_and_not_before() -> None:
    assert visible_doubles(drawn(DOUBLE_LAID, **LONG)) == ()
    check_after(DOUBLE_LAID, "end", then=LEFT_OPEN, **LONG)
    assert len(visible_doubles(drawn(LEFT_OPEN, **LONG))) == 1


def test_a_double_that_is_covered_within_a_long_first_turn_is_not_open_after_it() -> None:
    state = after(drawn(DOUBLE_LAID, **LONG), "5-3>0", "end")
    assert (state.turn, state.open_doubles) == (1, ())


def test_doubles_per_turn_does_not_limit_a_long_first_turn() -> None:
    two = DOUBLE_LAID.replace("mexican:", "mexican: 12-9").replace("5-3 9-7", "9-9 8-8")
    check_legal(two, "9-9>mexican", "end", **LONG, doubles_per_turn=1)
    assert len(after(drawn(two, **LONG), "9-9>mexican", "end").open_doubles) == 2


def test_a_double_without_follow_up_is_not_open_after_a_long_first_turn() -> None:
    state = after(drawn(ONE_LAID, **LONG, double_follow_up="none"), "5-5>0", "end")
    assert state.open_doubles == ()


def test_a_double_with_no_obligation_is_gone_when_a_long_first_turn_ends() -> None:
    assert after(drawn(DOUBLE_LAID, **LONG, double_obligation="none"), "end").open_doubles == ()


def test_a_dead_double_is_not_left_open_by_a_long_first_turn() -> None:
    fives = """
        engine 6-6; turn 0; laid 1; first 0
        0: 6-1 1-5 5-0 0-4 4-5 | 5-5 2-0
        1: 6-2 2-5 5-3 | 0-0
        mexican: 6-5
    """
    six: dict[str, object] = {"set_max_pip": 6, "hand_sizes": {"2": 8}}
    assert len(after(drawn(fives, **LONG, **six, dead_double="blocks"), "5-5>0", "end").open_doubles) == 1
    assert after(drawn(fives, **LONG, **six), "5-5>0", "end").open_doubles == ()


def test_a_long_first_turn_covers_an_earlier_double_first_and_then_continues() -> None:
    check_legal(LEFT_OPEN, "9-5>0", "5-1>0", **LONG)
    check_illegal(LEFT_OPEN, "12-8>1", Reason.DOUBLE_NOT_COVERED, **LONG)
    assert legal_texts(after(drawn(LEFT_OPEN, **LONG), "9-5>0")) == ["12-8>1", "12-8>mexican", "end"]


def test_a_long_first_turn_covers_one_earlier_double_after_the_other_and_may_end_between_them() -> None:
    two = LEFT_OPEN.replace("open 0/0", "open 0/0 mexican/0").replace("mexican:", "mexican: 12-1 1-1")
    check_legal(two, "9-5>0", "5-1>0", **LONG)
    state = after(drawn(two, **LONG), "9-5>0")
    assert legal_texts(state) == ["5-1>mexican", "end"]
    assert legal_texts(after(state, "5-1>mexican")) == ["12-8>1", "end"]


def test_a_bound_long_first_turn_that_is_stuck_draws_and_passes() -> None:
    stuck = LEFT_OPEN.replace("12-8 9-5 5-1", "12-8 9-1")
    check_legal(stuck, "draw", **LONG)
    state = after(drawn(stuck, **LONG), "draw", "pass")
    assert (state.turn, state.trains[1].is_marked) == (2, True)


def test_an_emptied_hand_ends_a_long_first_turn_by_itself() -> None:
    last = ONE_LAID.replace("5-5 5-3 9-7", "5-3")
    assert after(drawn(last, **LONG), "5-3>0").ended == "out"
    assert after(drawn(last, **LONG, **LAP), "5-3>0").turn == 1


def test_only_the_first_turn_is_long() -> None:
    later = ONE_LAID.replace("laid 1; first 0 1 2; ", "")
    check_legal(later, "5-5>0", "5-3>0", **LONG)
    state = after(drawn(later, **LONG), "5-3>0")
    assert state.turn == 1


def test_a_double_laid_in_a_second_turn_is_covered_at_once() -> None:
    later = ONE_LAID.replace("laid 1; first 0 1 2; ", "")
    assert legal_texts(after(drawn(later, **LONG), "5-5>0")) == ["5-3>0"]


ALL_OPEN = """
    engine 12-12; turn 0; first 0; boneyard 0-0
    0: | 12-5 7-3 4-2 9-9
    1: 12-7 marked | 1-1
    mexican: 12-4
"""


@pytest.mark.parametrize(
    ("trains", "legal"),
    [
        ("any_eligible", ["12-5>0", "7-3>1", "4-2>mexican"]),
        ("own_or_mexican", ["12-5>0", "4-2>mexican"]),
        ("own_only", ["12-5>0"]),
    ],
)
def test_a_first_turn_goes_where_the_table_says(trains: str, legal: list[str]) -> None:
    check_legal(ALL_OPEN, *legal, first_turn_trains=trains)
    check_legal(ALL_OPEN.replace("first 0; ", ""), "12-5>0", "7-3>1", "4-2>mexican", first_turn_trains=trains)


def test_a_first_turn_elsewhere_is_refused_by_name() -> None:
    check_illegal(ALL_OPEN, "7-3>1", Reason.FIRST_TURN_OWN_TRAIN, first_turn_trains="own_or_mexican")
    check_illegal(ALL_OPEN, "4-2>mexican", Reason.FIRST_TURN_OWN_TRAIN, first_turn_trains="own_only")


def test_a_closed_train_is_closed_in_a_first_turn_too() -> None:
    check_illegal(ALL_OPEN.replace("marked ", ""), "7-3>1", Reason.TRAIN_NOT_OPEN, first_turn_trains="any_eligible")


def test_a_first_turn_that_only_fits_elsewhere_draws() -> None:
    check_legal(ALL_OPEN.replace("12-5 7-3", "7-3"), "draw", first_turn_trains="own_only")


def test_every_tile_of_a_long_first_turn_goes_where_the_first_did() -> None:
    long = ALL_OPEN.replace("first 0", "laid 1; first 0").replace("0: |", "0: 12-11 |")
    check_legal(long, "end", **LONG, first_turn_trains="own_only")
    check_legal(long, "4-2>mexican", "end", **LONG, first_turn_trains="own_or_mexican")


def test_an_earlier_double_goes_before_the_trains_of_a_first_turn() -> None:
    bound = ALL_OPEN.replace("12-7 marked | 1-1", "12-7 7-7 | 1-1").replace("turn 0", "turn 0; open 1/1")
    check_legal(bound, "7-3>1", first_turn_trains="own_only")
    check_illegal(bound, "12-5>0", Reason.DOUBLE_NOT_COVERED, first_turn_trains="own_only")


def test_the_tile_that_may_follow_a_double_anywhere_stays_on_the_trains_of_a_first_turn() -> None:
    """Somebody else has begun the seat's train, so that its first tile can be a double."""
    laid = """
        engine 12-12; turn 0; open 0/0*; first 0; waiting 0
        0: 12-5 5-5 | 5-1 7-3 4-2
        1: 12-7 marked | 1-1
        mexican: 12-4
    """
    check_legal(laid, "5-1>0", first_turn_trains="own_only", double_follow_up="anywhere")
    check_legal(laid, "5-1>0", "7-3>1", "4-2>mexican", double_follow_up="anywhere")


def test_a_first_turn_that_ended_stuck_was_a_first_turn() -> None:
    state = after(drawn("engine 12-12; turn 0; first 0 1\n0: | 9-8\n1: | 12-7 3-3\nmexican:"), "pass", "12-7>1")
    assert state.standing.had_first_turn == 0b11


def test_a_double_of_the_first_lap_binds_the_next_first_turn() -> None:
    check_legal(LEFT_OPEN, "9-5>0", "5-1>0")


def test_a_deferred_double_binds_nobody_in_the_first_lap() -> None:
    check_legal(LEFT_OPEN, "12-8>1", "12-8>mexican", **DEFERRED)
    check_illegal(LEFT_OPEN, "9-5>0", Reason.TRAIN_NOT_OPEN, **DEFERRED)


def test_a_deferred_double_may_be_covered_in_the_first_lap_where_its_train_is_open() -> None:
    marked = LEFT_OPEN.replace("12-5 5-5 |", "12-5 5-5 marked |")
    check_legal(marked, "12-8>1", "12-8>mexican", "9-5>0", "5-1>0", **DEFERRED)
    assert after(drawn(marked, **DEFERRED), "9-5>0").open_doubles == ()


def test_a_deferred_double_binds_when_the_last_first_turn_is_over() -> None:
    last = LEFT_OPEN.replace("turn 1; open 0/0; first 1 2", "turn 2; open 0/0; first 2")
    check_legal(last, "12-1>2", "12-1>mexican", **DEFERRED)
    assert legal_texts(after(drawn(last, **DEFERRED), "12-1>2")) == ["5-3>0"]


def test_a_seat_covers_its_own_deferred_double_in_the_turn_that_lays_it() -> None:
    laid = LEFT_OPEN.replace("turn 1; open 0/0; first 1 2", "turn 0; open 0/0*; first 0 1 2").replace("9-7", "12-7")
    check_legal(laid, "5-3>0", **DEFERRED)


def test_a_deferred_double_of_a_long_first_turn_waits_for_the_end_of_the_lap() -> None:
    state = after(drawn(DOUBLE_LAID, **LONG, **DEFERRED), "end")
    assert legal_texts(state) == ["12-8>1", "12-8>mexican"]
    state = after(state, "12-8>1", "end", "12-1>2", "end")
    assert legal_texts(state) == ["5-3>0"]


LAST_TILES = """
    engine 12-12; turn 0; first 0 1 2; boneyard 0-0
    0: | 12-5
    1: | 12-8 7-7
    2: | 12-1
    mexican:
"""
FIRST_IS_OUT = """
    engine 12-12; turn 1; first 1 2; out 0; boneyard 0-0
    0: 12-5 |
    1: | 12-8 7-7
    2: | 12-1
    mexican:
"""


def test_an_empty_hand_in_the_first_lap_ends_the_round_at_once() -> None:
    state = after(drawn(LAST_TILES), "12-5>0")
    assert (state.ended, state.out) == ("out", 0)


def test_an_empty_hand_in_the_first_lap_leaves_the_others_their_first_turn() -> None:
    check_after(LAST_TILES, "12-5>0", then=FIRST_IS_OUT, **LAP)
    check_legal(FIRST_IS_OUT, "12-8>1", "12-8>mexican", **LAP)


def test_the_round_ends_with_the_last_first_turn_and_the_first_to_go_out_is_out() -> None:
    state = after(drawn(FIRST_IS_OUT, **LAP), "12-8>1")
    assert (state.ended, state.out, state.turn) == (None, None, 2)
    state = after(state, "12-1>2")
    assert (state.ended, state.out) == ("out", 0)


def test_the_lap_is_finished_by_passes_too() -> None:
    stuck = FIRST_IS_OUT.replace("12-8 7-7", "8-7 7-6").replace("| 12-1", "| 11-1").replace("; boneyard 0-0", "")
    state = after(drawn(stuck, **LAP), "pass", "pass")
    assert (state.ended, state.out) == ("out", 0)


def test_the_lap_ends_with_the_seat_before_the_one_that_began() -> None:
    late = LAST_TILES.replace("turn 0", "turn 1").replace("12-8 7-7", "12-8").replace("| 12-5", "| 12-5 4-3")
    state = after(drawn(late, **LAP), "12-8>1", "12-1>2")
    assert (state.ended, state.turn) == (None, 0)
    assert after(state, "12-5>0").out == 1


def test_after_the_first_lap_an_empty_hand_ends_the_round_at_once() -> None:
    later = "engine 12-12; turn 0; boneyard 0-0\n0: 12-5 | 5-1\n1: 12-8 | 7-7\nmexican:"
    assert after(drawn(later, **LAP), "5-1>0").ended == "out"


def test_the_last_seat_of_the_first_lap_ends_the_round_at_once() -> None:
    last = LAST_TILES.replace("turn 0; first 0 1 2", "turn 2; first 2")
    assert after(drawn(last, **LAP), "12-1>2").out == 2


LAST_DOUBLE = ONE_LAID.replace("5-5 5-3 9-7", "5-5")
NOT_OUT = LEFT_OPEN.replace("5-3 9-7", "")


def test_a_long_first_turn_that_ends_on_a_double_is_not_out_before_it_is_covered() -> None:
    check_after(LAST_DOUBLE, "5-5>0", then=NOT_OUT, **LONG, **MUST_COVER)
    state = after(drawn(NOT_OUT, **LONG, **MUST_COVER), "9-5>0")
    assert (state.ended, state.out) == ("out", 0)


def test_the_cover_of_a_last_double_in_the_first_lap_leaves_the_others_their_first_turn() -> None:
    both = LONG | MUST_COVER | LAP
    state = after(drawn(NOT_OUT, **both), "9-5>0")
    assert (state.ended, state.standing.out, state.turn) == (None, 0, 1)
    state = after(state, "end", "12-1>2", "end")
    assert (state.ended, state.out) == ("out", 0)


def test_the_round_continues_after_the_first_lap_if_a_last_double_is_not_covered() -> None:
    both = LONG | MUST_COVER | LAP | DEFERRED
    state = after(drawn(NOT_OUT, **both), "12-8>1", "end", "12-1>2", "end")
    assert (state.ended, state.turn) == (None, 0)
    assert legal_texts(state) == ["draw"]


def test_a_last_double_that_lapses_puts_its_seat_out() -> None:
    state = after(drawn(LAST_DOUBLE, **LONG, **MUST_COVER, double_obligation="none"), "5-5>0")
    assert (state.ended, state.out) == ("out", 0)
