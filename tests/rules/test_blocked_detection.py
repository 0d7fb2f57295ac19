"""When a round is blocked, for each way of detecting it (``rules.md`` §3, *Blocked round*; §5)."""

import pytest

from tests.rules.drawing import after, drawn, legal_texts

PASS_LAP: dict[str, object] = {"blocked_detection": "pass_lap"}
NO_MOVE: dict[str, object] = {"blocked_detection": "no_move"}
WAYS = ["pass_lap_and_no_move", "pass_lap", "no_move"]
NOBODY_CAN = """
    engine 12-12; turn 1; passed 0
    0: 12-5 marked | 9-8
    1: 12-7 | 9-6
    mexican: 12-4
"""
SOMEBODY_CAN = NOBODY_CAN.replace("9-8", "8-7")
"""The last pass marks train 1, where seat 0 could lay 8-7."""


@pytest.mark.parametrize("way", WAYS)
def test_a_lap_of_passes_blocks_if_no_seat_can_play(way: str) -> None:
    assert after(drawn(NOBODY_CAN, blocked_detection=way), "pass").ended == "blocked"


@pytest.mark.parametrize(("way", "ended"), [("pass_lap_and_no_move", None), ("pass_lap", "blocked"), ("no_move", None)])
def test_a_lap_of_passes_alone_blocks_only_if_the_option_says_so(way: str, ended: str | None) -> None:
    assert after(drawn(SOMEBODY_CAN, blocked_detection=way), "pass").ended == ended


@pytest.mark.parametrize(("way", "ended"), [("pass_lap_and_no_move", None), ("pass_lap", None), ("no_move", "blocked")])
def test_one_pass_blocks_only_if_the_option_needs_no_lap(way: str, ended: str | None) -> None:
    first_pass = NOBODY_CAN.replace("; passed 0", "")
    assert after(drawn(first_pass, blocked_detection=way), "pass").ended == ended


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_blocked_while_there_is_a_tile_to_draw(way: str) -> None:
    drew = NOBODY_CAN.replace("passed 0", "drew 1; passed 0; boneyard 1-1")
    assert after(drawn(drew, blocked_detection=way), "pass").ended is None


@pytest.mark.parametrize("way", WAYS)
def test_a_round_is_checked_after_passes_only(way: str) -> None:
    """After 7-6 no seat can lay a tile, but the next seat still has to pass."""
    lays = NOBODY_CAN.replace("9-6", "7-6 1-0")
    state = after(drawn(lays, blocked_detection=way), "7-6>1")
    assert (state.ended, legal_texts(state)) == (None, ["pass"])


def test_the_lap_of_passes_begins_anew_with_every_tile() -> None:
    lays = NOBODY_CAN.replace("9-6", "7-6 1-0")
    state = after(drawn(lays, **PASS_LAP), "7-6>1", "pass")
    assert state.ended is None
    assert after(state, "pass").ended == "blocked"


def test_passes_that_mark_nothing_open_nothing() -> None:
    assert after(drawn(SOMEBODY_CAN, marker_on_empty_boneyard=False), "pass").ended == "blocked"


def test_voluntary_passes_block_only_if_a_lap_of_passes_is_enough() -> None:
    able = NOBODY_CAN.replace("9-6", "7-6")
    assert after(drawn(able, must_play=False), "pass").ended is None
    assert after(drawn(able, must_play=False, **NO_MOVE), "pass").ended is None
    assert after(drawn(able, must_play=False, **PASS_LAP), "pass").ended == "blocked"


# Seat 0 laid 5-5, seat 1 has just failed to cover it.
DOUBLE = """
    engine 12-12; turn 1; open 0/0; passed 0 2
    0: 12-5 5-5 marked | 12-3
    1: 12-7 | 9-8
    2: 12-6 | 9-1
    mexican:
"""


