"""The names that a table shows for its players: a number is added where two names would look the same."""

from collections.abc import Iterable
from uuid import UUID

from players.names import folded, free_number, number_in, with_number
from tables.models import Seat

NEWCOMER = 2**31
"""Sorts those who have no number at the table yet after those who have."""


def settle(seats: Iterable[Seat], host: UUID | None) -> list[Seat]:
    """Set ``shown_name`` of a table's seats, players loaded. Returns the seats where it has changed, not saved.

    A player keeps the plain name, or the number while somebody else has the plain name. New players come last, the
    host first among them, and take the lowest free number.
    """
    return settle_among(sorted(seats, key=lambda each: order_of(each, host)), set())


def settle_among(seats: Iterable[Seat], taken: set[str]) -> list[Seat]:
    """The same for seats in this order. ``taken`` are the folded names in use; each name given is added to them."""
    changed = []
    for seat in seats:
        shown = name_for(seat, taken)
        taken.add(folded(shown))
        if shown != seat.shown_name:
            seat.shown_name = shown
            changed.append(seat)
    return changed


def order_of(seat: Seat, host: UUID | None) -> tuple[int, bool, int]:
    return number_of(seat) or NEWCOMER, seat.player_id != host, seat.number


def number_of(seat: Seat) -> int | None:
    """The number that the seat's player has here already."""
    return number_in(seat.shown_name, seat.player.name) if seat.player else None


def name_for(seat: Seat, taken: set[str]) -> str:
    """The plain name if nobody here has it; else the number that the player has here already, or a free one."""
    if seat.player is None:
        return ""
    name, number = seat.player.name, number_of(seat)
    if number is not None and folded(name) in taken and folded(with_number(name, number)) not in taken:
        return with_number(name, number)
    return with_number(name, free_number(name, taken))


def settle_rows(table: UUID, host: UUID | None) -> list[Seat]:
    """The same for the rows of a locked table. Returns the seats whose rows have changed."""
    changed = settle(Seat.objects.filter(table=table).select_related("player"), host)
    Seat.objects.bulk_update(changed, ("shown_name",))
    return changed


def settle_forgotten(seats: Iterable[Seat]) -> list[Seat]:
    """Set ``shown_name`` where a player is deleted, and nowhere else. Returns the changed seats, not saved."""
    in_order = sorted(seats, key=lambda each: order_of(each, None))
    taken = {folded(seat.shown_name) for seat in in_order if not is_forgotten(seat)}
    return settle_among(filter(is_forgotten, in_order), taken)


def is_forgotten(seat: Seat) -> bool:
    return seat.player is not None and seat.player.deleted_at is not None
