"""Extends deadlines by outages: nobody loses time in which no move could be made.

Code that judges a request by a deadline adds the outages that the row does not include yet, so its answer does not
depend on when the rows are written. They are written so that everybody gets the new deadline, and so that the sweep
comes at the right time.
"""

import logging
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import Error, close_old_connections, connection, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from players import presence
from players.models import Kind
from runtime import database_away, uptime
from runtime.uptime import Outage
from tables import events, schedule, watching
from tables.models import Event, Seat, Status, Table

AT_ONCE = 200
COLUMNS = ("deadline", "deadline_set_at", "version", "changed_at", "due_at", "looks")

log = logging.getLogger(__name__)


def extended(
    deadline: datetime, set_at: datetime | None, received_at: datetime | None = None, now: datetime | None = None
) -> datetime:
    """Return a deadline plus the outages since it was set, up to ``received_at`` if that is given.

    A deadline that had passed before an outage began stays as it is.
    """
    for outage in uptime.outages_since(set_at or deadline, now):
        deadline = extended_by(outage, deadline, set_at, received_at)
    return deadline


def extended_by(
    outage: Outage, deadline: datetime, set_at: datetime | None, received_at: datetime | None = None
) -> datetime:
    begins = max(outage.began_at, set_at or outage.began_at)
    ends = min(outage.ended_at, received_at or outage.ended_at)
    return deadline + (ends - begins) if outage.began_at < deadline and begins < ends else deadline


def presented_deadline(table: UUID, deadline: datetime, now: datetime) -> datetime:
    """Return a person's deadline for an answer: with the outages that no row includes yet, and never in the past.

    The database is queried only for a deadline that seems to be over.
    """
    if deadline >= now:
        return deadline
    set_at = Table.objects.filter(pk=table, deadline=deadline).values_list("deadline_set_at", flat=True).first()
    return max(extended(deadline, set_at, now=now), now)


@dataclass(frozen=True, slots=True)
class TurnTime:
    """The deadline that a turn is judged by, and the time since which a request for it has waited."""

    deadline: datetime | None
    waits_since: datetime | None


def time_of(table: UUID, received_at: datetime | None = None) -> TurnTime:
    """Return the deadline of a locked table's turn, and the time since which a request received then has waited.

    A deadline that was set after ``received_at`` includes the wait until it was set.
    """
    deadline, set_at = Table.objects.filter(pk=table).values_list("deadline", "deadline_set_at").get()
    waits_since = received_at and max(received_at, set_at or received_at)
    return TurnTime(deadline and extended(deadline, set_at, received_at), waits_since)


def catch_up(table_id: UUID) -> None:
    """Add the outages that are over to a locked table's deadline, and write it."""
    table = Table.objects.get(pk=table_id)
    assert table.deadline is not None
    for outage in uptime.outages_since(table.deadline_set_at or table.deadline):
        if outage.is_over:
            extend(behind(outage).filter(pk=table_id), outage)


def extend_all() -> None:
    """Extend every running deadline by the outages that are not settled yet. Locked rows are left for the next call."""
    for period in uptime.unsettled():
        outage = uptime.outage_before(period)
        while outage is not None and extend_some(outage):
            pass
        if outage is not None and behind(outage).exists():
            return
        uptime.settle(period)


@transaction.atomic
def extend_some(outage: Outage) -> int:
    """Extend the deadlines of some tables, skipping locked ones. Returns how many."""
    tables = list(behind(outage).select_for_update(skip_locked=True, of=("self",)).order_by("id")[:AT_ONCE])
    extend(tables, outage)
    return len(tables)


def behind(outage: Outage) -> "QuerySet[Table]":
    """Return tables whose deadline does not include the outage yet.

    Their deadline was running when the outage began, or was set during it.
    """
    is_older = Q(deadline_set_at__lt=outage.ended_at) | Q(deadline_set_at=None)
    return Table.objects.filter(is_older, status=Status.PLAYING, due_at__isnull=False, deadline__gt=outage.began_at)


def extend(tables: Iterable[Table], outage: Outage) -> None:
    """Write the new deadlines of locked tables, each with its own event."""
    tables = list(tables)
    persons = played_by_persons(tables)
    for table in tables:
        assert table.deadline is not None
        table.deadline = extended_by(outage, table.deadline, table.deadline_set_at)
        table.deadline_set_at, table.changed_at = outage.ended_at, max(table.changed_at, timezone.now())
        table.version += 1
        if table.id in persons:  # for a bot, ``due_at`` stays as it was
            table.due_at, table.looks = table.deadline + schedule.GRACE, 0
        watching.announce_after_commit(table.id, table.version)
    Table.objects.bulk_update(tables, COLUMNS)
    new_events = ((table, events.table_changed(table, ["deadline"])) for table in tables)
    Event.objects.bulk_create(
        Event(table=table, version=table.version, kind=each.kind, data=each.data) for table, each in new_events
    )


def played_by_persons(tables: Iterable[Table]) -> set[UUID]:
    """Return the tables where a person is to move and no bot stands in."""
    movers = Seat.objects.filter(table__in=list(tables), number=F("table__turn"), stand_in="", player__kind=Kind.PERSON)
    return set(movers.values_list("table_id", flat=True))


class Watch:
    """A thread that records each second that this process accepts moves, and extends deadlines after an outage.

    ``is_closing`` returns whether the process no longer accepts requests. From then on nobody can move, so nothing is
    recorded.
    """

    def __init__(self) -> None:
        self.is_closing: Callable[[], bool] = lambda: False
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._first = threading.Event()
        self._stopped = threading.Event()

    @property
    def is_watching(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def keep(self) -> None:
        """Start the thread if it does not run. Called when a web process starts, and with every request."""
        if self.is_watching or self.is_closing():
            return
        with self._lock:
            if not self.is_watching:
                self._stopped.clear()
                self._thread = threading.Thread(target=self._watch, name="uptime", daemon=True)
                self._thread.start()

    def await_first(self, seconds: float) -> bool:
        """Wait until the first beat was tried, so that the first answers include the outage before them."""
        return self._first.wait(seconds)

    def stop(self) -> None:
        """Stop the thread, and wait for its end."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()

    def _watch(self) -> None:
        try:
            while not (self._stopped.is_set() or self.is_closing()):
                watch_once()
                self._first.set()
                self._stopped.wait(uptime.EVERY)
        finally:
            connection.close()


def watch_once() -> bool:
    """Do one beat. Returns False if it fails; that the database is away is logged only the first time."""
    try:
        uptime.beat()
        extend_all()
        presence.write_left()
    except Exception as error:  # any exception: every clock would stop with this thread
        if not (isinstance(error, Error) and database_away.is_away(error)):
            log.exception("Watching over the clocks failed")
        else:
            database_away.ABSENCE.begin(log, "the clocks stand still", error)
        if isinstance(error, Error):
            database_away.let_go(error)
        return False
    finally:
        close_old_connections()
    database_away.ABSENCE.end(log)
    return True


WATCH = Watch()
"""The one instance of this process."""


def look_now() -> bool:
    """Include outages that ended a moment ago. Returns False in a process without the thread, or in a transaction."""
    return WATCH.is_watching and not connection.in_atomic_block and watch_once()
