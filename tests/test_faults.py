"""Faults in the middle of a move leave nothing half done, and the next attempt works."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, transaction

from config import connections
from config.wsgi import application
from rest.models import AnsweredRequest
from runtime.models import Uptime
from tables import play
from tables.models import Event, Hand, Move, Round, Seat, Table
from tables.schedule import GRACE
from tests.at_once import BLOCKED, await_blocked, held, threads
from tests.cases import slow_after
from tests.cast import Caller, position
from tests.matches import arrange, begin, bots, send, timeless
from webhooks.models import Delivery, Webhook

pytestmark = pytest.mark.django_db(transaction=True)

ROWS = (Table, Seat, Round, Hand, Move, Event, AnsweredRequest, Uptime, Webhook, Delivery)
BROKEN = """
create or replace function break_down() returns trigger language plpgsql as $$
begin {does} end $$;
create trigger break_down before {event} on {table} for each row when ({when}) execute function break_down();
"""
PLACES = [
    "insert on tables_move",
    "update on tables_table",
    "insert on tables_event",
]
PLACES_AT_THE_END_OF_A_ROUND = [
    *PLACES,
    "update on tables_hand",
    "update on tables_seat",
    "update on tables_round",
    "insert on tables_hand",
    "insert on tables_round",
]


@pytest.fixture
def table(alice: Caller, bob: Caller) -> dict[str, Any]:
    begun = begin(alice, bob)
    arrange(begun, "6-5 6-4 3-1", "6-2 5-2 4-3", boneyard="2-0 6-0 1-1")
    return begun


@pytest.fixture
def nearly_over(alice: Caller, bob: Caller) -> dict[str, Any]:
    """Alice's one tile ends the round."""
    begun = begin(alice, bob, options={"set_max_pip": 6, "hand_sizes": {"2": 1}, "rounds": 3})
    arrange(begun, "6-5", "4-3")
    return begun


@contextmanager
def breaking(place: str, when: str = "true", does: str = "raise exception 'broken down';") -> Iterator[None]:
    """The database fails when this row is written, or calls ``does``."""
    event, table = place.split(" on ")
    with connection.cursor() as cursor:
        cursor.execute(BROKEN.format(event=event, table=table, when=when, does=does))
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("drop function break_down cascade")


def everything() -> dict[str, Any]:
    return {model.__name__: list(model._default_manager.order_by("pk").values()) for model in ROWS}


@pytest.mark.parametrize("place", PLACES)
def test_a_move_that_fails_leaves_nothing(place: str, table: dict[str, Any], alice: Caller) -> None:
    assert_all_or_nothing(place, table, alice)


@pytest.mark.parametrize("place", slow_after(2, PLACES_AT_THE_END_OF_A_ROUND))
def test_the_end_of_a_round_that_fails_leaves_nothing(place: str, nearly_over: dict[str, Any], alice: Caller) -> None:
    assert_all_or_nothing(place, nearly_over, alice)
    assert Table.objects.get().rounds_played == 1


def assert_all_or_nothing(place: str, table: dict[str, Any], caller: Caller) -> None:
    before, shown = everything(), position(table, caller)
    with breaking(place), pytest.raises(DatabaseError, match="broken down"):
        send(table, caller, "6-5>0", 1)
    assert everything() == before
    assert timeless(position(table, caller)) == timeless(shown)
    assert send(table, caller, "6-5>0", 1).status == 201


def test_a_move_that_fails_can_be_sent_again_with_its_key(table: dict[str, Any], alice: Caller) -> None:
    path, body, before = f"tables/{table['id']}/moves", {"move": "6-5>0", "number": 1}, everything()
    with breaking(PLACES[1]), pytest.raises(DatabaseError):
        alice.post(path, body, Idempotency_Key="one")
    assert everything() == before
    assert alice.post(path, body, Idempotency_Key="one").status == 201


