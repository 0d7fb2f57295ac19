"""``GET tables/{id}/explain``."""

from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rules.mexican_train.options import OPTIONS
from rules.mexican_train.reasons import Reason
from tables.models import Seat, StandIn
from tests.cases import slow_after
from tests.cast import Answer, Caller, position
from tests.matches import SMALL, arrange, begin, bots, play_match, send, snapshot, step, timeless
from tests.rest.checks import check_problem, check_refused, nothing_changes
from tests.rest.operations import answer_schema, operations
from tests.rest.test_schema import assert_valid

OTHERS = ["draw", "pass", "end", "announce"]


@pytest.fixture
def arranged(alice: Caller, bob: Caller) -> dict[str, Any]:
    """Alice can lay two of her tiles, each on two trains."""
    table = begin(alice, bob)
    arrange(table, "6-5 6-4 3-1", "5-5 5-2 4-3", boneyard="2-0 6-0 1-1")
    return table


def ask(table: dict[str, Any], caller: Caller) -> Answer:
    return caller.get(f"tables/{table['id']}/explain")


def explained(table: dict[str, Any], caller: Caller) -> dict[str, dict[str, Any]]:
    """Each move with its verdict."""
    answer = ask(table, caller)
    assert answer.status == 200, answer.text
    return {each["move"]: each for each in answer.body["moves"]}


def why(table: dict[str, Any], caller: Caller, move: str) -> tuple[str, str | None]:
    verdict = explained(table, caller)[move]
    assert verdict["legal"] is False
    assert verdict["detail"] == Reason(verdict["reason"]).sentence
    return verdict["reason"], verdict["option"]


def test_it_works(arranged: dict[str, Any], alice: Caller) -> None:
    answer = ask(arranged, alice)
    assert answer.status == 200
    assert set(answer.body) == {"table", "number", "seat", "moves"}
    assert (answer.body["table"], answer.body["number"], answer.body["seat"]) == (arranged["id"], 1, 0)
    shown = explained(arranged, alice)
    assert shown["6-5>0"] == {"move": "6-5>0", "type": "play", "tile": "6-5", "train": "0", "place": "0", "legal": True}
    assert shown["6-5>1"] == {
        "move": "6-5>1",
        "type": "play",
        "tile": "6-5",
        "train": "1",
        "place": "1",
        "legal": False,
        "reason": "train_not_open",
        "detail": Reason.TRAIN_NOT_OPEN.sentence,
        "option": "train_privacy",
    }
    assert shown["draw"] == {
        "move": "draw",
        "type": "draw",
        "legal": False,
        "reason": "must_play",
        "detail": Reason.MUST_PLAY.sentence,
        "option": "must_play",
    }


def test_there_is_a_verdict_for_every_tile_on_every_train_and_the_other_moves(
    arranged: dict[str, Any], alice: Caller
) -> None:
    plays = [f"{tile}>{train}" for tile, train in product(["3-1", "6-4", "6-5"], ["0", "1", "mexican"])]
    assert list(explained(arranged, alice)) == [*plays, *OTHERS]


def test_a_verdict_without_a_deciding_option_names_none(arranged: dict[str, Any], alice: Caller) -> None:
    assert why(arranged, alice, "3-1>0") == (Reason.ENDS_DO_NOT_MATCH, None)


def test_there_is_no_verdict_for_a_train_that_does_not_exist(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, options=SMALL | {"mexican_start": "never"})
    assert {each.get("train") for each in explained(table, alice).values()} == {"0", "1", None}


RULES: dict[str, dict[str, Any]] = {
    "one thing and another": {},
    "a long first turn": {"first_turn_length": "unlimited", "first_turn_trains": "own_only"},
    "penalties": {"announce": "penalty"},
    "a choice of markers": {"marker_clear": "optional_own_play"},
    "chains": {"doubles_per_turn": None, "chain_follow_up": "last_double", "cover_continues": True},
    "no Mexican Train": {"mexican_start": "never", "must_play": False, "drawn_tile": "may"},
}


