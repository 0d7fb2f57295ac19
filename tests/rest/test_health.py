"""``/healthz`` and ``/readyz``."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from celery import current_app
from celery.signals import heartbeat_sent
from django.db import connection
from django.test import Client
from django.utils import timezone

from runtime.health import ALIVE_FOR, BOTS, beat
from tables.tasks import sweep
from tests.rest.checks import together

ALL = {"database": "ok", "broker": "ok", "worker": "ok", "bots": "ok"}
NO_BOTS = {"bots": "down"}


@pytest.fixture(autouse=True)
def own_cache(settings: Any) -> None:
    """A cache without the heartbeats of other processes."""
    settings.CACHES = {"default": settings.CACHES["default"] | {"KEY_PREFIX": str(uuid4())}}


def ready() -> tuple[int, dict[str, str]]:
    response = Client().get("/readyz")
    return response.status_code, response.json()


def test_it_works(db: None) -> None:
    beat(timezone.now())
    beat(timezone.now(), BOTS)
    assert ready() == (200, {"status": "ok"} | ALL)


def test_a_server_without_processes_for_bots_is_ready_and_says_so(db: None) -> None:
    beat(timezone.now())
    assert ready() == (200, {"status": "ok"} | ALL | NO_BOTS)


def test_a_server_with_bots_but_no_worker_is_not_ready(db: None) -> None:
    beat(timezone.now(), BOTS)
    assert ready() == (503, {"status": "unavailable"} | ALL | {"worker": "down"})


@pytest.mark.parametrize(("ago", "said"), [(ALIVE_FOR - timedelta(seconds=5), "ok"), (ALIVE_FOR, "down")])
def test_bots_without_a_recent_heartbeat_are_down(db: None, ago: timedelta, said: str) -> None:
    beat(timezone.now() - ago, BOTS)
    assert ready()[1]["bots"] == said


@pytest.mark.parametrize(("queues", "said"), [(["bots"], "ok"), (["celery"], "down"), (["celery", "bots"], "ok")])
def test_a_process_that_reads_the_queue_of_bots_records_their_heartbeat(
    db: None, own_queues: None, queues: list[str], said: str
) -> None:
    current_app.amqp.queues.select(queues)
    heartbeat_sent.send(sender=None)
    assert ready()[1]["bots"] == said


@pytest.fixture
def own_queues() -> Iterator[None]:
    """The queues that this process takes from, whatever a test selects."""
    before = current_app.amqp.queues._consume_from  # type: ignore[attr-defined]
    yield
    current_app.amqp.queues._consume_from = before  # type: ignore[attr-defined]


def test_healthz_needs_no_other_service() -> None:
    response = Client().get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})


def test_a_server_that_never_had_a_worker_is_not_ready(db: None) -> None:
    assert ready() == (503, {"status": "unavailable"} | ALL | NO_BOTS | {"worker": "down"})


@pytest.mark.parametrize(("ago", "status"), [(ALIVE_FOR - timedelta(seconds=5), 200), (ALIVE_FOR, 503)])
def test_a_worker_without_a_recent_heartbeat_is_down(db: None, ago: timedelta, status: int) -> None:
    beat(timezone.now() - ago)
    assert ready()[0] == status


def test_the_sweep_records_the_heartbeat(db: None) -> None:
    sweep()
    assert ready()[0] == 200


def test_no_broker(db: None, settings: Any) -> None:
    settings.CACHES = {"default": settings.CACHES["default"] | {"LOCATION": "redis://127.0.0.1:1/0"}}
    down = {"broker": "down", "worker": "down", "bots": "down"}
    assert ready() == (503, {"status": "unavailable", "database": "ok"} | down)
    heartbeat_sent.send(sender=None)


@pytest.mark.django_db(transaction=True)
def test_no_database() -> None:
    beat(timezone.now())

    def ask() -> tuple[int, dict[str, str]]:
        connection.close()
        connection.settings_dict = connection.settings_dict | {"HOST": "127.0.0.1", "PORT": "1"}
        return ready()

    assert together(ask) == [(503, {"status": "unavailable"} | ALL | NO_BOTS | {"database": "down"})]
