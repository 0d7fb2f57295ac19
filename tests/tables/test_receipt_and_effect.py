"""A move is judged by its receipt, and the next clock starts when it takes effect, however long the lock takes."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
import time_machine
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from tables import play, schedule
from tables.lobby import starting
from tables.models import By, Move, Table
from tests.at_once import await_blocked, held, threads
from tests.cast import Answer, Caller, join, open_table, position
from tests.matches import SMALL, arrange, begin, bots, heaviest, send, snapshot

pytestmark = pytest.mark.django_db(transaction=True)
TURN = timedelta(seconds=60)
LONG = timedelta(seconds=90)
"""Longer than a turn."""
DRAWS = ("5-4 4-4 3-1", "5-5 5-2 4-3")
"""Hands with which seat 0 has to draw first; with 6-3 in the boneyard it can lay that then."""


@pytest.fixture
def clock() -> Iterator[Any]:
    """The time, which stands still unless it is moved."""
    with time_machine.travel(timezone.now(), tick=False) as moved:
        yield moved


def deadline(table: dict[str, Any]) -> datetime:
    found = snapshot(table).deadline
    assert found is not None
    return found


def after_waiting(table: dict[str, Any], clock: Any, seconds: timedelta, call: Callable[[], Any]) -> Any:
    """What comes of a call that waited so long for the table's row."""
    with threads() as start:
        with held(table):
            answer = start(call)
            await_blocked(1)
            clock.shift(seconds)
        return answer.result(20)


def first_move(table: dict[str, Any], caller: Caller) -> Callable[[], Answer]:
    now = position(table, caller)
    return lambda: send(table, caller, now["you"]["legal_moves"][0]["move"], now["next_number"])


def told_deadline(answer: Answer) -> datetime:
    turn = answer.body["position"]["turn"]
    told, now = parse_datetime(turn["deadline"]), parse_datetime(turn["server_time"])
    assert told
    assert now
    assert told > now
    return told


@pytest.mark.parametrize("waited", [timedelta(seconds=2), LONG])
def test_the_wait_for_the_lock_costs_the_next_seat_no_time(
    alice: Caller, bob: Caller, clock: Any, waited: timedelta
) -> None:
    table = begin(alice, bob, turn_seconds=60)
    arrange(table, "6-5 6-4 3-1", "5-5 5-2 4-3")
    answer = after_waiting(table, clock, waited, first_move(table, alice))
    assert answer.status == 201
    assert told_deadline(answer) == deadline(table) == timezone.now() + TURN
    assert Table.objects.get().due_at == deadline(table) + schedule.GRACE
    assert Move.objects.get().at == timezone.now()


def test_a_move_that_keeps_the_turn_keeps_the_time_left_at_its_receipt(alice: Caller, bob: Caller, clock: Any) -> None:
    table = begin(alice, bob, turn_seconds=60)
    arrange(table, *DRAWS, boneyard="6-3")
    clock.shift(timedelta(seconds=50))
    answer = after_waiting(table, clock, LONG, first_move(table, alice))
    assert (answer.status, snapshot(table).turn) == (201, 0)
    assert told_deadline(answer) == deadline(table) == timezone.now() + timedelta(seconds=10)
    assert not play.time_out(UUID(table["id"]), snapshot(table).next_number, timezone.now())


def test_a_move_that_did_not_wait_does_not_change_the_deadline(alice: Caller, bob: Caller, clock: Any) -> None:
    table = begin(alice, bob, turn_seconds=60)
    arrange(table, *DRAWS, boneyard="6-3")
    before = deadline(table)
    assert after_waiting(table, clock, schedule.MOMENT, first_move(table, alice)).status == 201
    assert deadline(table) == before


@pytest.mark.parametrize("waited", [timedelta(0), LONG])
def test_a_move_received_at_the_deadline_leaves_at_least_a_second(
    alice: Caller, bob: Caller, clock: Any, waited: timedelta
) -> None:
    table = begin(alice, bob, turn_seconds=60)
    arrange(table, *DRAWS, boneyard="6-3")
    clock.shift(TURN)
    answer = after_waiting(table, clock, waited, first_move(table, alice))
    assert told_deadline(answer) == timezone.now() + schedule.LEAST


