"""Redis as something that may be away: asked with little patience, and left alone for a while when it is."""

import logging
import time
from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import Any, TypeVar

from celery import current_app
from django.conf import settings
from kombu.exceptions import LimitExceeded, OperationalError
from redis import BlockingConnectionPool, Redis
from redis.client import PubSub
from redis.exceptions import RedisError

from rest.connections import give_back

PATIENCE = 0.5
"""Seconds to wait for Redis."""
MOST = 32
"""Connections of one process."""
LEFT_ALONE = 5
"""Seconds to do without it once it has not answered."""

log = logging.getLogger(__name__)
T = TypeVar("T")


@cache
def client() -> Redis:
    """The connections of this process. Kept, for Django's cache makes a new client for every command.

    Requests that are served at once wait for each other: a crowd is no reason to take Redis for away.
    """
    patience = {"socket_timeout": PATIENCE, "socket_connect_timeout": PATIENCE, "timeout": PATIENCE}
    return Redis(connection_pool=BlockingConnectionPool.from_url(settings.REDIS_URL, max_connections=MOST, **patience))


def channel() -> PubSub:
    """Where messages arrive; without the answers to one's own commands."""
    return client().pubsub(ignore_subscribe_messages=True)  # type: ignore[no-any-return,no-untyped-call]


class Patience:
    """When this process asks Redis again. Then one asks for all, so that only one waits if it hangs still."""

    asks_from: float = 0
    _lock = Lock()

    @classmethod
    def began(cls) -> float | None:
        """The time from which to ask, which is now; or ``None`` if Redis is left alone."""
        now = time.monotonic()
        with cls._lock:
            if now < cls.asks_from:
                return None
            if cls.asks_from:
                cls.asks_from = now + LEFT_ALONE
        return now

    @classmethod
    def was_lost_since(cls, began: float) -> bool:
        """Whether somebody else, who asked at the same time, got no answer."""
        return cls.asks_from > began + LEFT_ALONE

    @classmethod
    def lose(cls) -> None:
        cls.asks_from = time.monotonic() + LEFT_ALONE

    @classmethod
    def regain(cls, began: float) -> None:
        if not cls.was_lost_since(began):
            cls.asks_from = 0


def ask(command: Callable[[Redis], T], otherwise: str) -> T | None:
    """The answer of Redis, or ``None`` while it is away; the log says once what happens instead."""
    return with_patience(lambda _: command(client()), otherwise)


def tell_worker(task: str, *arguments: object, otherwise: str, **how: Any) -> None:
    """Send a task: Redis is the broker, too, though Celery has connections of its own to it."""

    def send(began: float) -> None:
        with current_app.producer_pool.acquire(block=True, timeout=PATIENCE) as producer:
            if not Patience.was_lost_since(began):
                current_app.send_task(task, arguments, producer=producer, **how)

    with_patience(send, otherwise)


def with_patience(act: Callable[[float], T], otherwise: str) -> T | None:
    """What comes of an act that began at a time. Whoever waits for Redis keeps no connection that others could use."""
    began = Patience.began()
    if began is None:
        return None
    give_back()
    try:
        answer = act(began)
    except (RedisError, OperationalError, LimitExceeded) as error:
        Patience.lose()
        log.warning("Redis does not answer, so %s: %s", otherwise, error)
        return None
    Patience.regain(began)
    return answer
