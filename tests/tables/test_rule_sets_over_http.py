"""Every rule set over HTTP, played by a client that knows no rules and sends only moves that it was offered."""

from functools import cache
from random import Random
from typing import Any

import pytest
from django.utils import timezone
from openapi_schema_validator import OAS31Validator

from rules.mexican_train.bots import choose
from rules.mexican_train.options import Options
from rules.mexican_train.presets import PRESETS, rules_of
from rules.mexican_train.view import view_for
from tables import play
from tables.snapshots import Snapshot
from tests.cases import slow_after
from tests.cast import Caller, position
from tests.matches import begin, bots, snapshot, state
from tests.rest.operations import answer_schema, operations
from tests.rules.random_rules import most_moves, random_rules

LEVELS = ("easy", "random")
PHASES = ("play", "drawn", "cover", "first_turn")
GLANCES = 0.15
"""How often the client looks at the table in between, when there is nothing for it to do."""


@cache
def positions() -> OAS31Validator:
    operation = next(each for each in operations() if each.id == "position")
    return OAS31Validator(answer_schema(operation, 200) or {})


def look(table: dict[str, Any], caller: Caller) -> dict[str, Any]:
    shown = position(table, caller)
    check_position(shown)
    return shown


def check_position(shown: dict[str, Any]) -> None:
    """The position matches the schema; the seat to move has legal moves, and other seats can call at most."""
    assert [error.message for error in positions().iter_errors(shown)] == []
    kinds = {each["type"] for each in shown["you"]["legal_moves"]}
    if shown["status"] == "finished":
        assert (shown["turn"], kinds) == (None, set())
    elif shown["turn"]["seat"] == shown["you"]["seat"]:
        assert kinds - {"call"}
        assert shown["turn"]["phase"] in PHASES
    else:
        assert kinds <= {"call"}


def bot_moves(now: Snapshot, chance: Random) -> None:
    assert now.state is not None
    move = choose(chance.choice(LEVELS), view_for(now.state, now.turn), chance.randrange)
    assert play.submit_bot_move(now.id, now.next_number, move, timezone.now())


def has_nothing_to_do(now: Snapshot, seat: int) -> bool:
    """Whether the match is running, and this seat can neither move nor call."""
    assert now.state is not None
    return now.is_playing and not view_for(now.state, seat).legal_moves


def choice(shown: dict[str, Any], chance: Random) -> dict[str, Any] | None:
    """One of the offered moves as the body of a POST; out of turn the client may make none."""
    offered = shown["you"]["legal_moves"]
    is_its_turn = shown["turn"]["seat"] == shown["you"]["seat"]
    if not offered or not (is_its_turn or chance.random() < 0.5):
        return None
    chosen = chance.choice(offered)
    return {name: chosen[name] for name in ("move", "keep_marker") if name in chosen} | {"number": shown["next_number"]}


def send_choice(table: dict[str, Any], caller: Caller, shown: dict[str, Any], chance: Random) -> bool:
    """Send one of the offered moves, which must be accepted. Returns False if none was chosen."""
    body = choice(shown, chance)
    if body is None:
        return False
    answer = caller.post(f"tables/{table['id']}/moves", body)
    assert answer.status == 201, f"{body} at {shown}: {answer.text}"
    assert {name: answer.body[name] for name in body} == body
    check_position(answer.body["position"])
    return True


def play_match(table: dict[str, Any], caller: Caller, chance: Random, longest: int) -> None:
    """Play to the end, which comes after so many moves at most."""
    for _ in range(longest + 1):
        now = snapshot(table)
        if has_nothing_to_do(now, 0) and chance.random() > GLANCES:
            bot_moves(now, chance)
            continue
        shown = look(table, caller)
        if shown["status"] == "finished":
            return
        if not send_choice(table, caller, shown, chance):
            bot_moves(now, chance)
    raise AssertionError("This match does not end.")


def check_match(caller: Caller, rules: Options, seats: int, chance: Random, **fields: Any) -> None:
    """A match of these rules against bots, from the start to the end."""
    table = begin(caller, seats=seats, bots=bots(*range(1, seats)), **fields)
    assert table["options"] == rules.as_dict()
    play_match(table, caller, chance, most_moves(state(table)) * rules.round_count)
    assert snapshot(table).rounds_played == rules.round_count


def seats_of(preset: str) -> int:
    """One of the numbers of seats that it is for, another one from preset to preset."""
    allowed = list(rules_of(preset, {}).hand_sizes)
    return allowed[list(PRESETS).index(preset) % len(allowed)]


@pytest.mark.parametrize("preset", slow_after(1, PRESETS))
def test_a_client_that_knows_no_rules_plays_every_preset(alice: Caller, preset: str) -> None:
    seats = seats_of(preset)
    options = {"rounds": 1 if rules_of(preset, {}).sets_engine_aside else 2}
    check_match(alice, rules_of(preset, options), seats, Random(preset), preset=preset, options=options)


LONG_TURNS = {"first_turn_length": "unlimited", "first_turn_double": "deferred", "first_turn_out": "finish_lap"}
CHOICES = {"must_play": False, "drawn_tile": "may", "marker_clear": "optional_own_play"}
CHAINS = {"doubles_per_turn": None, "chain_follow_up": "any_open_double", "cover_continues": True}
WILD: dict[str, tuple[int, dict[str, Any]]] = {
    "long first turns, penalties, choices": (3, LONG_TURNS | CHOICES | {"announce": "penalty"}),
    "chains that must be covered": (4, CHAINS | {"finish_on_double": "must_cover", "draw_scope": "per_turn"}),
    "covering by the layer alone": (2, {"double_obligation": "layer_only", "cover_fail_marker": "layer_exempt"}),
    "doubles for one lap, dead ones too": (3, {"double_obligation": "one_lap", "dead_double": "blocks"} | CHAINS),
    "no Mexican Train, everything public": (4, {"mexican_start": "never", "train_privacy": "always_public"}),
    "the own train before anything": (3, {"own_train_required_for": ["mexican", "open_trains", "covering"]}),
    "the starter's engine, and a lap of passes": (
        2,
        {"engine_selection": "starter_highest", "blocked_detection": "pass_lap", "round_starter": "lowest_total"},
    ),
    "penalties at the end of the boneyard": (
        6,
        {"announce": "penalty", "draw_rule": "until_playable", "double_follow_up": "none", "hands_visible": True},
    ),
}
SMALLER = {"set_max_pip": 6, "hand_sizes": {"2": 7, "3": 6, "4": 5, "6": 3}, "rounds": 2}


@pytest.mark.parametrize("wild", slow_after(1, WILD))
def test_it_plays_random_combinations_of_options(alice: Caller, wild: str) -> None:
    seats, options = WILD[wild]
    chosen = SMALLER | options
    check_match(alice, rules_of("classic", chosen), seats, Random(wild), options=chosen)


def random_small_rules(chance: Random) -> tuple[Options, int]:
    while (drawn := random_rules(chance))[0].highest_pip > 6:
        pass
    return drawn


@pytest.mark.parametrize("seed", slow_after(1, range(6)))
def test_it_plays_any_rules_at_all(alice: Caller, seed: int) -> None:
    chance = Random(seed)
    rules, seats = random_small_rules(chance)
    options = rules.as_dict() | {"rounds": min(2, rules.round_count)}
    check_match(alice, rules_of("classic", options), seats, chance, options=options)
