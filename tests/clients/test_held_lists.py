"""Lists of tables are requested with their ``ETag``, held by the server, and returned when they have changed."""

from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest

from mexican_train import Client
from tests.clients.asking import QUICK, Ask, both
from tests.clients.scripted import LOST, Piece, refuse, reply, scripted
from tests.examples import answer_of

PAGE = answer_of("my_tables")
(TABLE,) = PAGE["results"]
HELD: dict[str, Callable[[Any], Any]] = {
    "players/me/tables": lambda client: client.follow_my_tables("playing", limit=5, wait=7),
    "tables": lambda client: client.follow_tables("playing", limit=5, wait=7),
}
each_list = pytest.mark.parametrize("path", HELD)


def page(version: int, etag: str) -> list[Piece]:
    return reply(200, PAGE | {"results": [TABLE | {"version": version}]}, ETag=etag)


def first(ask: Ask, url: str, path: str, count: int) -> list[int]:
    """The versions of so many lists; they do not end by themselves."""

    def collect(client: Any) -> Any:
        lists = HELD[path](client)
        if isinstance(client, Client):
            return [tables[0].version for tables in islice(lists, count)]

        async def run() -> list[int]:
            return [(await anext(lists))[0].version for _ in range(count)]

        return run()

    versions: list[int] = ask(url, collect)
    return versions


@both
@each_list
def test_a_list_is_returned_when_it_has_changed(ask: Ask, path: str) -> None:
    with scripted(page(1, '"a"'), reply(304), LOST, page(2, '"b"'), page(3, '"c"')) as server:
        assert first(ask, server.url, path, 3) == [1, 2, 3]
    assert [asked.headers.get("if-none-match") for asked in server.asked] == [None, '"a"', '"a"', '"a"', '"b"']
    query = "status=playing&limit=5"
    assert [asked.path for asked in server.asked] == [
        f"/api/v1/{path}?{query}" + ("&wait=7" if held else "") for held in (False, True, True, True, True)
    ]


@both
@each_list
def test_the_client_waits_for_a_server_that_is_away(ask: Ask, path: str) -> None:
    outage = [LOST, refuse(503, "unavailable")] * 4
    with scripted(page(1, '"a"'), *outage, page(2, '"b"')) as server:
        assert first(ask, server.url, path, 2) == [1, 2]
    assert len(outage) > QUICK.attempts