@pytest.mark.parametrize("rules", slow_after(1, RULES))
def test_the_legal_verdicts_are_the_legal_moves(alice: Caller, bob: Caller, rules: str) -> None:
    """All through a match; keeping a marker and calling are choices beside the moves that are explained."""
    operation = next(each for each in operations() if each.id == "explain")
    table = begin(alice, bob, options=SMALL | {"hand_sizes": {"2": 6}} | RULES[rules])
    while (now := snapshot(table)).is_playing:
        mover = (alice, bob)[now.turn or 0]
        answer = ask(table, mover)
        assert_valid(answer.body, answer_schema(operation, 200) or {})
        legal = [each["move"] for each in answer.body["moves"] if each["legal"]]
        you = position(table, mover)["you"]
        offered = [each for each in you["legal_moves"] if each["type"] != "call" and "keep_marker" not in each]
        assert sorted(legal) == sorted(each["move"] for each in offered)
        assert {each["tile"] for each in answer.body["moves"] if each["type"] == "play"} == set(you["tiles"])
        assert all((each.get("option") or "rounds") in OPTIONS for each in answer.body["moves"])
        step(table)


def test_every_reason_is_that_of_the_refused_move(arranged: dict[str, Any], alice: Caller) -> None:
    for move, verdict in explained(arranged, alice).items():
        if not verdict["legal"]:
            answer = check_refused(lambda move=move: send(arranged, alice, move, 1), 422, "illegal_move")  # type: ignore[misc]
            assert {name: answer.body[name] for name in ("reason", "detail")} == {
                name: verdict[name] for name in ("reason", "detail")
            }


Case = tuple[dict[str, Any], tuple[str, str], str, str, tuple[Reason, str | None]]
DECIDING: dict[str, Case] = {
    "a train of another's": ({}, ("6-5 6-4 3-1", "5-5 5-2 4-3"), "", "6-5>1", (Reason.TRAIN_NOT_OPEN, "train_privacy")),
    "a first turn on the own train": (
        {"first_turn_trains": "own_only"},
        ("6-5 6-4 3-1", "5-5 5-2 4-3"),
        "",
        "6-5>mexican",
        (Reason.FIRST_TURN_OWN_TRAIN, "first_turn_trains"),
    ),
    "a Mexican Train that is to wait": (
        {"mexican_start": "second_turn"},
        ("6-5 6-4 3-1", "5-5 5-2 4-3"),
        "",
        "6-5>mexican",
        (Reason.MEXICAN_NOT_YET, "mexican_start"),
    ),
    "the own train first": (
        {"own_train_required_for": ["mexican"]},
        ("6-5 6-4 3-1", "5-5 5-2 4-3"),
        "",
        "6-5>mexican",
        (Reason.OWN_TRAIN_FIRST, "own_train_required_for"),
    ),
    "a draw before a pass": ({}, ("5-4 4-4 3-1", "5-5 5-2 4-3"), "", "pass", (Reason.MUST_DRAW_FIRST, None)),
    "one draw": ({}, ("5-4 4-4 3-1", "5-5 5-2 4-3"), "draw", "draw", (Reason.ALREADY_DREW, "draw_rule")),
    "more than one tile": ({}, ("5-4 4-4 3-1", "5-5 5-2 4-3"), "draw", "announce", (Reason.NOTHING_TO_CALL, None)),
    "nothing to end": ({}, ("6-5 6-4 3-1", "5-5 5-2 4-3"), "", "end", (Reason.NOTHING_TO_END, None)),
    "a turn to end": (
        {"first_turn_length": "unlimited"},
        ("6-5 6-4 3-1", "5-5 5-2 4-3"),
        "6-5>0",
        "pass",
        (Reason.MUST_PLAY, "first_turn_length"),
    ),
}


@pytest.mark.parametrize("case", slow_after(4, DECIDING))
def test_the_deciding_option_is_named(alice: Caller, bob: Caller, case: str) -> None:
    options, hands, before, move, expected = DECIDING[case]
    table = begin(alice, bob, options=SMALL | options)
    arrange(table, *hands, boneyard="2-0 3-2")
    if before:
        assert send(table, alice, before, 1).status == 201
    assert why(table, alice, move) == expected


