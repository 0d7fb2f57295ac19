"""The latest snapshots that this process has loaded or written, one a table.

A snapshot is immutable and belongs to one version of its table, so one that is found here is correct. One that is not
found is loaded.
"""

from collections import OrderedDict
from threading import Lock
from uuid import UUID

from django.conf import settings
from django.db import transaction

from tables import repository
from tables.snapshots import Snapshot


class Memory:
    """The newest snapshots of the tables used last, at most ``most`` of them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._snapshots: OrderedDict[UUID, Snapshot] = OrderedDict()
        self._lock = Lock()

    def find(self, table: UUID, version: int | None) -> Snapshot | None:
        """Return the snapshot of a table in this version, if it is stored."""
        with self._lock:
            found = self._snapshots.get(table)
            if found is None or found.version != version:
                return None
            self._snapshots.move_to_end(table)
            return found

    def keep(self, snapshot: Snapshot) -> None:
        """Store a snapshot in place of an older one of its table. The least recently used table is dropped."""
        with self._lock:
            self._snapshots[snapshot.id] = snapshot
            self._snapshots.move_to_end(snapshot.id)
            while len(self._snapshots) > self._most:
                self._snapshots.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._snapshots.clear()


MEMORY = Memory(settings.SNAPSHOTS)
"""The one instance of this process."""


def keep_after_commit(snapshot: Snapshot) -> None:
    """Store a snapshot after the commit: at once outside a transaction, and never after a rollback."""
    transaction.on_commit(lambda: MEMORY.keep(snapshot))


def load(table: UUID, version: int | None = None) -> Snapshot | None:
    """Return the table's snapshot, without a lock.

    ``version`` is the table's current version, if the caller knows it.
    """
    found = MEMORY.find(table, version)
    return found or kept(repository.load(table))


def lock(table: UUID) -> Snapshot | None:
    """Lock the table until this transaction ends, and return its snapshot; ``None`` for an unknown table."""
    version = repository.lock(table)
    return None if version is None else load(table, version)


def kept(snapshot: Snapshot | None) -> Snapshot | None:
    if snapshot is not None:
        keep_after_commit(snapshot)
    return snapshot
