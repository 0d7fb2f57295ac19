"""Redis as something that may be away: asked with little patience, and left alone for a while when it is."""

import logging
import time
from collections.abc import Callable
from functools import cache
from typing import TypeVar

from django.conf import settings
from redis import BlockingConnectionPool, Redis
from redis.client import PubSub
from redis.exceptions import RedisError

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
    """When this process asks Redis again."""

    asks_from: float = 0

    @classmethod
    def is_over(cls) -> bool:
        return time.monotonic() < cls.asks_from


def ask(command: Callable[[Redis], T], otherwise: str) -> T | None:
    """The answer of Redis, or ``None`` while it is away; the log says once what happens instead."""
    if Patience.is_over():
        return None
    try:
        return command(client())
    except RedisError as error:
        Patience.asks_from = time.monotonic() + LEFT_ALONE
        log.warning("Redis does not answer, so %s: %s", otherwise, error)
        return None
