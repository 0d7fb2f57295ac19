"""Waiting for a table or a list to change. Redis notifies every process; without Redis, the database is polled.

One thread a process listens and wakes the watchers. A lost message delays them until the next look at the database.
"""

import logging
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import Error, close_old_connections, connection, transaction
from django.utils.translation import gettext_noop as N_
from knox.models import AuthToken
from redis.client import PubSub
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError

from players.models import Player
from rest.problems import TooManyRequests, Unavailable
from runtime import database_away, redis_commands
from tables.models import Table
from tables.watchers import ListWatcher, Watcher

CHANNEL = "mexican-train:tables"
BREATH = 1.0
"""Seconds that the listener waits for a message at a time. Without Redis, seconds between two looks at the versions."""
LOOKS_EVERY = 10.0
"""Seconds between two looks at the versions while Redis works, in case a message was lost."""
LISTS_LOOK_EVERY = 3.0
"""Seconds between two looks at the watched lists without Redis. Each look costs one query a list."""
LOBBY = UUID(int=0)
"""The key of the list of public tables. A player's own lists have the player's id as their key."""

log = logging.getLogger(__name__)


def announce_after_commit(table: UUID, version: int, lists: Iterable[UUID] = ()) -> None:
    """Wake everybody who waits for this table, in every process, once this transaction is committed.

    ``lists`` are the keys of the lists that contain the table.
    """
    message = " ".join(map(str, (table, version, *lists)))
    transaction.on_commit(lambda: announce(message))


def announce(message: str) -> None:
    redis_commands.send("PUBLISH", CHANNEL, message, otherwise="watchers look for themselves")


def on_token_ended(instance: AuthToken, **kwargs: Any) -> None:
    """After the commit, have the player's streams and held answers check their tokens, and end if theirs has ended.

    While Redis is away they are not notified; streams also check their tokens once a minute.
    """
    check_tokens_after_commit(instance.user_id)


def on_player_gone(player: Player, **kwargs: Any) -> None:
    check_tokens_after_commit(player.pk)


def check_tokens_after_commit(player: UUID) -> None:
    """After the commit, send a message with one word: the player's id. Processes of an older release ignore it."""
    transaction.on_commit(lambda: announce(str(player)))


class Crowded(Unavailable):
    """Too many clients wait already, in this process or from this address."""

    detail = N_("Too many clients are waiting for changes; try again in a moment, or poll the position.")
    wait = 5


class TooManyOfOne(Crowded):
    """This caller has as many watchers already as one may have."""

    detail = N_("You have too many streams open; close some.")
    status, code = TooManyRequests.status, TooManyRequests.code


