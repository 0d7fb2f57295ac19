"""Which versions of the rules can be replayed, and how each differs (``rules.md`` §7)."""

import random

import pytest

from rules.errors import BrokenLog, UnknownVersion
from rules.games import game_of
from rules.mexican_train import ENGINE_VERSION
from rules.mexican_train.dealing import deal
from rules.mexican_train.first_version import by_first_version
from rules.mexican_train.log import replay
from rules.mexican_train.moves import Move
from rules.mexican_train.notation import parse_move, parse_position
from rules.mexican_train.presets import rules_of
from rules.mexican_train.state import State
from rules.mexican_train.versions import VERSIONS
from rules.tiles import parse_tile
from tests.rules.drawing import after, drawn, legal_texts
from tests.rules.random_rules import random_deal, random_play

NO_MOVE: dict[str, object] = {"blocked_detection": "no_move"}
LAPSING: dict[str, object] = {**NO_MOVE, "double_obligation": "one_lap"}
STUCK_NOW = """
    engine 12-12; turn 0
    0: 12-5 | 5-5 4-1
    1: 12-7 | 12-3 7-2
    2: 12-8 | 6-4
    mexican:
"""
"""No. 17 (a): seat 0 lays a double that nobody can cover. When it has lapsed, seat 1 can play."""
LAYER_CAN = STUCK_NOW.replace("5-5 4-1", "5-5 12-1").replace("12-3 7-2", "4-3")
LEFT: dict[str, object] = {
    "set_max_pip": 6,
    "hand_sizes": {"2": 3},
    "engine_selection": "highest_held",
    "round_starter": "left_of_engine_holder",
    "first_turn_length": "unlimited",
    "first_turn_trains": "own_only",
    "mexican_start": "second_turn",
}
ORDER = [*map(parse_tile, ["6-6", "6-5", "5-4", "6-1", "3-2", "2-2"])]
FACTS = {"engine": 6, "first_seat": 0}


def by_version_1(position: str, **options: object) -> State:
    return parse_position(position, by_first_version(rules_of("classic", options)))


def test_new_tables_are_played_by_the_newest_version() -> None:
    assert max(VERSIONS) == ENGINE_VERSION


def test_every_version_up_to_the_newest_is_kept() -> None:
    assert list(VERSIONS) == list(range(1, ENGINE_VERSION + 1))
    assert [game_of("mexican_train", number) for number in VERSIONS] == list(VERSIONS.values())
    assert [game.version for game in VERSIONS.values()] == list(VERSIONS)


def test_options_are_answered_by_the_version_that_asks() -> None:
    options = rules_of("classic", {})
    assert VERSIONS[ENGINE_VERSION].own_options(options) is options
    first = VERSIONS[1].own_options(options)
    assert first.as_dict() == options.as_dict()
    assert (first.looks_past_passes, options.looks_past_passes) == (False, True)


@pytest.mark.parametrize(("starter", "had"), [("left_of_engine_holder", 0b01), ("engine_holder", 0)])
def test_in_version_1_only_a_layer_who_does_not_begin_has_used_up_the_first_turn(starter: str, had: int) -> None:
    options = rules_of("classic", LEFT | {"round_starter": starter})
    assert VERSIONS[1].dealt(options, 2, ORDER, FACTS).standing.had_first_turn == had
    assert VERSIONS[2].dealt(options, 2, ORDER, FACTS).standing.had_first_turn == 0


@pytest.mark.parametrize("number", [0, ENGINE_VERSION + 1])
def test_the_error_of_an_unknown_version_names_the_known_ones(number: int) -> None:
    with pytest.raises(UnknownVersion, match=f"version {number} is unknown; this server plays 1, 2"):
        game_of("mexican_train", number)


def test_a_seat_that_can_play_once_a_double_has_lapsed_keeps_the_round_from_being_blocked() -> None:
    state = after(drawn(STUCK_NOW, **LAPSING), "5-5>0", "pass")
    assert (state.ended, state.turn) == (None, 1)
    state = after(state, "pass", "pass", "pass")
    assert legal_texts(state) == ["12-3>mexican", "7-2>1"]


def test_version_1_checked_only_the_present_moment() -> None:
    assert after(by_version_1(STUCK_NOW, **LAPSING), "5-5>0", "pass").ended == "blocked"


def test_in_both_versions_the_round_continues_if_the_layer_can_play() -> None:
    for state in (drawn(LAYER_CAN, **LAPSING), by_version_1(LAYER_CAN, **LAPSING)):
        assert after(state, "5-5>0", "pass").ended is None


def test_a_seat_whose_last_double_will_lapse_is_going_to_be_out() -> None:
    """Nobody can lay a tile any more, but passes alone bring seat 0 out."""
    position = STUCK_NOW.replace("5-5 4-1", "5-5").replace("12-3 7-2", "4-3")
    rules: dict[str, object] = {**LAPSING, "finish_on_double": "must_cover", "marker_on_empty_boneyard": False}
    state = after(drawn(position, **rules), "5-5>0", "pass")
    assert state.ended is None
    state = after(state, "pass", "pass")
    assert (state.ended, state.out) == ("out", 0)
    assert after(by_version_1(position, **rules), "5-5>0", "pass").ended == "blocked"


