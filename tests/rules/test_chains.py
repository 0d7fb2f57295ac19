"""Doubles in the turn that lays them: how many, and where the required tile goes (``rules.md`` §3 C)."""

import pytest

from rules.mexican_train.reasons import Reason
from tests.rules.drawing import after, check_after, check_illegal, check_legal, drawn, legal_texts

SOME: dict[str, object] = {"doubles_per_turn": None}
ANYWHERE: dict[str, object] = {"double_follow_up": "anywhere"}
LAST: dict[str, object] = {"chain_follow_up": "last_double"}
BEFORE = """
    engine 12-12; turn 0; boneyard 0-0 2-2
    0: 12-5 | 5-5 3-3 4-4 7-7 5-1 3-2 4-0 7-6
    1: 12-7 | 9-5
    2: 12-4 marked | 9-9
    mexican: 12-3
"""
ONE = """
    engine 12-12; turn 0; open 0/0*; boneyard 0-0 2-2
    0: 12-5 5-5 | 3-3 4-4 7-7 5-1 3-2 4-0 7-6
    1: 12-7 | 9-5
    2: 12-4 marked | 9-9
    mexican: 12-3
"""
TWO = """
    engine 12-12; turn 0; open 0/0* mexican/0*; boneyard 0-0 2-2
    0: 12-5 5-5 | 4-4 7-7 5-1 3-2 4-0 7-6
    1: 12-7 | 9-5
    2: 12-4 marked | 9-9
    mexican: 12-3 3-3
"""
THREE = """
    engine 12-12; turn 0; open 0/0* mexican/0* 2/0*; boneyard 0-0 2-2
    0: 12-5 5-5 | 7-7 5-1 3-2 4-0 7-6
    1: 12-7 | 9-5
    2: 12-4 4-4 marked | 9-9
    mexican: 12-3 3-3
"""


def test_one_double_a_turn() -> None:
    check_legal(ONE, "5-1>0")
    check_illegal(ONE, "3-3>mexican", Reason.DOUBLES_LIMIT)


def test_a_double_instead_of_a_cover_where_a_turn_may_lay_more() -> None:
    for limit in (2, None):
        check_legal(ONE, "5-1>0", "3-3>mexican", "4-4>2", doubles_per_turn=limit)
        check_after(ONE, "3-3>mexican", then=TWO, doubles_per_turn=limit)


def test_two_doubles_a_turn_and_no_third() -> None:
    check_legal(TWO, "5-1>0", doubles_per_turn=2)
    check_illegal(TWO, "4-4>2", Reason.DOUBLES_LIMIT, doubles_per_turn=2)


def test_any_number_of_doubles() -> None:
    check_legal(TWO, "5-1>0", "4-4>2", **SOME)
    check_after(TWO, "4-4>2", then=THREE, **SOME)


def test_a_further_double_goes_only_on_a_train_that_is_open_to_the_seat() -> None:
    check_illegal(ONE, "7-7>1", Reason.DOUBLE_NOT_COVERED, **SOME)
    check_illegal(ONE, "7-7>1", Reason.TRAIN_NOT_OPEN, **SOME, **ANYWHERE)


def test_a_further_double_that_fits_nowhere_is_refused_for_its_ends() -> None:
    check_illegal(ONE, "7-7>0", Reason.ENDS_DO_NOT_MATCH, **SOME)


def test_a_further_double_has_to_be_laid_where_nothing_else_can() -> None:
    forced = ONE.replace("4-4 7-7 5-1 3-2 4-0 7-6", "7-6")
    check_legal(forced, "3-3>mexican", **SOME)
    check_illegal(forced, "draw", Reason.MUST_PLAY, **SOME)


def test_without_a_cover_or_a_double_the_seat_draws_and_may_draw_a_double() -> None:
    stuck = ONE.replace("3-3 4-4 7-7 5-1 3-2 4-0 7-6", "7-6").replace("0-0 2-2", "3-3 2-2")
    check_legal(stuck, "draw", **SOME)
    assert legal_texts(after(drawn(stuck, **SOME), "draw")) == ["3-3>mexican"]
    assert legal_texts(after(drawn(stuck), "draw")) == ["pass"]