def test_the_option_that_requires_a_cover_is_named(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    arrange(table, "6-5 5-3 3-1", "5-5 6-2 4-3", boneyard="2-0")
    for number, (caller, move) in enumerate([(alice, "6-5>mexican"), (bob, "5-5>mexican")], 1):
        send(table, caller, move, number)
    assert why(table, bob, "6-2>1") == (Reason.DOUBLE_NOT_COVERED, "double_follow_up")
    send(table, bob, "draw", 3)
    send(table, bob, "pass", 4)
    assert why(table, alice, "5-3>1") == (Reason.DOUBLE_NOT_COVERED, "double_obligation")


def test_it_changes_nothing(arranged: dict[str, Any], alice: Caller) -> None:
    before = timeless(position(arranged, alice))
    with nothing_changes():
        assert ask(arranged, alice).body == ask(arranged, alice).body
    assert timeless(position(arranged, alice)) == before


def test_explaining_takes_two_statements(arranged: dict[str, Any], alice: Caller) -> None:
    with CaptureQueriesContext(connection) as statements:
        ask(arranged, alice)
    assert len(statements) == 2


# Who may not


def test_another_seat_gets_no_explanation(arranged: dict[str, Any], alice: Caller, bob: Caller) -> None:
    answer = check_refused(lambda: ask(arranged, bob), 409, "not_your_turn")
    assert timeless(answer.body["position"]) == timeless(position(arranged, bob))
    send(arranged, alice, "6-5>0", 1)
    check_refused(lambda: ask(arranged, alice), 409, "not_your_turn")
    assert ask(arranged, bob).body["number"] == 2


def test_a_seat_that_may_call_is_not_to_move(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = begin(alice, bob, cleo, options=SMALL | {"hand_sizes": {"3": 2}, "announce": "penalty"})
    arrange(table, "6-5 3-1", "5-4 4-2", "6-3 6-1")
    send(table, alice, "6-5>0", 1)
    answer = check_refused(lambda: ask(table, cleo), 409, "not_your_turn")
    assert [each["move"] for each in answer.body["position"]["you"]["legal_moves"]] == ["call 0"]


def test_a_caller_without_a_seat_gets_no_explanation(arranged: dict[str, Any], cleo: Caller, spectator: Caller) -> None:
    answer = check_refused(lambda: ask(arranged, cleo), 403, "not_seated")
    assert timeless(answer.body["position"]) == timeless(position(arranged, cleo))
    assert answer.body["position"]["you"] is None
    check_refused(lambda: ask(arranged, spectator), 401, "not_authenticated")
    check_refused(lambda: ask(arranged, Caller("unknown")), 401, "bad_token")


def test_a_host_who_does_not_play_is_not_seated(alice: Caller) -> None:
    table = begin(alice, seats=2, host_seat=None, bots=bots(0, 1))
    check_refused(lambda: ask(table, alice), 403, "not_seated")


def test_a_match_that_has_not_begun_has_nobody_to_move(two_seats: dict[str, Any], alice: Caller) -> None:
    answer = check_refused(lambda: ask(two_seats, alice), 409, "table_open")
    assert answer.body["position"] == position(two_seats, alice)


def test_a_match_that_is_over_has_nobody_to_move(arranged: dict[str, Any], alice: Caller, bob: Caller) -> None:
    play_match(arranged)
    for caller in (alice, bob):
        answer = check_refused(lambda caller=caller: ask(arranged, caller), 409, "table_finished")  # type: ignore[misc]
        assert answer.body["position"] == position(arranged, caller)


def test_a_cancelled_match_has_nobody_to_move(arranged: dict[str, Any], alice: Caller) -> None:
    alice.post(f"tables/{arranged['id']}/cancel")
    check_refused(lambda: ask(arranged, alice), 409, "table_finished")


def test_a_hidden_table_does_not_exist_for_others(alice: Caller, bob: Caller, cleo: Caller, spectator: Caller) -> None:
    table = begin(alice, bob, spectators="none")
    check_problem(ask(table, cleo), 404, "not_found")
    check_problem(ask(table, spectator), 401, "not_authenticated")
    assert ask(table, alice).status == 200


def test_an_unknown_table_does_not_exist(alice: Caller) -> None:
    for nowhere in ("00000000-0000-4000-8000-000000000000", "no-id"):
        check_refused(lambda nowhere=nowhere: alice.get(f"tables/{nowhere}/explain"), 404, "not_found")  # type: ignore[misc]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_other_methods_are_refused(arranged: dict[str, Any], alice: Caller, method: str) -> None:
    path = f"tables/{arranged['id']}/explain"
    check_refused(lambda: alice.ask(method, path, {}), 405, "method_not_allowed")


def test_explanations_reveal_nothing_about_other_hands(arranged: dict[str, Any], alice: Caller) -> None:
    text = ask(arranged, alice).text
    assert not [tile for tile in ("5-5", "5-2", "4-3", "2-0", "6-0", "1-1") if f'"{tile}' in text]


@pytest.mark.parametrize("until", [StandIn.TURN, StandIn.END])
def test_a_player_whose_turn_a_bot_plays_gets_no_explanation(
    arranged: dict[str, Any], alice: Caller, until: StandIn
) -> None:
    Seat.objects.filter(table=arranged["id"], number=0).update(stand_in="easy", stand_in_until=until)
    assert position(arranged, alice)["you"]["legal_moves"] == []
    check_refused(lambda: ask(arranged, alice), 409, "too_late")
