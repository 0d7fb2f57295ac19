"""``/healthz`` and ``/readyz``."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from rest.health import ALIVE_FOR, beat
from tests.rest.checks import together

ALL = {"database": "ok", "broker": "ok", "worker": "ok"}


@pytest.fixture(autouse=True)
def own_cache(settings: Any) -> None:
    """Nobody else's heartbeat."""
    settings.CACHES = {"default": settings.CACHES["default"] | {"KEY_PREFIX": str(uuid4())}}


def ready() -> tuple[int, dict[str, str]]:
    response = Client().get("/readyz")
    return response.status_code, response.json()


def test_it_works(db: None) -> None:
    beat(timezone.now())
    assert ready() == (200, {"status": "ok"} | ALL)


def test_the_process_lives_without_anything_else() -> None:
    response = Client().get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})


def test_no_worker_has_ever_worked(db: None) -> None:
    assert ready() == (503, {"status": "unavailable"} | ALL | {"worker": "down"})


@pytest.mark.parametrize(("ago", "status"), [(ALIVE_FOR - timedelta(seconds=5), 200), (ALIVE_FOR, 503)])
def test_a_worker_that_has_been_silent(db: None, ago: timedelta, status: int) -> None:
    beat(timezone.now() - ago)
    assert ready()[0] == status


def test_the_sweep_is_the_heartbeat(db: None) -> None:
    from tables.tasks import sweep

    sweep()
    assert ready()[0] == 200


def test_no_broker(db: None, settings: Any) -> None:
    settings.CACHES = {"default": settings.CACHES["default"] | {"LOCATION": "redis://127.0.0.1:1/0"}}
    assert ready() == (503, {"status": "unavailable", "database": "ok", "broker": "down", "worker": "down"})


@pytest.mark.django_db(transaction=True)
def test_no_database() -> None:
    beat(timezone.now())

    def ask() -> tuple[int, dict[str, str]]:
        connection.close()
        connection.settings_dict = connection.settings_dict | {"HOST": "127.0.0.1", "PORT": "1"}
        return ready()

    assert together(ask) == [(503, {"status": "unavailable"} | ALL | {"database": "down"})]
