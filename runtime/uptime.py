"""Uptime: periods in which the server could accept moves, stored in the database.

Each web process extends the last period every second. So a period lasts while at least one web process runs and reaches
the database. All times come from the database, so the clocks of the machines may differ.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from django.db import connection
from django.db.models import Max

from runtime.deletion import forget
from runtime.models import Uptime

EVERY = 1.0
"""Seconds between two beats."""
OUTAGE_FROM = timedelta(seconds=2.5)
"""A longer gap is an outage: more than one beat was missed."""
LOOKS_BACK = timedelta(days=1)
"""How far before a span to look for outages. An outage moves the span's beginning back, perhaps into another outage."""
KEPT_FOR = timedelta(days=60)
"""Longer than any turn."""

# ``now()`` is the time at which the statement arrived, in the whole statement. So a gap is noticed even if the database
# hangs while it executes the statement, or if the statement waits for another process's beat.
PROLONG = """
with beat as (select coalesce(%(at)s::timestamptz, now()) as at),
prolonged as (
  update rest_uptime set until = greatest(until, beat.at) from beat
   where id = (select max(id) from rest_uptime) and until >= beat.at - %(silence)s::interval
  returning id)
insert into rest_uptime (began_at, until, is_settled)
select beat.at, beat.at, not exists (select from rest_uptime) from beat where not exists (select from prolonged)
"""
PERIODS = """
select began_at, until, clock_timestamp() from rest_uptime
 where id >= coalesce((select max(id) from rest_uptime where until < %s), 0) order by id
"""


@dataclass(frozen=True, slots=True)
class Outage:
    """A time in which the server could not accept moves. ``is_over`` is false if it may still be going on."""

    began_at: datetime
    ended_at: datetime
    is_over: bool = True


def beat(at: datetime | None = None) -> None:
    """Record that this web process can accept moves now, or could ``at``. After an outage a new period begins."""
    with connection.cursor() as cursor:
        cursor.execute(PROLONG, {"at": at, "silence": f"{OUTAGE_FROM.total_seconds()} seconds"})


def outages_since(moment: datetime, now: datetime | None = None) -> list[Outage]:
    """Return the outages that ended after this moment, the earliest first. The last may still be going on.

    Before the first beat there are none.
    """
    with connection.cursor() as cursor:
        cursor.execute(PERIODS, [moment])
        periods = cursor.fetchall()
    if not periods:
        return []
    found = [Outage(until, began_at) for (_, until, _), (began_at, _, _) in pairwise(periods)]
    _, last, asked_at = periods[-1]
    found.append(Outage(last, now or asked_at, is_over=False))
    return [each for each in found if each.ended_at - each.began_at > OUTAGE_FROM and each.ended_at > moment]


def counted_back(at: datetime, span: timedelta) -> datetime:
    """Return the moment that lies ``span`` of uptime before ``at``: outages do not count."""
    since = at - span
    for outage in reversed(outages_since(since - LOOKS_BACK, at)):
        if outage.ended_at > since:
            since -= outage.ended_at - outage.began_at
    return since


def unsettled() -> list[Uptime]:
    """Return the periods for whose preceding outage deadlines have not been extended yet, the earliest first."""
    return list(Uptime.objects.filter(is_settled=False).order_by("id"))


def outage_before(period: Uptime) -> Outage | None:
    """Return the outage that ended when this period began; ``None`` if two processes noticed the same outage."""
    earlier = Uptime.objects.filter(id__lt=period.id).first()
    if earlier is None or period.began_at - earlier.until <= OUTAGE_FROM:
        return None
    return Outage(earlier.until, period.began_at)


def settle(period: Uptime) -> None:
    Uptime.objects.filter(pk=period.pk).update(is_settled=True)


def forget_long_ago(at: datetime) -> None:
    """Delete periods that ended before any running turn began, but never the last period."""
    newest = Uptime.objects.aggregate(newest=Max("id"))["newest"]
    forget(Uptime.objects.filter(until__lt=at - KEPT_FOR, is_settled=True, id__lt=newest or 0))
