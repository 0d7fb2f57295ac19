"""The stream of all the caller's tables continues over lost connections from the id of the last event."""

import asyncio
import json
from contextlib import aclosing
from itertools import islice
from typing import Any

import pytest

from mexican_train import AsyncClient, BadAnswer, Client, MyTableChanged, NotAuthenticated
from tests.clients.asking import QUICK, Ask, both
from tests.clients.scripted import LOST, reply, scripted, stream
from tests.clients.test_event_stream import CUT, OVER, QUICKLY, TABLE

REVOKED = OVER.replace("finished", "hidden")
ONLY_AN_ID = "id: AAA\n\n"
GONE = reply(401, {"type": "x", "title": "x", "status": 401, "detail": "No.", "code": "bad_token"})


def change(id: str, version: int, end: str = "\n") -> str:
    data = json.dumps({"table": TABLE, "version": version, "your_turn": True, "status": "playing"})
    return end.join([f"id: {id}", "event: table", f"data: {data}", "", ""])


def told_until_refused(ask: Ask, url: str, since: str | None = None) -> list[tuple[str, int]]:
    """The id and version of each change. The stream of a table ends with it, this one only with a refusal."""
    told: list[tuple[str, int]] = []

    def keep(each: MyTableChanged) -> None:
        told.append((each.id, each.version))

    def collect(client: Any) -> Any:
        if isinstance(client, Client):
            for each in client.my_events(since):
                keep(each)
            return None

        async def run() -> None:
            async for each in client.my_events(since):
                keep(each)

        return run()

    with pytest.raises(NotAuthenticated):
        ask(url, collect)
    return told


def ids(server: Any) -> list[str]:
    return [asked.headers["last-event-id"] for asked in server.asked]


@both
def test_each_change_of_a_table_is_an_event_and_the_stream_continues_from_the_last_id(ask: Ask) -> None:
    first = stream(QUICKLY, change("AAB", 7), change("AAC", 3), is_cut=True)
    with scripted(first, LOST, stream(change("AAD", 8), CUT), GONE) as server:
        assert told_until_refused(ask, server.url, "AAA") == [("AAB", 7), ("AAC", 3), ("AAD", 8)]
    assert ids(server) == ["AAA", "AAC", "AAC", "AAD"]
    assert {asked.path for asked in server.asked} == {"/api/v1/players/me/events"}


@both
def test_a_stream_that_is_lost_before_its_first_event_goes_on_from_the_id_it_began_with(ask: Ask) -> None:
    with scripted(stream(QUICKLY, ONLY_AN_ID, is_cut=True), stream(change("AAB", 7)), GONE) as server:
        assert told_until_refused(ask, server.url) == [("AAB", 7)]
    assert ids(server) == ["", "AAA", "AAB"]


@both
def test_the_id_of_half_an_event_is_not_that_of_the_last(ask: Ask) -> None:
    half = change("AAC", 8)[:40]
    with scripted(stream(QUICKLY, change("AAB", 7), half), stream(change("AAC", 8)), GONE) as server:
        assert told_until_refused(ask, server.url) == [("AAB", 7), ("AAC", 8)]
    assert ids(server) == ["", "AAB", "AAC"]


@both
def test_a_revoked_token_ends_the_stream_with_a_refusal(ask: Ask) -> None:
    with scripted(stream(QUICKLY, ONLY_AN_ID, REVOKED), GONE) as server:
        assert told_until_refused(ask, server.url) == []
    assert len(server.asked) == 2


@both
def test_unknown_events_are_ignored_but_their_ids_are_kept(ask: Ask) -> None:
    newer = "id: AAC\nevent: chat\ndata: words, and no JSON\n\n"
    with scripted(stream(QUICKLY, change("AAB", 7), newer), GONE) as server:
        assert told_until_refused(ask, server.url) == [("AAB", 7)]
    assert ids(server) == ["", "AAC"]


@both
def test_unreadable_data_is_an_error(ask: Ask) -> None:
    with scripted(stream("id: AAB\nevent: table\ndata: []\n\n")) as server, pytest.raises(BadAnswer):
        ask(server.url, lambda client: client.my_events())


def test_the_event_is_a_table_as_it_is_now() -> None:
    with scripted(stream(change("AAB", 7))) as server, Client(server.url, patience=QUICK) as client:
        (told,) = islice(client.my_events(), 1)
    assert told == MyTableChanged(table=TABLE, version=7, your_turn=True, status="playing")
    assert told.id == "AAB"


MORE: list[str | float] = [0.05, ": still here\n\n" * 4096]
GOES_ON = stream(change("AAB", 7), *MORE * 5)


def test_closing_it_closes_the_connection() -> None:
    with scripted(GOES_ON) as server, Client(server.url, patience=QUICK) as client:
        events = client.my_events()
        assert next(events).version == 7
        events.close()
    assert (len(server.asked), server.lost > 0) == (1, True)


def test_closing_it_closes_the_connection_at_once_where_it_is_awaited() -> None:
    async def run() -> None:
        async with AsyncClient(server.url, patience=QUICK) as client:
            async with aclosing(client.my_events()) as events:
                assert (await anext(events)).version == 7
            assert not client._http._transport._pool.connections  # type: ignore[attr-defined]

    with scripted(GOES_ON) as server:
        asyncio.run(run())
