"""Updates a player's name at the tables where they sit, after they were renamed or deleted."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Left

from players.models import Player
from players.names import FORGOTTEN
from runtime.database_away import each_apart
from tables import names, watching
from tables.lobby import changing, locking
from tables.models import Event, Seat, Status, Table

AT_ONCE = 200
"""How many tables that are over are locked in one transaction."""
LETTERS = 30
"""The number of letters at the start of a name that stay when a table adds a number to it."""
NOT_OVER = (Status.OPEN, Status.PLAYING)
NAMING = "Showing a player's name at a table"


def on_renamed(player: Player, **kwargs: Any) -> None:
    """Show the new name at open and running tables, each in its own transaction."""
    sits_at = Table.objects.filter(status__in=NOT_OVER, seats__player=player).values_list("id", flat=True)
    each_apart(rename_at, list(sits_at), NAMING)


@transaction.atomic
def rename_at(table_id: UUID) -> None:
    """Settle the names at a table, unless it is over by now."""
    table = locking.locked(table_id)
    if table.status in NOT_OVER:
        changing.rename_seats(table)


def on_forgotten(player: Player, **kwargs: Any) -> None:
    """Remove a deleted player's name from every table. Running tables come first, because they may end meanwhile."""
    on_renamed(player)
    forget_at_tables_over(Seat.objects.filter(player=player))


def forget_at_tables_over(seats: "QuerySet[Seat]") -> None:
    """Replace the names in these seats at tables that are over. The players must be deleted."""
    named = seats.exclude(table__status__in=NOT_OVER).exclude(shown_name__startswith=FORGOTTEN)
    tables = sorted(set(named.values_list("table_id", flat=True)))
    each_apart(rename_over, [tables[at : at + AT_ONCE] for at in range(0, len(tables), AT_ONCE)], NAMING)


@transaction.atomic
def rename_over(table_ids: Sequence[UUID]) -> None:
    """Replace the names of deleted players at tables that are over. All others who sat there keep theirs."""
    # The oldest first, because a match is always locked before its rematch. Otherwise two calls could deadlock.
    locked = Table.objects.select_for_update(of=("self",)).order_by("created_at", "id").in_bulk(table_ids)
    rows = Seat.objects.filter(table__in=locked).select_related("player").order_by("table_id", "number")
    changed, events = list[Seat](), list[Event]()
    for key, seats in groupby(rows, key=lambda seat: seat.table_id):
        for seat in names.settle_forgotten(list(seats)):
            locked[key].version += 1
            renamed = changing.seat_event(seat)
            events.append(Event(table_id=key, version=locked[key].version, kind=renamed.kind, data=renamed.data))
            changed.append(seat)
    Seat.objects.bulk_update(changed, ("shown_name",))
    Event.objects.bulk_create(events)
    Table.objects.bulk_update(locked.values(), ("version",))
    for table in locked.values():
        watching.announce_after_commit(table.id, table.version)


def settle_names_left_behind() -> None:
    """Settle the names that a crash, or a process of an older release, has left unsettled."""
    seats = Seat.objects.filter(player__isnull=False, table__status__in=NOT_OVER)
    unnamed = seats.exclude(shown_name__startswith=Left(F("player__name"), LETTERS))
    each_apart(rename_at, set(unnamed.values_list("table_id", flat=True)), NAMING)
    forget_at_tables_over(Seat.objects.filter(player__deleted_at__isnull=False))