def test_a_double_that_no_seat_can_cover_blocks_the_round() -> None:
    assert after(drawn(DOUBLE), "pass").ended == "blocked"


def test_a_double_that_is_about_to_lapse_does_not_keep_its_layer_from_playing() -> None:
    """The turn comes to seat 2 first; the double lapses when it is back at seat 0."""
    state = after(drawn(DOUBLE, double_obligation="one_lap"), "pass")
    assert (state.ended, state.turn, len(state.open_doubles)) == (None, 2, 1)
    state = after(state, "pass")
    assert (state.ended, legal_texts(state)) == (None, ["12-3>mexican"])


def test_for_one_lap_a_round_is_blocked_if_the_layer_could_not_play_either() -> None:
    stuck = DOUBLE.replace("12-3", "10-3")
    assert after(drawn(stuck, double_obligation="one_lap"), "pass").ended == "blocked"


def test_a_double_that_binds_only_its_layer_does_not_block_the_others() -> None:
    others_can = DOUBLE.replace("9-1", "6-1")
    assert after(drawn(others_can), "pass").ended == "blocked"
    state = after(drawn(others_can, double_obligation="layer_only"), "pass")
    assert (state.ended, legal_texts(state)) == (None, ["6-1>2"])


def test_a_double_that_binds_its_layer_only_blocks_if_the_others_are_stuck() -> None:
    """Seat 0 could lay 12-3 on the Mexican Train, but has to cover first."""
    assert after(drawn(DOUBLE, double_obligation="layer_only"), "pass").ended == "blocked"


def test_a_deferred_double_blocks_no_round_in_the_first_lap() -> None:
    first_lap = DOUBLE.replace("passed 0 2", "passed 0 2; first 1 2").replace("12-3", "10-3").replace("9-1", "12-1")
    assert after(drawn(first_lap), "pass").ended == "blocked"
    assert after(drawn(first_lap, first_turn_double="deferred"), "pass").ended is None


def test_a_seat_that_has_to_start_its_own_train_first_counts_with_that() -> None:
    """Seat 2 could cover 5-5, but not before its own train is started, and could start that only without the double."""
    rules: dict[str, object] = {"own_train_required_for": ["covering"]}
    unstarted = DOUBLE.replace("2: 12-6 | 9-1", "2: | 9-5").replace("12-3", "10-3")
    assert after(drawn(unstarted), "pass").ended is None
    assert after(drawn(unstarted, **rules), "pass").ended == "blocked"
    assert after(drawn(unstarted.replace("9-5", "12-9"), **rules), "pass").ended is None


# All fives of a double-six set lie on the table.
SIX: dict[str, object] = {"set_max_pip": 6, "hand_sizes": {"2": 8}}
DEAD = """
    engine 6-6; turn 0
    0: 6-1 | 5-5 2-1
    1: 6-4 4-5 | 6-3 0-0
    mexican: 6-5 5-0 0-1 1-5 5-2 2-3 3-5
"""


def test_a_dead_double_blocks_no_round_if_it_binds_nobody() -> None:
    state = after(drawn(DEAD, **SIX), "5-5>mexican", "pass")
    assert (state.ended, legal_texts(state)) == (None, ["2-1>0"])


@pytest.mark.parametrize("way", WAYS)
def test_a_dead_double_blocks_the_round_if_it_still_binds(way: str) -> None:
    """2-1 would fit train 0 all the time."""
    state = after(drawn(DEAD, **SIX, dead_double="blocks", blocked_detection=way), "5-5>mexican", "pass")
    assert (state if state.ended else after(state, "pass")).ended == "blocked"


def test_without_the_lap_a_dead_double_blocks_at_the_first_pass() -> None:
    rules = SIX | {"dead_double": "blocks"}
    assert after(drawn(DEAD, **rules), "5-5>mexican", "pass").ended is None
    assert after(drawn(DEAD, **rules, **NO_MOVE), "5-5>mexican", "pass").ended == "blocked"
