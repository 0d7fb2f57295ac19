"""All levels together: their list, their descriptions, and that they play every rule set legally."""

import random
from collections.abc import Mapping
from typing import Any

import pytest

from rules.mexican_train.bots import BOTS, advise, choose
from rules.mexican_train.bots.choice import Grounds, Why
from rules.mexican_train.bots.words import sentence
from rules.mexican_train.legality import legal_moves
from rules.mexican_train.notation import move_text
from rules.mexican_train.presets import PRESETS, rules_of
from rules.mexican_train.state import State
from rules.mexican_train.transitions import apply
from rules.mexican_train.view import view_for
from rules.thinking import never
from tests.cases import slow_after
from tests.rules.bots.asking import LEVELS, CountingGuard, RecordingChance, chosen
from tests.rules.drawing import drawn
from tests.rules.random_rules import most_moves, random_deal

STUCK = "engine 12-12; turn 0; boneyard 3-2\n0: | 5-4\n1: | 9-8\nmexican:"
PLANNERS = ["medium", "hard"]
TALKERS = sorted(set(LEVELS) - {"random"})


def test_the_levels_are_listed_from_the_weakest_on() -> None:
    assert list(BOTS) == ["random", "easy", "medium", "hard", "expert"]


@pytest.mark.parametrize("level", LEVELS)
def test_each_level_has_a_description_and_a_typical_time(level: str) -> None:
    bot = BOTS[level]
    assert bot.level == level
    assert bot.likes.endswith(".")
    assert 0 < bot.typical_ms < 100


def test_an_unknown_level_is_an_error() -> None:
    with pytest.raises(KeyError):
        chosen("perfect", "engine 12-12; turn 0\n0: | 12-5 12-4\n1: | 9-8\nmexican:")


@pytest.mark.parametrize("level", LEVELS)
def test_a_single_legal_move_needs_no_chance_and_no_time(level: str) -> None:
    chance, guard, view = RecordingChance(), CountingGuard(0), view_for(drawn(STUCK), 0)
    assert move_text(choose(level, view, chance, guard)) == "draw"
    assert advise(level, view, chance, guard).grounds == Grounds(Why.ONLY)
    assert (chance.asked, guard.left) == ([], 0)


def test_the_guard_without_a_limit_never_stops_a_bot() -> None:
    assert not never()


def check_plays_to_the_end(level: str, state: State, source: random.Random) -> None:
    """A round with every seat at one level: each move is legal, and can be explained."""
    for _ in range(most_moves(state)):
        if state.ended is not None:
            break
        view = view_for(state, state.turn)
        choice = advise(level, view, source.randrange, CountingGuard(1))
        assert choice.move in legal_moves(state)
        assert "{" not in sentence(view, choice)
        state = apply(state, choice.move)
    assert state.ended is not None, "the round does not end"


@pytest.mark.parametrize("preset", slow_after(3, PRESETS))
@pytest.mark.parametrize("level", LEVELS)
def test_it_plays_rounds_of_every_preset(level: str, preset: str) -> None:
    options, source = rules_of(preset, {}), random.Random(preset)
    for seats in (min(options.hand_sizes), max(options.hand_sizes)):
        check_plays_to_the_end(level, random_deal(source, (options, seats)).state, source)


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_it_plays_rounds_of_any_rules(level: str) -> None:
    source = random.Random(8)
    for _ in range(150):
        check_plays_to_the_end(level, random_deal(source).state, source)


ONE_LEFT = "engine 12-12; turn 0; boneyard 3-2\n0: 12-5 | 5-4\n1: 12-7 | 9-8\nmexican:"
TWO_LEFT = "engine 12-12; turn 0; boneyard 3-2\n0: 12-5 | 5-4 9-3\n1: 12-7 | 9-8\nmexican:"
CAUGHT = "engine 12-12; turn 0; exposed 1; boneyard 3-2\n0: 12-5 | 5-4 5-3\n1: 12-7 | 9-8\nmexican:"


@pytest.mark.parametrize("level", TALKERS)
def test_it_announces_its_last_tile(level: str) -> None:
    assert chosen(level, ONE_LEFT, announce="penalty") == "announce"
    assert chosen(level, TWO_LEFT, announce="penalty") == "announce"


@pytest.mark.parametrize("level", TALKERS)
def test_it_calls_who_did_not_announce(level: str) -> None:
    assert chosen(level, CAUGHT, announce="penalty") == "call 1"


KEEPING = "engine 12-12; turn 0; boneyard 3-2\n0: 12-5 marked | 5-4 4-3\n1: 12-7 | 9-8\nmexican:"
LONG = "engine 12-12; turn 0; first 0 1; laid 1; boneyard 3-2\n0: 12-5 | {}\n1: | 9-8\nmexican:"
LONG_RULES: Mapping[str, Any] = {"first_turn_length": "unlimited", "first_turn_trains": "own_only"}
LAST_DOUBLE = "engine 12-12; turn 0; drew 1; boneyard 3-2\n0: 12-5 | 5-5\n1: 12-7 | 9-8\nmexican:"


