"""Access to Redis, which may be away: commands have short time-outs, and after a failure Redis is not asked for 5 s."""

import json
import logging
import time
from base64 import b64encode
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from threading import Lock
from typing import Any, TypeVar
from uuid import uuid4

from celery import current_app
from django.conf import settings
from redis import BlockingConnectionPool, Connection, Redis
from redis.client import PubSub
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError

from runtime.connections import release_connection
from runtime.logs import Absence

PATIENCE = 0.5
"""Seconds to wait for Redis."""
MOST = 32
"""Connections of one process."""
LEFT_ALONE = 5
"""Seconds for which this process does not ask Redis after it has not answered."""

ABSENCE = Absence("Redis")
"""Whether this process has noticed that Redis does not answer."""

log = logging.getLogger(__name__)
T = TypeVar("T")


class Connections(BlockingConnectionPool):
    """Redis's pool, with a shorter way for single commands.

    Every move sends such a command. The client's way through the pool, retries and events takes four times the CPU.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)  # type: ignore[no-untyped-call]
        self._idle: list[Connection] = []

    def send(self, *words: str) -> None:
        """Send over an idle connection, or over a new one if Redis has closed the idle ones. Raises ``RedisError``."""
        with suppress(IndexError, RedisConnectionError):
            self._send_over(self._idle.pop(), words)
            return
        self._idle.clear()
        self._send_over(self.connection_class(**self.connection_kwargs), words)

    def _send_over(self, connection: Connection, words: tuple[str, ...]) -> None:
        """Send, and keep the connection. After an error it is closed."""
        connection.send_command(*words, check_health=False)  # type: ignore[no-untyped-call]
        connection.read_response()
        self._idle.append(connection)


@cache
def client() -> Redis:
    """Return the client of this process, with its pool of connections. Django's cache makes a client per command.

    If all connections are in use, a command waits for one. So many requests at once do not make Redis seem away.
    """
    patience = {"socket_timeout": PATIENCE, "socket_connect_timeout": PATIENCE, "timeout": PATIENCE}
    return Redis(connection_pool=Connections.from_url(settings.REDIS_URL, max_connections=MOST, **patience))


def pool_of(client: Redis) -> Connections:
    pool = client.connection_pool
    assert isinstance(pool, Connections)
    return pool


def channel() -> PubSub:
    """Return a subscriber. It ignores the confirmations of its own subscriptions."""
    return client().pubsub(ignore_subscribe_messages=True)  # type: ignore[no-any-return,no-untyped-call]


class RetryTime:
    """When this process asks Redis again after a failure.

    Then one thread asks first and the others go on without Redis, so that only one waits if Redis still hangs.
    """

    asks_from: float = 0
    _lock = Lock()

    @classmethod
    def began(cls) -> float | None:
        """Return the current monotonic time if Redis may be asked now, else ``None``."""
        now = time.monotonic()
        with cls._lock:
            if now < cls.asks_from:
                return None
            if cls.asks_from:
                cls.asks_from = now + LEFT_ALONE
        return now

    @classmethod
    def was_lost_since(cls, began: float) -> bool:
        """Whether another thread, which asked at the same time, got no answer."""
        return cls.asks_from > began + LEFT_ALONE

    @classmethod
    def note_failure(cls) -> None:
        cls.asks_from = time.monotonic() + LEFT_ALONE

    @classmethod
    def note_answer(cls, began: float) -> None:
        if not cls.was_lost_since(began):
            cls.asks_from = 0


def ask(command: Callable[[Redis], T], otherwise: str) -> T | None:
    """Return Redis's answer, or ``None`` while it is away. After a failure the log says ``otherwise``, once."""
    return call_redis(lambda: command(client()), otherwise)


def send(*words: str, otherwise: str) -> None:
    """Send one command and wait until Redis has it. While Redis is away, log ``otherwise`` once."""
    call_redis(lambda: pool_of(client()).send(*words), otherwise)


def tell_worker(
    task: str, *arguments: object, otherwise: str, queue: str = "celery", countdown: float | None = None
) -> None:
    """Put a task into a queue of Celery's, which are lists in Redis. A worker begins it after ``countdown`` seconds.

    Celery's own publisher needs several times as much CPU, which every move before a bot's would pay.
    """
    message = task_message(task, arguments, queue, countdown)
    send("LPUSH", queue, message, otherwise=otherwise)


def task_message(task: str, arguments: tuple[object, ...], queue: str, countdown: float | None = None) -> str:
    """Return the message of a task as Celery and its transport for Redis write it. A test compares them."""
    name = str(uuid4())
    known = current_app.tasks.get(task)  # like Celery, give the time limits of a task that this process knows
    limits = {"time_limit": known.time_limit, "soft_time_limit": known.soft_time_limit} if known else {}
    words = {"argsrepr": repr(arguments), "kwargsrepr": "{}", "ignore_result": None}
    made = current_app.amqp.create_task_message(name, task, arguments, countdown=countdown, **words, **limits)
    properties = {
        **made.properties,
        "delivery_mode": 2,
        "delivery_info": {"exchange": "", "routing_key": queue},
        "priority": 0,
        "body_encoding": "base64",
        "delivery_tag": name,
    }
    return json.dumps(
        {
            "body": b64encode(json.dumps(made.body).encode()).decode(),
            "content-encoding": "utf-8",
            "content-type": "application/json",
            "headers": made.headers,
            "properties": properties,
        }
    )


def call_redis(act: Callable[[], T], otherwise: str) -> T | None:
    """Call ``act`` and return its result; ``None`` while Redis is away.

    First return the database connection to the pool, so that others can use it while this thread waits for Redis.
    """
    began = RetryTime.began()
    if began is None:
        return None
    release_connection()
    try:
        answer = act()
    except RedisError as error:
        RetryTime.note_failure()
        ABSENCE.begin(log, otherwise, error)
        return None
    RetryTime.note_answer(began)
    ABSENCE.end(log)
    return answer