def test_a_time_out_that_fails_leaves_nothing(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, turn_seconds=5, on_timeout="bot")
    row = Table.objects.get(pk=table["id"])
    assert row.deadline
    before = everything()
    with breaking(PLACES[1]), pytest.raises(DatabaseError):
        play.time_out(row.pk, 1, row.deadline + GRACE)
    assert everything() == before
    assert play.time_out(row.pk, 1, row.deadline + GRACE)


def test_a_start_that_fails_leaves_nothing(two_seats: dict[str, Any], alice: Caller) -> None:
    before = everything()
    with breaking("insert on tables_hand"), pytest.raises(DatabaseError):
        alice.post(f"tables/{two_seats['id']}/start")
    assert everything() == before
    assert alice.post(f"tables/{two_seats['id']}/start").status == 200


def test_opening_a_table_that_fails_leaves_nothing(alice: Caller) -> None:
    with breaking("insert on tables_round"), pytest.raises(DatabaseError):
        alice.post("tables", {"seats": 2, "bots": bots(1)})
    assert not Table.objects.exists()
    assert not Seat.objects.exists()


def test_every_model_is_compared() -> None:
    own = {
        model for name in ("tables", "rest", "runtime", "webhooks") for model in apps.get_app_config(name).get_models()
    }
    assert own == set(ROWS)


# A connection that dies


def kill_blocked() -> None:
    """End the connections that wait for a lock, as an administrator or a failing server would."""
    with connection.cursor() as cursor:
        cursor.execute(BLOCKED.replace("count(*)", "pg_terminate_backend(pid)"))
        assert cursor.rowcount == 1


def test_a_connection_killed_in_the_middle_of_a_move_leaves_nothing(table: dict[str, Any], alice: Caller) -> None:
    before = everything()
    with threads() as start:
        with held(table):
            answers = start(lambda: [send(table, alice, "6-5>0", 1), send(table, alice, "6-5>0", 1)])
            await_blocked(1)
            kill_blocked()
            await_blocked(1)  # the second try, on a new connection, has come to the lock too
            assert everything() == before
        failed, again = answers.result(20)
    assert (failed.status, failed.body["code"]) == (503, "unavailable")
    assert failed.headers["Retry-After"]
    assert failed.headers["Content-Type"] == "application/problem+json"
    assert again.status == 201
    assert Move.objects.count() == 1


def test_a_connection_killed_after_the_move_was_written_leaves_nothing(table: dict[str, Any], alice: Caller) -> None:
    """The log's row is in, the table's is not: a trigger waits there for a lock, and the connection dies."""
    before = everything()
    waiting = breaking("update on tables_table", does="perform pg_advisory_xact_lock(1); return new;")
    with waiting, threads() as start, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("select pg_advisory_xact_lock(1)")
        answer = start(lambda: send(table, alice, "6-5>0", 1))
        await_blocked(1)
        kill_blocked()
        assert answer.result(20).status == 503
    assert everything() == before
    assert send(table, alice, "6-5>0", 1).status == 201


def over_wsgi(method: str, path: str, caller: Caller, body: Any = None) -> int:
    """The status of a request as a web server makes it, with everything that Django does around one."""
    sent = b"" if body is None else json.dumps(body).encode()
    statuses: list[str] = []
    environ = {
        "REQUEST_METHOD": method,
        "PATH_INFO": f"/api/v1/{path}",
        "SERVER_NAME": "testserver",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(sent)),
        **({"HTTP_AUTHORIZATION": f"Bearer {caller.token}"} if caller.token else {}),
        "wsgi.input": BytesIO(sent),
        "wsgi.errors": BytesIO(),
        "wsgi.url_scheme": "http",
    }
    response = application(environ, lambda status, *_: statuses.append(status))
    b"".join(response)
    close = getattr(response, "close", None)
    assert close
    close()
    return int(statuses[0].split()[0])


