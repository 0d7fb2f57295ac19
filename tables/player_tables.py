"""The tables where a player sits, in short form, for the stream of all of them."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from tables.models import OUT_OF_HAND, Seat, Status

FACTS = ("table_id", "table__version", "table__status", "table__turn", "number", "stand_in_until")


@dataclass(frozen=True, slots=True)
class PlayerTable:
    """The short form of a table for one of its players."""

    id: UUID
    version: int
    status: str
    your_turn: bool


def among(player: UUID, tables: Collection[UUID]) -> Iterator[PlayerTable]:
    """Yield those of these tables where the player sits."""
    return facts_of(player, Q(table__in=tables))


def changing(player: UUID, since: datetime) -> Iterator[PlayerTable]:
    """Yield the player's tables that are not over, and those that have changed or ended since a time."""
    is_running = Q(table__status__in=(Status.OPEN, Status.PLAYING))
    return facts_of(player, is_running | Q(table__changed_at__gte=since) | Q(table__ended_at__gte=since))


def facts_of(player: UUID, which: Q) -> Iterator[PlayerTable]:
    rows = Seat.objects.filter(which, player=player).order_by("table__created_at", "table").values_list(*FACTS)
    for table, version, status, turn, seat, until in rows:
        yield PlayerTable(table, version, status, your_turn=turn == seat and until not in OUT_OF_HAND)
