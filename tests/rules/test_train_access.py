"""Which trains are open to which seats while no double must be covered (``rules.md`` §3 *available*, §5)."""

import pytest

from rules.mexican_train.reasons import Reason
from tests.rules.drawing import after, check_illegal, check_legal, drawn, legal_texts

UNTIL_OWN: dict[str, object] = {"train_privacy": "public_until_own_play"}
ALWAYS: dict[str, object] = {"train_privacy": "always_public"}
OWNERS: dict[str, object] = {"open_empty_train_playable": False}
SECOND: dict[str, object] = {"mexican_start": "second_turn"}
ALL_STARTED: dict[str, object] = {"mexican_start": "all_trains_started"}
NEVER: dict[str, object] = {"mexican_start": "never"}
STARTED = """
    engine 12-12; turn 0
    0: 12-5 | 5-2 7-3 4-1
    1: 12-7 | 1-1
    2: 12-4 marked | 2-2
    mexican: 12-9
"""
EMPTY = """
    engine 12-12; turn 0
    0: | 12-5 9-8
    1: | 12-1 12-7 8-5
    2: marked | 2-2
    mexican:
"""


def test_only_a_marker_opens_a_train() -> None:
    check_legal(STARTED, "5-2>0", "4-1>2")
    check_illegal(STARTED, "7-3>1", Reason.TRAIN_NOT_OPEN)


def test_always_public_trains_need_no_marker() -> None:
    check_legal(STARTED, "5-2>0", "7-3>1", "4-1>2", **ALWAYS)
    check_legal(EMPTY, "12-5>0", "12-5>1", "12-5>2", "12-5>mexican", **ALWAYS)
    check_illegal(STARTED, "4-1>1", Reason.ENDS_DO_NOT_MATCH, **ALWAYS)


def test_a_train_is_public_until_its_owner_plays_on_it() -> None:
    check_legal(EMPTY, "12-5>0", "12-5>1", "12-5>2", "12-5>mexican", **UNTIL_OWN)
    check_legal(STARTED, "5-2>0", "4-1>2", **UNTIL_OWN)
    check_illegal(STARTED, "7-3>1", Reason.TRAIN_NOT_OPEN, **UNTIL_OWN)


def test_a_train_that_only_others_have_played_on_is_still_public() -> None:
    check_legal(STARTED.replace("turn 0", "turn 0; waiting 1"), "5-2>0", "7-3>1", "4-1>2", **UNTIL_OWN)
    state = after(drawn(EMPTY, **UNTIL_OWN), "12-5>1")
    assert "8-5>1" in legal_texts(state)
    state = after(state, "8-5>1")
    assert state.standing.played_own == 0b010


def test_an_owner_closes_its_public_train_with_its_first_play() -> None:
    state = after(drawn(EMPTY.replace("2-2", "8-2"), **UNTIL_OWN), "12-5>1", "8-5>1")
    assert "8-2>1" not in legal_texts(state)


def test_a_play_elsewhere_does_not_close_a_public_train() -> None:
    state = after(drawn(EMPTY.replace("2-2", "12-2"), **UNTIL_OWN), "12-5>mexican", "12-1>2")
    assert (state.standing.played_own, "12-2>0" in legal_texts(state)) == (0, True)


def test_an_empty_marked_train_may_be_begun_by_others() -> None:
    check_legal(EMPTY, "12-5>0", "12-5>2", "12-5>mexican")


def test_an_empty_marked_train_may_be_reserved_for_its_owner() -> None:
    check_legal(EMPTY, "12-5>0", "12-5>mexican", **OWNERS)
    check_illegal(EMPTY, "12-5>2", Reason.TRAIN_NOT_OPEN, **OWNERS)


@pytest.mark.parametrize("privacy", ["public_until_own_play", "always_public"])
def test_public_trains_too_may_be_reserved_for_their_owners_while_empty(privacy: str) -> None:
    check_legal(EMPTY, "12-5>0", "12-5>mexican", **OWNERS, train_privacy=privacy)


def test_a_reserved_train_is_open_once_it_holds_a_tile() -> None:
    check_legal(STARTED, "5-2>0", "4-1>2", **OWNERS)


def test_the_mexican_train_is_never_reserved() -> None:
    check_legal(EMPTY.replace("2: marked", "2:"), "12-5>0", "12-5>mexican", **OWNERS)


OWN_EMPTY = """
    engine 12-12; turn 0
    0: | 12-5 7-3 9-8
    1: 12-7 marked | 1-1
    mexican: 12-9
"""
OWN_BEGUN = OWN_EMPTY.replace("0: |", "0: 12-6 |")


@pytest.mark.parametrize(
    ("required", "legal"),
    [
        ([], ["12-5>0", "7-3>1", "9-8>mexican"]),
        (["mexican"], ["12-5>0", "7-3>1"]),
        (["open_trains"], ["12-5>0", "9-8>mexican"]),
        (["covering"], ["12-5>0", "7-3>1", "9-8>mexican"]),
        (["mexican", "open_trains"], ["12-5>0"]),
    ],
)
def test_the_own_train_comes_first_for_the_moves_that_the_option_lists(required: list[str], legal: list[str]) -> None:
    check_legal(OWN_EMPTY, *legal, own_train_required_for=required)
    check_legal(OWN_BEGUN, "7-3>1", "9-8>mexican", own_train_required_for=required)


def test_a_move_that_needs_the_own_train_first_has_its_own_reason() -> None:
    check_illegal(OWN_EMPTY, "9-8>mexican", Reason.OWN_TRAIN_FIRST, own_train_required_for=["mexican"])
    check_illegal(OWN_EMPTY, "7-3>1", Reason.OWN_TRAIN_FIRST, own_train_required_for=["open_trains"])
    closed = OWN_EMPTY.replace("12-7 marked", "12-7")
    check_illegal(closed, "7-3>1", Reason.TRAIN_NOT_OPEN, own_train_required_for=["open_trains"])


