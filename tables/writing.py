"""Writes what was decided for a table, and sends what follows after the commit."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone

from players.models import Kind
from tables import memory, notices, repository, schedule, watching
from tables.changes import Changes
from tables.snapshots import Snapshot


def write(changes: Changes) -> Snapshot:
    """Write the changes of a locked table. Watchers and bots are notified after the commit.

    Returns the table after the write.
    """
    columns = columns_of(changes, max(changes.at, timezone.now()))
    webhooks = repository.write_rows(changes, columns)
    after = publish(changes, columns)
    if webhooks:
        notify_players(changes, webhooks, columns.get("deadline"))
    return after


def write_if_unchanged(changes: Changes) -> Snapshot | None:
    """Write without a lock, if the table still has the version that was decided on.

    Returns ``None`` and writes nothing if it has not, and if these changes need a lock (``repository.write_moves``).
    """
    columns = columns_of(changes, max(changes.at, timezone.now()))
    return publish(changes, columns) if repository.write_moves(changes, columns) else None


def publish(changes: Changes, columns: dict[str, Any]) -> Snapshot:
    """Notify watchers and the next bot after the commit. Returns the table after the write."""
    table, lists = changes.snapshot.id, lists_of(changes)
    watching.announce_after_commit(table, changes.version, lists)
    if changes.is_playing and changes.sets_clock and changes.seat.level is not None:
        schedule.nudge_after_commit(table, changes.next_number, changes.snapshot.bot_delay_ms)
    after = changes.after(columns) or repository.load(table)
    assert after is not None
    memory.keep_after_commit(after)
    return after


def lists_of(changes: Changes) -> set[UUID]:
    """Return the keys of the lists that this changes. A move alone changes only those of the players."""
    persons = {seat.player for seat in changes.seats if seat.player and seat.kind == Kind.PERSON}
    if changes.columns:
        host = changes.columns.get("host_id", changes.snapshot.host)
        persons |= {host} if host else set()
        persons |= {watching.LOBBY} if changes.snapshot.is_public else set()
    return persons


def columns_of(changes: Changes, now: datetime) -> dict[str, Any]:
    """Return the table's columns that change, except its version."""
    if not changes.sets_clock:
        return changes.columns
    clocks = clocks_of(changes, now)
    return {
        "next_number": changes.next_number,
        "rounds_played": changes.rounds_played,
        "turn": changes.state.turn if changes.is_playing else None,
        "tile_counts": [hand.bit_count() for hand in changes.state.hands],
        "deadline": clocks.deadline,
        "due_at": clocks.due_at,
        "turn_on_timeout": None if changes.turn_begins else changes.snapshot.turn_on_timeout,
        "looks": 0,
        **({"deadline_set_at": now} if clocks.deadline != changes.snapshot.deadline else {}),
        **changes.columns,
    }


def clocks_of(changes: Changes, now: datetime) -> schedule.Clocks:
    """Return the clocks. They start now, right before the write, so that earlier work costs the next seat no time."""
    if not changes.is_playing:
        return schedule.STOPPED
    if changes.seat.level is not None:
        return schedule.clocks_for_bot(now, changes.snapshot.bot_delay_ms, changes.deadline)
    if changes.deadline is None and changes.turn_begins is None and changes.snapshot.turn_on_timeout:
        return schedule.STOPPED  # the turn began without a clock, so it goes on without one
    return schedule.clocks_for_person(now, changes.snapshot.turn_seconds, deadline_kept(changes, now))


def deadline_kept(changes: Changes, now: datetime) -> datetime | None:
    """Return the deadline of a turn that goes on. A move in time leaves its player at least ``schedule.LEAST``."""
    if changes.deadline is None or changes.waits_since is None:
        return changes.deadline
    return max(schedule.carried_on(changes.deadline, changes.waits_since, now), now + schedule.LEAST)


def notify_players(changes: Changes, webhooks: set[int], deadline: datetime | None) -> None:
    """Notify players with webhooks in these seats that the match is over or that their turn has begun."""
    table = changes.snapshot.id
    if not changes.is_playing:
        notices.table_is_over(table, changes.at)
    elif changes.turn_begins and changes.seat.number in webhooks and changes.seat.level is None:
        notices.turn_begins(table, changes.turn_begins, changes.seat.number, deadline, changes.at)
