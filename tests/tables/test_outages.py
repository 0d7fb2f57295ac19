"""Outages cost players no time: deadlines include them before and after the rows are written."""

import threading
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
import time_machine
from django.utils import timezone

from runtime import uptime
from runtime.models import Uptime
from tables import outages, play, schedule, tasks
from tables.models import By, Event, Move, Table
from tests.at_once import await_blocked, held, threads
from tests.cast import Answer, Caller, position
from tests.matches import arrange, begin, bots, heaviest, send, snapshot
from tests.rest.checks import check_problem

TURN = timedelta(seconds=60)
DRAWS = ("5-4 4-4 3-1", "5-5 5-2 4-3")
"""Hands with which seat 0 has to draw first."""


def seconds(number: float) -> timedelta:
    return timedelta(seconds=number)


@pytest.fixture
def clock(db: None) -> Iterator[Any]:
    """The time, which stands still unless it is moved. Until now moves could be accepted."""
    with time_machine.travel(timezone.now(), tick=False) as moved:
        uptime.beat(timezone.now())
        yield moved


@pytest.fixture
def table(clock: Any, alice: Caller, bob: Caller) -> dict[str, Any]:
    """Alice has a minute, and has to draw."""
    begun = begin(alice, bob, turn_seconds=60)
    arrange(begun, *DRAWS, boneyard="6-3")
    return begun


def outage(clock: Any, long: float, after: float = 0) -> None:
    """From so many seconds from now on no move can be taken for so long; now is when it ends."""
    if after:
        clock.shift(seconds(after))
        go_on(timezone.now())
    clock.shift(seconds(long))
    uptime.beat(timezone.now())


def go_on(until: datetime) -> None:
    """Moves could be taken from the last beat until then."""
    newest = Uptime.objects.first()
    assert newest
    Uptime.objects.filter(pk=newest.pk).update(until=until)


def row(table: dict[str, Any]) -> Table:
    return Table.objects.get(pk=table["id"])


def left(table: dict[str, Any]) -> timedelta:
    deadline = row(table).deadline
    assert deadline
    return deadline - timezone.now()


def time_out(table: dict[str, Any]) -> bool:
    return play.time_out(UUID(table["id"]), snapshot(table).next_number, timezone.now())


def draw(table: dict[str, Any], caller: Caller) -> Answer:
    return send(table, caller, "draw", 1)


def test_an_outage_is_added_to_every_running_deadline(table: dict[str, Any], clock: Any, bob: Caller) -> None:
    before = row(table)
    outage(clock, long=90)
    outages.extend_all()
    after = row(table)
    assert (left(table), after.version) == (TURN, before.version + 1)
    assert after.due_at
    assert after.due_at - schedule.GRACE == after.deadline
    event = Event.objects.get(table=before, version=after.version)
    assert (event.kind, event.data["changed"]) == ("table", ["deadline"])
    outages.extend_all()
    assert (row(table).version, left(table)) == (after.version, TURN)
    assert uptime.unsettled() == []


def test_the_time_used_before_the_outage_stays_used(table: dict[str, Any], clock: Any) -> None:
    outage(clock, after=20, long=3600)
    outages.extend_all()
    assert left(table) == seconds(40)


def test_a_turn_that_was_over_before_the_outage_stays_over(table: dict[str, Any], clock: Any) -> None:
    outage(clock, after=61, long=3600)
    outages.extend_all()
    assert left(table) == -seconds(3601)
    assert time_out(table)


def test_only_the_part_of_an_outage_after_the_deadline_was_set_is_added(table: dict[str, Any], clock: Any) -> None:
    """A move that was written while the database froze, or while no process recorded beats."""
    Table.objects.update(deadline_set_at=timezone.now() + seconds(30), deadline=timezone.now() + seconds(90))
    outage(clock, long=80)
    outages.extend_all()
    assert left(table) == TURN


def test_one_outage_after_another_is_added(table: dict[str, Any], clock: Any) -> None:
    for long in (30, 300):
        outage(clock, after=10, long=long)
    assert not time_out(table)
    assert left(table) == seconds(40)
    outages.extend_all()
    assert left(table) == seconds(40)


def test_a_gap_that_is_too_short_for_an_outage_adds_nothing(table: dict[str, Any], clock: Any) -> None:
    outage(clock, long=uptime.OUTAGE_FROM.total_seconds())
    outages.extend_all()
    assert left(table) == TURN - uptime.OUTAGE_FROM


def test_the_clock_adds_an_unwritten_outage_and_writes_the_deadline(table: dict[str, Any], clock: Any) -> None:
    outage(clock, long=90)
    version = row(table).version
    assert not time_out(table)
    assert (left(table), row(table).version) == (TURN, version + 1)
    clock.shift(TURN + schedule.GRACE)
    go_on(timezone.now())
    assert time_out(table)