def test_the_own_train_comes_first_for_starting_the_mexican_train_too() -> None:
    check_legal(EMPTY.replace("2: marked", "2:"), "12-5>0", own_train_required_for=["mexican"])


def test_public_trains_wait_for_the_own_train_like_marked_ones() -> None:
    check_legal(OWN_EMPTY.replace(" marked", ""), "12-5>0", **ALWAYS, own_train_required_for=["mexican", "open_trains"])


def test_a_tile_that_somebody_else_laid_starts_the_own_train() -> None:
    others = OWN_BEGUN.replace("turn 0", "turn 0; waiting 0")
    check_legal(others, "7-3>1", "9-8>mexican", own_train_required_for=["mexican", "open_trains"])


FIRST_TURN = EMPTY.replace("turn 0", "turn 0; first 0 1 2")


def test_the_mexican_train_may_be_started_in_any_turn() -> None:
    check_legal(FIRST_TURN, "12-5>0", "12-5>2", "12-5>mexican")


def test_the_mexican_train_may_have_to_wait_for_a_seats_second_turn() -> None:
    check_legal(FIRST_TURN, "12-5>0", "12-5>2", **SECOND)
    check_illegal(FIRST_TURN, "12-5>mexican", Reason.MEXICAN_NOT_YET, **SECOND)
    check_legal(EMPTY, "12-5>0", "12-5>2", "12-5>mexican", **SECOND)


def test_the_second_turn_is_each_seats_own() -> None:
    check_legal(FIRST_TURN.replace("first 0 1 2", "first 1 2"), "12-5>0", "12-5>2", "12-5>mexican", **SECOND)
    check_illegal(FIRST_TURN.replace("first 0 1 2", "first 0"), "12-5>mexican", Reason.MEXICAN_NOT_YET, **SECOND)


def test_a_mexican_train_that_was_started_is_for_first_turns_too() -> None:
    begun = FIRST_TURN.replace("mexican:", "mexican: 12-9")
    check_legal(begun, "12-5>0", "12-5>2", "9-8>mexican", **SECOND)


def test_the_mexican_train_may_have_to_wait_for_every_train() -> None:
    waiting = "engine 12-12; turn 0\n0: 12-5 | 12-3 5-2\n1: | 1-1\n2: 12-4 | 2-2\nmexican:"
    check_legal(waiting, "5-2>0", **ALL_STARTED)
    check_illegal(waiting, "12-3>mexican", Reason.MEXICAN_NOT_YET, **ALL_STARTED)
    check_legal(waiting.replace("1: |", "1: 12-7 |"), "5-2>0", "12-3>mexican", **ALL_STARTED)


def test_a_train_that_others_started_counts_as_started() -> None:
    begun = "engine 12-12; turn 0; waiting 1\n0: 12-5 | 12-3 5-2\n1: 12-7 | 1-1\nmexican:"
    check_legal(begun, "5-2>0", "12-3>mexican", **ALL_STARTED)


def test_a_started_mexican_train_stays_open_whatever_trains_are_empty() -> None:
    begun = "engine 12-12; turn 0\n0: 12-5 | 9-3 5-2\n1: | 1-1\nmexican: 12-9"
    check_legal(begun, "5-2>0", "9-3>mexican", **ALL_STARTED)


@pytest.mark.parametrize("position", [FIRST_TURN, EMPTY, STARTED.replace("mexican: 12-9", "mexican:")])
def test_without_a_mexican_train_no_seat_lays_there(position: str) -> None:
    assert not [move for move in legal_texts(drawn(position, **NEVER)) if "mexican" in move]


def test_a_mexican_train_that_is_not_there_is_refused_for_that_before_anything_else() -> None:
    check_illegal(EMPTY, "12-5>mexican", Reason.NO_SUCH_TRAIN, **NEVER)
    check_illegal(FIRST_TURN, "12-5>mexican", Reason.NO_SUCH_TRAIN, **NEVER, first_turn_trains="own_only")
    check_illegal(EMPTY, "12-5>mexican", Reason.NO_SUCH_TRAIN, **NEVER, own_train_required_for=["mexican"])
    bound = (
        STARTED.replace("turn 0", "turn 0; open 1/1")
        .replace("12-7 |", "12-7 7-7 |")
        .replace("mexican: 12-9", "mexican:")
    )
    check_illegal(bound, "7-3>mexican", Reason.NO_SUCH_TRAIN, **NEVER)


def test_a_first_turn_needs_a_train_that_both_rules_allow() -> None:
    check_legal(FIRST_TURN, "12-5>0", **SECOND, first_turn_trains="own_or_mexican")
    check_legal(FIRST_TURN, "12-5>0", "12-5>mexican", first_turn_trains="own_or_mexican")
    check_legal(FIRST_TURN, "12-5>0", **ALWAYS, first_turn_trains="own_only")
    check_legal(FIRST_TURN, "12-5>0", "12-5>1", "12-5>2", "12-5>mexican", **ALWAYS, first_turn_trains="any_eligible")


def test_the_double_that_opens_nothing_is_laid_where_any_tile_would_be() -> None:
    double = STARTED.replace("5-2 7-3 4-1", "5-5 7-7 4-4 9-9")
    check_legal(double, "5-5>0", "4-4>2", "9-9>mexican")
    check_legal(double, "5-5>0", "7-7>1", "4-4>2", "9-9>mexican", **ALWAYS)
