"""Snapshots kept in memory: what a process has loaded or written of a table, until the table has another version.

A snapshot is immutable and named by table and version, so one that is found is right. Nothing depends on finding it.
"""

from collections import OrderedDict
from threading import Lock
from uuid import UUID

from django.conf import settings
from django.db import transaction

from tables import repository
from tables.snapshots import Snapshot


class Memory:
    """The newest snapshots of the tables that were used last, at most ``most`` of them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._snapshots: OrderedDict[UUID, Snapshot] = OrderedDict()
        self._lock = Lock()

    def find(self, table: UUID, version: int | None) -> Snapshot | None:
        """The snapshot of a table in this version, if it is here."""
        with self._lock:
            found = self._snapshots.get(table)
            if found is None or found.version != version:
                return None
            self._snapshots.move_to_end(table)
            return found

    def keep(self, snapshot: Snapshot) -> None:
        """Keep this snapshot in place of any other of its table; the table that was not used for longest goes."""
        with self._lock:
            self._snapshots[snapshot.id] = snapshot
            self._snapshots.move_to_end(snapshot.id)
            while len(self._snapshots) > self._most:
                self._snapshots.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._snapshots.clear()


MEMORY = Memory(settings.SNAPSHOTS)
"""This process's own."""


def keep_after_commit(snapshot: Snapshot) -> None:
    """Keep a snapshot once what it shows is committed: at once outside a transaction, never after a rollback."""
    transaction.on_commit(lambda: MEMORY.keep(snapshot))


def load(table: UUID, version: int | None = None) -> Snapshot | None:
    """The table as it is now, without a lock; ``version`` is what the caller knows it to have, if they have looked."""
    found = MEMORY.find(table, version)
    return found or kept(repository.load(table))


def lock(table: UUID) -> Snapshot | None:
    """The table as it is now, and nobody else writes to it before this transaction ends."""
    version = repository.lock(table)
    return None if version is None else load(table, version)


def kept(snapshot: Snapshot | None) -> Snapshot | None:
    if snapshot is not None:
        keep_after_commit(snapshot)
    return snapshot
