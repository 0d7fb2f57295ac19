"""A hundred tables of *hard* bots at once, and persons whose time runs out meanwhile: ``python -m bench.crowd``.

The servers' worker, the bots' worker and beat are those of ``bench.lateness``. Nobody plays over HTTP.
"""

import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

from bench import stage
from bench.lateness import background
from bench.measure import Measure, conclude, percentile

TABLES = 100
BOTS = ("hard",) * 4
LONGEST_WAIT = 5
"""Seconds that a table may wait for a bot."""
PERSONS, TURN_SECONDS = 20, 5
"""The number of tables of persons who never move, and the seconds of their turns."""
LATE = 0.5
SECONDS_A_ROUND = 240
"""Seconds to wait for one round of all tables, also on a machine with other work."""
SILENT, FAILED = "The bot hard does not answer at ", "The bot hard failed at "
"""The log messages for a move that was not the bot's own choice."""


class Crowd(NamedTuple):
    """The tables of bots, and those of persons."""

    bots: list[UUID]
    persons: list[UUID]


def open_crowd(rounds: int) -> Crowd:
    """Open all tables, then start the tables of bots as fast as possible."""
    from tables.lobby import opening, starting

    seats = dict(enumerate(BOTS))
    hosts = [stage.guest() for _ in range(TABLES)]  # a player may host only a few tables
    fields: dict[str, object] = {"name": stage.NAME, "preset": "classic", "options": {"rounds": rounds}}
    bots = [opening.open_table(host, len(BOTS), None, seats, **fields).id for host in hosts]
    two = (stage.PERSON,) * 2
    persons = [stage.start_match(two, turn_seconds=TURN_SECONDS, on_timeout="auto").table for _ in range(PERSONS)]
    for table, host in zip(bots, hosts, strict=True):
        starting.start_match(table, host)
    return Crowd(bots, persons)


def unfinished(tables: Sequence[UUID]) -> int:
    from tables.models import Status, Table

    return Table.objects.filter(id__in=tables).exclude(status=Status.FINISHED).count()


def wait_for_end(tables: Sequence[UUID], seconds: float) -> None:
    until = time.monotonic() + seconds
    while unfinished(tables) and time.monotonic() < until:
        time.sleep(1)


def end(tables: Iterable[UUID]) -> None:
    """Cancel the unfinished tables, so that the next measure finds idle workers."""
    from tables.lobby import ending
    from tables.models import Status, Table

    for table in Table.objects.filter(id__in=tables, status=Status.PLAYING).select_related("host"):
        assert table.host is not None
        ending.cancel(table.id, table.host)


def times_by_table(tables: Sequence[UUID]) -> list[list[datetime]]:
    """For each table, the times of its start, its moves and its end.

    An unfinished table has the present time as well. The clock makes all moves of a turn at one time, which counts
    once.
    """
    from django.utils import timezone

    from tables.models import Move, Table

    rows = Table.objects.filter(id__in=tables).values_list("id", "started_at", "ended_at")
    found = {table: {began, ended or timezone.now()} for table, began, ended in rows if began}
    for table, at in Move.objects.filter(table__in=tables).values_list("table_id", "at"):
        found[table].add(at)
    return [sorted(times) for times in found.values()]


def waits(tables: Sequence[UUID]) -> list[float]:
    """Seconds between consecutive moves of each table."""
    return [(after - before).total_seconds() for times in times_by_table(tables) for before, after in pairwise(times)]


def lateness(tables: Sequence[UUID]) -> list[float]:
    """Seconds from each deadline to the clock's move. A deadline without a move counts until now."""
    return [each - TURN_SECONDS for each in waits(tables) if each >= TURN_SECONDS]


def moves_a_second(tables: Sequence[UUID]) -> Measure:
    from tables.models import Move

    number, times = Move.objects.filter(table__in=tables).count(), times_by_table(tables)
    seconds = (max(map(itemgetter(-1), times)) - min(map(itemgetter(0), times))).total_seconds()
    return Measure("moves a second", f"{number} moves in {seconds:.0f} s", "", number / seconds)


def waited(seconds: Sequence[float]) -> Measure:
    found = f"p50 {percentile(seconds, 0.5):.2f} s, p99 {percentile(seconds, 0.99):.2f} s"
    return Measure("longest wait for a table's next move, s", found, "", max(seconds), floor=LONGEST_WAIT)


def late(seconds: Sequence[float], period: float) -> Measure:
    p50, p99 = percentile(seconds, 0.5), percentile(seconds, 0.99)
    found = f"p50 {p50:.2f} s, p99 {p99:.2f} s of {len(seconds)}"
    return Measure(
        "deadlines meanwhile, p99 - period, s", found, f"sweep period {period:g} s", p99 - period, floor=LATE
    )


def counted(what: str, number: int, floor: float | None = None) -> Measure:
    return Measure(what, str(number), "", number, floor)


def measure(rounds: int, seconds: float) -> list[Measure]:
    from django.conf import settings

    every = settings.CELERY_BEAT_SCHEDULE["sweep"]["schedule"]
    assert isinstance(every, timedelta)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        with background(log):
            crowd = open_crowd(rounds)
            wait_for_end(crowd.bots, seconds)
            left, between, after = unfinished(crowd.bots), waits(crowd.bots), lateness(crowd.persons)
            speed = moves_a_second(crowd.bots)
            end([*crowd.bots, *crowd.persons])
        said = log.read_text()
    print(said, end="", file=sys.stderr)
    return [
        speed,
        counted(f"tables of {TABLES} that did not finish {rounds} round{'s' * (rounds > 1)}", left, floor=0),
        waited(between),
        counted("moves made for a bot that did not answer", said.count(SILENT)),
        counted("moves made for a bot that failed", said.count(FAILED)),
        late(after, every.total_seconds()),
    ]


ABOUT = "A hundred tables of hard bots at once, and persons whose time runs out meanwhile."


def main() -> int:
    parser = ArgumentParser(prog="python -m bench.crowd", description=ABOUT)
    parser.add_argument("--rounds", type=int, default=1, help="of each match (1); all of a classic match are 13")
    parser.add_argument("--seconds", type=int, help=f"to wait at most ({SECONDS_A_ROUND} a round)")
    asked = parser.parse_args()
    stage.prepare()
    return conclude(measure(asked.rounds, asked.seconds or SECONDS_A_ROUND * asked.rounds))


if __name__ == "__main__":
    sys.exit(main())
