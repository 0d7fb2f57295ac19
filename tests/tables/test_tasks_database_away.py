"""Workers while the database is away log one line, and continue when it is back."""

import logging
from collections.abc import Callable
from typing import Any

import pytest
from celery.signals import task_prerun
from django.db import connection
from django.utils import timezone

from tables import tasks
from tables.models import Move, Table
from tests.cast import Caller
from tests.matches import begin, bots
from tests.rest.checks import together
from tests.test_faults import killed_by_another, own_pid

pytestmark = pytest.mark.django_db(transaction=True)
CLOSED = {"HOST": "127.0.0.1", "PORT": "1"}
NOWHERE = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def bots_turn(alice: Caller) -> dict[str, Any]:
    return begin(alice, seats=2, host_seat=1, bots=bots(0))


def away_for(task: Callable[[], object]) -> object:
    """What the task returns to a worker whose database refuses connections; its own connection, in its own thread."""

    def run() -> object:
        connection.close()
        connection.settings_dict = connection.settings_dict | CLOSED
        return task()

    (returned,) = together(run)
    return returned


TASKS: dict[str, Callable[[], object]] = {
    "sweep": tasks.sweep,
    "take_turn": lambda: tasks.take_turn(NOWHERE, 1),
    "look_after": lambda: tasks.look_after(NOWHERE, 1, 1),
    "tidy": tasks.tidy,
}


@pytest.mark.parametrize("name", TASKS)
def test_an_absence_is_one_warning_in_one_line(name: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="tables"):
        assert away_for(TASKS[name]) is None
    (record,) = [record for record in caplog.records if record.name == "tables.tasks"]
    assert (record.levelno, record.exc_info) == (logging.WARNING, None)
    assert record.getMessage().startswith(f"The database does not answer; {name} is left to a later sweep: ")


def test_a_long_absence_is_one_line_and_the_return_another(caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(3):
        away_for(tasks.sweep)
    assert len(caplog.records) == 1
    for _ in range(3):
        tasks.sweep()
    assert [record.getMessage() for record in caplog.records[1:]] == ["The database answers again."]


def test_the_turn_is_taken_once_it_is_back(bots_turn: dict[str, Any]) -> None:
    assert away_for(lambda: tasks.take_turn(bots_turn["id"], 1)) is None
    assert not Move.objects.exists()
    assert tasks.take_turn(bots_turn["id"], 1)
    assert Move.objects.count() == 1


def test_the_sweep_finds_the_table_once_it_is_back(bots_turn: dict[str, Any]) -> None:
    Table.objects.update(due_at=timezone.now())
    assert away_for(tasks.sweep) is None
    assert tasks.sweep() == 1


def test_a_cut_connection_is_not_logged_as_an_error(caplog: pytest.LogCaptureFixture) -> None:
    def sweep_when_cut() -> object:
        killed_by_another(own_pid())
        return tasks.sweep()

    assert in_thread(sweep_when_cut) is None
    assert "The database does not answer; sweep" in caplog.text
    assert tasks.sweep() == 0


def in_thread(act: Callable[[], object]) -> object:
    """A worker's, whose connection another one kills."""
    (came,) = together(act)
    return came


def test_a_connection_cut_between_two_tasks_fails_no_task(caplog: pytest.LogCaptureFixture) -> None:
    """After a restart of PostgreSQL, each thread of a worker has such a connection."""

    def sweep_after_cut() -> object:
        killed_by_another(own_pid())
        task_prerun.send(sender=None)
        return tasks.sweep()

    assert in_thread(sweep_after_cut) == 0
    assert not caplog.records


def test_a_healthy_connection_is_kept() -> None:
    def pids() -> object:
        before = own_pid()
        task_prerun.send(sender=None)
        return before == own_pid()

    assert in_thread(pids)


def test_another_error_is_still_raised(transactional_db: None) -> None:
    with pytest.raises(ValueError, match="badly formed"):
        tasks.take_turn("not-a-table", 1)