def test_a_connection_killed_between_requests_is_replaced(table: dict[str, Any], alice: Caller) -> None:
    path = f"tables/{table['id']}"
    with threads() as start:
        statuses = start(lambda: requests_around_a_kill(path, alice)).result(20)
    assert statuses == [200, 503, 201]
    assert Move.objects.count() == 1


def requests_around_a_kill(path: str, caller: Caller) -> list[int]:
    first = over_wsgi("GET", f"{path}/position", caller)
    killed_by_another(own_pid())
    second = over_wsgi("GET", f"{path}/position", caller)
    return [first, second, over_wsgi("POST", f"{path}/moves", caller, {"move": "6-5>0", "number": 1})]


def own_pid() -> int:
    with connection.cursor() as cursor:
        cursor.execute("select pg_backend_pid()")
        (pid,) = cursor.fetchone()
    return int(pid)


def killed_by_another(*pids: int) -> None:
    """End connections, from another one."""

    def kill() -> None:
        with connection.cursor() as cursor:
            cursor.execute("select pg_terminate_backend(pid, 5000) from unnest(%s) pid", [list(pids)])
            assert cursor.fetchall() == [(True,)] * len(pids)

    with threads() as start:
        start(kill).result(20)


@pytest.mark.parametrize(
    ("method", "path", "statuses"),
    [("GET", "players/me", [503, 200, 200, 200]), ("POST", "players/register", [503, 201, 400, 400])],
    ids=["while reading", "in a transaction"],
)
def test_a_pool_whose_connections_were_all_cut_fails_one_request(
    method: str, path: str, statuses: list[int], alice: Caller
) -> None:
    caller = alice if method == "GET" else Caller("")
    with threads() as start:
        assert start(lambda: requests_after_a_restart(method, path, caller)).result(20) == statuses


def requests_after_a_restart(method: str, path: str, caller: Caller) -> list[int]:
    """With a pool all of whose connections are ended at once."""
    with pooled(4) as pids:
        killed_by_another(*pids)
        body = None if method == "GET" else {"username": "alice", "password": "correct horse battery"}
        return [over_wsgi(method, path, caller, body) for _ in range(4)]


@contextmanager
def pooled(size: int, **settings: Any) -> Iterator[list[int]]:
    """This thread has a pool as web processes have it, with so many connections; their processes in PostgreSQL."""
    connection.close()
    options = connection.settings_dict["OPTIONS"] | {"pool": connections.pool(size) | {"min_size": size}}
    connection.settings_dict = connection.settings_dict | settings | {"CONN_MAX_AGE": 0, "OPTIONS": options}
    pool = connection.pool  # type: ignore[attr-defined]
    pool.open()
    pool.wait()
    try:
        taken = [pool.getconn() for _ in range(size)]
        for each in taken:
            pool.putconn(each)
        yield [each.info.backend_pid for each in taken]
    finally:
        connection.close()
        connection.close_pool()  # type: ignore[attr-defined]


def test_a_database_that_is_back_is_used_by_the_next_request(alice: Caller, tmp_path: Path) -> None:
    """PostgreSQL is reached through a folder of our own, from which its socket disappears."""
    with threads() as start:
        assert start(lambda: requests_around_an_absence(alice, tmp_path)).result(60) == [200, 503, 503, 200]


def requests_around_an_absence(caller: Caller, folder: Path) -> list[int]:
    name = f".s.PGSQL.{connection.settings_dict['PORT'] or 5432}"
    socket = folder / name
    socket.symlink_to(Path(connection.settings_dict["HOST"]) / name)
    with pooled(2, HOST=str(folder)) as pids:
        statuses = [over_wsgi("GET", "players/me", caller)]
        socket.rename(folder / "away")
        killed_by_another(*pids)
        statuses += [over_wsgi("GET", "players/me", caller) for _ in range(2)]
        (folder / "away").rename(socket)
        return [*statuses, over_wsgi("GET", "players/me", caller)]