class Watchtower:
    """All watchers of this process. ``is_closing`` returns whether the process is about to end."""

    def __init__(self) -> None:
        self.is_closing: Callable[[], bool] = lambda: False
        self._watchers: dict[UUID, set[Watcher]] = defaultdict(set)
        self._callers: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._listener: threading.Thread | None = None
        self._looked_at = 0.0
        self._lists_looked_at = 0.0

    @property
    def count(self) -> int:
        """The number of watchers in this process."""
        return self._callers.total()

    @property
    def is_listening(self) -> bool:
        return self._listener is not None

    @contextmanager
    def watching(self, table: UUID, who: str, address: str = "") -> Iterator[Watcher]:
        """In the block, the watcher is notified of every change.

        Read the version after entering the block, so that no change is missed. Raises ``Crowded``.
        """
        watcher = Watcher(who, address)
        with self._registered((table,), watcher):
            yield watcher

    @contextmanager
    def watching_lists(
        self, keys: Iterable[UUID], who: str, known: Mapping[UUID, int], address: str = ""
    ) -> Iterator[ListWatcher]:
        """The same for several keys together: ids of tables and of players, and ``LOBBY``."""
        watcher = ListWatcher(who, known, address)
        with self._registered(tuple(set(keys)), watcher):
            yield watcher

    @contextmanager
    def _registered(self, keys: Sequence[UUID], watcher: Watcher) -> Iterator[None]:
        with self._lock:
            self._enter(keys, watcher)
            self._listen_if_nobody_does()
        try:
            yield
        finally:
            with self._lock:
                self._leave(keys, watcher)

    def _enter(self, keys: Sequence[UUID], watcher: Watcher) -> None:
        if self._callers[watcher.who] >= settings.WATCHERS_OF_ONE:
            raise TooManyOfOne
        is_address_full = watcher.address and self._addresses[watcher.address] >= settings.WATCHERS_OF_ADDRESS
        if is_address_full or self.count >= settings.WATCHERS:
            raise Crowded
        self._callers[watcher.who] += 1
        self._addresses[watcher.address] += 1
        for key in keys:
            self._watchers[key].add(watcher)

    def _leave(self, keys: Sequence[UUID], watcher: Watcher) -> None:
        for counter, name in ((self._callers, watcher.who), (self._addresses, watcher.address)):
            counter[name] -= 1
            if not counter[name]:
                del counter[name]
        for key in keys:
            self._watchers[key].discard(watcher)
            if not self._watchers[key]:
                del self._watchers[key]

    def _listen_if_nobody_does(self) -> None:
        if self._listener is None or not self._listener.is_alive():
            self._listener = threading.Thread(target=self._listen, name="watchtower", daemon=True)
            self._listener.start()

    def _listen(self) -> None:
        """Run until nobody waits any longer: with Redis while it answers, else by polling."""
        try:
            while self._is_needed():
                try:
                    self._listen_to_redis()
                except RedisError as error:
                    redis_commands.ABSENCE.begin(log, "watchers look for themselves", error)
                    self._look_without_redis()
        finally:
            connection.close()

    def _is_needed(self) -> bool:
        """Whether anybody waits. If not, the listener ends, and the next watcher starts another."""
        with self._lock:
            if not self._watchers:
                self._listener = None
            return bool(self._watchers)

    def _listen_to_redis(self) -> None:
        with redis_commands.channel() as channel:
            channel.subscribe(CHANNEL)
            self._look()  # what changed before the channel was open
            self._wake_lists()
            is_asked = False
            while self._is_needed():
                if self._receive(channel):
                    is_asked = False
                elif is_asked:
                    raise RedisTimeoutError("no answer to a PING")
                else:
                    channel.ping()
                    is_asked = True
                self._round(LOOKS_EVERY)

    def _receive(self, channel: PubSub) -> bool:
        """Handle the next message.

        Returns False if none arrived: Redis is quiet, or it hangs with the connection open.
        """
        message = channel.get_message(timeout=BREATH)
        if message is None:
            return False
        redis_commands.ABSENCE.end(log)
        if message["type"] == "message":
            self._handle(message["data"].decode().split())
        return True

    def _handle(self, words: Sequence[str]) -> None:
        if len(words) == 1:
            self._notify_of_ended_token(words[0])
            return
        with suppress(ValueError):
            table, version, *lists = words
            self._notify(UUID(table), int(version), *map(UUID, lists))

    def _look_without_redis(self) -> None:
        for _ in range(redis_commands.LEFT_ALONE):
            self._round(0)
            time.sleep(BREATH)
            if time.monotonic() >= self._lists_looked_at + LISTS_LOOK_EVERY:
                self._wake_lists()

    def _wake_lists(self) -> None:
        self._lists_looked_at = time.monotonic()
        for watcher in self._everybody():
            if isinstance(watcher, ListWatcher):
                watcher.wake_to_look()

    def _round(self, seconds: float) -> None:
        """Do what is due besides messages: tell watchers that the process ends, and look at the versions."""
        if self.is_closing():
            for watcher in self._everybody():
                watcher.notify_of_shutdown()
        if time.monotonic() >= self._looked_at + seconds:
            self._look()

    def _look(self) -> None:
        """Load the versions of all watched tables in one query, and notify their watchers."""
        self._looked_at = time.monotonic()
        with self._lock:
            tables = [key for key, here in self._watchers.items() if any(each.is_table(key) for each in here)]
        if not tables:
            return
        try:
            for table, version in Table.objects.filter(id__in=tables).values_list("id", "version"):
                self._notify(table, version)
        except Error as error:
            database_away.ABSENCE.begin(log, "watchers wait on", error)
            database_away.let_go(error)
        close_old_connections()

    def _notify(self, table: UUID, version: int, *lists: UUID) -> None:
        for watcher in self._at(table, *lists):
            watcher.notify(version, table)

    def _notify_of_ended_token(self, who: str) -> None:
        for watcher in self._everybody():
            if watcher.who == who:
                watcher.notify_of_ended_token()

    def _at(self, *keys: UUID) -> set[Watcher]:
        with self._lock:
            return {watcher for key in keys for watcher in self._watchers.get(key, ())}

    def _everybody(self) -> set[Watcher]:
        with self._lock:
            return {watcher for here in self._watchers.values() for watcher in here}


TOWER = Watchtower()
"""The one instance of this process."""
