"""When a table has to move on by itself, and the tasks that are sent for it."""

import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from time import monotonic, sleep
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction

from runtime.redis_commands import RetryTime
from tables import schedule, tasks
from tables.models import Table
from tests.at_once import await_blocked, held, threads
from tests.brokers import USELESS, down, nudges, silent, unread
from tests.cast import Caller, play, position
from tests.matches import begin, bots, snapshot, step
from tests.rest.checks import together

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
CLAIMED_FIRST = schedule.CLAIMED_FOR[0]
HANG = 3
"""Seconds after which a move that waits for a broker counts as hanging."""


def row(table: dict[str, Any]) -> Table:
    return Table.objects.get(pk=table["id"])


def make_due(table: dict[str, Any], at: datetime = NOON) -> None:
    Table.objects.filter(pk=table["id"]).update(due_at=at)


def test_without_a_time_limit_there_is_no_deadline() -> None:
    assert schedule.clocks_for_person(NOON, None, None) == schedule.STOPPED


def test_a_deadline_is_followed_by_a_grace_period() -> None:
    clocks = schedule.clocks_for_person(NOON, 60, None)
    assert clocks.deadline == NOON + timedelta(seconds=60)
    assert clocks.due_at == clocks.deadline + schedule.GRACE


def test_a_turn_that_goes_on_keeps_its_deadline() -> None:
    running = NOON + timedelta(seconds=7)
    assert schedule.clocks_for_person(NOON, 60, running).deadline == running


def test_a_bots_turn_has_no_deadline_but_is_due() -> None:
    clocks = schedule.clocks_for_bot(NOON, 1500, running=None)
    assert clocks == schedule.Clocks(None, NOON + timedelta(milliseconds=1500) + schedule.STALLED_AFTER)