def test_a_turn_that_began_while_the_move_waited_is_no_longer_than_a_turn(
    alice: Caller, bob: Caller, clock: Any
) -> None:
    """Bob's draw was sent before it was his turn."""
    table = begin(alice, bob, turn_seconds=60)
    arrange(table, "6-5 6-4 3-1", "5-4 4-4 2-1", boneyard="3-3")
    assert alice.player
    move, alices = heaviest(snapshot(table)), alice.player.id
    with threads() as start:
        with held(table):
            first = start(lambda: play.submit_move(UUID(table["id"]), alices, move, 1, timezone.now()))
            await_blocked(1)
            drawn = start(lambda: send(table, bob, "draw", 2))
            await_blocked(2)
            clock.shift(LONG)
        first.result(20)
        assert told_deadline(drawn.result(20)) == timezone.now() + TURN


def test_a_bots_move_that_waited_costs_the_next_person_no_time(alice: Caller, clock: Any) -> None:
    table = begin(alice, seats=2, host_seat=1, bots=bots(0), turn_seconds=60)
    arrange(table, "6-5 6-4 3-1", "5-5 5-2 4-3")
    move, at = heaviest(snapshot(table)), timezone.now()
    assert after_waiting(table, clock, LONG, lambda: play.submit_bot_move(UUID(table["id"]), 1, move, at))
    assert deadline(table) == timezone.now() + TURN


@pytest.mark.parametrize("hands", [("6-5 6-4 3-1", "5-5 5-2 4-3"), ("6-5", "5-5")])
def test_a_time_out_that_waited_costs_the_next_seat_no_time(
    alice: Caller, bob: Caller, clock: Any, hands: tuple[str, str]
) -> None:
    """With one tile each the round ends with it, and the next is dealt."""
    each = {"2": len(hands[0].split())}
    table = begin(alice, bob, turn_seconds=60, options=SMALL | {"hand_sizes": each})
    arrange(table, *hands)
    clock.shift(TURN + schedule.GRACE)
    at = timezone.now()
    assert after_waiting(table, clock, LONG, lambda: play.time_out(UUID(table["id"]), 1, at))
    assert set(Move.objects.values_list("by", flat=True)) == {By.TIMEOUT}
    assert deadline(table) == timezone.now() + TURN


def test_a_match_whose_start_waited_begins_with_a_whole_turn(alice: Caller, bob: Caller, clock: Any) -> None:
    table = open_table(alice, seats=2, turn_seconds=60)
    join(table, bob)
    assert alice.player
    host = alice.player
    after_waiting(table, clock, LONG, lambda: starting.start_match(UUID(table["id"]), host))
    assert deadline(table) == timezone.now() + TURN


def test_a_player_who_comes_back_in_time_keeps_the_time_left(alice: Caller, bob: Caller, clock: Any) -> None:
    table = begin(alice, bob, turn_seconds=60)
    alice.delete(f"tables/{table['id']}/seats/0")
    clock.shift(timedelta(seconds=50))
    answer = after_waiting(table, clock, LONG, lambda: alice.post(f"tables/{table['id']}/seats"))
    assert answer.status == 200
    assert deadline(table) == timezone.now() + timedelta(seconds=10)


def test_after_a_late_return_the_bot_plays_this_turn(alice: Caller, bob: Caller, clock: Any) -> None:
    table = begin(alice, bob, turn_seconds=60)
    alice.delete(f"tables/{table['id']}/seats/0")
    clock.shift(TURN + timedelta(seconds=1))
    assert position(table, bob)["turn"]["deadline"] is None
    after_waiting(table, clock, LONG, lambda: alice.post(f"tables/{table['id']}/seats"))
    assert snapshot(table).seats[0].level
