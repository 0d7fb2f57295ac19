"""The latest versions of tables that this process has loaded or written: one a table, as a snapshot and as rows.

Each stored value belongs to one version of its table and never changes, so it is correct for that version. A version
that is not stored is loaded from the database.
"""

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar
from uuid import UUID

from django.conf import settings
from django.db import transaction

from tables import refusals, repository
from tables.models import Table
from tables.snapshots import Snapshot

T = TypeVar("T", Snapshot, Table)


class Memory(Generic[T]):
    """The newest versions of the tables used last, at most ``most`` of them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[UUID, T] = OrderedDict()
        self._lock = Lock()

    def find(self, table: UUID, version: int | None) -> T | None:
        """Return a table in this version, if it is stored."""
        with self._lock:
            found = self._kept.get(table)
            if found is None or found.version != version:
                return None
            self._kept.move_to_end(table)
            return found

    def find_any(self, table: UUID) -> T | None:
        """Return the version of a table that is stored, if any."""
        with self._lock:
            return self._kept.get(table)

    def keep(self, table: T) -> None:
        """Store a version in place of an older one of its table.

        If there are too many tables, the least recently used one is dropped.
        """
        with self._lock:
            self._kept[table.id] = table
            self._kept.move_to_end(table.id)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()


class Rows(Memory[Table]):
    """Rows of tables with their seats and players. Nobody may change them."""


MEMORY = Memory[Snapshot](settings.SNAPSHOTS)
"""The snapshots of this process, for moves and positions."""
ROWS = Rows(settings.SNAPSHOTS)
"""The rows of this process, for calls that present a table."""


def keep_after_commit(snapshot: Snapshot) -> None:
    """Store a snapshot after the commit: at once outside a transaction, and never after a rollback."""
    transaction.on_commit(lambda: MEMORY.keep(snapshot))


def find(table: UUID, version: int | None) -> Snapshot | None:
    """Return the table's snapshot of this version, if this process remembers it."""
    return MEMORY.find(table, version)


def load(table: UUID, version: int | None = None) -> Snapshot | None:
    """Return the table's snapshot; ``None`` for an unknown table.

    ``version`` is the table's current version, if the caller knows it: ``repository.lock`` returns it. If another
    version is stored, only the moves after that one are replayed.
    """
    if found := find(table, version):
        return found
    loaded = repository.load(table)
    if loaded is not None:
        if earlier := MEMORY.find_any(table):
            loaded.use_replay_of(earlier)
        keep_after_commit(loaded)
    return loaded


def load_rows(table: UUID, version: int | None) -> Table:
    """Return the table with its seats and players. Nobody may change them. Raises ``NotFound``.

    ``version`` is the table's current version, if the caller knows it.
    """
    if found := ROWS.find(table, version):
        return found
    loaded = Table.objects.with_seats().filter(pk=table).first()
    if loaded is None:
        raise refusals.NotFound
    transaction.on_commit(lambda: ROWS.keep(loaded))
    return loaded
