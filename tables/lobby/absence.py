"""Questions about whether a table's host, a player or the seat to move is absent. Nothing is written here.

``players.presence`` decides whether a person is absent.
"""

from datetime import datetime, timedelta

from django.db.models import Exists, ExpressionWrapper, F, OuterRef, Q, QuerySet, Value
from django.db.models.fields import DateTimeField

from players import presence
from players.models import Kind, Player
from runtime.uptime import counted_back
from tables import repository
from tables.models import LEFT, TIMEOUTS_BEFORE_AWAY, Move, Round, Seat, StandIn, Status, Table

LONGEST_TURN = timedelta(hours=24)
"""Without a clock, a bot may take a turn that has lasted longer, even if its player is present."""
RUNNING = (Status.OPEN, Status.PLAYING)


def next_host(table: Table, at: datetime) -> Player | None:
    """Return the player who becomes host if the host is gone. ``None`` if the host is present, or if nobody else is."""
    if table.status not in RUNNING or table.host is None:
        return None
    is_absent = is_host_absent(table, at)
    if not is_absent and not has_host_left(table):
        return None
    host_seat = table.seats.filter(player=table.host_id).first()
    for seat in host_candidates(table, at, host_seat.number if host_seat else 0):
        is_here = seat.player_id is not None and not presence.is_absent(seat.player_id, at)
        if is_here and (is_absent or not seat.is_away):
            return seat.player
    return None


def is_host_absent(table: Table, at: datetime) -> bool:
    """Whether the host is deleted or inactive, or has been absent for ``stall_minutes``."""
    assert table.host is not None
    if not table.host.is_active:
        return True
    return table.stall_minutes is not None and presence.is_absent(table.host.id, at, minutes(table.stall_minutes))


def has_host_left(table: Table) -> bool:
    """Whether the host has left their seat in the match. A host who is away because of timeouts has not left it."""
    return table.status == Status.PLAYING and left_seats().filter(table=table, player=table.host_id).exists()


def left_seats() -> "QuerySet[Seat]":
    return Seat.objects.filter(stand_in_until__in=LEFT, timeouts__lt=TIMEOUTS_BEFORE_AWAY)


def host_candidates(table: Table, at: datetime, after: int) -> list[Seat]:
    """Return the other persons at the table in seat order from ``after`` on; those present and not away come first."""
    persons = table.seats.filter(player__kind=Kind.PERSON, player__is_active=True).exclude(player=table.host_id)
    seats = list(persons.select_related("player"))
    absent = presence.absent((seat.player_id for seat in seats if seat.player_id), at)
    return sorted(seats, key=lambda seat: (seat.player_id in absent, seat.is_away, seat.number < after, seat.number))


def hosts_to_replace(at: datetime) -> "QuerySet[Table]":
    """Return tables whose host is gone while another person is present. ``next_host`` then decides for each table."""
    since = ExpressionWrapper(
        Value(at) - F("stall_minutes") * Value(timedelta(minutes=1)), output_field=DateTimeField()
    )
    seen = presence.used_since("host", OuterRef("since"))
    here = Seat.objects.filter(
        presence.used_since("player", presence.present_since(at)), table=OuterRef("pk"), player__is_active=True
    ).exclude(player=OuterRef("host"))
    left = left_seats().filter(table=OuterRef("pk"), player=OuterRef("host"))
    running = Table.objects.filter(status__in=RUNNING, host__isnull=False).annotate(since=since)
    is_gone = (
        Q(host__is_active=False) | Q(stall_minutes__isnull=False) & ~Q(seen) | Q(Exists(left), status=Status.PLAYING)
    )
    return running.filter(is_gone, Exists(here))


def may_be_replaced(seat: Seat, at: datetime) -> bool:
    """Whether the host may have a bot play for this person: away, timed out in this turn, or absent."""
    assert seat.player_id is not None
    return seat.is_away or seat.stand_in_until == StandIn.TURN or presence.is_absent(seat.player_id, at)


def holds_up(table: Table, seat: Seat) -> bool:
    """Whether a match waits for the person in this seat, and no clock runs."""
    return table.turn == seat.number and table.deadline is None and not seat.stand_in


def holds_up_too_long(table: Table, seat: Seat, at: datetime) -> bool:
    """Whether a match without a clock has waited too long for this seat.

    Then anybody there may have a bot play for it.
    """
    assert seat.player_id is not None
    began, limit = turn_began(table, seat.number), table.stall_minutes
    if began < counted_back(at, LONGEST_TURN):
        return True
    is_long = limit is not None and began < counted_back(at, minutes(limit))
    return is_long and presence.is_absent(seat.player_id, at)


def turn_began(table: Table, seat: int) -> datetime:
    """Return when the turn of the seat to move began: with the last turn of another seat, or with the deal."""
    played = Round.objects.get(table=table, dealt_at__isnull=False, ended_at__isnull=True)
    rules = repository.rules_of(table)
    others = Move.objects.filter(round=played).exclude(seat=seat).order_by("-number").values_list("text", "at")
    last = next((at for text, at in others if not rules.is_out_of_turn(rules.parse(text))), None)
    assert played.dealt_at is not None
    return last or played.dealt_at


def minutes(number: int) -> timedelta:
    return timedelta(minutes=number)
