"""Locks a table for a change, and checks who asks for it."""

from uuid import UUID

from players.models import Player
from tables import refusals, repository
from tables.lobby.hosts import is_host
from tables.models import Status, Table


def locked(table: UUID) -> Table:
    """Lock a table until this transaction ends. Raises ``NotFound``.

    If the table is a rematch, the previous table is locked too: it changes if the rematch ends unplayed.
    """
    repository.lock_previous(table)
    found = Table.objects.select_for_update(of=("self",)).filter(pk=table).first()
    if found is None:
        raise refusals.NotFound
    return found


def locked_for_viewer(table: UUID, caller: Player) -> Table:
    """Lock a table that the caller may see. Raises ``NotFound`` for a hidden table as for an unknown one."""
    found = locked(table)
    if not is_visible(found, caller):
        raise refusals.NotFound
    return found


def locked_for_host(table: UUID, caller: Player) -> Table:
    found = locked(table)
    if not is_host(found, caller):
        raise refusals.NotHost if is_visible(found, caller) else refusals.NotFound
    return found


def is_visible(table: Table, caller: Player | None) -> bool:
    return Table.objects.visible_to(caller).filter(pk=table.pk).exists()


def must_be(table: Table, *statuses: Status) -> None:
    """Raise the refusal for the table's status, unless it is one of these."""
    others = {
        Status.OPEN: refusals.TableOpen,
        Status.PLAYING: refusals.TablePlaying,
        Status.FINISHED: refusals.TableFinished,
        Status.CANCELLED: refusals.TableCancelled,
    }
    if table.status not in statuses:
        raise others[Status(table.status)]
