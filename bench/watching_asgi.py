"""The waiting calls in a process of their own, reduced to the minimum: an ASGI application without Django's handler.

Only ``bench.watchers`` uses it. It looks up who may watch, and wakes a table's streams when Redis notifies it of the
table.
"""

import asyncio
import os
from collections import defaultdict
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from uuid import UUID

import django
from asgiref.sync import sync_to_async

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.conf import settings  # noqa: E402
from knox.crypto import hash_token  # noqa: E402
from redis.asyncio import Redis  # noqa: E402

from tables import repository  # noqa: E402
from tables.watching import CHANNEL  # noqa: E402

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
BEAT = 15
HEADERS = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-cache")]
watchers: dict[str, set[asyncio.Event]] = defaultdict(set)
listeners: list["asyncio.Task[None]"] = []


async def application(scope: MutableMapping[str, Any], receive: Callable[[], Awaitable[Any]], send: Send) -> None:
    if scope["type"] != "http":
        return
    table = scope["path"].removeprefix("/api/v1/tables/").removesuffix("/events")
    if len(table) != len(str(UUID(int=0))):
        await answer(send, 404, b"")
        return
    if not listeners:
        listeners.append(asyncio.create_task(listen()))
    caller = await sync_to_async(repository.glance)(UUID(table), digest_of(scope))
    if not (caller.is_known and caller.is_found):
        await answer(send, 404, b"")
        return
    await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
    await send({"type": "http.response.body", "body": b"retry: 1000\n\n", "more_body": True})
    await watch(table, send)


async def watch(table: str, send: Send) -> None:
    woken = asyncio.Event()
    watchers[table].add(woken)
    try:
        while True:
            body = b"event: table\ndata: {}\n\n"
            try:
                await asyncio.wait_for(woken.wait(), BEAT)
                woken.clear()
            except TimeoutError:
                body = b": still here\n\n"
            await send({"type": "http.response.body", "body": body, "more_body": True})
    finally:
        watchers[table].discard(woken)


async def listen() -> None:
    async with Redis.from_url(settings.REDIS_URL).pubsub(ignore_subscribe_messages=True) as channel:
        await channel.subscribe(CHANNEL)
        async for message in channel.listen():
            for woken in watchers[message["data"].decode().split()[0]]:
                woken.set()


def digest_of(scope: MutableMapping[str, Any]) -> str:
    token = dict(scope["headers"])[b"authorization"].removeprefix(b"Bearer ")
    return str(hash_token(token.decode()))


async def answer(send: Send, status: int, body: bytes) -> None:
    await send({"type": "http.response.start", "status": status, "headers": []})
    await send({"type": "http.response.body", "body": body})
