"""Watchers, which wait for a table or a list to change, and the methods that wake them."""

import threading
import time
from collections.abc import Mapping
from uuid import UUID


class Watcher:
    """Waits at one table. ``latest`` is the newest version that this process has been notified of meanwhile.

    ``address`` is where the caller's requests come from; an empty one is not counted.
    """

    __slots__ = ("_woken", "address", "is_doubted", "is_last_call", "latest", "who")

    def __init__(self, who: str, address: str = "") -> None:
        self.who = who
        self.address = address
        self.latest = 0
        self.is_last_call = False
        self.is_doubted = False
        self._woken = threading.Event()

    def notify(self, version: int, table: UUID | None = None) -> None:
        self.latest = max(self.latest, version)
        self._woken.set()

    def is_table(self, key: UUID) -> bool:
        """Whether this key, under which the watcher is registered, is a table's id."""
        return True

    def notify_of_shutdown(self) -> None:
        """Wake the watcher because the process is about to end."""
        self.is_last_call = True
        self._woken.set()

    def notify_of_ended_token(self) -> None:
        """Wake the watcher because a token of the caller's has ended. It may be the one that they watch with."""
        self.is_doubted = True
        self._woken.set()

    def must_check_token(self) -> bool:
        """Whether the caller's token has to be checked again. Clears that flag."""
        was_doubted, self.is_doubted = self.is_doubted, False
        return was_doubted

    def is_ahead(self, version: int) -> bool:
        """Whether there is a reason not to wait for the version after this one."""
        return self.latest > version or self.is_last_call or self.is_doubted

    def wait_beyond(self, version: int, seconds: float) -> bool:
        """Wait until the table is beyond this version, the time is over, or watching may have to end.

        Returns whether the table is beyond this version.
        """
        deadline = time.monotonic() + seconds
        while not self.is_ahead(version):
            self._woken.clear()
            if self.is_ahead(version):  # notified between the check and ``clear``
                break
            if not self._woken.wait(max(0.0, deadline - time.monotonic())):
                return False
        return self.latest > version


class ListWatcher(Watcher):
    """Waits for any of several tables, or for a further one. ``known`` are the versions that are known already."""

    __slots__ = ("_changed", "_known", "_lock")

    def __init__(self, who: str, known: Mapping[UUID, int], address: str = "") -> None:
        super().__init__(who, address)
        self._known = dict(known)
        self._changed: set[UUID] | None = set()
        self._lock = threading.Lock()

    def notify(self, version: int, table: UUID | None = None) -> None:
        if table is None or version <= self._known.get(table, 0):
            return
        with self._lock:
            self._known[table] = version
            if self._changed is not None:
                self._changed.add(table)
        self._woken.set()

    def is_table(self, key: UUID) -> bool:
        return key in self._known

    def wake_to_look(self) -> None:
        """Wake the watcher because there may be changes without a notification."""
        with self._lock:
            self._changed = None
        self._woken.set()

    def wait(self, seconds: float) -> bool:
        """Wait until there is news, the time is over, or watching may have to end.

        Returns whether something woke it.
        """
        return self._woken.wait(max(0.0, seconds))

    def news(self) -> set[UUID] | None:
        """Return the tables that have changed since the last call; ``None`` if it may be any."""
        with self._lock:
            changed, self._changed = self._changed, set()
            if not self.is_last_call:
                self._woken.clear()
        return changed
