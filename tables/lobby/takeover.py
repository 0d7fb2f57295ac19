"""Checks who may have a bot play for another person at a table. These functions only refuse; they change no seat."""

from django.utils import timezone

from players.models import Kind, Player
from rest.problems import Problem
from tables import refusals
from tables.lobby import absence, hosts
from tables.models import Seat, Status, Table


def may_empty(table: Table, seat: Seat, caller: Player, *, was_late: bool) -> None:
    """Refuse callers who may not empty another player's seat. In a match, a person who is present keeps it."""
    if table.status == Status.PLAYING and is_persons(seat):
        may_take_over(table, seat, caller, refusals.NotYourSeat, was_late=was_late)
    elif not hosts.is_host(table, caller):
        raise refusals.NotYourSeat


def may_take_over(table: Table, seat: Seat, caller: Player, otherwise: type[Problem], *, was_late: bool) -> None:
    """Refuse callers who may not have a bot play for the person in a seat of a match.

    The host may if the player is away, too slow or absent. Everybody at the table may if the match waits too long for
    the player.
    """
    now = timezone.now()
    is_host = hosts.is_host(table, caller)
    if is_host and (was_late or absence.may_be_replaced(seat, now)):
        return
    may_ask = is_host or sits_at(table, caller)
    if may_ask and absence.holds_up(table, seat) and absence.holds_up_too_long(table, seat, now):
        return
    raise refusals.PlayerPresent if is_host else otherwise


def is_persons(seat: Seat) -> bool:
    return seat.player is not None and seat.player.kind == Kind.PERSON


def sits_at(table: Table, caller: Player) -> bool:
    return table.seats.filter(player=caller).exists()
