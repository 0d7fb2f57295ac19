"""When moves could be taken: periods in the database, which every web process prolongs each second.

Moves could be taken while at least one web process ran and reached the database. All times are the database's own, so
the clocks of the machines need not agree.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from django.db import connection
from django.db.models import Max

from rest.forgetting import forget
from rest.models import Uptime

EVERY = 1.0
"""Seconds from one beat to the next."""
OUTAGE_FROM = timedelta(seconds=2.5)
"""A longer silence is an outage: more than one beat was missed."""
LOOKS_BACK = timedelta(days=1)
"""How far before a span to look for outages: one inside the span moves its beginning back, perhaps into another."""
KEPT_FOR = timedelta(days=60)
"""Longer than any turn."""

# ``now()`` is when this statement arrived, the same in both places: a database that freezes in between, or a wait for
# another process's beat, cannot hide a silence.
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
    """A time in which no move could be taken. ``is_over`` is false for one that may still be going on."""

    began_at: datetime
    ended_at: datetime
    is_over: bool = True


def beat(at: datetime | None = None) -> None:
    """Write that this web process could take moves now, or ``at``. After an outage a new period begins."""
    with connection.cursor() as cursor:
        cursor.execute(PROLONG, {"at": at, "silence": f"{OUTAGE_FROM.total_seconds()} seconds"})


def outages_since(moment: datetime, now: datetime | None = None) -> list[Outage]:
    """The outages that ended after this moment, the earliest first; the last may still be going on.

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
    """The moment that lies ``span`` before ``at``, outages not counted."""
    since = at - span
    for outage in reversed(outages_since(since - LOOKS_BACK, at)):
        if outage.ended_at > since:
            since -= outage.ended_at - outage.began_at
    return since


def unsettled() -> list[Uptime]:
    """Periods after an outage by which deadlines have not been extended yet, the earliest first."""
    return list(Uptime.objects.filter(is_settled=False).order_by("id"))


def outage_before(period: Uptime) -> Outage | None:
    """The outage that ended when this period began; ``None`` if two processes noticed the same one."""
    earlier = Uptime.objects.filter(id__lt=period.id).first()
    if earlier is None or period.began_at - earlier.until <= OUTAGE_FROM:
        return None
    return Outage(earlier.until, period.began_at)


def settle(period: Uptime) -> None:
    Uptime.objects.filter(pk=period.pk).update(is_settled=True)


def forget_long_ago(at: datetime) -> None:
    """Forget periods that no running turn can have seen, but never the last."""
    newest = Uptime.objects.aggregate(newest=Max("id"))["newest"]
    forget(Uptime.objects.filter(until__lt=at - KEPT_FOR, is_settled=True, id__lt=newest or 0))
