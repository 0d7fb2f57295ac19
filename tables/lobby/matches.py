"""Changes in a running match that are not moves: they are collected and written in the same way as moves."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.utils import timezone

from tables import memory, repository, writing
from tables.changes import Changes
from tables.models import Table


@contextmanager
def changes_in(table: Table) -> Iterator[Changes]:
    """Yield empty changes to a locked match, and write what was decided meanwhile. The row then has the new values."""
    snapshot = memory.load(table.id, table.version)
    assert snapshot is not None
    changes = Changes.to(snapshot, repository.SOURCES, timezone.now())
    yield changes
    if changes.events:
        changes.columns["changed_at"] = changes.at
        writing.write(changes)
        table.refresh_from_db()