def test_every_double_brings_a_draw_of_its_own() -> None:
    drew = ONE.replace("3-3 4-4 7-7 5-1 3-2 4-0 7-6", "3-3 7-6").replace("turn 0", "turn 0; drew 1")
    state = after(drawn(drew, **SOME), "3-3>mexican")
    assert legal_texts(state) == ["draw"]


def test_the_tile_that_follows_ends_the_turn_whatever_doubles_are_left() -> None:
    check_after(
        TWO,
        "5-1>0",
        then="""
            engine 12-12; turn 1; open mexican/0; boneyard 0-0 2-2
            0: 12-5 5-5 5-1 | 4-4 7-7 3-2 4-0 7-6
            1: 12-7 | 9-5
            2: 12-4 marked | 9-9
            mexican: 12-3 3-3
        """,
        **SOME,
    )


def test_a_chain_that_fails_marks_the_seat_and_leaves_its_doubles_to_the_next() -> None:
    stuck = TWO.replace("4-4 7-7 5-1 3-2 4-0 7-6", "7-6")
    check_after(
        stuck,
        "draw",
        "pass",
        then="""
            engine 12-12; turn 1; open 0/0 mexican/0; passed 0; boneyard 2-2
            0: 12-5 5-5 marked | 7-6 0-0
            1: 12-7 | 9-5
            2: 12-4 marked | 9-9
            mexican: 12-3 3-3
        """,
        **SOME,
    )


def test_a_double_as_last_tile_of_a_chain_ends_the_round() -> None:
    last = ONE.replace("3-3 4-4 7-7 5-1 3-2 4-0 7-6", "3-3")
    assert after(drawn(last, **SOME), "3-3>mexican").out == 0


def test_the_tile_after_one_double_covers_it() -> None:
    check_legal(ONE, "5-1>0")
    for elsewhere in ("3-2>mexican", "4-0>2", "7-6>1"):
        check_illegal(ONE, elsewhere, Reason.DOUBLE_NOT_COVERED)


def test_the_tile_after_one_double_may_go_on_any_open_train() -> None:
    check_legal(ONE, "5-1>0", "3-2>mexican", "4-0>2", **ANYWHERE)
    check_illegal(ONE, "7-6>1", Reason.TRAIN_NOT_OPEN, **ANYWHERE)
    check_illegal(ONE, "7-6>0", Reason.ENDS_DO_NOT_MATCH, **ANYWHERE)


def test_a_tile_that_follows_elsewhere_leaves_the_double_open_and_brings_no_marker() -> None:
    state = after(drawn(ONE, **ANYWHERE), "3-2>mexican")
    assert (state.turn, state.trains[0].is_marked, len(state.open_doubles)) == (1, False, 1)
    assert legal_texts(state) == ["9-5>0"]


def test_a_seat_that_can_follow_nowhere_draws_and_passes() -> None:
    stuck = ONE.replace("3-3 4-4 7-7 5-1 3-2 4-0 7-6", "7-6")
    state = after(drawn(stuck, **ANYWHERE), "draw", "pass")
    assert (state.turn, state.trains[0].is_marked) == (1, True)


def test_one_double_is_followed_by_its_own_rule_whatever_chains_say() -> None:
    check_legal(ONE, "5-1>0", chain_follow_up="anywhere")
    check_legal(ONE, "5-1>0", "3-2>mexican", "4-0>2", **ANYWHERE, **LAST)


@pytest.mark.parametrize("limit", [1, 2, None])
def test_a_double_without_follow_up_is_an_ordinary_tile(limit: int | None) -> None:
    check_after(
        BEFORE,
        "5-5>0",
        then=ONE.replace("turn 0; open 0/0*", "turn 1"),
        double_follow_up="none",
        doubles_per_turn=limit,
    )


@pytest.mark.parametrize("first_rule", ["cover", "anywhere"])
@pytest.mark.parametrize(
    ("chain_rule", "after_two", "after_three"),
    [
        ("anywhere", ["5-1>0", "3-2>mexican", "4-0>2"], ["5-1>0", "3-2>mexican", "4-0>2"]),
        ("first_double", ["5-1>0"], ["5-1>0"]),
        ("last_double", ["3-2>mexican"], ["4-0>2"]),
        ("any_open_double", ["5-1>0", "3-2>mexican"], ["5-1>0", "3-2>mexican", "4-0>2"]),
    ],
)
def test_the_tile_after_a_chain(first_rule: str, chain_rule: str, after_two: list[str], after_three: list[str]) -> None:
    rules: dict[str, object] = {"double_follow_up": first_rule, "chain_follow_up": chain_rule}
    check_legal(TWO, *after_two, **rules, doubles_per_turn=2)
    check_legal(THREE, *after_three, **rules, doubles_per_turn=None)


