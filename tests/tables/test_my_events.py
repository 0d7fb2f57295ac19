"""``GET players/me/events``: one stream for all tables where a player sits."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.test import Client

from tables.api import waiting
from tables.models import Table
from tables.watching import TOWER
from tests.at_once import threads
from tests.cast import HANDLER, Caller, join, open_table, start
from tests.matches import arrange, begin, send
from tests.rest.checks import check_problem
from tests.streams import Heard, Listening, opened
from tests.tables.test_waiting import await_nobody_listens, without_redis

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(alice: Caller, bob: Caller) -> dict[str, Any]:
    begun = begin(alice, bob)
    arrange(begun, "6-5 6-4 3-1", "5-5 5-2 4-3", boneyard="2-0 6-0 1-1")
    return begun


@contextmanager
def hearing(caller: Caller, after: str | None = None) -> Iterator[tuple[Listening, str]]:
    """A caller's stream, and the id that it began with."""
    with opened("players/me/events", caller, **({"Last-Event-ID": after} if after else {})) as stream:
        yield stream, "" if after else stream.part().removeprefix("id: ").strip()


def facts(table: dict[str, Any]) -> tuple[str, int]:
    return table["id"], Table.objects.get(pk=table["id"]).version


def table_and_version(event: Heard) -> tuple[str, int]:
    return event.data["table"], event.data["version"]


def test_it_works(table: dict[str, Any], alice: Caller, bob: Caller) -> None:
    with hearing(bob) as (stream, _), threads() as begin_in_thread:
        coming = begin_in_thread(stream.event)
        send(table, alice, "6-5>mexican", 1)
        event = coming.result(10)
    assert event.kind == "table"
    version = Table.objects.get(pk=table["id"]).version
    assert event.data == {"table": table["id"], "version": version, "your_turn": True, "status": "playing"}


def test_tables_joined_later_appear_and_others_do_not(alice: Caller, bob: Caller, cleo: Caller) -> None:
    with hearing(bob) as (stream, _):
        other = open_table(alice, seats=2)
        join(other, cleo)
        mine = open_table(alice, seats=2)
        join(mine, bob)
        assert table_and_version(stream.event()) == facts(mine)
        start(mine, alice)
        assert table_and_version(stream.event()) == facts(mine)


def test_after_a_resume_each_changed_table_comes_once_as_it_is_now(
    table: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    quiet, ended = open_table(alice, seats=3), open_table(alice, seats=3)
    join(quiet, bob)
    join(ended, bob)
    with hearing(bob) as (_, last):
        pass
    send(table, alice, "6-5>mexican", 1)
    send(table, bob, "5-5>mexican", 2)
    alice.post(f"tables/{ended['id']}/cancel")
    joined = open_table(alice, seats=2)
    join(joined, bob)
    with hearing(bob, after=last) as (stream, _):
        events = [stream.event() for _ in range(3)]
        assert [table_and_version(event) for event in events] == [facts(table), facts(ended), facts(joined)]
        assert [event.data["status"] for event in events] == ["playing", "cancelled", "open"]
    with hearing(bob, after=events[1].id) as (stream, _):
        assert table_and_version(stream.event()) == facts(joined)
    with hearing(bob, after=events[-1].id) as (stream, _):
        send(table, bob, "5-2>mexican", 3)
        assert table_and_version(stream.event()) == facts(table)


def test_a_resume_from_before_the_first_table(alice: Caller, bob: Caller) -> None:
    with hearing(bob) as (_, last):
        pass
    joined = open_table(alice, seats=2)
    join(joined, bob)
    with hearing(bob, after=last) as (stream, _):
        assert table_and_version(stream.event()) == facts(joined)


def test_a_revoked_token_ends_the_stream(bob: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "LOOKS_EVERY", 0.0)
    with hearing(bob) as (stream, _):
        bob.post("players/logout")
        assert stream.rest()[-1] == Heard("end", None, {"reason": "hidden"})
    assert TOWER.count == 0


def test_a_process_that_stops_ends_the_stream_with_reconnect(bob: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    with hearing(bob) as (stream, _):
        monkeypatch.setattr(TOWER, "is_closing", lambda: True)
        assert stream.rest()[-1] == Heard("end", None, {"reason": "reconnect"})


def test_the_stream_counts_as_a_watcher(bob: Caller, settings: Any) -> None:
    settings.WATCHERS_OF_ONE = 1
    with hearing(bob):
        check_problem(bob.get("players/me/events"), 429, "too_many_requests")
    settings.WATCHERS = 0
    check_problem(bob.get("players/me/events"), 503, "unavailable")


def test_without_redis_the_stream_polls(
    table: dict[str, Any], alice: Caller, bob: Caller, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tables.watching.LISTS_LOOK_EVERY", 0.05)
    await_nobody_listens()
    with without_redis(settings, monkeypatch), hearing(bob) as (stream, _), threads() as begin_in_thread:
        coming = begin_in_thread(stream.event)
        send(table, alice, "6-5>mexican", 1)
        assert table_and_version(coming.result(20)) == facts(table)


@pytest.mark.parametrize("last", ["7", "x", "é", "AA", "AAA", "AAAA", "AAAA" * 3, "_" * 11, "AAAAAAA=="])
def test_an_invalid_event_id_is_refused(bob: Caller, last: str) -> None:
    answer = bob.get("players/me/events", Last_Event_ID=last)
    check_problem(answer, 400, "invalid")
    assert [each["field"] for each in answer.body["errors"]] == ["Last-Event-ID"]


def test_the_stream_needs_a_token(spectator: Caller) -> None:
    check_problem(spectator.get("players/me/events"), 401, "not_authenticated")


def test_a_head_request_takes_no_place(bob: Caller) -> None:
    client = Client()
    client.handler = HANDLER
    answer = client.head("/api/v1/players/me/events", headers={"Authorization": f"Bearer {bob.token}"})
    assert (answer.status_code, TOWER.count) == (200, 0)
