"""``keep_marker``: a play on the seat's own train that leaves the marker, if the options allow this choice."""

from typing import Any

import pytest
from django.utils import timezone

from rules.mexican_train.moves import Play
from rules.mexican_train.notation import parse_move
from rules.tiles import tile
from tables import play, repository
from tables.models import Move
from tests.at_once import at_once
from tests.cases import for_each
from tests.cast import Answer, Caller, position
from tests.matches import SMALL, arrange, begin, play_match, play_round, send, snapshot, timeless
from tests.rest.checks import check_problem, check_refused, nothing_changes

OPTIONAL = SMALL | {"marker_clear": "optional_own_play", "hand_sizes": {"2": 3}}
HANDS = ("5-4 3-1 2-1", "6-2 5-1 4-3")
BONEYARD = "3-2 6-3"
"""Alice is stuck until she draws the second of these, in her second turn."""


def marked(alice: Caller, bob: Caller, **fields: Any) -> dict[str, Any]:
    """Alice has passed, so her train is marked; in her second turn she has drawn 6-3, and is to lay it."""
    table = begin(alice, bob, options=OPTIONAL | fields.pop("options", {}), **fields)
    arrange(table, *HANDS, boneyard=BONEYARD)
    for number, (caller, move) in enumerate([(alice, "draw"), (alice, "pass"), (bob, "6-2>1"), (alice, "draw")], 1):
        assert send(table, caller, move, number).status == 201
    return table


@pytest.fixture
def table(alice: Caller, bob: Caller) -> dict[str, Any]:
    return marked(alice, bob)


def markers(table: dict[str, Any], caller: Caller) -> dict[str, bool]:
    return {train["train"]: train["marker"] for train in position(table, caller)["trains"]}


def listed(table: dict[str, Any], caller: Caller, number: int) -> dict[str, Any]:
    entry: dict[str, Any] = caller.get(f"tables/{table['id']}/moves?after={number - 1}&limit=1").body[0]
    return entry


def test_it_works(table: dict[str, Any], alice: Caller, bob: Caller) -> None:
    assert position(table, alice)["you"]["legal_moves"] == [
        {"move": "6-3>0", "type": "play", "tile": "6-3", "train": "0", "place": "0"},
        {"move": "6-3>0", "keep_marker": True, "type": "play", "tile": "6-3", "train": "0", "place": "0"},
        {"move": "6-3>mexican", "type": "play", "tile": "6-3", "train": "mexican", "place": "mexican"},
    ]
    answer = send(table, alice, "6-3>0", 5, keep_marker=True)
    assert answer.status == 201
    assert set(answer.body) == {"number", "move", "keep_marker", "position"}
    assert (answer.body["move"], answer.body["keep_marker"]) == ("6-3>0", True)
    assert timeless(answer.body["position"]) == timeless(position(table, alice))
    assert markers(table, bob) == {"0": True, "1": False, "mexican": False}
    assert position(table, bob)["you"]["legal_moves"][0] == {
        "move": "4-3>0",
        "type": "play",
        "tile": "4-3",
        "train": "0",
        "place": "0",
    }


@pytest.mark.parametrize("more", [{}, {"keep_marker": False}])
def test_without_it_the_marker_comes_off(table: dict[str, Any], alice: Caller, bob: Caller, more: Any) -> None:
    answer = send(table, alice, "6-3>0", 5, **more)
    assert (answer.status, "keep_marker" in answer.body) == (201, False)
    assert markers(table, bob)["0"] is False
    assert "keep_marker" not in listed(table, bob, 5)


def test_the_log_says_that_the_marker_was_kept(
    table: dict[str, Any], alice: Caller, bob: Caller, cleo: Caller, spectator: Caller
) -> None:
    send(table, alice, "6-3>0", 5, keep_marker=True)
    for caller in (alice, bob, cleo, spectator):
        entry = listed(table, caller, 5)
        assert (entry["move"], entry["keep_marker"], entry["seat"]) == ("6-3>0", True, 0)
        assert "keep_marker" not in listed(table, caller, 3)
    assert Move.objects.get(number=5).text == "6-3>0 keep"


def test_a_past_position_says_that_the_marker_was_kept(table: dict[str, Any], alice: Caller, bob: Caller) -> None:
    send(table, alice, "6-3>0", 5, keep_marker=True)
    play_round(table)
    kept, before = (bob.get(f"tables/{table['id']}/positions/{number}").body for number in (5, 4))
    assert (kept["move"], kept["keep_marker"], kept["trains"][0]["marker"]) == ("6-3>0", True, True)
    assert "keep_marker" not in before


@pytest.mark.parametrize("keeps", [True, False])
def test_a_retry_is_safe(table: dict[str, Any], alice: Caller, keeps: bool) -> None:
    first = send(table, alice, "6-3>0", 5, keep_marker=keeps)
    with nothing_changes():
        again = send(table, alice, "3-6>0", 5, keep_marker=keeps)
    assert again.status == 200
    assert timeless(again.body["position"]) == timeless(first.body["position"])
    assert again.body | {"position": None} == first.body | {"position": None}


