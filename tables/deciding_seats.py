"""Decides what changes in a match when a player leaves or comes back, when the host or the clock changes, or if it is
cancelled. Nothing is written here.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from players.models import Kind
from tables import events
from tables.changes import Changes, reseat
from tables.models import EndedReason, StandIn, Status, until_back

NO_PROPOSAL: dict[str, Any] = {"clock_proposal": None, "clock_lapses_at": None}


def let_bot_take_over(changes: Changes, number: int) -> None:
    """Let a bot play this seat until its player is back. A seat whose player is away already stays as it is."""
    if not changes.seats[number].is_away:
        snapshot = changes.snapshot
        reseat(changes, number, stand_in=snapshot.on_leave, stand_in_until=until_back(hints=snapshot.hints))


def bring_back(changes: Changes, number: int, *, is_late: bool) -> None:
    """Let a player who was away move again. If the time of their turn is over, the bot plays this turn first."""
    if is_late:
        reseat(changes, number, stand_in_until=StandIn.TURN)
    else:
        reseat(changes, number, stand_in="", stand_in_until=StandIn.NOBODY)


def change_host(changes: Changes, host: UUID) -> None:
    set_columns(changes, host_id=host)


def propose_clock(changes: Changes, proposal: dict[str, Any], lapses_at: datetime | None) -> None:
    set_columns(changes, clock_proposal=proposal, clock_lapses_at=lapses_at)


def drop_proposal(changes: Changes) -> None:
    set_columns(changes, **NO_PROPOSAL)


def change_clock(changes: Changes, clock: dict[str, Any], *, was_proposed: bool) -> None:
    """Give the match another clock, from the next turn on. ``was_proposed`` is false if one person alone decides."""
    snapshot = changes.snapshot
    changed = {name: value for name, value in clock.items() if getattr(snapshot, name) != value}
    proposal = NO_PROPOSAL if was_proposed else {}
    set_columns(changes, **changed, **proposal, turn_on_timeout=snapshot.turns_on_timeout)


def end_without_winner(changes: Changes, reason: EndedReason) -> None:
    """End the match. A host who cancels it has left it, if another person sits there, away or not."""
    stopped = {"deadline": None} if changes.snapshot.deadline else {}
    set_columns(changes, status=Status.CANCELLED, ended_reason=reason, **stopped)
    changes.columns["ended_at"] = changes.at
    host = changes.snapshot.host
    persons = [seat for seat in changes.seats if seat.kind == Kind.PERSON]
    if reason == EndedReason.CANCELLED_BY_HOST and any(seat.player != host for seat in persons):
        changes.left = {seat.number for seat in persons if seat.player == host}


def set_columns(changes: Changes, **columns: Any) -> None:
    """Change columns of the table, with one event. Their values must be new."""
    changes.columns |= columns
    changes.events.append(events.changed_in_match(changes.snapshot.host, changes.columns, columns))
