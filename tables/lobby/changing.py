"""Writes a change of a locked table: its fields, the next version with its events, and the names at its seats."""

from typing import Any

from django.utils import timezone

from players.models import Kind
from tables import events, names, watching
from tables.events import NewEvent
from tables.models import Seat, Table, Visibility


def change(table: Table, *others: NewEvent, **fields: Any) -> None:
    """Write fields of a locked table, and notify everybody who watches after the commit.

    The event of the fields comes first. ``others`` are the events of other changes. Fields that have their value
    already are left out; if nothing else has changed, the version stays.
    """
    fields = {name: value for name, value in fields.items() if getattr(table, name) != value}
    if not fields and not others:
        return
    for name, value in fields.items():
        setattr(table, name, value)
    own = [events.table_changed(table, fields)] if fields else []
    table.version = events.keep(table.id, table.version, [*own, *others])
    table.changed_at = timezone.now()
    table.save(update_fields=("version", "changed_at", *fields))
    announce(table)


def announce(table: Table) -> None:
    """Wake everybody who waits for this table, or for a list that may contain it, after the commit."""
    lists = set(table.seats.filter(player__kind=Kind.PERSON).values_list("player", flat=True))
    lists |= {table.host_id} if table.host_id else set()
    lists |= {watching.LOBBY} if table.visibility == Visibility.PUBLIC else set()
    watching.announce_after_commit(table.id, table.version, lists)


def change_seat(table: Table, seat: Seat) -> None:
    """After a seat got another player: settle the names of all seats, and write an event for each one that changed."""
    renamed = names.settle_rows(table.id, table.host_id)
    others = [seat_event(each) for each in renamed if each.number != seat.number]
    change(table, seat_event(seat), *others)


def rename_seats(table: Table) -> None:
    """After a player here was renamed: settle the names of all seats, and write an event for each one that changed."""
    change(table, *map(seat_event, names.settle_rows(table.id, table.host_id)))


def seat_event(seat: Seat) -> NewEvent:
    return events.seat_changed(seat.number, seat.player_id, is_away=seat.is_away, is_forfeited=seat.is_forfeited)