def test_a_table_is_claimed_when_it_is_due_and_not_before(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    make_due(table)
    assert schedule.claim_due(NOON - timedelta(microseconds=1)) == []
    assert schedule.claim_due(NOON) == [schedule.Due(UUID(table["id"]), 1, looks=1)]


def test_a_claim_expires_and_can_be_made_again(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    make_due(table)
    version = row(table).version
    assert len(schedule.claim_due(NOON)) == 1
    assert schedule.claim_due(NOON) == []
    assert schedule.claim_due(NOON + CLAIMED_FIRST - timedelta(microseconds=1)) == []
    assert schedule.claim_due(NOON + CLAIMED_FIRST) == [schedule.Due(UUID(table["id"]), 1, looks=2)]
    assert row(table).version == version


def test_a_table_that_always_fails_is_claimed_less_often_but_once_a_minute(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    make_due(table)
    at, pauses = NOON, []
    for _ in range(12):
        assert len(schedule.claim_due(at)) == 1
        due = row(table).due_at
        assert due
        pauses.append(due - at)
        at = due
    assert pauses[:2] == [CLAIMED_FIRST, CLAIMED_FIRST]
    assert pauses == sorted(pauses)
    assert timedelta(seconds=30) < pauses[-1] <= timedelta(minutes=1)


@pytest.mark.parametrize("looks", [schedule.LOOKS_COUNTED - 1, schedule.LOOKS_COUNTED, 32_767])
def test_tables_that_were_often_due_do_not_prevent_other_claims(looks: int, alice: Caller, bob: Caller) -> None:
    broken, fine = begin(alice, bob), begin(alice, bob)
    for table in (broken, fine):
        make_due(table)
    Table.objects.filter(pk=broken["id"]).update(looks=looks)
    assert {str(each.table) for each in schedule.claim_due(NOON)} == {broken["id"], fine["id"]}
    assert row(broken).looks == schedule.LOOKS_COUNTED
    assert row(fine).looks == 1


def test_the_longest_due_come_first(alice: Caller, bob: Caller) -> None:
    tables = [begin(alice, bob) for _ in range(3)]
    for late, table in enumerate(tables):
        make_due(table, NOON - timedelta(seconds=late))
    assert [str(each.table) for each in schedule.claim_due(NOON)] == [table["id"] for table in reversed(tables)]


def test_a_table_that_waits_for_nobody_is_not_due(alice: Caller, bob: Caller) -> None:
    begin(alice, bob)
    over = begin(alice, bob, turn_seconds=5)
    alice.post(f"tables/{over['id']}/cancel")
    assert schedule.claim_due(datetime.max.replace(tzinfo=UTC) - timedelta(days=1)) == []


def test_a_move_after_a_claim_sets_the_clock_again(alice: Caller) -> None:
    table = begin(alice, bots=bots(1), turn_seconds=60)
    make_due(table)
    schedule.claim_due(NOON)
    step(table)
    due = row(table).due_at
    assert due
    assert due > NOON + CLAIMED_FIRST
    assert row(table).looks == 0


@pytest.mark.django_db(transaction=True)
def test_two_sweeps_at_once_claim_each_table_once(alice: Caller, bob: Caller) -> None:
    tables = [begin(alice, bob) for _ in range(6)]
    for table in tables:
        make_due(table)
    with threads() as start:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("select id from tables_table order by id limit 3 for update")
            busy = {found for (found,) in cursor.fetchall()}
            free = start(lambda: schedule.claim_due(NOON)).result(20)
        rest = start(lambda: schedule.claim_due(NOON)).result(20)
    assert {each.table for each in rest} == busy
    assert {each.table for each in free} == {UUID(table["id"]) for table in tables} - busy


@pytest.mark.django_db(transaction=True)
def test_many_sweeps_at_once_claim_each_table_once(alice: Caller, bob: Caller) -> None:
    tables = [begin(alice, bob) for _ in range(8)]
    for table in tables:
        make_due(table)
    with threads() as start:
        sweeps = [start(lambda: schedule.claim_due(NOON)) for _ in range(4)]
        claimed = [due.table for each in sweeps for due in each.result(20)]
    assert sorted(map(str, claimed)) == sorted(table["id"] for table in tables)


@pytest.mark.django_db(transaction=True)
def test_a_sweep_does_not_wait_for_a_move_in_progress(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    make_due(table)
    with threads() as start:
        with held(table):
            move = start(lambda: play(table, alice).status)
            await_blocked(1)
            assert start(lambda: schedule.claim_due(NOON)).result(20) == []
        assert move.result(20) == 201


@pytest.mark.django_db(transaction=True)
def test_the_task_for_a_bot_is_sent_after_the_commit(alice: Caller) -> None:
    with unread() as broker:
        table = begin(alice, bots=bots(1))
        assert nudges(broker, table) == []
        with transaction.atomic():
            while row(table).turn == 0:
                step(table)
            assert nudges(broker, table) == []
        assert nudges(broker, table) == [[table["id"], row(table).next_number]]


@pytest.mark.django_db(transaction=True)
def test_the_start_sends_a_task_if_a_bot_begins(alice: Caller) -> None:
    with unread() as broker:
        table = begin(alice, seats=2, host_seat=1, bots=bots(0))
        assert nudges(broker, table) == [[table["id"], 1]]


@pytest.mark.django_db(transaction=True)
def test_a_refused_move_sends_no_task(alice: Caller) -> None:
    with unread() as broker:
        table = begin(alice, bots=bots(1))
        assert alice.post(f"tables/{table['id']}/moves", {"move": "9-9>7", "number": 1}).status == 422
        assert nudges(broker, table) == []


def quick_move(table: dict[str, Any], caller: Caller) -> int:
    """The status of a move after which a bot is to move; it may not hang."""
    begun = monotonic()
    while row(table).turn == 0:
        answer = play(table, caller)
        assert answer.status == 201, answer.text
    assert monotonic() - begun < HANG
    return answer.status


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("broker", USELESS)
def test_without_a_broker_moves_are_accepted_and_play_goes_on_later(
    broker: Any, alice: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    table = begin(alice, bots=bots(1))
    with broker(), caplog.at_level(logging.WARNING):
        assert quick_move(table, alice) == 201
        number = row(table).next_number
        assert "Redis does not answer" in caplog.text
    due = row(table).due_at
    assert due
    with unread() as client:
        for each in schedule.claim_due(due):
            schedule.ask_to_look_after(each)
        assert nudges(client, table) == [[table["id"], number, 1]]
        client.delete("celery")
        assert not tasks.look_after(table["id"], number, 1)
        assert nudges(client, table) == [[table["id"], number]]
    assert tasks.take_turn(table["id"], number)
    assert snapshot(table).next_number > number


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("broker", USELESS)
def test_without_a_broker_a_match_starts(broker: Any, alice: Caller) -> None:
    with broker():
        table = begin(alice, seats=2, host_seat=1, bots=bots(0))
    assert position(table, alice)["turn"]["seat"] == 0
    assert row(table).due_at


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("broker", USELESS)
def test_a_sweep_without_a_broker_leaves_the_table_for_the_next(broker: Any, alice: Caller) -> None:
    table = begin(alice, bots=bots(1))
    make_due(table)
    with broker():
        for each in schedule.claim_due(NOON):
            schedule.ask_to_look_after(each)
    assert len(schedule.claim_due(NOON + CLAIMED_FIRST)) == 1


def seconds_for(act: Callable[[], object]) -> float:
    begun = monotonic()
    act()
    return monotonic() - begun


def nudge_somebody() -> None:
    schedule.nudge(uuid4(), 1)


@pytest.mark.django_db(transaction=True)
def test_only_one_request_waits_for_a_broker_that_hangs(caplog: pytest.LogCaptureFixture) -> None:
    with silent():
        nudge_somebody()
        assert sum(seconds_for(nudge_somebody) for _ in range(100)) < 1
    assert len(caplog.records) == 1


@pytest.mark.django_db(transaction=True)
def test_an_absence_of_the_broker_is_logged_in_one_line_and_its_return_in_another(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with down():
        for _ in range(3):
            nudge_somebody()
            monkeypatch.setattr(RetryTime, "asks_from", monotonic())  # the pause is over
    assert len(caplog.records) == 1
    with unread():
        for _ in range(3):
            nudge_somebody()
    assert [record.getMessage() for record in caplog.records[1:]] == ["Redis answers again."]


@pytest.mark.django_db(transaction=True)
def test_many_requests_wait_no_longer_for_the_broker_than_one(caplog: pytest.LogCaptureFixture) -> None:
    with silent(), threads() as start:
        assert max(each.result(20) for each in [start(lambda: seconds_for(nudge_somebody)) for _ in range(40)]) < HANG


@pytest.mark.django_db(transaction=True)
def test_after_a_pause_one_thread_asks_the_broker_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    with silent(), threads() as start:
        nudge_somebody()
        monkeypatch.setattr(RetryTime, "asks_from", monotonic())
        first = start(nudge_somebody)
        while RetryTime.asks_from < monotonic():
            sleep(0.01)
        assert seconds_for(nudge_somebody) < 1
        first.result(20)


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_answers_again_gets_all_tasks(alice: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    table = begin(alice, bots=bots(1))
    with unread() as client:
        monkeypatch.setattr(RetryTime, "asks_from", monotonic())
        for number in (7, 8):
            schedule.nudge(UUID(table["id"]), number)
        assert nudges(client, table) == [[table["id"], 7], [table["id"], 8]]


@pytest.mark.django_db(transaction=True)
def test_a_thread_that_waits_for_the_broker_keeps_no_database_connection() -> None:
    """Where requests share few connections, one that hangs would keep them all."""

    def run() -> object:
        connection.close()
        connection.settings_dict = connection.settings_dict | {"CONN_MAX_AGE": 0}
        connection.ensure_connection()
        nudge_somebody()
        return connection.connection

    with silent():
        assert together(run) == [None]
