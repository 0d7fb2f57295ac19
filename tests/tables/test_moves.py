"""``POST tables/{id}/moves``."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rules.mexican_train.reasons import Reason
from tables import memory
from tables.models import Move, Table
from tests.cases import for_each
from tests.cast import Answer, Caller, play, position
from tests.matches import SMALL, arrange, begin, bots, play_match, play_round, send, snapshot, step, timeless

STRANGE = [
    "fly",
    "12-7",
    "12-7>",
    ">0",
    "12-7>sea",
    "19-1>0",
    "12-7>0>1",
    "-1-3>0",
    "DRAW",
    "call",
    "call x",
    "\N{ARABIC-INDIC DIGIT ONE}-2>0",
]
"""Not moves at all."""


@pytest.fixture
def arranged(alice: Caller, bob: Caller) -> dict[str, Any]:
    """Double-six: Alice can lay two of her tiles, Bob is stuck until the Mexican Train has begun."""
    table = begin(alice, bob)
    arrange(table, "6-5 6-4 3-1", "5-5 5-2 4-3", boneyard="2-0 6-0 1-1")
    return table


def refused(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.body["code"]


def test_it_works(arranged: dict[str, Any], alice: Caller) -> None:
    answer = send(arranged, alice, "6-5>0", 1)
    assert answer.status == 201
    assert set(answer.body) == {"number", "move", "position"}
    assert (answer.body["number"], answer.body["move"]) == (1, "6-5>0")
    assert answer.body["position"]["trains"][0]["tiles"] == ["6-5"]
    assert answer.body["position"]["next_number"] == 2
    assert timeless(answer.body["position"]) == timeless(position(arranged, alice))


def test_a_tile_is_written_either_way_round(arranged: dict[str, Any], alice: Caller) -> None:
    first = send(arranged, alice, "5-6>mexican", 1)
    assert (first.status, first.body["move"]) == (201, "6-5>mexican")
    again = send(arranged, alice, "6-5>mexican", 1)
    assert (again.status, again.body["move"]) == (200, "6-5>mexican")
    once_more = send(arranged, alice, "5-6>mexican", 1)
    assert (once_more.status, once_more.body["move"]) == (200, "6-5>mexican")


def test_a_retry_is_safe(arranged: dict[str, Any], alice: Caller) -> None:
    first = send(arranged, alice, "6-5>0", 1)
    version = Table.objects.get().version
    again = send(arranged, alice, "6-5>0", 1)
    assert again.status == 200
    assert timeless(again.body["position"]) == timeless(first.body["position"])
    assert (again.body["number"], again.body["move"]) == (1, "6-5>0")
    assert (Move.objects.count(), Table.objects.get().version) == (1, version)


def test_a_retry_is_safe_much_later(arranged: dict[str, Any], alice: Caller) -> None:
    send(arranged, alice, "6-5>0", 1)
    play_round(arranged)
    again = send(arranged, alice, "6-5>0", 1)
    assert (again.status, again.body["number"], again.body["move"]) == (200, 1, "6-5>0")
    assert timeless(again.body["position"]) == timeless(position(arranged, alice))


def test_a_retry_is_safe_when_the_match_is_over(arranged: dict[str, Any], alice: Caller) -> None:
    send(arranged, alice, "6-5>0", 1)
    play_match(arranged)
    again = send(arranged, alice, "5-6>0", 1)
    assert (again.status, again.body["number"], again.body["move"]) == (200, 1, "6-5>0")
    assert again.body["position"]["status"] == "finished"


def test_a_retry_is_safe_when_the_table_is_cancelled(arranged: dict[str, Any], alice: Caller) -> None:
    send(arranged, alice, "6-5>0", 1)
    alice.post(f"tables/{arranged['id']}/cancel")
    again = send(arranged, alice, "6-5>0", 1)
    assert (again.status, again.body["position"]["status"]) == (200, "cancelled")


def test_the_same_move_by_another_seat_is_not_a_retry(arranged: dict[str, Any], alice: Caller, bob: Caller) -> None:
    send(arranged, alice, "6-5>0", 1)
    assert refused(send(arranged, bob, "6-5>0", 1)) == (409, "stale")


@pytest.mark.parametrize(("move", "number"), [("6-4>0", 1), ("draw", 1), ("6-5>mexican", 1)])
def test_another_move_for_the_same_number_is_stale(
    arranged: dict[str, Any], alice: Caller, move: str, number: int
) -> None:
    send(arranged, alice, "6-5>0", 1)
    answer = send(arranged, alice, move, number)
    assert refused(answer) == (409, "stale")
    assert answer.body["detail"].startswith("The next number of the log is already 2; ")
    assert timeless(answer.body["position"]) == timeless(position(arranged, alice))


@pytest.mark.parametrize("times", [1, 2])
def test_the_etag_is_that_of_the_position(arranged: dict[str, Any], alice: Caller, bob: Caller, times: int) -> None:
    """So that the next thing to do is to wait, also after a retry."""
    (tag,) = {send(arranged, alice, "6-5>0", 1).headers["ETag"] for _ in range(times)}
    path = f"tables/{arranged['id']}/position"
    assert alice.get(path).headers["ETag"] == tag
    assert alice.get(path, If_None_Match=tag).status == 304
    assert bob.get(path, If_None_Match=tag).status == 200


def test_a_repeated_answer_has_its_etag_too(arranged: dict[str, Any], alice: Caller, bob: Caller) -> None:
    move = {"move": "6-5>0", "number": 1}
    first, again = (alice.post(f"tables/{arranged['id']}/moves", move, Idempotency_Key="once") for _ in range(2))
    assert (again.body, again.headers["ETag"]) == (first.body, first.headers["ETag"])
    assert "ETag" not in send(arranged, bob, "fly", 2).headers


@for_each("ahead", [2, 3, 2**31 - 1])
def test_a_number_that_is_too_high_is_stale(arranged: dict[str, Any], alice: Caller, ahead: int) -> None:
    answer = send(arranged, alice, "6-5>0", ahead)
    assert refused(answer) == (409, "stale")
    assert answer.body["detail"].startswith("The next number of the log is 1; ")
    assert timeless(answer.body["position"]) == timeless(position(arranged, alice))
    assert Move.objects.count() == 0


def test_a_move_of_another_seat_is_refused(arranged: dict[str, Any], bob: Caller) -> None:
    answer = send(arranged, bob, "draw", 1)
    assert refused(answer) == (409, "not_your_turn")
    assert timeless(answer.body["position"]) == timeless(position(arranged, bob))
    assert answer.body["position"]["you"]["seat"] == 1
    assert Move.objects.count() == 0


def test_a_caller_without_a_seat_is_refused(arranged: dict[str, Any], cleo: Caller) -> None:
    answer = send(arranged, cleo, "6-5>0", 1)
    assert refused(answer) == (403, "not_seated")
    assert timeless(answer.body["position"]) == timeless(position(arranged, cleo))
    assert answer.body["position"]["you"] is None


def test_a_host_who_does_not_play_is_not_seated(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, seats=2, host_seat=None, bots=bots(1))
    assert refused(send(table, alice, "draw", 1)) == (403, "not_seated")


def test_a_caller_without_a_token_is_refused(arranged: dict[str, Any], spectator: Caller) -> None:
    answer = send(arranged, spectator, "6-5>0", 1)
    assert refused(answer) == (401, "not_authenticated")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


@for_each("token", ["unknown", "ä", "x" * 5000])
def test_a_bad_token_is_refused(arranged: dict[str, Any], token: str) -> None:
    assert refused(send(arranged, Caller(token), "6-5>0", 1)) == (401, "bad_token")


def test_a_revoked_token_is_refused(arranged: dict[str, Any], alice: Caller) -> None:
    alice.post("players/logout")
    assert refused(send(arranged, alice, "6-5>0", 1)) == (401, "bad_token")
    assert Move.objects.count() == 0


def test_a_move_before_the_start_is_refused(two_seats: dict[str, Any], alice: Caller, cleo: Caller) -> None:
    answer = send(two_seats, alice, "draw", 1)
    assert refused(answer) == (409, "table_open")
    assert answer.body["position"] == position(two_seats, alice)
    assert refused(send(two_seats, cleo, "draw", 1)) == (403, "not_seated")


def test_a_move_after_the_end_is_refused(arranged: dict[str, Any], alice: Caller, bob: Caller) -> None:
    play_match(arranged)
    for caller in (alice, bob):
        answer = send(arranged, caller, "draw", snapshot(arranged).next_number)
        assert refused(answer) == (409, "table_finished")
        assert answer.body["detail"] == "The match is over."
        assert answer.body["position"] == position(arranged, caller)


def test_a_move_in_a_cancelled_match_is_refused(arranged: dict[str, Any], alice: Caller) -> None:
    alice.post(f"tables/{arranged['id']}/cancel")
    answer = send(arranged, alice, "6-5>0", 1)
    assert refused(answer) == (409, "table_finished")
    assert answer.body["detail"] == "This table was cancelled."
    assert answer.body["position"] == position(arranged, alice)
    assert answer.body["position"]["status"] == "cancelled"


@for_each("move", STRANGE)
def test_a_text_that_is_not_a_move_is_refused(arranged: dict[str, Any], alice: Caller, move: str) -> None:
    assert refused(send(arranged, alice, move, 1)) == (400, "unreadable_move")
    assert Move.objects.count() == 0


@for_each(
    ("move", "reason"),
    [
        ("5-5>0", Reason.TILE_NOT_HELD),
        ("12-12>0", Reason.TILE_NOT_HELD),
        ("6-5>2", Reason.NO_SUCH_TRAIN),
        ("6-5>99", Reason.NO_SUCH_TRAIN),
        ("3-1>0", Reason.ENDS_DO_NOT_MATCH),
        ("6-5>1", Reason.TRAIN_NOT_OPEN),
        ("draw", Reason.MUST_PLAY),
        ("pass", Reason.MUST_PLAY),
        ("end", Reason.NOTHING_TO_END),
        ("announce", Reason.NOTHING_TO_CALL),
        ("call 1", Reason.NOTHING_TO_CALL),
    ],
)
def test_an_illegal_move_is_refused(arranged: dict[str, Any], alice: Caller, move: str, reason: Reason) -> None:
    before = position(arranged, alice)
    answer = send(arranged, alice, move, 1)
    assert refused(answer) == (422, "illegal_move")
    assert (answer.body["reason"], answer.body["detail"]) == (reason, reason.sentence)
    assert answer.body["legal_moves"] == before["you"]["legal_moves"]
    assert "position" not in answer.body
    assert timeless(position(arranged, alice)) == timeless(before)
    assert Move.objects.count() == 0


def test_an_illegal_move_of_a_stuck_seat_is_refused(arranged: dict[str, Any], alice: Caller, bob: Caller) -> None:
    send(arranged, alice, "6-4>0", 1)
    assert send(arranged, bob, "pass", 2).body["reason"] == Reason.MUST_DRAW_FIRST
    assert send(arranged, bob, "draw", 2).status == 201
    answer = send(arranged, bob, "draw", 3)
    assert answer.body["reason"] == Reason.ALREADY_DREW
    assert answer.body["legal_moves"] == [{"move": "pass", "type": "pass"}]


def test_an_open_double_has_to_be_covered(arranged: dict[str, Any], alice: Caller, bob: Caller) -> None:
    send(arranged, alice, "6-5>mexican", 1)
    assert send(arranged, bob, "5-5>mexican", 2).status == 201
    assert send(arranged, bob, "5-2>1", 3).body["reason"] == Reason.DOUBLE_NOT_COVERED
    assert send(arranged, bob, "5-2>mexican", 3).status == 201


def test_an_empty_boneyard_has_no_tile_to_draw(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = begin(alice, bob, cleo, options={"set_max_pip": 6, "hand_sizes": {"3": 9}})
    arrange(table, "6-0 6-1 6-2 6-3 6-4 6-5 0-0 1-0 1-1", "2-0 2-1 2-2 3-0 3-1 3-2 3-3 4-0 4-1", REST)
    send(table, alice, "6-5>0", 1)
    assert send(table, bob, "draw", 2).body["reason"] == Reason.BONEYARD_EMPTY
    assert send(table, bob, "pass", 2).status == 201


REST = "4-2 4-3 4-4 5-0 5-1 5-2 5-3 5-4 5-5"


def test_only_its_drawer_sees_a_drawn_tile(
    arranged: dict[str, Any], alice: Caller, bob: Caller, cleo: Caller, spectator: Caller
) -> None:
    send(arranged, alice, "6-4>0", 1)
    answer = send(arranged, bob, "draw", 2)
    assert (answer.status, answer.body["tile"]) == (201, "2-0")
    assert "2-0" in answer.body["position"]["you"]["tiles"]
    again = send(arranged, bob, "draw", 2)
    assert (again.status, again.body["tile"]) == (200, "2-0")
    for caller in (alice, cleo, spectator):
        for page in ("position", "moves"):
            assert '"2-0"' not in caller.get(f"tables/{arranged['id']}/{page}").text
        assert '"2-0"' not in send(arranged, caller, "draw", 2).text


def test_a_repeated_draw_returns_its_tile_even_later(
    arranged: dict[str, Any], alice: Caller, bob: Caller, cleo: Caller
) -> None:
    send(arranged, alice, "6-4>0", 1)
    first = send(arranged, bob, "draw", 2)
    for goes_on in (step, play_round, play_match):
        goes_on(arranged)
        again = send(arranged, bob, "draw", 2)
        assert (again.status, again.body["tile"]) == (200, "2-0") == (200, first.body["tile"])
        for caller in (alice, cleo):
            assert "tile" not in send(arranged, caller, "draw", 2).body


def test_the_penalty_tiles_are_not_in_the_callers_answer(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, options=SMALL | {"announce": "penalty", "hand_sizes": {"2": 2}})
    arrange(table, "6-5 3-1", "5-4 4-2", boneyard="2-0 3-0 1-0")
    made = [(alice, "6-5>0"), (bob, "call 0"), (bob, "draw")]
    for number, (caller, move) in enumerate(made, 1):
        assert send(table, caller, move, number).status == 201
    again = [send(table, caller, move, number).body for number, (caller, move) in enumerate(made, 1)]
    assert [each.get("tile") for each in again] == [None, None, "1-0"]


def test_the_answer_to_a_play_has_no_drawn_tile(arranged: dict[str, Any], alice: Caller) -> None:
    assert "tile" not in send(arranged, alice, "6-5>0", 1).body


def test_keeping_the_marker_is_refused_where_the_rules_do_not_allow_it(arranged: dict[str, Any], alice: Caller) -> None:
    answer = send(arranged, alice, "6-5>0", 1, keep_marker=True)
    assert refused(answer) == (400, "invalid")
    assert [error["field"] for error in answer.body["errors"]] == ["keep_marker"]
    assert Move.objects.count() == 0
    assert send(arranged, alice, "6-5>0", 1, keep_marker=False).status == 201


def test_a_hidden_table_does_not_exist_for_others(alice: Caller, bob: Caller, cleo: Caller, spectator: Caller) -> None:
    table = begin(alice, bob, spectators="none")
    assert refused(send(table, cleo, "draw", 1)) == (404, "not_found")
    assert refused(send(table, spectator, "draw", 1)) == (401, "not_authenticated")
    assert play(table, alice).status == 201


def test_an_unknown_table_does_not_exist(alice: Caller) -> None:
    nowhere = {"id": "00000000-0000-4000-8000-000000000000"}
    assert refused(send(nowhere, alice, "draw", 1)) == (404, "not_found")


WRONG_NUMBERS: list[Any] = [None, "", "one", 0, -1, 1.5, 2**31, [1], {}]
WRONG_MOVES: list[Any] = [None, [], {}, True, "6-5>0\0"]


@for_each(
    ("body", "field"),
    [
        ({"move": "6-5>0"}, "number"),
        *(({"move": "6-5>0", "number": number}, "number") for number in WRONG_NUMBERS),
        ({"number": 1}, "move"),
        *(({"move": move, "number": 1}, "move") for move in WRONG_MOVES),
    ],
)
def test_a_wrong_field_is_named(arranged: dict[str, Any], alice: Caller, body: dict[str, Any], field: str) -> None:
    answer = alice.post(f"tables/{arranged['id']}/moves", body)
    assert refused(answer) == (400, "invalid")
    assert [error["field"] for error in answer.body["errors"]] == [field]
    assert Move.objects.count() == 0


@for_each("body", [None, [], "draw", 7, ["6-5>0", 1]])
def test_a_body_that_is_not_an_object_is_refused(arranged: dict[str, Any], alice: Caller, body: Any) -> None:
    assert alice.post(f"tables/{arranged['id']}/moves", body).status == 400
    assert Move.objects.count() == 0


def test_an_idempotency_key_repeats_the_answer(arranged: dict[str, Any], alice: Caller) -> None:
    path, body = f"tables/{arranged['id']}/moves", {"move": "6-5>0", "number": 1}
    first = alice.post(path, body, Idempotency_Key="one")
    again = alice.post(path, body, Idempotency_Key="one")
    assert (first.status, again.status, again.body) == (201, 201, first.body)
    other = alice.post(path, body | {"number": 2}, Idempotency_Key="one")
    assert refused(other) == (422, "idempotency_key_reused")
    assert Move.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_move_takes_six_statements_if_its_table_is_not_in_memory(alice: Caller, bob: Caller) -> None:
    """Counted: every statement that reaches Postgres from the request's first to its last.

    These are who asks and for what (authentication included), BEGIN, the lock, the table with its log, the table's row
    with the move and its event, COMMIT.
    """
    table = begin(alice, bob, options=SMALL | {"hand_sizes": {"2": 12}}, turn_seconds=60)
    for _ in range(4):
        step(table)
    mover = (alice, bob)[snapshot(table).turn or 0]
    now = position(table, mover)
    memory.MEMORY.clear()
    with CaptureQueriesContext(connection) as statements:
        answer = send(table, mover, now["you"]["legal_moves"][0]["move"], now["next_number"])
    assert (answer.status, answer.body["position"]["round"]["number"]) == (201, 1)
    assert len(statements) == 6, "\n".join(each["sql"] for each in statements)
    assert [each["sql"] for each in statements][1::4] == ["BEGIN", "COMMIT"]


@for_each("text", ["", " ", "x" * 5000])
def test_an_empty_or_very_long_text_is_not_a_move(playing: dict[str, Any], alice: Caller, text: str) -> None:
    answer = alice.post(f"tables/{playing['id']}/moves", {"move": text, "number": 1})
    assert (answer.status, answer.body["code"]) == (400, "unreadable_move")
