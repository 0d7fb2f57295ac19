"""Hands on the seats and the tables of players who are gone, and counts these consequences beforehand."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from players.models import Kind, Player
from runtime.database_away import each_apart
from tables import play
from tables.lobby import absence, hosts, locking
from tables.lobby.seating import give_seat_on, pass_host_on
from tables.models import AWAY, Seat, Status, Table

AT_ONCE = 500
HANDING_ON = "Handing on what a player who is gone has left"


def consequences(players: Sequence[Player], **kwargs: Any) -> list[str]:
    """Describe what making these players inactive will change: one sentence with a number for each kind of change."""
    seats = Seat.objects.filter(player__in=players)
    hosted = Table.objects.filter(host__in=players, status=Status.OPEN)
    found: tuple[tuple[QuerySet[Any], str], ...] = (
        (hosted.filter(~has_others(players)), "Open tables that are cancelled, because nobody else sits there"),
        (hosted.filter(has_others(players)), "Open tables that get another host"),
        (seats.filter(table__status=Status.OPEN), "Seats at open tables that become free"),
        (
            seats.filter(table__status=Status.PLAYING).exclude(stand_in_until__in=AWAY),
            "Seats in running matches that a bot takes over",
        ),
        (Table.objects.filter(host__in=players, status=Status.PLAYING), "Running matches that lose their host"),
    )
    return [f"{what}: {number}." for rows, what in found if (number := rows.count())]


def has_others(players: Sequence[Player]) -> Exists:
    """Whether a person who is not among these players sits at a table."""
    others = Seat.objects.filter(table=OuterRef("pk"), player__kind=Kind.PERSON, player__is_active=True)
    return Exists(others.exclude(player__in=players))


def on_player_gone(player: Player, **kwargs: Any) -> None:
    """Hand on the seats and tables of a deleted or inactive player, each in its own transaction."""
    running = Table.objects.filter(status__in=(Status.OPEN, Status.PLAYING))
    tables = list(running.filter(running.is_member(player)).values_list("id", flat=True))
    each_apart(lambda table: vacate(table, player), tables, HANDING_ON)


@transaction.atomic
def vacate(table_id: UUID, player: Player) -> None:
    """Hand on the seat of a player who is gone, and the table if they host it. A table that is over stays as it is."""
    play.let_clock_act(table_id, player, timezone.now())
    table = locking.locked(table_id)
    if table.status not in {Status.OPEN, Status.PLAYING}:
        return
    seat = table.seats.filter(player=player).first()
    if seat is not None:
        give_seat_on(table, seat)
    if table.host_id == player.id:
        pass_host_on(table, seat.number if seat else None)
    play.end_if_forfeited_by_others(table.id, timezone.now())


def vacate_all_gone() -> None:
    """Hand on the seats and tables of all deleted or inactive players, in case a crash has interrupted that."""
    running = Table.objects.filter(status__in=(Status.OPEN, Status.PLAYING))
    keeps_seat = Q(seats__stand_in="") | Q(seats__table__status=Status.OPEN)
    left = Q(seats__table__in=running) & keeps_seat | Q(hosted_tables__in=running)
    gone = Player.objects.filter(left, kind=Kind.PERSON, is_active=False).distinct()
    each_apart(on_player_gone, gone, HANDING_ON)


def hand_tables_on(at: datetime) -> None:
    """Hand on tables whose host is gone to a person who is present, even if that person sends no request."""
    tables = list(absence.hosts_to_replace(at).values_list("id", flat=True)[:AT_ONCE])
    each_apart(lambda table: hand_on(table, at), tables, "Handing a table on")


@transaction.atomic
def hand_on(table_id: UUID, at: datetime) -> None:
    table = locking.locked(table_id)
    if heir := absence.next_host(table, at):
        hosts.make_host(table, heir)
