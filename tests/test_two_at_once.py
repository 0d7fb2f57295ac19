"""Two calls at once, in real threads on real PostgreSQL: of two writers one wins, and the other is refused."""

from collections import Counter
from collections.abc import Callable
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from django.db import Error, IntegrityError, transaction
from django.utils import timezone

from tables import tasks, thinking
from tables.models import By, Move, Round, Table
from tests.at_once import at_once, await_blocked, held, threads
from tests.cast import Answer, Caller, position
from tests.matches import arrange, begin, bots, send, snapshot

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(alice: Caller, bob: Caller) -> dict[str, Any]:
    """Alice is to move and can lay two tiles in two places; Bob can lay one."""
    begun = begin(alice, bob)
    arrange(begun, "6-5 6-4 3-1", "6-2 5-2 4-3", boneyard="2-0 6-0 1-1")
    return begun


def statuses_and_codes(*answers: Answer) -> list[tuple[int, str]]:
    return [(answer.status, answer.body.get("code", answer.body.get("move"))) for answer in answers]


def texts() -> list[str]:
    return list(Move.objects.order_by("number").values_list("text", flat=True))


def moving(table: dict[str, Any], caller: Caller, move: str, number: int = 1) -> Callable[[], Answer]:
    return lambda: send(table, caller, move, number)


def test_the_same_move_twice_is_one_move(table: dict[str, Any], alice: Caller) -> None:
    answers = at_once(table, moving(table, alice, "6-5>0"), moving(table, alice, "5-6>0"))
    assert statuses_and_codes(*answers) == [(201, "6-5>0"), (200, "6-5>0")]
    assert texts() == ["6-5>0"]


def test_of_two_moves_of_one_seat_the_first_wins(table: dict[str, Any], alice: Caller) -> None:
    answers = at_once(table, moving(table, alice, "6-5>0"), moving(table, alice, "6-4>0"))
    assert statuses_and_codes(*answers) == [(201, "6-5>0"), (409, "stale")]
    assert answers[1].body["position"]["trains"][0]["tiles"] == ["6-5"]
    assert texts() == ["6-5>0"]


def test_two_seats_at_once_are_one_move(table: dict[str, Any], alice: Caller, bob: Caller) -> None:
    answers = at_once(table, moving(table, bob, "6-2>1"), moving(table, alice, "6-5>0"), moving(table, bob, "6-2>1"))
    assert statuses_and_codes(*answers) == [(409, "not_your_turn"), (201, "6-5>0"), (409, "stale")]
    assert texts() == ["6-5>0"]


def test_a_seat_may_have_sent_its_next_move_already(table: dict[str, Any], alice: Caller, bob: Caller) -> None:
    answers = at_once(table, moving(table, alice, "6-5>0"), moving(table, bob, "6-2>1", 2))
    assert statuses_and_codes(*answers) == [(201, "6-5>0"), (201, "6-2>1")]
    assert texts() == ["6-5>0", "6-2>1"]


def test_many_of_the_same_move_are_one_move(table: dict[str, Any], alice: Caller) -> None:
    answers = at_once(table, *[moving(table, alice, "6-5>0")] * 8)
    assert Counter(statuses_and_codes(*answers)) == {(201, "6-5>0"): 1, (200, "6-5>0"): 7}
    assert texts() == ["6-5>0"]


def test_many_different_moves_are_one_move(table: dict[str, Any], alice: Caller) -> None:
    moves = ["6-5>0", "6-4>0", "6-5>mexican", "6-4>mexican"]
    answers = at_once(table, *(moving(table, alice, move) for move in moves))
    assert Counter(answer.status for answer in answers) == {201: 1, 409: 3}
    assert texts() == ["6-5>0"]


def test_many_without_any_order_are_one_move(table: dict[str, Any], alice: Caller) -> None:
    """Here nothing holds them back: they start together and come to the lock as they may."""
    moves = ["6-5>0", "6-4>0", "6-5>mexican", "6-4>mexican"] * 2
    together = Barrier(len(moves))

    def move(text: str) -> Answer:
        together.wait(20)
        return send(table, alice, text, 1)

    with threads() as start:
        running = [start(lambda text=text: move(text)) for text in moves]  # type: ignore[misc]
        answers = [each.result(20) for each in running]
    assert Counter(answer.status for answer in answers) == {201: 1, 200: 1, 409: 6}
    assert len(texts()) == Table.objects.get().next_number - 1 == 1


def test_one_key_twice_at_once_is_one_answer(table: dict[str, Any], alice: Caller) -> None:
    path, body = f"tables/{table['id']}/moves", {"move": "6-5>0", "number": 1}
    answers = at_once(table, *[lambda: alice.post(path, body, Idempotency_Key="one")] * 2)
    assert [answer.status for answer in answers] == [201, 201]
    assert answers[0].body == answers[1].body
    assert texts() == ["6-5>0"]


def test_a_move_before_a_cancel_is_kept(table: dict[str, Any], alice: Caller) -> None:
    move, cancel = at_once(table, moving(table, alice, "6-5>0"), lambda: alice.post(f"tables/{table['id']}/cancel"))
    assert (move.status, cancel.status, cancel.body["status"]) == (201, 200, "cancelled")
    assert (texts(), snapshot(table).turn) == (["6-5>0"], None)


def test_a_move_after_a_cancel_is_refused(table: dict[str, Any], alice: Caller) -> None:
    cancel, move = at_once(table, lambda: alice.post(f"tables/{table['id']}/cancel"), moving(table, alice, "6-5>0"))
    assert cancel.status == 200
    assert statuses_and_codes(move) == [(409, "table_finished")]
    assert move.body["position"]["status"] == "cancelled"
    assert texts() == []


