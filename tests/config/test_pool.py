"""How long the pool of a web process waits for a database that is away."""

from psycopg_pool.base import AttemptWithBackoff

from config import connections
from rest.working import PATIENCE

POOL = connections.pool(8)
SOON = 2
"""Seconds: a request is refused by then, and after the database's return the pool has tried again."""


def test_a_request_gives_up_soon() -> None:
    assert PATIENCE + POOL["timeout"] < SOON


def test_after_a_long_absence_the_next_attempt_comes_soon() -> None:
    attempt, now = AttemptWithBackoff(timeout=POOL["reconnect_timeout"]), 0.0
    while not attempt.time_to_give_up(now):
        attempt.update_delay(now)
        assert attempt.delay < SOON
        now += attempt.delay


def test_an_attempt_to_connect_ends_soon() -> None:
    assert connections.database("postgresql://localhost/x")["OPTIONS"]["connect_timeout"] <= SOON
