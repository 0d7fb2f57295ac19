"""When a table has to move on by itself, and the tasks sent for that. A task may get lost; the times are in rows."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Case, F, When
from django.db.models.functions import Least

from runtime.redis_commands import tell_worker
from tables.models import Status, Table

TAKE_TURN = "tables.tasks.take_turn"
LOOK_AFTER = "tables.tasks.look_after"
BOTS = "bots"
"""The queue of bots' turns. Separate processes work on it, so that a thinking bot delays no deadline."""
MOMENT = timedelta(milliseconds=250)
"""A request that waited no longer than this does not change the deadline of a turn that goes on."""
LEAST = timedelta(seconds=1)
"""After a move in time that does not end the turn, the player has at least this much time left."""
GRACE = timedelta(milliseconds=100)
"""The clock acts this long after a deadline, so that a move received in time can still be written."""
STALLED_AFTER = timedelta(seconds=1)
"""If a bot has not moved after this time, its task counts as lost."""
CLAIMED_FOR = tuple(timedelta(seconds=seconds) for seconds in (1.5, 1.5, 3, 6, 12, 25, 50))
"""How long other sweeps skip a claimed table, by how often it was found due before. The last value repeats.

A claim without success is made again: soon at first, because a task may be lost, but rarely at a table that always
fails.
"""
LOOKS_COUNTED = 1000
"""``looks`` is not counted beyond this. If one table's count overflowed the column, the claims of all would fail."""
LOOKS_AT_BOT = 2
"""At the first look the bot's task is sent again. At this look, a move is made in the bot's place."""
CLAIMS_A_SWEEP = 500


@dataclass(frozen=True, slots=True)
class Clocks:
    """``deadline`` is presented to the person; ``due_at`` is when the sweep finds the table."""

    deadline: datetime | None
    due_at: datetime | None


STOPPED = Clocks(None, None)


def clocks_for_bot(at: datetime, delay_ms: int, running: datetime | None) -> Clocks:
    """Return the clocks of a bot's turn.

    Its task is sent at once or after the bot's pause; the sweep is for lost tasks.

    The deadline of a turn in which it stands in is kept, because the person may come back during the turn.
    """
    return Clocks(running, at + timedelta(milliseconds=delay_ms) + STALLED_AFTER)


def clocks_for_person(at: datetime, turn_seconds: int | None, running: datetime | None) -> Clocks:
    """Return the clocks of a person's turn.

    A turn has one deadline for all its moves; ``running`` is the deadline of a turn that goes on.
    """
    if turn_seconds is None:
        return STOPPED
    deadline = running or at + timedelta(seconds=turn_seconds)
    return Clocks(deadline, deadline + GRACE)


def carried_on(running: datetime, waits_since: datetime, now: datetime) -> datetime:
    """Return the deadline of a turn that goes on, plus the time that its player's request has waited."""
    waited = now - waits_since
    return running + waited if waited > MOMENT else running


def nudge_after_commit(table: UUID, number: int, delay_ms: int = 0) -> None:
    """Ask a worker to take the bot's turn once this transaction is committed."""
    transaction.on_commit(lambda: nudge(table, number, delay_ms))


def nudge(table: UUID, number: int, delay_ms: int = 0) -> None:
    """Ask a worker to take the bot's turn at this number. Without a broker nothing is lost: the sweep asks again."""
    send(TAKE_TURN, table, number, queue=BOTS, countdown=delay_ms / 1000 if delay_ms else None)


def ask_to_look_after(due: "Due") -> None:
    """Ask a worker to do what is due at a table: the clock's turn, or the turn of a bot that has not moved."""
    send(LOOK_AFTER, due.table, due.number, due.looks)


def send(task: str, table: UUID, *numbers: int, queue: str = "celery", countdown: float | None = None) -> None:
    otherwise = f"table {table} waits for the sweep"
    tell_worker(task, str(table), *numbers, otherwise=otherwise, queue=queue, countdown=countdown)


@dataclass(frozen=True, slots=True)
class Due:
    """A table that is due, the number that it waits at, and how often it was found due since it last moved on."""

    table: UUID
    number: int
    looks: int


@transaction.atomic
def claim_due(at: datetime) -> list[Due]:
    """Return tables that are due, claimed so that no other sweep takes them."""
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
    """Return when a claim ends, by the table's ``looks``."""
    ends = [at + claimed for claimed in CLAIMED_FOR]
    return Case(*(When(looks=looks, then=end) for looks, end in enumerate(ends)), default=ends[-1])


def open_proposal(table: Table, at: datetime) -> dict[str, Any] | None:
    """Return the clock that is proposed for a match; ``None`` once it has lapsed, even if the row still has it."""
    is_open = table.status == Status.PLAYING and table.clock_lapses_at is not None and at < table.clock_lapses_at
    return table.clock_proposal if is_open else None
