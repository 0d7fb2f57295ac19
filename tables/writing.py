"""Writes what was decided for a table, and sends what follows after the commit."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone

from players.models import Kind
from tables import memory, notices, repository, schedule, watching
from tables.changes import Changes, Sources, changes_to
from tables.snapshots import LastMove, Snapshot


def sources_of(table: UUID) -> Sources:
    return Sources(lambda: repository.match_facts(table), lambda: repository.whole_log(table), repository.new_secret)


def begin(snapshot: Snapshot, at: datetime) -> Changes:
    """Return empty changes to a locked table. ``at`` is when the request was received; its moves take effect now."""
    return changes_to(snapshot, sources_of(snapshot.id), max(at, timezone.now()))


def write(changes: Changes) -> Snapshot:
    """Write the changes. Watchers and bots are notified after the commit. Returns the table after the write."""
    now = max(changes.at, timezone.now())
    clocks = clocks_of(changes, now)
    columns = columns_of(changes, clocks, now)
    webhooks = repository.write_rows(changes, columns)
    table = changes.snapshot.id
    watching.announce_after_commit(table, changes.version, lists_of(changes))
    notify_players(changes, webhooks, clocks.deadline)
    if changes.is_playing and changes.goes_on and changes.seat.level is not None:
        schedule.nudge_after_commit(table, changes.next_number, changes.snapshot.bot_delay_ms)
    written = after(changes, columns)
    memory.keep_after_commit(written)
    return written


def columns_of(changes: Changes, clocks: schedule.Clocks, now: datetime) -> dict[str, Any]:
    """Return the table's columns that change, except its version."""
    if not changes.goes_on:
        return changes.columns
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


def lists_of(changes: Changes) -> set[UUID]:
    """Return the keys of the lists that this changes. A move alone changes only those of the players."""
    persons = {seat.player for seat in changes.seats if seat.player and seat.kind == Kind.PERSON}
    if changes.columns:
        host = changes.columns.get("host_id", changes.snapshot.host)
        persons |= {host} if host else set()
        persons |= {watching.LOBBY} if changes.snapshot.is_public else set()
    return persons


def notify_players(changes: Changes, webhooks: set[int], deadline: datetime | None) -> None:
    """Notify players with webhooks in these seats that the match is over or that their turn has begun."""
    table = changes.snapshot.id
    if not changes.is_playing and webhooks:
        notices.table_is_over(table, changes.at)
    elif changes.is_playing and changes.turn_begins and changes.seat.number in webhooks and changes.seat.level is None:
        notices.turn_begins(table, changes.turn_begins, changes.seat.number, deadline, changes.at)


def after(changes: Changes, columns: dict[str, Any]) -> Snapshot:
    """Return the table as written. It is loaded if more has changed than moves of the round change."""
    snapshot = changes.snapshot
    if changes.deals or changes.columns:
        fresh = repository.load(snapshot.id)
        assert fresh is not None
        return fresh
    return snapshot.advanced(
        (changes.before or snapshot.before_last_move or changes.state, changes.state),
        [LastMove(move.number, move.seat, move.text, move.by) for move in changes.moves],
        version=changes.version,
        seats=tuple(changes.seats),
        next_number=columns["next_number"],
        turn=columns["turn"],
        deadline=columns["deadline"],
        turn_on_timeout=columns["turn_on_timeout"],
    )
