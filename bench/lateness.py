"""How late the clock and the bots act, with a real worker, beat and Redis: single deadlines, bursts of them, nudges."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from uuid import UUID

from bench import stage
from bench.measure import Measure, conclude, milliseconds, percentile

TABLES = 100
SPREAD = timedelta(seconds=10)
BURSTS = 4
BETWEEN_BURSTS = timedelta(seconds=3.25)
"""With this pause, the bursts fall into different quarters of the sweep's second."""
LEAD = timedelta(seconds=3)
PATIENCE = 60
BOTS = ("easy",) * 4
NUDGES = 300
CELERY = (sys.executable, "-W", "ignore", "-m", "celery", "--app", "config", "--quiet")
CALM = ("--without-gossip", "--without-mingle")
WORKER = ("worker", "--queues", "celery", "--pool", "threads", "--concurrency", "4", *CALM)
THINKERS = ("worker", "--queues", "bots", "--hostname", "bots@%h", "--pool", "prefork", *CALM)


@contextmanager
def background(log: Path | None = None) -> Iterator[None]:
    """Run a worker, the bots' worker and beat, as ``make run`` starts them. ``log`` receives their error output."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        said = stack.enter_context(log.open("w")) if log else None
        for words in (WORKER, THINKERS, ("beat", "--schedule", str(folder / "beat"), "--pidfile=")):
            process = subprocess.Popen([*CELERY, *words], env=os.environ, stderr=said)
            stack.callback(process.wait, PATIENCE)
            stack.callback(process.terminate)
        wait_for_workers(2)
        yield


def wait_for_workers(number: int) -> None:
    from celery import current_app

    until = time.monotonic() + PATIENCE
    while len(current_app.control.ping() or ()) < number:
        if time.monotonic() > until:
            raise SystemExit("The workers did not start.")


def overdue_tables(after: Sequence[timedelta]) -> dict[UUID, datetime]:
    """Tables of persons who will not move, each with its deadline."""
    from django.utils import timezone

    from tables import schedule
    from tables.models import Table

    tables = [stage.start_match((stage.PERSON, stage.PERSON), turn_seconds=3600).table for _ in after]
    begin = timezone.now() + LEAD
    deadlines = {table: begin + wait for table, wait in zip(tables, after, strict=True)}
    for table, deadline in deadlines.items():
        Table.objects.filter(pk=table).update(deadline=deadline, due_at=deadline + schedule.GRACE)
    return deadlines


def lateness(deadlines: dict[UUID, datetime]) -> list[float]:
    """Seconds from each deadline to the move that the clock made."""
    from tables.models import By, Move

    until = time.monotonic() + PATIENCE
    acted: dict[UUID, datetime] = {}
    while len(acted) < len(deadlines) and time.monotonic() < until:
        time.sleep(0.5)
        first = Move.objects.filter(table__in=deadlines, number=1, by=By.TIMEOUT)
        acted = dict(first.values_list("table_id", "at"))
    assert len(acted) == len(deadlines), f"{len(deadlines) - len(acted)} deadlines were never acted on"
    assert Move.objects.filter(table__in=deadlines, number=1).count() == len(deadlines)
    return [(acted[table] - deadline).total_seconds() for table, deadline in deadlines.items()]


def nudged() -> list[float]:
    """Seconds between consecutive moves of a table of bots: commit, nudge, worker, choice."""
    from tables.lobby import ending
    from tables.models import Move, Table

    match = stage.start_match(BOTS)
    moves = Move.objects.filter(table=match.table).order_by("number")
    until = time.monotonic() + PATIENCE
    while moves.count() <= NUDGES and time.monotonic() < until:
        time.sleep(0.5)
    host = Table.objects.get(pk=match.table).host
    assert host is not None
    ending.cancel(match.table, host)
    times: list[datetime] = list(moves.values_list("at", flat=True))
    assert len(times) > NUDGES, "the bots did not get on"
    return [(after - before).total_seconds() for before, after in pairwise(times)]


def late(name: str, seconds: Sequence[float], period: float) -> Measure:
    p50, p99 = percentile(seconds, 0.5), percentile(seconds, 0.99)
    ours = f"p50 {milliseconds(p50)}, p99 {milliseconds(p99)}"
    return Measure(name, ours, f"sweep period {period:g} s", p99 - period, floor=0.3, goal=0.05)


def measure() -> list[Measure]:
    from django.conf import settings

    every = settings.CELERY_BEAT_SCHEDULE["sweep"]["schedule"]
    assert isinstance(every, timedelta)
    period = every.total_seconds()
    with background():
        steps = nudged()
        spread = lateness(overdue_tables([SPREAD * at / TABLES for at in range(TABLES)]))
        bursts = lateness(overdue_tables([BETWEEN_BURSTS * burst for burst in range(BURSTS) for _ in range(TABLES)]))
    p50, p99 = percentile(steps, 0.5), percentile(steps, 0.99)
    return [
        late(f"{TABLES} deadlines over {SPREAD.seconds} s, p99 - period, s", spread, period),
        late(f"{BURSTS} times {TABLES} deadlines at once, the same", bursts, period),
        Measure("a bot's move to the next bot's, ms", f"p99 {milliseconds(p99)}", "", p50 * 1000),
    ]


if __name__ == "__main__":
    stage.prepare()
    sys.exit(conclude(measure()))