def test_during_an_outage_the_clock_does_not_act(alice: Caller, bob: Caller) -> None:
    """Web is down while workers run."""
    table = begin(alice, bob, turn_seconds=60)
    now = timezone.now()
    uptime.beat(now - seconds(30))
    Table.objects.update(deadline_set_at=now - seconds(70), deadline=now - seconds(10), due_at=now)
    version = row(table).version
    assert not tasks.look_after(table["id"], 1, 1)
    assert (Move.objects.count(), row(table).version) == (0, version)
    Table.objects.update(deadline=now - seconds(31))
    assert tasks.look_after(table["id"], 1, 2)


def test_without_any_beat_the_clock_acts(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, turn_seconds=60)
    Table.objects.update(deadline=timezone.now() - seconds(10))
    assert tasks.look_after(table["id"], 1, 1)


def test_the_sweep_finds_the_table_again(table: dict[str, Any], clock: Any) -> None:
    clock.shift(TURN + seconds(1))
    for _ in range(5):
        schedule.claim_due(timezone.now())
        clock.shift(seconds(30))
    uptime.beat(timezone.now())
    outages.extend_all()
    assert row(table).looks == 0
    due = row(table).due_at
    assert due
    assert [each.looks for each in schedule.claim_due(due)] == [1]


@pytest.mark.parametrize("writes_first", [False, True])
def test_a_move_received_during_the_outage_is_in_time(
    table: dict[str, Any], clock: Any, alice: Caller, *, writes_first: bool
) -> None:
    """It waited from the 80th second on; the database was away from the 50th to the 110th."""
    outage(clock, after=50, long=60)
    received_at = timezone.now() - seconds(30)
    if writes_first:
        outages.extend_all()
    assert alice.player
    taken = play.submit_move(UUID(table["id"]), alice.player.id, heaviest(snapshot(table)), 1, received_at)
    assert taken.snapshot.turn == 0
    outages.extend_all()
    assert left(table) == seconds(10)


def test_a_move_after_the_outage_has_the_time_that_was_left(table: dict[str, Any], clock: Any, alice: Caller) -> None:
    outage(clock, after=50, long=3600)
    clock.shift(seconds(10))
    assert draw(table, alice).status == 201
    outages.extend_all()
    assert left(table) == schedule.LEAST


def test_a_move_after_the_extended_deadline_is_too_late(table: dict[str, Any], clock: Any, alice: Caller) -> None:
    outage(clock, after=50, long=3600)
    clock.shift(seconds(10.001))
    check_problem(draw(table, alice), 409, "too_late")


def test_a_move_in_an_outage_that_has_not_been_noticed_yet_is_in_time(alice: Caller, bob: Caller) -> None:
    """The first move after a restart, before this process has recorded a beat."""
    table = begin(alice, bob, turn_seconds=60)
    arrange(table, "6-5 6-4 3-1", "5-5 5-2 4-3")
    now = timezone.now()
    uptime.beat(now - seconds(3600))
    Table.objects.update(deadline_set_at=now - seconds(3630), deadline=now - seconds(3570))
    assert send(table, alice, position(table, alice)["you"]["legal_moves"][0]["move"], 1).status == 201
    uptime.beat()
    outages.extend_all()
    assert TURN - seconds(20) < left(table) < TURN + seconds(20)


def test_a_player_who_is_away_keeps_the_time_that_was_left(table: dict[str, Any], clock: Any, alice: Caller) -> None:
    alice.delete(f"tables/{table['id']}/seats/0")
    due = row(table).due_at
    outage(clock, after=20, long=3600)
    outages.extend_all()
    assert left(table) == seconds(40)
    assert row(table).due_at == due  # the bot's
    assert alice.post(f"tables/{table['id']}/seats").status == 200
    assert left(table) == seconds(40)


def test_coming_back_before_the_rows_are_written_is_in_time(table: dict[str, Any], clock: Any, alice: Caller) -> None:
    alice.delete(f"tables/{table['id']}/seats/0")
    outage(clock, after=20, long=3600)
    clock.shift(seconds(10))
    assert alice.post(f"tables/{table['id']}/seats").status == 200
    assert snapshot(table).seats[0].level is None
    outages.extend_all()
    assert left(table) == seconds(30)


def test_tables_without_a_running_clock_are_not_changed(clock: Any, alice: Caller, bob: Caller) -> None:
    tables = [begin(alice, bob), begin(alice, seats=2, host_seat=1, bots=bots(0), turn_seconds=60)]
    over = begin(alice, bob, turn_seconds=60)
    alice.post(f"tables/{over['id']}/cancel")
    versions = [row(each).version for each in (*tables, over)]
    outage(clock, long=3600)
    outages.extend_all()
    assert [row(each).version for each in (*tables, over)] == versions


# Two at once


@pytest.fixture
def shared(transactional_db: None, clock: Any, alice: Caller, bob: Caller) -> list[dict[str, Any]]:
    found = [begin(alice, bob, turn_seconds=60) for _ in range(4)]
    outage(clock, after=20, long=3600)
    return found


