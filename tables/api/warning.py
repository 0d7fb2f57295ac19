"""The warning that a stream gives while a quarter of a turn is left."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.db.models import F
from django.utils import timezone

from players.models import Kind
from tables.models import Seat

SHORTEST_TURN = 60
"""Seconds: of shorter turns nobody is warned."""
LEFT = 4
"""A warning comes when one part of so many is left."""


@dataclass(frozen=True, slots=True)
class RunningTurn:
    """The turn of a person against the clock. ``warns_at`` is when a quarter is left."""

    seat: int
    deadline: datetime
    warns_at: datetime

    def seconds_to_warning(self) -> float:
        return max(0.0, (self.warns_at - timezone.now()).total_seconds())

    def told(self) -> dict[str, Any] | None:
        """The event, if it is time for it; ``None`` before, and when there is nothing left to warn of."""
        now = timezone.now()
        if not self.warns_at <= now < self.deadline:
            return None
        return {"event": "warn", "seat": self.seat, "deadline": self.deadline, "server_time": now}


@lru_cache(maxsize=4096)
def turn_at(table: UUID, version: int) -> RunningTurn | None:
    """The turn to warn of at this version of a table, or a later one: asked once for all who watch there."""
    clocked = Seat.objects.filter(
        table=table,
        number=F("table__turn"),
        player__kind=Kind.PERSON,
        stand_in="",
        table__deadline__isnull=False,
        table__turn_seconds__gte=SHORTEST_TURN,
    )
    found = clocked.values_list("number", "table__deadline", "table__turn_seconds").first()
    if found is None:
        return None
    seat, deadline, seconds = found
    assert deadline is not None
    assert seconds is not None
    return RunningTurn(seat, deadline, deadline - timedelta(seconds=seconds / LEFT))
