"""Many people at many tables: ``python -m local servers -- python -m bench.load --tables 200 --think 3``.

At each table four persons play; three of them hold positions, or follow the stream of events, to hear of the moves.
With ``--pressing`` further callers ask without a pause during the middle third, so that the server has too much to do.
"""

import os
import sys
import threading
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

import psutil

from bench import stage
from bench.measure import Measure, conclude, milliseconds, percentile
from bench.people import ALLOWED, Crowd, Journal, Table, lost_or_doubled, playing
from bench.stage import FOUR_PERSONS
from bench.web import OURS, Web, serving
from bench.wire import Connection, request

WATCHERS = 3
SETTLED = 60
"""Seconds after which the memory should grow no more."""
MOST_GROWTH = 1.1
HEALTHY = 3.0
"""Seconds after which the health check of the compose file gives up."""
RECOVERY = 2.0
"""Seconds after an overload within which moves must be as fast as before it."""
WINDOW = 1.0
GIVE_UP = 20.0
MIB = 2**20
LIMITS = {"WATCHERS_OF_ADDRESS": "10000"}
"""All watchers of this measure have one address."""


@dataclass
class Observer:
    """Asks each second whether the server is healthy, and notes the memory of its workers and the processors' work."""

    web: Web
    health: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    busy: list[float] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def observe(self) -> None:
        psutil.cpu_percent()
        while not self.over.wait(1):
            self.memory.append(sum(each.memory_info().rss for each in self.web.process.children()) / MIB)
            self.busy.append(psutil.cpu_percent() / 100 * (os.cpu_count() or 1))
            began = time.monotonic()
            with Connection(self.web.port) as connection:
                status, _, _ = connection.ask(request("GET", "/healthz", "none"))
            self.health.append(time.monotonic() - began if status == 200 else GIVE_UP)


def times(what: str, seconds: Sequence[float], reference: str = "") -> Measure:
    p50, p95, p99 = (milliseconds(percentile(seconds, part)) for part in (0.5, 0.95, 0.99))
    return Measure(f"{what}, p99 in s", f"p50 {p50}, p95 {p95}, p99 {p99}", reference, percentile(seconds, 0.99))


def recovered_after(journal: Journal, began: float, ended: float) -> float:
    """The seconds from the end of an overload until a second without refusals, with moves as fast as before.

    They are as fast if 95 of 100 take no longer than the slowest of 100 before the overload.
    """
    usual = percentile([took for sent, took in journal.answered if sent < began], 0.99)
    since = ended
    while since < ended + GIVE_UP:
        took = [took for sent, took in journal.answered if since <= sent < since + WINDOW]
        is_refusing = any(since <= at < since + WINDOW for at in journal.refused_at)
        if took and not is_refusing and percentile(took, 0.95) <= usual:
            break
        since += 0.1
    return since - ended


def refusals(journal: Journal) -> Measure:
    other = sum(number for name, number in journal.refusals.items() if name not in ALLOWED)
    found = ", ".join(f"{name}: {number}" for name, number in sorted(journal.refusals.items())) or "none"
    return Measure("refusals that are not 503 or 429 with Retry-After", found, "", other, floor=0)


def memory(observer: Observer) -> list[Measure]:
    """The growth of the workers after a minute, if the measure lasts longer."""
    settled, last = observer.memory[SETTLED - 1 : SETTLED], observer.memory[-1]
    if not settled:
        return [Measure("memory of the web processes", f"{last:.0f} MB", "", last)]
    reference = f"after a minute {settled[0]:.0f} MB"
    return [Measure("memory of the web processes", f"{last:.0f} MB", reference, last / settled[0], MOST_GROWTH)]


def measure(tables: int, think: float, seconds: float, pressing: int) -> list[Measure]:
    chance, journal = Random(1), Journal()
    longest = min(95, int(2 * seconds / think))  # nearly all matches have a longer first round
    matches = [stage.scripted_match(FOUR_PERSONS, longest, chance, longest) for _ in range(tables)]
    print(f"{tables} tables are ready.", file=sys.stderr, flush=True)
    with serving(OURS, workers=2, threads=None, environment=LIMITS) as web:
        observer = Observer(web)
        crowd = Crowd([Table(match, web.port, journal, think) for match in matches], WATCHERS)
        observing = threading.Thread(target=observer.observe)
        observing.start()
        started, before, mine = time.monotonic(), web.cpu_seconds(), time.process_time()
        with playing(crowd):
            time.sleep(seconds / 3)
            crowd.pressing, began = pressing, time.monotonic()
            time.sleep(seconds / 3)
            crowd.pressing, ended = 0, time.monotonic()
            time.sleep(seconds / 3)
        lasted = time.monotonic() - started
        ours, driver = (web.cpu_seconds() - before) / lasted, (time.process_time() - mine) / lasted
        observer.over.set()
        observing.join()
    answered = [took for _, took in journal.answered]
    found = [
        Measure("moves a second", f"{len(answered) / lasted:.1f}/s", "", len(answered) / lasted),
        times("POST moves", answered),
        times("a move with its repetitions", journal.took),
        times("until a held position shows it", journal.heard_by_poll),
        times("until a stream has it", journal.heard_by_stream),
        refusals(journal),
        *lost_or_doubled(matches, journal),
        Measure(
            "slowest answer of /healthz, s",
            f"p50 {milliseconds(percentile(observer.health, 0.5))}",
            "",
            max(observer.health),
            floor=HEALTHY,
        ),
        *memory(observer),
        Measure(
            "processors at work",
            f"web {ours:.2f}, this driver {driver:.2f}",
            f"of {os.cpu_count()}",
            sum(observer.busy) / len(observer.busy),
        ),
    ]
    if pressing:
        found.append(
            Measure("recovered after the overload, s", "", "", recovered_after(journal, began, ended), RECOVERY)
        )
    return found


ABOUT = "Many people at many tables; --pressing callers who never pause overload the server meanwhile."


def main() -> int:
    parser = ArgumentParser(prog="python -m bench.load", description=ABOUT)
    parser.add_argument("--tables", type=int, default=200, help="tables of four persons (200)")
    parser.add_argument("--think", type=float, default=3, help="seconds that a person thinks about a move (3)")
    parser.add_argument("--seconds", type=float, default=90, help="that all of it lasts (90)")
    parser.add_argument("--pressing", type=int, default=0, help="callers who overload the server (0)")
    asked = parser.parse_args()
    stage.prepare()
    return conclude(measure(asked.tables, asked.think, asked.seconds, asked.pressing))


if __name__ == "__main__":
    sys.exit(main())
