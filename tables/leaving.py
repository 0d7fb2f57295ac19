"""What becomes of the tables of players who are let in no more: said in numbers before it is done."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from players.models import Kind, Player
from tables.models import AWAY, Seat, Status, Table


def consequences(players: Sequence[Player], **kwargs: Any) -> list[str]:
    """One sentence for each thing that will happen, with its number. A player's tables are not looked up one by one."""
    seats = Seat.objects.filter(player__in=players)
    hosted = Table.objects.filter(host__in=players, status=Status.OPEN)
    found = (
        (hosted.filter(~heirs(players)), "Open tables that are cancelled, for nobody else sits there"),
        (hosted.filter(heirs(players)), "Open tables that get another host"),
        (seats.filter(table__status=Status.OPEN), "Seats at open tables that become free"),
        (
            seats.filter(table__status=Status.PLAYING).exclude(stand_in_until__in=AWAY),
            "Seats in running matches that a bot takes over",
        ),
        (Table.objects.filter(host__in=players, status=Status.PLAYING), "Running matches that lose their host"),
    )
    return [f"{what}: {number}." for rows, what in found if (number := count(rows))]


def heirs(players: Sequence[Player]) -> Exists:
    """Whether another person sits at a table."""
    others = Seat.objects.filter(table=OuterRef("pk"), player__kind=Kind.PERSON, player__is_active=True)
    return Exists(others.exclude(player__in=players))


def count(rows: "QuerySet[Any]") -> int:
    return rows.count()
