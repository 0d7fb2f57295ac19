"""When a table has to move on by itself, and the nudge that makes it so. Messages may be lost; the times are rows."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Case, F, When
from django.db.models.functions import Least

from rest.redis import tell_worker
from tables.models import Status, Table

TAKE_TURN = "tables.tasks.take_turn"
LOOK_AFTER = "tables.tasks.look_after"
BOTS = "bots"
"""The queue in which bots wait for a process to think in, so that they keep no deadline waiting."""
MOMENT = timedelta(milliseconds=250)
"""A request that waited no longer than this leaves the deadline of a turn that goes on as it was."""
LEAST = timedelta(seconds=1)
"""A move that was received in time and keeps the turn leaves its player at least so much."""
GRACE = timedelta(milliseconds=100)
"""The clock acts this long after a deadline, so that a move received in time is not overtaken while it waits."""
STALLED_AFTER = timedelta(seconds=1)
"""A bot that has not moved by then has lost its nudge."""
CLAIMED_FOR = tuple(timedelta(seconds=seconds) for seconds in (1.5, 1.5, 3, 6, 12, 25, 50))
"""How long one sweep keeps a table from the next, by how often it was found due before; then ever as long as the last.

A claim that came to nothing is made again: soon, for a message may be lost, and seldom at a table that always fails.
"""
LOOKS_COUNTED = 1000
"""Beyond, a table's looks are not counted: the column has an end, and one table's would stop the claims of all."""
LOOKS_AT_BOT = 2
"""At the first look a bot is told once more; at this one it is not waited for any longer."""
CLAIMS_A_SWEEP = 500


@dataclass(frozen=True, slots=True)
class Clocks:
    """``deadline`` is what a person is told; ``due_at`` is when the sweep looks after the table."""

    deadline: datetime | None
    due_at: datetime | None


STOPPED = Clocks(None, None)


def clocks_for_bot(at: datetime, delay_ms: int, running: datetime | None) -> Clocks:
    """A bot is nudged at once, or after its pause; the sweep is for nudges that were lost.

    The deadline of a turn in which it stands in is kept, for the person may come back within the turn.
    """
    return Clocks(running, at + timedelta(milliseconds=delay_ms) + STALLED_AFTER)


def clocks_for_person(at: datetime, turn_seconds: int | None, running: datetime | None) -> Clocks:
    """A turn has one deadline, however many moves it takes; ``running`` is that of a turn that goes on."""
    if turn_seconds is None:
        return STOPPED
    deadline = running or at + timedelta(seconds=turn_seconds)
    return Clocks(deadline, deadline + GRACE)


def carried_on(running: datetime, waits_since: datetime, now: datetime) -> datetime:
    """The deadline of a turn that goes on: its player keeps what was left when the request began to wait."""
    waited = now - waits_since
    return running + waited if waited > MOMENT else running


def nudge_after_commit(table: UUID, number: int, delay_ms: int = 0) -> None:
    """Have a worker look at the table once this transaction is committed."""
    transaction.on_commit(lambda: nudge(table, number, delay_ms))


def nudge(table: UUID, number: int, delay_ms: int = 0) -> None:
    """Ask for the bot's move at this number. Without a broker nothing is lost: the sweep asks again."""
    send(TAKE_TURN, table, number, queue=BOTS, countdown=delay_ms / 1000 if delay_ms else None)


def ask_to_look_after(due: "Due") -> None:
    """Have a worker do what is due at a table: the clock's turn, or a bot's that was never told or does not answer."""
    send(LOOK_AFTER, due.table, due.number, due.looks)


def send(task: str, table: UUID, *numbers: int, **how: Any) -> None:
    tell_worker(task, str(table), *numbers, otherwise=f"table {table} waits for the sweep", **how)


@dataclass(frozen=True, slots=True)
class Due:
    """A table that is due, the number it waits at, and how often it has been found so since it last moved on."""

    table: UUID
    number: int
    looks: int


@transaction.atomic
def claim_due(at: datetime) -> list[Due]:
    """Tables that are due, taken so that no other sweep takes them too."""
    due = Table.objects.select_for_update(skip_locked=True).filter(due_at__lte=at).order_by("due_at")
    claimed = [
        Due(table, number, looks + 1)
        for table, number, looks in due.values_list("id", "next_number", "looks")[:CLAIMS_A_SWEEP]
    ]
    if claimed:
        tables = Table.objects.filter(id__in=[each.table for each in claimed])
        tables.update(due_at=end_of_claim(at), looks=Least(F("looks"), LOOKS_COUNTED - 1) + 1)
    return claimed


def end_of_claim(at: datetime) -> Case:
    """By the looks that a table has had."""
    ends = [at + claimed for claimed in CLAIMED_FOR]
    return Case(*(When(looks=looks, then=end) for looks, end in enumerate(ends)), default=ends[-1])


def open_proposal(table: Table, at: datetime) -> dict[str, Any] | None:
    """The clock that is proposed for a match; ``None`` once it has lapsed, whether or not that was written down."""
    is_open = table.status == Status.PLAYING and table.clock_lapses_at is not None and at < table.clock_lapses_at
    return table.clock_proposal if is_open else None