def test_the_tile_after_a_chain_covers_the_double_that_the_rule_names() -> None:
    check_illegal(TWO, "3-2>mexican", Reason.DOUBLE_NOT_COVERED, **SOME)
    check_illegal(TWO, "5-1>0", Reason.DOUBLE_NOT_COVERED, **SOME, **LAST)
    check_illegal(TWO, "4-0>2", Reason.DOUBLE_NOT_COVERED, **SOME, chain_follow_up="any_open_double")
    check_illegal(TWO, "7-6>1", Reason.TRAIN_NOT_OPEN, **SOME, chain_follow_up="anywhere")


def test_a_tile_that_follows_a_chain_elsewhere_leaves_all_its_doubles_open() -> None:
    state = after(drawn(TWO, **SOME, chain_follow_up="anywhere"), "4-0>2")
    assert (state.turn, [each.train for each in state.open_doubles]) == (1, [0, -1])


# All fives but 5-5 lie on the table.
SIX: dict[str, object] = {"set_max_pip": 6, "hand_sizes": {"2": 8}, "doubles_per_turn": None}
FIVES = """
    engine 6-6; turn 0
    0: 6-1 1-5 5-0 0-4 4-5 | 5-5 3-3 3-0 2-1
    1: 6-2 2-5 5-3 marked | 0-0
    mexican: 6-5
"""


def test_one_dead_double_that_had_to_be_covered_ends_the_turn() -> None:
    assert after(drawn(FIVES, **SIX), "5-5>0").turn == 1


def test_after_one_dead_double_the_follow_up_that_may_go_anywhere_is_still_owed() -> None:
    state = after(drawn(FIVES, **SIX, **ANYWHERE), "5-5>0")
    assert (state.turn, state.open_doubles) == (0, ())
    assert legal_texts(state) == ["3-0>1", "3-3>1"]


def test_a_stuck_seat_that_owes_a_tile_after_a_dead_double_is_marked() -> None:
    state = after(drawn(FIVES.replace("3-3 3-0 ", ""), **SIX, **ANYWHERE), "5-5>0", "pass")
    assert state.trains[0].is_marked


@pytest.mark.parametrize("chain_rule", ["anywhere", "first_double", "any_open_double"])
def test_a_dead_double_later_in_a_chain_leaves_the_living_one_to_be_covered(chain_rule: str) -> None:
    state = after(drawn(FIVES, **SIX, chain_follow_up=chain_rule), "3-3>1", "5-5>0")
    assert (state.turn, [each.train for each in state.open_doubles]) == (0, [1])
    assert legal_texts(state) == ["3-0>1"]


def test_a_dead_double_that_is_the_last_and_had_to_be_covered_ends_the_turn() -> None:
    state = after(drawn(FIVES, **SIX, **LAST), "3-3>1", "5-5>0")
    assert (state.turn, [each.train for each in state.open_doubles]) == (1, [1])


def test_a_dead_last_double_ends_no_turn_where_one_double_is_followed_anywhere() -> None:
    state = after(drawn(FIVES, **SIX, **LAST, **ANYWHERE), "3-3>1", "5-5>0")
    assert (state.turn, legal_texts(state)) == (0, ["3-0>1"])


def test_after_a_dead_first_double_the_chain_goes_by_the_one_that_lives() -> None:
    state = after(drawn(FIVES.replace("2-1", "2-1 1-1"), **SIX, **ANYWHERE), "5-5>0", "3-3>1")
    assert legal_texts(state) == ["3-0>1"]


def test_a_dead_double_is_asked_for_where_dead_doubles_block() -> None:
    state = after(drawn(FIVES, **SIX, dead_double="blocks"), "3-3>1", "5-5>0")
    assert [each.train for each in state.open_doubles] == [1, 0]
    assert legal_texts(state) == ["3-0>1"]
    state = after(drawn(FIVES, **SIX, **LAST, dead_double="blocks"), "3-3>1", "5-5>0")
    assert legal_texts(state) == ["pass"]
