"""The tasks of the workers, called directly: bots' turns, the clock's turn and the sweep; doubled, late and lost."""

import logging
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.db import connection
from django.utils import timezone

from players.models import Player
from rest.models import AnsweredRequest
from rules.mexican_train.bots import BOTS, Bot
from rules.mexican_train.bots.choice import Choice, Grounds, Why
from rules.mexican_train.moves import DRAW
from rules.mexican_train.notation import move_text
from rules.mexican_train.view import View, view_for
from rules.thinking import Chance, Guard
from runtime import health
from tables import repository, schedule, tasks, thinking
from tables.models import By, Table
from tables.models import Move as MoveRow
from tests.brokers import nudges, unread
from tests.cases import slow_after
from tests.cast import Caller
from tests.matches import SMALL, begin, bots, snapshot, step

LATE = timedelta(days=30)


@pytest.fixture
def bots_turn(alice: Caller) -> dict[str, Any]:
    """Otto, in seat 0, is to make the first move."""
    return begin(alice, seats=2, host_seat=1, bots=bots(0))


def texts() -> list[str]:
    return list(MoveRow.objects.order_by("number").values_list("text", flat=True))


def test_a_bot_makes_its_move(bots_turn: dict[str, Any]) -> None:
    assert tasks.take_turn(bots_turn["id"], 1)
    (move,) = MoveRow.objects.all()
    assert (move.number, move.seat, move.by) == (1, 0, By.BOT)


def test_a_task_twice_is_harmless(bots_turn: dict[str, Any]) -> None:
    assert tasks.take_turn(bots_turn["id"], 1)
    assert not tasks.take_turn(bots_turn["id"], 1)
    assert MoveRow.objects.count() == 1


@pytest.mark.parametrize("number", [0, 2, 1000])
def test_a_task_with_another_number_is_harmless(bots_turn: dict[str, Any], number: int) -> None:
    assert not tasks.take_turn(bots_turn["id"], number)
    assert MoveRow.objects.count() == 0


def test_a_task_for_an_unknown_table_is_harmless(db: None) -> None:
    assert not tasks.take_turn(str(uuid4()), 1)


def test_a_task_for_a_table_that_is_not_played_is_harmless(
    two_seats: dict[str, Any], bots_turn: dict[str, Any], alice: Caller
) -> None:
    assert not tasks.take_turn(two_seats["id"], 1)
    alice.post(f"tables/{bots_turn['id']}/cancel")
    assert not tasks.take_turn(bots_turn["id"], 1)
    assert MoveRow.objects.count() == 0


def test_a_task_for_a_person_with_time_left_is_harmless(alice: Caller, bob: Caller) -> None:
    for clock in (None, 60):
        table = begin(alice, bob, turn_seconds=clock)
        assert not tasks.take_turn(table["id"], 1)
    assert MoveRow.objects.count() == 0


def test_a_task_for_a_person_whose_time_is_over_makes_the_clocks_move(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, turn_seconds=5)
    Table.objects.update(deadline=timezone.now() - schedule.GRACE)
    assert tasks.take_turn(table["id"], 1)
    assert set(MoveRow.objects.values_list("by", flat=True)) == {By.TIMEOUT}


