"""The client asks for a language with every call, if it was given one, and with every stream."""

import asyncio
from collections.abc import Callable

import pytest

from mexican_train import AsyncClient, Client
from tests.clients.asking import QUICK
from tests.clients.scripted import Scripted, reply, scripted, stream
from tests.clients.test_event_stream import OVER, TABLE
from tests.examples import answer_of

ME = answer_of("me")


def waiting(server: Scripted, language: str | None) -> None:
    with Client(server.url, language=language, patience=QUICK) as client:
        client.me()
        assert list(client.events(TABLE, since=1)) == []


def awaiting(server: Scripted, language: str | None) -> None:
    async def run() -> None:
        async with AsyncClient(server.url, language=language, patience=QUICK) as client:
            await client.me()
            assert [event async for event in client.events(TABLE, since=1)] == []

    asyncio.run(run())


@pytest.mark.parametrize("ask", [waiting, awaiting])
@pytest.mark.parametrize("language", [None, "nl", "hu, en;q=0.5"])
def test_it_works(ask: Callable[[Scripted, str | None], None], language: str | None) -> None:
    with scripted(reply(200, ME), stream(OVER)) as server:
        ask(server, language)
    assert [asked.headers.get("accept-language") for asked in server.asked] == [language, language]