@pytest.mark.parametrize("level", PLANNERS)
def test_it_takes_its_marker_off(level: str) -> None:
    assert chosen(level, KEEPING, marker_clear="optional_own_play") == "5-4>0"


@pytest.mark.parametrize("level", PLANNERS)
def test_it_lays_all_of_its_train_in_a_long_first_turn_and_ends_it_when_nothing_fits(level: str) -> None:
    assert chosen(level, LONG.format("5-4 4-1 5-2 11-9"), **LONG_RULES) == "5-4>0"
    assert chosen(level, LONG.format("5-5 11-9"), **LONG_RULES) == "5-5>0"
    assert chosen(level, LONG.format("11-9"), **LONG_RULES) == "end"


@pytest.mark.parametrize("level", PLANNERS)
def test_in_a_long_first_turn_a_double_needs_no_cover(level: str) -> None:
    assert chosen(level, LONG.format("5-2 2-2 5-3"), **LONG_RULES) == "5-2>0"
    assert chosen(level, LONG.format("5-2 2-2 5-3")) == "5-3>0"


@pytest.mark.parametrize("level", PLANNERS)
def test_it_never_draws_or_passes_when_it_can_lay_a_tile(level: str) -> None:
    assert chosen(level, KEEPING, must_play=False) == "5-4>0"
    assert chosen(level, KEEPING.replace("marked", "").replace("turn 0", "turn 0; drew 1"), drawn_tile="may") == "5-4>0"


@pytest.mark.parametrize("level", PLANNERS)
def test_it_keeps_a_last_double_that_would_not_let_it_out(level: str) -> None:
    must_cover: Mapping[str, Any] = {"finish_on_double": "must_cover", "drawn_tile": "may"}
    assert chosen(level, LAST_DOUBLE, **must_cover) == "pass"
    assert chosen(level, LAST_DOUBLE, drawn_tile="may") == "5-5>0"
    assert chosen(level, LAST_DOUBLE, **must_cover, double_follow_up="none") == "5-5>0"
    assert chosen(level, LONG.format("5-5"), **LONG_RULES) == "5-5>0"
    assert chosen(level, LONG.format("5-5"), **LONG_RULES, **must_cover) == "end"


@pytest.mark.parametrize("level", PLANNERS)
def test_it_lays_a_last_double_that_is_dead(level: str) -> None:
    """Nothing can cover it, so nothing has to: the seat is out."""
    dead = "engine 6-6; turn 0; drew 1\n0: 6-5 | 5-5\n1: 6-0 0-5 5-1 1-1 | 3-2\nmexican: 6-4 4-5 5-3 3-6 6-2 2-5"
    rules: Mapping[str, Any] = {
        "set_max_pip": 6,
        "hand_sizes": {2: 2},
        "finish_on_double": "must_cover",
        "drawn_tile": "may",
    }
    assert chosen(level, dead, **rules) == "5-5>0"
    assert chosen(level, dead.replace("drew 1", "drew 1; boneyard 4-3"), **rules, dead_double="blocks") == "pass"


@pytest.mark.parametrize("level", PLANNERS)
def test_a_tile_weighs_the_points_that_it_counts_in_hand(level: str) -> None:
    blank = "engine 12-12; turn 0; boneyard 3-2\n0: 12-5 | 11-9 12-4 0-0\n1: 12-0 marked | 9-8 7-6 5-4\nmexican:"
    assert chosen(level, blank, double_follow_up="none") == "12-4>mexican"
    assert chosen(level, blank, double_follow_up="none", double_blank_points=50) == "0-0>1"


BARE_DOUBLE = "engine 6-6; turn 0\n0: 6-4 | 4-4\n1: 6-5 | 5-1 3-1\nmexican:"
MUST_COVER: dict[str, object] = {"set_max_pip": 6, "hand_sizes": {"2": 5}, "finish_on_double": "must_cover"}


@pytest.mark.parametrize("level", BOTS)
def test_it_does_not_pass_for_ever_to_keep_a_last_double(level: str) -> None:
    state = drawn(BARE_DOUBLE, must_play=False, dead_double="blocks", **MUST_COVER)
    assert move_text(choose(level, view_for(state, 0), random.Random(1).randrange)) in {"4-4>0", "pass"}
    assert level == "random" or move_text(choose(level, view_for(state, 0), random.Random(1).randrange)) == "4-4>0"


@pytest.mark.parametrize("level", ["medium", "hard"])
def test_it_lays_a_last_double_that_lapses_with_its_turn(level: str) -> None:
    state = drawn(
        BARE_DOUBLE.replace("turn 0", "turn 0; boneyard 3-2"), must_play=False, double_obligation="none", **MUST_COVER
    )
    assert move_text(choose(level, view_for(state, 0), random.Random(1).randrange)) == "4-4>0"