@pytest.mark.django_db(transaction=True)
def test_a_row_in_use_is_left_for_later(shared: list[dict[str, Any]]) -> None:
    with threads() as start, held(shared[0]):
        start(outages.extend_all).result(20)
    assert left(shared[0]) < seconds(0)
    assert [left(each) for each in shared[1:]] == [seconds(40)] * 3
    outages.extend_all()
    assert left(shared[0]) == seconds(40)
    assert uptime.unsettled() == []


@pytest.mark.django_db(transaction=True)
def test_many_processes_extend_once(shared: list[dict[str, Any]]) -> None:
    versions = [row(each).version for each in shared]
    with threads() as start:
        for each in [start(outages.extend_all) for _ in range(6)]:
            each.result(20)
    assert [left(each) for each in shared] == [seconds(40)] * 4
    assert [row(each).version for each in shared] == [version + 1 for version in versions]


@pytest.mark.django_db(transaction=True)
def test_a_time_out_that_the_outage_interrupted_gives_the_next_seat_a_whole_turn(
    transactional_db: None, clock: Any, alice: Caller, bob: Caller
) -> None:
    table = begin(alice, bob, turn_seconds=60)
    arrange(table, "6-5 6-4 3-1", "5-5 5-2 4-3")
    clock.shift(TURN + schedule.GRACE)
    go_on(timezone.now())
    at = timezone.now()
    with threads() as start:
        with held(table):
            acted = start(lambda: play.time_out(UUID(table["id"]), 1, at))
            await_blocked(1)
            clock.shift(seconds(3600))
            uptime.beat(timezone.now())
        assert acted.result(20)
    outages.extend_all()
    assert left(table) == TURN


@pytest.mark.django_db(transaction=True)
def test_moves_the_sweep_and_the_extension_at_once(shared: list[dict[str, Any]], alice: Caller) -> None:
    """In any order, there is no timeout, every move counts, and no deadline is extended twice."""
    assert alice.player
    player = alice.player.id

    def moves(table: dict[str, Any]) -> Callable[[], Any]:
        now = snapshot(table)
        return lambda: play.submit_move(now.id, player, heaviest(now), now.next_number, timezone.now())

    moved, waiting = shared[:2], shared[2:]
    calls: list[Callable[[], Any]] = [moves(table) for table in moved]
    calls += [lambda table=table: play.time_out(UUID(table["id"]), 1, timezone.now()) for table in shared * 2]  # type: ignore[misc]
    calls += [outages.extend_all] * 4
    with threads() as start:
        for each in [start(call) for call in calls]:
            each.result(20)
    outages.extend_all()
    assert set(Move.objects.values_list("by", flat=True)) == {By.PERSON}
    assert Move.objects.count() == len(moved)
    assert [left(each) for each in waiting] == [seconds(40)] * 2
    for table in moved:
        assert left(table) == (TURN if snapshot(table).turn == 1 else seconds(40))


# The watch


@pytest.mark.django_db(transaction=True)
def test_a_process_records_beats_until_it_stops() -> None:
    watch = outages.Watch()
    watch.keep()
    try:
        assert watch.await_first(20)
        watch.keep()
        watched = [watch.is_watching]
    finally:
        watch.stop()
    assert [*watched, watch.is_watching] == [True, False]
    assert Uptime.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_process_that_accepts_no_requests_records_no_beats(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopping may take seconds in which no move is possible: they count as part of the outage."""
    monkeypatch.setattr(uptime, "EVERY", 0)
    watch, answers = outages.Watch(), iter((False, False))
    watch.is_closing = lambda: next(answers, True)
    try:
        watch.keep()
        assert watch.await_first(20)
        for thread in threading.enumerate():
            if thread.name == "uptime":
                thread.join(20)
        watch.keep()
        assert not watch.is_watching
    finally:
        watch.stop()


def test_a_process_without_the_thread_records_no_beats(db: None) -> None:
    assert not outages.look_now()
    assert Uptime.objects.count() == 0


def time_left(table: dict[str, Any], caller: Caller) -> timedelta:
    """The time left in the turn according to the position."""
    turn = position(table, caller)["turn"]
    return datetime.fromisoformat(turn["deadline"]) - datetime.fromisoformat(turn["server_time"])


def test_a_position_has_the_time_left_before_the_rows_are_written(
    table: dict[str, Any], clock: Any, alice: Caller
) -> None:
    clock.shift(seconds(20))
    go_on(timezone.now())
    clock.shift(seconds(90))  # the outage may be going on
    assert time_left(table, alice) == seconds(40)
    uptime.beat(timezone.now())
    assert time_left(table, alice) == seconds(40)
    clock.shift(seconds(10))
    go_on(timezone.now())
    assert time_left(table, alice) == seconds(30)
    outages.extend_all()
    assert time_left(table, alice) == seconds(30)


def test_no_position_has_a_deadline_in_the_past(table: dict[str, Any], clock: Any, alice: Caller) -> None:
    clock.shift(TURN + seconds(5))
    go_on(timezone.now())
    assert time_left(table, alice) == seconds(0)
    refused = draw(table, alice)
    check_problem(refused, 409, "too_late")
    turn = refused.body["position"]["turn"]
    assert turn["deadline"] == turn["server_time"]
