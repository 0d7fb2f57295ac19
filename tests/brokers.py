"""Brokers for tests: a database of the real one that no worker reads, and three that take nothing: see ``USELESS``."""

import base64
import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import Any

import redis
from celery import current_app
from django.conf import settings

from config.connections import celery_broker
from runtime import redis_commands
from runtime.redis_commands import RetryTime

UNREAD = 9 + int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % 7
"""One for each process that runs tests: what one of them empties is nobody else's."""
FULL_DISK = b"-MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.\r\n"


@contextmanager
def broker_at(url: str) -> Iterator[None]:
    """Use another Redis, for tasks and for everything else but the cache.

    Nothing is remembered of the other one, neither connections to it nor that it did not answer.
    """
    used = settings.REDIS_URL
    try:
        use(url)
        yield
    finally:
        use(used)


def use(url: str) -> None:
    settings.REDIS_URL = url
    redis_commands.client.cache_clear()
    app: Any = current_app
    app.conf.broker_url = celery_broker(url)
    app._after_fork()
    RetryTime.asks_from = 0


@contextmanager
def unread() -> Iterator[redis.Redis]:
    """The real broker, in a database of its own, so that a worker elsewhere takes nothing away."""
    url = settings.REDIS_URL
    url = url.replace("db=0", f"db={UNREAD}") if "db=" in url else url.removesuffix("/0") + f"/{UNREAD}"
    with broker_at(url), redis.Redis.from_url(url) as client:
        yield client


def nudges(client: redis.Redis, table: dict[str, Any]) -> list[list[Any]]:
    """The arguments of every task that waits about this table, oldest first."""
    waiting = [json.loads(message) for queue in ("bots", "celery") for message in client.lrange(queue, 0, -1)]
    calls = [json.loads(base64.b64decode(message["body"]))[0] for message in reversed(waiting)]
    return [call for call in calls if call and call[0] == table["id"]]


@contextmanager
def down() -> Iterator[None]:
    """No server listens at the broker's address."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: connections are refused, and no other server can listen
        with broker_at(f"redis://127.0.0.1:{taken.getsockname()[1]}/0"):
            yield


@contextmanager
def silent() -> Iterator[None]:
    """A broker that hangs: it is connected to, and never answers."""
    server = socket.create_server(("127.0.0.1", 0), backlog=512)
    with server, broker_at(f"redis://127.0.0.1:{server.getsockname()[1]}/0"):
        yield


@contextmanager
def refusing() -> Iterator[None]:
    """A broker that answers every command as one does whose disk is full."""
    with Refusing() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            with broker_at(f"redis://127.0.0.1:{server.server_address[1]}/0"):
                yield
        finally:
            server.shutdown()
            thread.join()
            server.hang_up()


class Refusing(ThreadingTCPServer):
    """It has a thread for each client. Leaving its ``with`` block waits until they have ended."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), RefuseAll)
        self.clients: list[socket.socket] = []

    def hang_up(self) -> None:
        """Disconnect the clients, some of which would keep their connections for later."""
        for client in self.clients:
            with suppress(OSError):  # the client was faster
                client.shutdown(socket.SHUT_RDWR)


class RefuseAll(BaseRequestHandler):
    server: Refusing
    request: socket.socket

    def handle(self) -> None:
        self.server.clients.append(self.request)
        with suppress(OSError):
            while asked := self.request.recv(65536):
                self.request.sendall(FULL_DISK * max(1, asked.count(b"*")))


USELESS = (down, silent, refusing)
