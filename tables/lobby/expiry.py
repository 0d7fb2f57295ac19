"""Ends tables that nobody uses any more, and states the reason."""

from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from players.presence import used_since
from runtime.database_away import each_apart
from tables.lobby import ending, locking
from tables.models import By, EndedReason, Move, Seat, Status, Table

AT_ONCE = 1000
REASONS = {Status.OPEN: EndedReason.EXPIRED, Status.PLAYING: EndedReason.ABANDONED}


def idle_tables(at: datetime) -> "QuerySet[Table]":
    """Return tables that are idle for longer than the settings allow: open ones, and matches that were left alone."""
    return Table.objects.filter(is_open_for_too_long(at) | is_left_alone(at))


def is_open_for_too_long(at: datetime) -> Q:
    """Select open tables that nothing has changed for ``OPEN_TABLE_DAYS``. Every action there is a change."""
    if not settings.OPEN_TABLE_DAYS:
        return Q(pk__in=())
    return Q(status=Status.OPEN, changed_at__lt=at - timedelta(days=settings.OPEN_TABLE_DAYS))


def is_left_alone(at: datetime) -> Q:
    """Select matches without a clock where nobody has moved, and matches with a clock whose persons are all gone.

    With a clock, only persons count, because the clock and the bots play on for ever. Without a clock, the last entry
    of the log counts, because the time of a move is only in the log.
    """
    if not settings.IDLE_MATCH_DAYS:
        return Q(pk__in=())
    since = at - timedelta(days=settings.IDLE_MATCH_DAYS)
    moved = Move.objects.filter(table=OuterRef("pk"), number=OuterRef("next_number") - 1, at__gte=since)
    played = Move.objects.filter(table=OuterRef("pk"), by=By.PERSON, at__gte=since)
    here = Seat.objects.filter(used_since("player", since), table=OuterRef("pk"), player__is_active=True)
    is_still = Q(turn_seconds=None) & ~Q(Exists(moved))
    is_gone = Q(turn_seconds__isnull=False) & ~Q(Exists(played)) & ~Q(Exists(here))
    return Q(is_still | is_gone, status=Status.PLAYING, changed_at__lt=since)


def end_idle_tables(at: datetime) -> int:
    """End idle tables, the longest idle first, each in its own transaction. Returns how many have ended."""
    tables = list(idle_tables(at).order_by("changed_at").values_list("id", flat=True)[:AT_ONCE])
    return sum(each_apart(lambda table: end_if_idle(table, at), tables, "Ending an idle table"))


@transaction.atomic
def end_if_idle(table_id: UUID, at: datetime) -> bool:
    """End a table if it is still idle under the lock, because somebody may have come meanwhile."""
    table = locking.locked(table_id)
    if not idle_tables(at).filter(pk=table_id).exists():
        return False
    ending.end_without_winner(table, REASONS[Status(table.status)])
    return True
