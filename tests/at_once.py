"""Two at once: real threads, each with its own connection, held up and let go together by a lock in Postgres."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from time import monotonic
from typing import Any, TypeVar

from django.db import connection, connections, transaction

T = TypeVar("T")
LONGEST = 20
BLOCKED = """
select count(*) from pg_stat_activity
 where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0
"""


@contextmanager
def threads() -> Iterator[Callable[[Callable[[], T]], "Future[T]"]]:
    """Start calls with ``start(call)``; each runs in a thread whose connections are closed when it ends."""
    with ThreadPoolExecutor(max_workers=16) as pool:
        yield lambda call: pool.submit(with_own_connections, call)


def with_own_connections(call: Callable[[], T]) -> T:
    try:
        return call()
    finally:
        connections.close_all()


@contextmanager
def held(table: dict[str, Any]) -> Iterator[None]:
    """Keep the table's row locked, as a move in progress does."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("select 1 from tables_table where id = %s for update", [table["id"]])
        yield


def await_blocked(calls: int) -> None:
    """Return once so many other connections wait for a lock."""
    begun = monotonic()
    while blocked() < calls:
        assert monotonic() - begun < LONGEST, f"{blocked()} of {calls} calls wait for a lock"


def blocked() -> int:
    with connection.cursor() as cursor:
        cursor.execute("select pg_stat_clear_snapshot()")
        cursor.execute(BLOCKED)
        return int(cursor.fetchone()[0])


def at_once(table: dict[str, Any], *calls: Callable[[], T]) -> list[T]:
    """The results of calls that have all arrived at the table's lock before the first of them gets it.

    They arrive one after another, and Postgres serves them in that order.
    """
    with threads() as begin:
        with held(table):
            running = []
            for call in calls:
                running.append(begin(call))
                await_blocked(len(running))
        return [each.result(LONGEST) for each in running]
