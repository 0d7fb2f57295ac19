"""The players' names at a table. A number is added where two names would look the same."""

from collections.abc import Iterable
from uuid import UUID

from players.names import folded, free_number, number_in, with_number
from tables.models import Seat

NEWCOMER = 2**31
"""Sorts players without a number at the table after those who have one."""


def settle(seats: Iterable[Seat], host: UUID | None) -> list[Seat]:
    """Set ``shown_name`` of a table's seats, players loaded. Returns the changed seats, not saved.

    A player keeps the plain name, or their number while somebody else has the plain name. New players come last, the
    host first among them, and get the lowest free number.
    """
    return settle_among(sorted(seats, key=lambda each: order_of(each, host)), set())


def settle_among(seats: Iterable[Seat], taken: set[str]) -> list[Seat]:
    """Like ``settle``, for seats in this order. ``taken`` are the folded names in use; new names are added to it."""
    changed = []
    for seat in seats:
        name = name_for(seat, taken)
        taken.add(folded(name))
        if name != seat.shown_name:
            seat.shown_name = name
            changed.append(seat)
    return changed


def order_of(seat: Seat, host: UUID | None) -> tuple[int, bool, int]:
    return number_of(seat) or NEWCOMER, seat.player_id != host, seat.number


def number_of(seat: Seat) -> int | None:
    """Return the number that the seat's player already has at this table."""
    return number_in(seat.shown_name, seat.player.name) if seat.player else None


def name_for(seat: Seat, taken: set[str]) -> str:
    """Return the plain name if it is free here; else the name with the player's number here, or with a free number."""
    if seat.player is None:
        return ""
    name, number = seat.player.name, number_of(seat)
    if number is not None and folded(name) in taken and folded(with_number(name, number)) not in taken:
        return with_number(name, number)
    return with_number(name, free_number(name, taken))


def settle_rows(table: UUID, host: UUID | None) -> list[Seat]:
    """Like ``settle``, for the rows of a locked table. Returns the changed seats, saved."""
    changed = settle(Seat.objects.filter(table=table).select_related("player"), host)
    Seat.objects.bulk_update(changed, ("shown_name",))
    return changed


def settle_forgotten(seats: Iterable[Seat]) -> list[Seat]:
    """Set ``shown_name`` of deleted players only. Returns the changed seats, not saved."""
    in_order = sorted(seats, key=lambda each: order_of(each, None))
    taken = {folded(seat.shown_name) for seat in in_order if not is_forgotten(seat)}
    return settle_among(filter(is_forgotten, in_order), taken)


def is_forgotten(seat: Seat) -> bool:
    return seat.player is not None and seat.player.deleted_at is not None
