"""Celery beat while its broker is away or fails."""

import pytest
from celery import current_app
from celery.beat import ScheduleEntry
from celery.schedules import schedule

from config.beat import Scheduler
from tests.brokers import down, unread

AWAY = "Redis does not answer; no task is sent: "


@pytest.fixture
def entry() -> ScheduleEntry:
    return ScheduleEntry("sweep", "tables.tasks.sweep", schedule=schedule(1), app=current_app)


def scheduler() -> Scheduler:
    return Scheduler(current_app, lazy=True)


def test_the_settings_use_this_scheduler() -> None:
    assert current_app.conf.beat_scheduler == "config.beat:Scheduler"


def test_an_absence_of_the_broker_is_one_line_and_its_return_another(
    entry: ScheduleEntry, caplog: pytest.LogCaptureFixture
) -> None:
    with down():
        for _ in range(3):
            scheduler().apply_entry(entry)
    (record,) = caplog.records
    assert record.getMessage().startswith(AWAY)
    assert record.exc_info is None
    with unread() as client:
        for _ in range(3):
            scheduler().apply_entry(entry)
        client.flushdb()
    assert [record.getMessage() for record in caplog.records[1:]] == ["Redis answers again."]


def test_another_error_is_logged_with_its_traceback(entry: ScheduleEntry, caplog: pytest.LogCaptureFixture) -> None:
    entry.args = (object(),)  # no message can hold it
    with unread():
        scheduler().apply_entry(entry)
    (record,) = caplog.records
    assert record.getMessage() == "The task sweep could not be sent"
    assert record.exc_info