def test_a_move_before_its_player_leaves_is_kept(table: dict[str, Any], alice: Caller, bob: Caller) -> None:
    move, left = at_once(table, moving(table, alice, "6-5>0"), lambda: alice.delete(f"tables/{table['id']}/seats/0"))
    assert (move.status, left.status) == (201, 204)
    assert position(table, bob)["seats"][0]["away"]


def test_a_move_after_its_player_left_brings_them_back(table: dict[str, Any], alice: Caller, bob: Caller) -> None:
    left, move = at_once(table, lambda: alice.delete(f"tables/{table['id']}/seats/0"), moving(table, alice, "6-5>0"))
    assert (left.status, move.status) == (204, 201)
    assert not position(table, bob)["seats"][0]["away"]


def test_the_next_seat_leaves_while_a_move_is_made(table: dict[str, Any], alice: Caller, bob: Caller) -> None:
    move, left = at_once(table, moving(table, alice, "6-5>0"), lambda: bob.delete(f"tables/{table['id']}/seats/1"))
    assert (move.status, left.status) == (201, 204)
    assert (snapshot(table).turn, position(table, alice)["seats"][1]["away"]) == (1, True)
    assert Table.objects.get().due_at
    assert tasks.take_turn(table["id"], 2)


@pytest.mark.parametrize("bot_first", [True, False])
def test_a_player_and_their_stand_in_make_one_move(table: dict[str, Any], alice: Caller, bot_first: bool) -> None:
    alice.delete(f"tables/{table['id']}/seats/0")
    calls: list[Callable[[], Any]] = [
        lambda: tasks.take_turn(table["id"], 1),
        lambda: send(table, alice, "6-4>mexican", 1).status,
    ]
    answers = at_once(table, *(calls if bot_first else reversed(calls)))
    assert answers == ([True, 409] if bot_first else [201, False])
    assert len(texts()) == 1


def test_one_task_twice_at_once_is_one_move(alice: Caller) -> None:
    table = begin(alice, seats=2, host_seat=1, bots=bots(0))
    with threads() as begin_in_thread:
        with held(table):
            first = begin_in_thread(lambda: tasks.take_turn(table["id"], 1))
            await_blocked(1)
            assert [tasks.take_turn(table["id"], 1) for _ in range(3)] == [False] * 3  # it is being thought about
        assert first.result(20) is True
    assert tasks.take_turn(table["id"], 1) is False
    assert len(texts()) == 1


def test_one_task_twice_at_once_is_one_move_without_redis_too(alice: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    table = begin(alice, seats=2, host_seat=1, bots=bots(0))
    monkeypatch.setattr(thinking, "claim_of", lambda _: str(uuid4()))
    done = at_once(table, *[lambda: tasks.take_turn(table["id"], 1)] * 4)
    assert sorted(map(bool, done)) == [False, False, False, True]
    assert len(texts()) == 1


def test_two_starts_at_once_deal_once(two_seats: dict[str, Any], alice: Caller) -> None:
    answers = at_once(two_seats, *[lambda: alice.post(f"tables/{two_seats['id']}/start")] * 3)
    assert [answer.status for answer in answers] == [200, 200, 200]
    assert Round.objects.filter(dealt_at__isnull=False).count() == 1


def test_a_seed_and_the_start_at_once_are_one_after_the_other(two_seats: dict[str, Any], alice: Caller) -> None:
    path = f"tables/{two_seats['id']}"
    begun, given = at_once(
        two_seats, lambda: alice.post(f"{path}/start"), lambda: alice.put(f"{path}/client-seed", {"seed": "late"})
    )
    assert begun.status == 200
    assert given.body["round"] == 2
    assert Round.objects.get(number=1).client_seeds == ["", ""]


# The last guard: what holds even if somebody were to write past the lock


def second_move(table: dict[str, Any], round_number: int) -> Move:
    """A row for number 1 of the log, written without the rules."""
    played = Round.objects.get(table=table["id"], number=round_number)
    return Move(table_id=table["id"], round=played, number=1, seat=1, text="draw", by=By.PERSON, at=timezone.now())


def test_the_database_refuses_a_second_move_of_a_number(table: dict[str, Any], alice: Caller) -> None:
    send(table, alice, "6-5>0", 1)
    for round_number in (1, 2):
        with pytest.raises(IntegrityError, match="one_move_of_a_number"), transaction.atomic():
            second_move(table, round_number).save()
    assert texts() == ["6-5>0"]


def test_a_second_move_of_a_number_without_the_lock_is_stale(table: dict[str, Any], alice: Caller) -> None:
    second_move(table, 2).save()
    version = Table.objects.get().version
    answer = send(table, alice, "6-5>0", 1)
    assert statuses_and_codes(answer) == [(409, "stale")]
    assert answer.body["position"]["version"] == Table.objects.get().version == version
    assert texts() == ["draw"]


@pytest.mark.parametrize("change", [lambda: Move.objects.update(text="pass"), lambda: Move.objects.all().delete()])
def test_the_database_refuses_to_change_the_log(
    table: dict[str, Any], alice: Caller, change: Callable[[], Any]
) -> None:
    send(table, alice, "6-5>0", 1)
    with pytest.raises(Error, match="append-only"), transaction.atomic():
        change()
    assert texts() == ["6-5>0"]
