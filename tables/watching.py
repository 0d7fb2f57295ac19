"""Waiting for a table to change: Redis tells every process which table has, and without it the versions are looked up.

One thread a process listens; whoever waits is woken by it. A lost message costs the time until the next look.
"""

import logging
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from uuid import UUID

from django.conf import settings
from django.db import Error, close_old_connections, connection, transaction
from redis.client import PubSub
from redis.exceptions import RedisError

from rest import redis
from rest.away import let_go
from tables.models import Table

CHANNEL = "mexican-train:tables"
BREATH = 1.0
"""Seconds that the listener hears to Redis without looking up, and between two looks at the versions without it."""
LOOKS_EVERY = 10.0
"""Seconds between two looks at the versions while Redis tells them: for messages that were lost."""

log = logging.getLogger(__name__)


def announce_after_commit(table: UUID, version: int) -> None:
    """Wake whoever waits for this table, in every process, once this transaction is committed."""
    transaction.on_commit(lambda: announce(table, version))


def announce(table: UUID, version: int) -> None:
    redis.ask(lambda client: client.publish(CHANNEL, f"{table} {version}"), "watchers look for themselves")


class Crowded(Exception):
    """Nobody more can wait here now."""


class TooManyOfOne(Crowded):
    """This caller has as many waiting already as one may have."""


class Watcher:
    """One who waits at a table. ``latest`` is the newest version that this process has heard of since."""

    __slots__ = ("_woken", "is_last_call", "latest")

    def __init__(self) -> None:
        self.latest = 0
        self.is_last_call = False
        self._woken = threading.Event()

    def tell(self, version: int) -> None:
        self.latest = max(self.latest, version)
        self._woken.set()

    def tell_last(self) -> None:
        """The process is about to end."""
        self.is_last_call = True
        self._woken.set()

    def wait_beyond(self, version: int, seconds: float) -> bool:
        """Until the table is beyond this version, or the seconds are over, or this process is about to end."""
        deadline = time.monotonic() + seconds
        while self.latest <= version and not self.is_last_call:
            self._woken.clear()
            if self.latest > version or self.is_last_call:  # told between the question and the clearing
                break
            if not self._woken.wait(max(0.0, deadline - time.monotonic())):
                return False
        return self.latest > version


class Watchtower:
    """All who wait in this process. ``is_closing`` tells when the process is about to end."""

    def __init__(self) -> None:
        self.is_closing: Callable[[], bool] = lambda: False
        self._watchers: dict[UUID, set[Watcher]] = defaultdict(set)
        self._callers: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._listener: threading.Thread | None = None
        self._looked_at = 0.0

    @property
    def count(self) -> int:
        """How many wait in this process."""
        return self._callers.total()

    @property
    def is_listening(self) -> bool:
        return self._listener is not None

    @contextmanager
    def watching(self, table: UUID, who: str) -> Iterator[Watcher]:
        """Inside, every change is told to the watcher; ask for the version after entering, so that none is missed.

        Raises ``Crowded``.
        """
        watcher = Watcher()
        with self._lock:
            self._enter(table, who, watcher)
            self._listen_if_nobody_does()
        try:
            yield watcher
        finally:
            with self._lock:
                self._leave(table, who, watcher)

    def _enter(self, table: UUID, who: str, watcher: Watcher) -> None:
        if self._callers[who] >= settings.WATCHERS_OF_ONE:
            raise TooManyOfOne
        if self.count >= settings.WATCHERS:
            raise Crowded
        self._callers[who] += 1
        self._watchers[table].add(watcher)

    def _leave(self, table: UUID, who: str, watcher: Watcher) -> None:
        self._callers[who] -= 1
        self._watchers[table].discard(watcher)
        if not self._callers[who]:
            del self._callers[who]
        if not self._watchers[table]:
            del self._watchers[table]

    def _listen_if_nobody_does(self) -> None:
        if self._listener is None or not self._listener.is_alive():
            self._listener = threading.Thread(target=self._listen, name="watchtower", daemon=True)
            self._listener.start()

    def _listen(self) -> None:
        """Until nobody waits any longer: with Redis while it answers, else by looking."""
        try:
            while self._is_needed():
                try:
                    self._listen_to_redis()
                except RedisError as error:
                    log.warning("Redis does not answer, so watchers look for themselves: %s", error)
                    self._look_without_redis()
        finally:
            connection.close()

    def _is_needed(self) -> bool:
        """Whether anybody waits. After a no the listener ends, and the next watcher starts another."""
        with self._lock:
            if not self._watchers:
                self._listener = None
            return bool(self._watchers)

    def _listen_to_redis(self) -> None:
        with redis.channel() as channel:
            channel.subscribe(CHANNEL)
            self._look()  # what was told before the channel was open
            while self._is_needed():
                self._hear(channel)
                self._round(LOOKS_EVERY)

    def _hear(self, channel: PubSub) -> None:
        message = channel.get_message(timeout=BREATH)
        if message is None:
            return
        with suppress(ValueError):
            table, version = message["data"].decode().split()
            self._tell(UUID(table), int(version))

    def _look_without_redis(self) -> None:
        for _ in range(redis.LEFT_ALONE):
            time.sleep(BREATH)
            self._round(0)

    def _round(self, seconds: float) -> None:
        """What is to be seen to besides the messages."""
        if self.is_closing():
            for watcher in self._everybody():
                watcher.tell_last()
        if time.monotonic() >= self._looked_at + seconds:
            self._look()

    def _look(self) -> None:
        """Ask the database for the versions of every table that somebody waits at, in one query."""
        self._looked_at = time.monotonic()
        with self._lock:
            tables = list(self._watchers)
        if not tables:
            return
        try:
            for table, version in Table.objects.filter(id__in=tables).values_list("id", "version"):
                self._tell(table, version)
        except Error as error:
            log.warning("The database does not answer; watchers wait on: %s", error)
            let_go(error)
        close_old_connections()

    def _tell(self, table: UUID, version: int) -> None:
        for watcher in self._at(table):
            watcher.tell(version)

    def _at(self, table: UUID) -> list[Watcher]:
        with self._lock:
            return list(self._watchers.get(table, ()))

    def _everybody(self) -> list[Watcher]:
        with self._lock:
            return [watcher for here in self._watchers.values() for watcher in here]


TOWER = Watchtower()
"""This process's own."""
