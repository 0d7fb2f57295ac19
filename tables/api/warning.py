"""The warning that a stream sends when a quarter of a turn is left."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from uuid import UUID

from django.db.models import F
from django.utils import timezone

from players.models import Kind
from tables.api.stream_answers import WarnEvent
from tables.models import Seat, Table

SHORTEST_TURN = timedelta(seconds=60)
"""There is no warning of shorter turns."""
LEFT = 4
"""The warning comes when one part in this many is left."""


@dataclass(frozen=True, slots=True)
class RunningTurn:
    """A person's turn with a deadline. ``warns_at`` is when a quarter of it is left."""

    seat: int
    deadline: datetime
    warns_at: datetime

    def seconds_to_warning(self) -> float:
        return max(0.0, (self.warns_at - timezone.now()).total_seconds())

    def due_event(self) -> WarnEvent | None:
        """Return the warning as an event if it is due; ``None`` before that, and after the deadline."""
        now = timezone.now()
        if not self.warns_at <= now < self.deadline:
            return None
        return {"seat": self.seat, "deadline": self.deadline, "server_time": now}


@lru_cache(maxsize=4096)
def turn_at(table: UUID, version: int) -> RunningTurn | None:
    """Return the turn to warn of at this version of a table or a later one. Cached for all watchers there."""
    clocked = Seat.objects.filter(
        table=table,
        number=F("table__turn"),
        player__kind=Kind.PERSON,
        stand_in="",
        table__deadline__isnull=False,
    )
    seat = clocked.select_related("table").first()
    if seat is None or seat.table.deadline is None:
        return None
    lasts = length_of_turn(seat.table, seat.table.deadline)
    if lasts is None or lasts < SHORTEST_TURN:
        return None
    return RunningTurn(seat.number, seat.table.deadline, seat.table.deadline - lasts / LEFT)


def length_of_turn(table: Table, deadline: datetime) -> timedelta | None:
    """Return how long the current turn may take. A changed clock applies from the next turn on."""
    if table.turn_on_timeout and table.deadline_set_at:
        return deadline - table.deadline_set_at
    return None if table.turn_seconds is None else timedelta(seconds=table.turn_seconds)