def test_a_retry_is_safe_when_the_match_is_over(table: dict[str, Any], alice: Caller) -> None:
    send(table, alice, "6-3>0", 5, keep_marker=True)
    play_match(table)
    again = send(table, alice, "6-3>0", 5, keep_marker=True)
    assert (again.status, again.body["move"], again.body["keep_marker"]) == (200, "6-3>0", True)


@pytest.mark.parametrize("keeps", [True, False])
def test_the_other_choice_for_the_same_number_is_stale(table: dict[str, Any], alice: Caller, keeps: bool) -> None:
    send(table, alice, "6-3>0", 5, keep_marker=keeps)
    answer = check_refused(lambda: send(table, alice, "6-3>0", 5, keep_marker=not keeps), 409, "stale")
    assert timeless(answer.body["position"]) == timeless(position(table, alice))
    assert markers(table, alice)["0"] is keeps


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("keeps", [True, False])
def test_of_both_choices_at_once_one_is_recorded(alice: Caller, bob: Caller, keeps: bool) -> None:
    table = marked(alice, bob)

    def lay(keep: bool) -> Answer:
        return send(table, alice, "6-3>0", 5, keep_marker=keep)

    first, second = at_once(table, lambda: lay(keeps), lambda: lay(not keeps))
    assert first.status == 201
    check_problem(second, 409, "stale")
    assert markers(table, bob)["0"] is keeps


def test_the_table_after_the_move_equals_its_rows(table: dict[str, Any], alice: Caller) -> None:
    assert alice.player
    move = Play(tile(6, 3), 0, keep_marker=True)
    laid = play.submit_move(snapshot(table).id, alice.player.id, move, 5, timezone.now())
    assert laid.snapshot == repository.load(snapshot(table).id)
    assert laid.snapshot.state == snapshot(table).state
    assert parse_move(laid.move) == move


def test_the_choice_is_offered_for_the_own_train_only_while_it_is_marked(
    table: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    send(table, alice, "6-3>0", 5, keep_marker=True)
    assert not [each for each in position(table, bob)["you"]["legal_moves"] if "keep_marker" in each]
    send(table, bob, "4-3>0", 6)
    assert [each["move"] for each in position(table, alice)["you"]["legal_moves"] if "keep_marker" in each] == ["5-4>0"]


# Refused


@pytest.mark.parametrize("clear", ["auto_own_play", "any_play"])
def test_keep_marker_is_refused_if_the_options_do_not_allow_it(alice: Caller, bob: Caller, clear: str) -> None:
    table = marked(alice, bob, options={"marker_clear": clear})
    assert not [each for each in position(table, alice)["you"]["legal_moves"] if "keep_marker" in each]
    for move in ("6-3>0", "6-3>mexican"):
        check_refused(lambda move=move: send(table, alice, move, 5, keep_marker=True), 400, "invalid", "keep_marker")  # type: ignore[misc]
    assert send(table, alice, "6-3>0", 5, keep_marker=False).status == 201
    assert markers(table, bob)["0"] is False


@for_each("move", ["draw", "pass", "end", "announce", "call 1"])
def test_only_a_play_can_keep_the_marker(table: dict[str, Any], alice: Caller, move: str) -> None:
    check_refused(lambda: send(table, alice, move, 5, keep_marker=True), 400, "invalid", "keep_marker")


@for_each("keeps", [None, "perhaps", 2, [], {}])
def test_keep_marker_must_be_a_boolean(table: dict[str, Any], alice: Caller, keeps: Any) -> None:
    check_refused(lambda: send(table, alice, "6-3>0", 5, keep_marker=keeps), 400, "invalid", "keep_marker")


@for_each("move", ["6-3>mexican", "6-3>1", "6-3>7"])
def test_keep_marker_is_refused_on_other_trains(table: dict[str, Any], alice: Caller, move: str) -> None:
    check_refused(lambda: send(table, alice, move, 5, keep_marker=True), 400, "invalid", "keep_marker")


def test_keep_marker_is_refused_if_the_own_train_is_not_marked(
    table: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    send(table, alice, "6-3>0", 5)
    check_refused(lambda: send(table, bob, "5-1>1", 6, keep_marker=True), 400, "invalid", "keep_marker")


def test_an_illegal_play_with_keep_marker_is_illegal(table: dict[str, Any], alice: Caller) -> None:
    answer = check_refused(lambda: send(table, alice, "5-4>0", 5, keep_marker=True), 422, "illegal_move")
    assert answer.body["reason"] == "ends_do_not_match"


def test_the_turn_and_the_number_are_checked_first(
    table: dict[str, Any], alice: Caller, bob: Caller, spectator: Caller
) -> None:
    check_refused(lambda: send(table, bob, "6-3>0", 5, keep_marker=True), 409, "not_your_turn")
    check_refused(lambda: send(table, alice, "6-3>0", 4, keep_marker=True), 409, "stale")
    check_refused(lambda: send(table, spectator, "6-3>0", 5, keep_marker=True), 401, "not_authenticated")


def test_the_spelling_of_the_log_is_refused(table: dict[str, Any], alice: Caller) -> None:
    check_refused(lambda: send(table, alice, "6-3>0 keep", 5), 400, "unreadable_move")
    check_refused(lambda: send(table, alice, "6-3>0 keep", 5, keep_marker=False), 400, "unreadable_move")
