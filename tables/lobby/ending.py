"""Cancels tables, and ends those that nobody can win."""

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from players.models import Player
from tables import deciding_seats, events, notices
from tables.lobby.changing import change
from tables.lobby.locking import locked, locked_for_host, must_be
from tables.lobby.matches import changes_in
from tables.models import EndedReason, Status, Table


@transaction.atomic
def cancel(table_id: UUID, caller: Player) -> Table:
    """End a table without a winner. If it is cancelled already, nothing changes."""
    table = locked_for_host(table_id, caller)
    if table.status != Status.CANCELLED:
        must_be(table, Status.OPEN, Status.PLAYING)
        end_without_winner(table, EndedReason.CANCELLED_BY_HOST)
    return table


@transaction.atomic
def cancel_as_admin(table_id: UUID) -> bool:
    """End a table from the admin, unless it is over already. Returns whether this call has ended it."""
    table = locked(table_id)
    is_running = table.status in {Status.OPEN, Status.PLAYING}
    if is_running:
        end_without_winner(table, EndedReason.CANCELLED_BY_ADMIN)
    return is_running


def end_without_winner(table: Table, reason: EndedReason) -> None:
    if table.status == Status.PLAYING:
        with changes_in(table) as changes:
            deciding_seats.end_without_winner(changes, reason)
    else:
        change(table, status=Status.CANCELLED, ended_reason=reason, ended_at=timezone.now())
        notices.table_is_over(table.id, timezone.now())
    if table.previous_table_id is not None:
        previous = Table.objects.get(pk=table.previous_table_id)
        change(previous, events.next_table_ended(previous))