def test_first_turns_that_end_keep_a_round_from_being_blocked() -> None:
    """Seat 0 may use the marked train 1 only after its first turn."""
    position = """
        engine 12-12; turn 1; first 0
        0: | 7-2
        1: 12-7 marked | 4-3
        mexican: 12-1
    """
    rules: dict[str, object] = {**NO_MOVE, "first_turn_trains": "own_only"}
    state = after(drawn(position, **rules), "pass", "pass", "pass")
    assert legal_texts(state) == ["7-2>1"]
    assert after(by_version_1(position, **rules), "pass").ended == "blocked"


def test_a_marker_that_a_pass_will_set_keeps_a_round_from_being_blocked() -> None:
    position = "engine 12-12; turn 0\n0: 12-5 | 4-3\n1: 12-7 | 9-6\n2: 12-8 | 7-1\nmexican: 12-2"
    assert after(drawn(position, **NO_MOVE), "pass").ended is None
    assert after(by_version_1(position, **NO_MOVE), "pass").ended == "blocked"
    assert after(drawn(position, **NO_MOVE, marker_on_empty_boneyard=False), "pass").ended == "blocked"


def test_a_deferred_double_that_begins_to_bind_does_not_hide_what_can_be_laid_before() -> None:
    position = """
        engine 12-12; turn 1; open 0/0; first 1 2
        0: 12-5 5-5 | 9-8
        1: | 4-3
        2: | 12-6
        mexican:
    """
    state = after(drawn(position, **NO_MOVE, first_turn_double="deferred"), "pass")
    assert (state.ended, legal_texts(state)) == (None, ["12-6>1", "12-6>2", "12-6>mexican"])


def test_only_layers_double_never_lapses() -> None:
    """Seat 0 holds a tile for the Mexican Train, but is bound for good."""
    rules: dict[str, object] = {**NO_MOVE, "double_obligation": "layer_only"}
    position = LAYER_CAN.replace("12-7 |", "12-7 marked |").replace("12-8 |", "12-8 marked |")
    assert after(drawn(position, **rules), "5-5>0", "pass").ended == "blocked"


@pytest.mark.parametrize(("version", "legal"), [(2, ["6-5>0"]), (1, ["6-5>0", "6-5>mexican"])])
def test_laying_the_engine_was_a_first_turn_in_version_1_only(version: int, legal: list[str]) -> None:
    """No. 17 (b)."""
    state = VERSIONS[version].dealt(rules_of("classic", LEFT), 2, ORDER, FACTS)
    assert state.turn == 1
    state = after(state, "6-1>1", "end")
    assert (state.turn, legal_texts(state)) == (0, legal)
    state = after(state, "6-5>0")
    assert (state.turn, legal_texts(state)) == ((0, ["5-4>0", "end"]) if version == 2 else (1, ["pass"]))


def test_laying_the_engine_exposes_no_seat() -> None:
    rules = rules_of("classic", {**LEFT, "hand_sizes": {"2": 2}, "announce": "penalty"})
    assert deal(rules, 2, 6, 0, ORDER[:2] + ORDER[3:]).standing.exposed is None


def test_options_of_version_1_stay_those_of_version_1() -> None:
    options = by_first_version(rules_of("classic", LEFT))
    assert by_first_version(options) is options
    assert options.as_dict() == rules_of("classic", LEFT).as_dict()


def test_a_round_of_version_1_is_replayed_by_version_1() -> None:
    """Over random rounds, what version 1 played it replays; and where the versions differ, version 2 does not."""
    differs = 0
    for number in range(300):
        chance = random.Random(f"version {number}")
        dealt = random_deal(chance)
        facts = {"engine": dealt.engine, "first_seat": dealt.first}
        inputs = (dealt.options, dealt.seats, dealt.order, facts)
        begun = VERSIONS[1].dealt(*inputs)
        moves = [move for _, move, _ in random_play(begun, chance)]
        assert VERSIONS[1].replay(begun, moves).ended is not None
        differs += not is_whole(VERSIONS[2].dealt(*inputs), moves)
    assert 0 < differs < 150


def is_whole(state: State, moves: list[Move]) -> bool:
    """Whether these moves are a whole round from here, and all legal."""
    try:
        return replay(state, moves).ended is not None
    except BrokenLog:
        return False


def test_a_pass_is_imagined_without_ending_the_round() -> None:
    """Two laps are imagined and none is played: the state after the pass is the next seat's turn."""
    state = after(drawn(STUCK_NOW, **LAPSING), "5-5>0")
    later = VERSIONS[2].apply(state, parse_move("pass"))
    assert (later.turn, later.passed, len(later.open_doubles)) == (1, 1, 1)
