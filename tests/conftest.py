"""Fixtures that every room's tests share."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import pytest
import time_machine
from coverage import Coverage
from django.db import connection
from django.db.models import QuerySet
from django.test import TransactionTestCase
from django.utils import timezone
from hypothesis import settings
from whitenoise.middleware import WhiteNoiseMiddleware  # type: ignore[import-untyped]  # it has no types

from players import presence
from runtime import database_away, redis_commands
from runtime.logs import Absence
from tables import memory, repository, watching
from tables.models import Table
from tables.presenters.tables import TableAnswer, present_table
from tables.snapshots import Snapshot
from tests.cast import Caller, fill_seats, guest, open_table, start

TESTS = Path(__file__).parent

settings.register_profile("quick", max_examples=20, deadline=None)
settings.register_profile("all", deadline=None)
settings.load_profile("all")  # `make test` chooses the other


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """With ``--cov=rules``, count what tests of the rules reach on purpose, and not what others happen to reach."""
    running = Coverage.current() if item.config.getoption("cov_source", None) == ["rules"] else None
    if running is None or (item.path.is_relative_to(TESTS / "rules") and not item.get_closest_marker("by_chance")):
        return (yield)
    running.stop()
    try:
        return (yield)
    finally:
        running.start()


KEPT = {"django_migrations", "django_content_type", "auth_permission"}
"""The tables that a migration fills."""


@pytest.fixture(scope="session", autouse=True)
def emptied_quickly() -> Iterator[None]:
    """Between tests that commit, empty the tables that have rows: Django would empty all, and fill some anew."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", empty_tables)
        yield


@pytest.fixture(scope="session", autouse=True)
def static_files_found_once() -> Iterator[None]:
    """WhiteNoise looks through all static files when the middleware is built, which each new client of Django does."""
    find, found = WhiteNoiseMiddleware.add_files_from_finders, dict[str, Any]()

    def add_found(middleware: WhiteNoiseMiddleware) -> None:
        if found:
            middleware.files.update(found)
        else:
            find(middleware)
            found.update(middleware.files)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", add_found)
        yield


def empty_tables(_: TransactionTestCase) -> None:
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor)) - KEPT
        cursor.execute(" union all ".join(f"(select '{name}' from {name} limit 1)" for name in tables))
        if full := [name for (name,) in cursor.fetchall()]:
            cursor.execute(f"truncate {', '.join(full)} cascade")


@pytest.fixture(autouse=True)
def same_chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Secrets of deals and ids of tables follow from the test's name and from ``CHANCE``: what passes passes again.

    Of this process only: the servers that the acceptance tests start take chance as it comes.
    """
    chance = Random(f"{os.environ.get('CHANCE', '')} {request.node.nodeid}")
    monkeypatch.setattr(os, "urandom", chance.randbytes)


@pytest.fixture(autouse=True)
def uses_of_this_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test writes down which tokens earlier tests have used: that would be a statement it does not expect."""
    monkeypatch.setattr(presence, "USES", presence.Uses())


@pytest.fixture(autouse=True)
def absences_of_this_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """What earlier tests took away is back: the log has a line only for the first who notices an absence."""
    monkeypatch.setattr(database_away, "ABSENCE", Absence("The database"))
    monkeypatch.setattr(redis_commands, "ABSENCE", Absence("Redis"))


class CheckedMemory(memory.Memory[Snapshot]):
    """A memory that compares what it finds with the database, so that every test checks it."""

    def find(self, table: UUID, version: int | None) -> Snapshot | None:
        found = super().find(table, version)
        if found is not None:
            now = repository.load(table)
            assert now is None or now.version != version or now == found
        return found


class CheckedRows(memory.Rows):
    """The same for the rows that tables are presented from."""

    def find(self, table: UUID, version: int | None) -> Table | None:
        found = super().find(table, version)
        if found is not None:
            now = Table.objects.with_seats().filter(pk=table).first()
            same = now is None or now.version != version or as_member(now) == as_member(found)
            assert same
        return found


def as_member(table: Table) -> TableAnswer:
    """All that is presented of a table."""
    sitting = next((seat.player_id for seat in table.seats.all() if seat.player_id), None)
    return present_table(table, table.host_id or sitting)


@pytest.fixture(autouse=True)
def memory_of_this_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """It forgets everything when a test writes to rows itself, for then they change without another version."""
    kept, rows_kept, update = CheckedMemory(100), CheckedRows(100), QuerySet.update
    monkeypatch.setattr(memory, "MEMORY", kept)
    monkeypatch.setattr(memory, "ROWS", rows_kept)

    def forget_and_update(rows: "QuerySet[Any]", **fields: Any) -> int:
        if Path(sys._getframe(1).f_code.co_filename).is_relative_to(TESTS):
            kept.clear()
            rows_kept.clear()
        return update(rows, **fields)

    monkeypatch.setattr(QuerySet, "update", forget_and_update)


@pytest.fixture(autouse=True)
def listener_ends(request: pytest.FixtureRequest) -> Iterator[None]:
    """The thread that listens for watchers of this process ends before the database is closed to the test."""
    if {"db", "transactional_db"} & set(request.fixturenames):
        request.getfixturevalue("_django_db_helper")  # set up first, so that it is torn down last
    yield
    listener = watching.TOWER._listener
    if listener is not None and not watching.TOWER.count:
        watching.announce("")  # it waits a second for a message before it notices that nobody watches any longer
        listener.join(60)


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """The time stands still until a test moves it."""
    with time_machine.travel(timezone.now(), tick=False) as moved:
        yield moved


@pytest.fixture
def alice(db: None) -> Caller:
    return guest("Alice")


@pytest.fixture
def bob(db: None) -> Caller:
    return guest("Bob")


@pytest.fixture
def cleo(db: None) -> Caller:
    return guest("Cleo")


@pytest.fixture
def spectator(db: None) -> Caller:
    return Caller()


@pytest.fixture
def two_seats(alice: Caller, bob: Caller) -> dict[str, Any]:
    """Alice's table of two, with Bob, not started."""
    table = open_table(alice, seats=2)
    fill_seats(table, bob)
    return table


@pytest.fixture
def playing(two_seats: dict[str, Any], alice: Caller) -> dict[str, Any]:
    """The same, started: Alice is to move."""
    start(two_seats, alice)
    return two_seats