def test_a_task_for_a_bot_replaced_by_its_player_is_harmless(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    alice.delete(f"tables/{table['id']}/seats/0")
    alice.post(f"tables/{table['id']}/seats")
    assert not tasks.take_turn(table["id"], 1)
    assert MoveRow.objects.count() == 0


def test_a_repeated_task_chooses_the_same_move(alice: Caller) -> None:
    table = begin(alice, seats=2, host_seat=1, bots=bots(0, level="random"), options={"rounds": 1})
    assert len({repr(thinking.chosen(snapshot(table), "random")) for _ in range(5)}) == 1


@pytest.mark.parametrize("level", slow_after(1, sorted(BOTS)))
def test_a_whole_match_of_four_bots(alice: Caller, level: str) -> None:
    table = begin(alice, seats=4, host_seat=None, bots=bots(0, 1, 2, 3, level=level))
    while (now := snapshot(table)).is_playing:
        assert tasks.take_turn(table["id"], now.next_number)
    assert (now.status, now.rounds_played) == ("finished", 2)
    assert now.winners
    assert set(MoveRow.objects.values_list("by", flat=True)) == {By.BOT}
    assert not tasks.take_turn(table["id"], now.next_number)


def unreliable(view: View, chance: Chance, guard: Guard) -> Choice:
    raise ZeroDivisionError


def unlawful(view: View, chance: Chance, guard: Guard) -> Choice:
    return Choice(DRAW, Grounds(Why.ONLY))


def stalling(view: View, chance: Chance, guard: Guard) -> Choice:
    """As the worker interrupts a bot that thinks beyond the soft limit."""
    raise SoftTimeLimitExceeded


@pytest.fixture(params=[unreliable, unlawful, stalling])
def bad_bot(request: pytest.FixtureRequest) -> Iterator[str]:
    """A level whose bot fails: it raises, makes a move that is not legal, or does not come to an end."""
    levels: dict[str, Bot] = BOTS  # type: ignore[assignment]
    levels["bad"] = Bot("bad", "Fails.", request.param, 1.0)
    yield "bad"
    del levels["bad"]


def test_a_bot_that_fails_plays_the_first_legal_move(
    bots_turn: dict[str, Any], bad_bot: str, caplog: pytest.LogCaptureFixture
) -> None:
    while len(moves := bots_moves(bots_turn)) < 2:
        step(bots_turn)
    number = snapshot(bots_turn).next_number
    Player.objects.filter(seats__table=bots_turn["id"], seats__number=0).update(level=bad_bot)
    with caplog.at_level(logging.ERROR):
        assert tasks.take_turn(bots_turn["id"], number)
    assert texts()[-1] == moves[0]
    assert f"The bot bad failed at table {bots_turn['id']}, number {number}" in caplog.text


def test_a_bot_that_hangs_is_interrupted_and_then_its_process_is_ended() -> None:
    assert (tasks.take_turn.soft_time_limit, tasks.take_turn.time_limit) == (thinking.SOFT_LIMIT, thinking.HARD_LIMIT)
    assert thinking.SOFT_LIMIT < thinking.HARD_LIMIT < 5


def bots_moves(table: dict[str, Any]) -> list[str]:
    """The legal moves, as the bot in seat 0 would read them; none unless it is to move."""
    now = snapshot(table)
    assert now.is_playing
    assert now.state is not None
    return [move_text(move) for move in view_for(now.state, 0).legal_moves]


@pytest.mark.django_db(transaction=True)
def test_the_sweep_finds_a_lost_task(alice: Caller) -> None:
    table = begin(alice, bots=bots(1))
    while snapshot(table).turn == 0:
        step(table)
    number = snapshot(table).next_number
    with unread() as broker:
        assert tasks.sweep() == 0
        overdue(table)
        assert tasks.sweep() == 1
        assert nudges(broker, table) == [[table["id"], number, 1]]
        broker.delete("celery")
        assert not tasks.look_after(table["id"], number, 1)
        assert nudges(broker, table) == [[table["id"], number]]
        assert tasks.sweep() == 0
    assert tasks.take_turn(table["id"], number)


def overdue(table: dict[str, Any]) -> None:
    Table.objects.filter(pk=table["id"]).update(due_at=timezone.now())


@pytest.mark.django_db(transaction=True)
def test_the_sweep_plays_a_whole_match_whose_tasks_are_all_lost(alice: Caller) -> None:
    table = begin(alice, seats=2, host_seat=None, bots=bots(0, 1), options=SMALL | {"rounds": 1})
    with unread() as broker:
        while snapshot(table).is_playing:
            broker.delete("celery", schedule.BOTS)
            overdue(table)
            assert tasks.sweep() == 1
            ((found, number, looks),) = nudges(broker, table)
            assert tasks.look_after(found, number, looks) is (looks == schedule.LOOKS_AT_BOT)
    assert snapshot(table).status == "finished"


def test_the_sweep_records_the_workers_heartbeat(db: None) -> None:
    tasks.sweep()
    broker, alive = health.broker_answers()
    assert broker
    assert health.WORKER in alive


def test_the_tidying_deletes_only_old_answers(alice: Caller) -> None:
    answered: dict[str, datetime] = {"old": timezone.now() - LATE, "new": timezone.now()}
    for name, at in answered.items():
        AnsweredRequest.objects.create(digest=name, fingerprint=name)
        AnsweredRequest.objects.filter(digest=name).update(created_at=at)
    tasks.tidy()
    assert [each.digest for each in AnsweredRequest.objects.all()] == ["new"]


@dataclass(frozen=True)
class Crossing:
    """Otto, in seat 0, waits at a number where *hard* does not play the first legal move."""

    table: str
    number: int
    first: str
    good: str


@pytest.fixture
def crossing(alice: Caller) -> Crossing:
    """The first one of a round with whole hands."""
    table = begin(alice, seats=2, host_seat=1, bots=bots(0), options={"rounds": 1})
    while True:
        now = snapshot(table)
        moves, good = bots_moves(table), move_text(thinking.chosen(now, "hard"))
        if moves and moves[0] != good:
            return Crossing(table["id"], now.next_number, moves[0], good)
        step(table)


def test_a_bot_that_does_not_answer_is_asked_again_and_then_replaced_by_a_good_move(
    crossing: Crossing, caplog: pytest.LogCaptureFixture
) -> None:
    table, number = crossing.table, crossing.number
    assert not tasks.look_after(table, number, 1)
    assert len(texts()) == number - 1
    with caplog.at_level(logging.ERROR):
        assert tasks.look_after(table, number, schedule.LOOKS_AT_BOT)
    assert texts()[-1] == crossing.good
    assert f"The bot easy does not answer at table {table}, number {number}, seat 0" in caplog.text
    assert not tasks.look_after(table, number, schedule.LOOKS_AT_BOT)


def test_a_bot_that_hangs_or_was_ended_is_replaced_by_the_first_legal_move(crossing: Crossing) -> None:
    now = repository.load(UUID(crossing.table))
    assert now is not None
    with thinking.alone(now):  # another process has begun, and is not done
        assert tasks.look_after(crossing.table, crossing.number, schedule.LOOKS_AT_BOT)
    assert texts()[-1] == crossing.first


def test_if_the_replacement_fails_the_first_legal_move_is_made(
    crossing: Crossing, caplog: pytest.LogCaptureFixture
) -> None:
    levels: dict[str, Bot] = BOTS  # type: ignore[assignment]
    hard = levels["hard"]
    levels["hard"] = Bot("hard", "Fails.", unreliable, 1.0)
    try:
        assert tasks.look_after(crossing.table, crossing.number, schedule.LOOKS_AT_BOT)
    finally:
        levels["hard"] = hard
    assert texts()[-1] == crossing.first
    assert f"The bot hard failed at table {crossing.table}, number {crossing.number}" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_a_time_limit_that_ends_a_query_is_logged_with_its_table(
    alice: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    table = begin(alice, seats=2, host_seat=1, bots=bots(0))
    with held_by_another(table), interrupted_after(0.5):
        assert not tasks.take_turn(table["id"], 1)
    (record,) = [record for record in caplog.records if record.name == "tables.tasks"]
    assert record.getMessage() == f"A bot's turn took too long at table {table['id']}, number 1"
    assert record.exc_info
    assert tasks.take_turn(table["id"], 1)


@contextmanager
def held_by_another(table: dict[str, Any]) -> Iterator[None]:
    """Another connection has the table's row locked, so a move has to wait."""
    with psycopg.connect(**connection.get_connection_params()) as other:
        other.execute("select 1 from tables_table where id = %s for update", [table["id"]])
        yield


@contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """The soft time limit of a worker: a signal whose handler raises."""

    def strike(*_: Any) -> None:
        raise SoftTimeLimitExceeded

    before = signal.signal(signal.SIGALRM, strike)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_looking_after_a_person_makes_the_clocks_move(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, turn_seconds=5)
    assert not tasks.look_after(table["id"], 1, 7)
    Table.objects.update(deadline=timezone.now() - schedule.GRACE)
    assert tasks.look_after(table["id"], 1, 1)
    assert MoveRow.objects.first().by == By.TIMEOUT  # type: ignore[union-attr]


@pytest.mark.parametrize("number", [0, 2])
def test_looking_after_a_table_that_has_moved_on_is_harmless(bots_turn: dict[str, Any], number: int) -> None:
    assert not tasks.look_after(bots_turn["id"], number, 7)
    assert not tasks.look_after(str(uuid4()), 1, 7)
    assert MoveRow.objects.count() == 0


def test_two_processes_do_not_think_about_the_same_move(bots_turn: dict[str, Any]) -> None:
    with thinking.alone(snapshot(bots_turn)) as is_first:
        assert is_first
        assert not tasks.take_turn(bots_turn["id"], 1)
    assert tasks.take_turn(bots_turn["id"], 1)


@pytest.fixture
def no_redis(settings: Any) -> None:
    settings.CACHES = {"default": settings.CACHES["default"] | {"LOCATION": "redis://127.0.0.1:1/0"}}


def test_without_redis_a_bot_still_thinks(bots_turn: dict[str, Any], no_redis: None) -> None:
    assert tasks.take_turn(bots_turn["id"], 1)


def test_without_redis_a_bot_counts_as_having_begun(crossing: Crossing, no_redis: None) -> None:
    assert tasks.look_after(crossing.table, crossing.number, schedule.LOOKS_AT_BOT)
    assert texts()[-1] == crossing.first
