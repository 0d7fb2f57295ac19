"""Checks that many tests use: a refusal as it should be, nothing changed, and the results of several calls at once."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier
from typing import Any, TypeVar

from django.db import connection, models
from knox.models import AuthToken

from players.models import Player
from rest.models import AnsweredRequest
from tables.models import Hand, Move, Round, Seat, Table
from tests.cast import Answer
from webhooks.models import Delivery, Webhook

OURS: tuple[type[models.Model], ...] = (Table, Seat, Round, Hand, Move, Webhook, Delivery)
KEPT: tuple[type[models.Model], ...] = (Player, AuthToken, AnsweredRequest, *OURS)
MEMBERS = {"type", "title", "status", "detail", "code"}
T = TypeVar("T")


def rows() -> dict[str, list[dict[str, Any]]]:
    """Everything that the database knows."""
    return {kind.__name__: list(kind._default_manager.order_by("pk").values()) for kind in KEPT}


@contextmanager
def nothing_changes() -> Iterator[None]:
    before = rows()
    yield
    assert rows() == before


def check_problem(answer: Answer, status: int, code: str) -> None:
    assert (answer.status, answer.body and answer.body.get("code")) == (status, code), answer.text
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.body.keys() >= MEMBERS
    assert answer.body["status"] == status
    assert answer.body["type"].endswith(f":{code}")


def check_refused(ask: Callable[[], Answer], status: int, code: str, *fields: str) -> Answer:
    """Ask, and see it refused with this code, naming these fields, with nothing changed."""
    with nothing_changes():
        answer = ask()
    check_problem(answer, status, code)
    if fields:
        assert {error["field"] for error in answer.body["errors"]} == set(fields), answer.text
    return answer


def together(*calls: Callable[[], T]) -> list[T]:
    """Make the calls in threads of their own, each with a database connection, all let go at the same moment."""
    gate = Barrier(len(calls), timeout=10)

    def run(call: Callable[[], T]) -> T:
        try:
            connection.ensure_connection()
            gate.wait()
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))
