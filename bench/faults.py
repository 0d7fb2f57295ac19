"""People at tables, and tables of bots, while processes are killed and servers freeze.

Start it as ``python -m local servers -- python -m bench.faults``. Every acknowledged move is noted. At the end each
must stand in the log once, and after every fault the moves must go on soon. Only processes that this command has
started are killed or stopped, and all of it ends by itself.
"""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from random import Random
from uuid import UUID

import psutil

from bench import stage
from bench.lateness import CELERY, THINKERS, WORKER, wait_for_workers
from bench.load import times
from bench.measure import Measure, conclude
from bench.people import Crowd, Journal, Table, lost_or_doubled, playing
from bench.stage import FOUR_PERSONS
from bench.web import OURS, serving
from bench.wire import HOST

LONGER_THAN = 95
CALM = 6.0
"""Seconds before each fault, in which the usual rate is measured."""
FROZEN = 2.0
RECOVERY = 3.0
"""Seconds after a fault within which three quarters of the usual rate must be back."""
GIVE_UP = 20.0
BOTS = ("easy",) * 4
BOT_TABLES = 4
BOT_DELAY_MS = 500
BOTS_AFTER = 8.0
"""Seconds after the death of a worker in which the tables of bots are observed."""
LIVELY = timedelta(seconds=2)
"""A table of bots gets on if it had a move within so much time."""
LONGEST_PAUSE = 5.0
"""Seconds that a table may wait for a bot whose process has ended."""
PATIENCE = 30


def ours(name: str) -> list[psutil.Process]:
    """The processes of this name that the command around this one has started."""
    return [each for each in psutil.Process(os.getppid()).children(recursive=True) if name in each.name()]


def freeze(name: str) -> None:
    processes = ours(name)
    for each in processes:
        each.suspend()
    time.sleep(FROZEN)
    for each in processes:
        with suppress(psutil.NoSuchProcess):
            each.resume()


def is_alive(process: psutil.Process) -> bool:
    return process.is_running() and bool(process.status() != psutil.STATUS_ZOMBIE)


class Webs:
    """The web server, which is started again when its master has been killed, as an init system would."""

    def __init__(self) -> None:
        self.listening = socket.create_server((HOST, 0), backlog=1024)
        self.port: int = self.listening.getsockname()[1]
        self.over = threading.Event()
        self.started = threading.Event()
        self.master: psutil.Process
        self.thread = threading.Thread(target=self.run)

    def run(self) -> None:
        while not self.over.is_set():
            with serving(OURS, workers=2, threads=None, listening=self.listening) as web:
                self.master = web.process
                self.started.set()
                while is_alive(web.process) and not self.over.wait(0.1):
                    pass

    def kill_worker(self) -> None:
        self.master.children()[0].send_signal(signal.SIGKILL)

    def kill_master(self) -> None:
        self.master.send_signal(signal.SIGKILL)


@contextmanager
def web_servers() -> Iterator[Webs]:
    webs = Webs()
    webs.thread.start()
    try:
        webs.started.wait()
        yield webs
    finally:
        webs.over.set()
        webs.thread.join()
        webs.listening.close()


class Background:
    """A process of Celery, which is started again after it was killed."""

    def __init__(self, *words: str) -> None:
        self.words = words
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen([*CELERY, *self.words], env=os.environ)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self.start()

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)


@contextmanager
def background() -> Iterator[dict[str, Background]]:
    """Run the worker, the bots' worker and beat."""
    with tempfile.TemporaryDirectory() as folder:
        beat = ("beat", "--schedule", str(Path(folder) / "beat"), "--pidfile=")
        processes = {"worker": Background(*WORKER), "bots' worker": Background(*THINKERS), "beat": Background(*beat)}
        try:
            wait_for_workers(2)
            yield processes
        finally:
            for each in processes.values():
                each.end()


def calm(journal: Journal) -> float:
    """Let some seconds pass, and return the usual rate of moves."""
    while not journal.at:  # the server has just started
        time.sleep(0.1)
    time.sleep(CALM)
    now = time.monotonic()
    usual = journal.rate(now - CALM / 2, now)
    assert usual, "nobody plays any more"
    return usual


def back_after(journal: Journal, act: Callable[[], None]) -> float:
    """Let something happen, and return the seconds from its end until the rate is back at three quarters."""
    usual = calm(journal)
    act()
    ended = time.monotonic()
    while time.monotonic() < ended + GIVE_UP:
        time.sleep(0.1)
        now = time.monotonic()
        if now >= ended + 1 and journal.rate(now - 1, now) >= 0.75 * usual:
            return now - ended - 1  # the rate is that of the second before
    return GIVE_UP


def longest_pause(tables: Sequence[UUID], since: datetime) -> float:
    """The longest time since then that a table of bots was without a move, in seconds."""
    from django.utils import timezone

    from tables.models import Move

    now, longest = timezone.now(), timedelta()
    for table in tables:
        times = Move.objects.filter(table=table, at__gt=since).order_by("at").values_list("at", flat=True)
        longest = max([longest, *(after - before for before, after in pairwise([since, *times, now]))])
    return longest.total_seconds()


def pause_after(tables: Sequence[UUID], act: Callable[[], None]) -> float:
    """Wait until all tables of bots get on. Let something happen, and return the longest pause after it."""
    from django.utils import timezone

    until = time.monotonic() + PATIENCE
    while longest_pause(tables, timezone.now() - LIVELY) >= LIVELY.total_seconds() and time.monotonic() < until:
        time.sleep(0.5)
    began = timezone.now()
    act()
    time.sleep(BOTS_AFTER)
    return longest_pause(tables, began)


def measure(tables: int, think: float, names: Sequence[str]) -> list[Measure]:
    chance, journal, measures = Random(1), Journal(), []
    matches = [stage.scripted_match(FOUR_PERSONS, LONGER_THAN, chance) for _ in range(tables)]
    with background() as processes, web_servers() as webs:
        bots = [stage.start_match(BOTS, bot_delay_ms=BOT_DELAY_MS).table for _ in range(BOT_TABLES)]
        faults: dict[str, Callable[[], None]] = {
            "kill -9 of a web process": webs.kill_worker,
            "kill -9 of the web's master": webs.kill_master,
            "Redis stands still": lambda: freeze("valkey") if ours("valkey") else freeze("redis"),
            "PostgreSQL stands still": lambda: freeze("postgres"),
        }
        deaths = {f"kill -9 of {name}": process.kill for name, process in processes.items()}
        with playing(Crowd([Table(match, webs.port, journal, think) for match in matches], watchers=1)):
            for name, act in faults.items():
                if name in names or not names:
                    seconds = back_after(journal, act)
                    measures.append(Measure(f"{name}: the rate is back, s", "", "", seconds, floor=RECOVERY))
            for name, act in deaths.items():
                if name in names or not names:
                    seconds = pause_after(bots, act)
                    measures.append(Measure(f"{name}: bots pause, s", "", "", seconds, floor=LONGEST_PAUSE))
    return [
        *measures,
        *lost_or_doubled(matches, journal),
        times("a move with its repetitions", journal.took),
        times("until a held position shows it", journal.heard_by_poll),
    ]


def main() -> int:
    parser = ArgumentParser(prog="python -m bench.faults", description="Faults while people play; two minutes.")
    parser.add_argument("--tables", type=int, default=20, help="tables of four persons")
    parser.add_argument("--think", type=float, default=0.4, help="seconds that a person thinks about a move")
    parser.add_argument("--only", action="append", default=[], help="the name of a fault; by default all happen")
    asked = parser.parse_args()
    stage.prepare()
    return conclude(measure(asked.tables, asked.think, asked.only))


if __name__ == "__main__":
    sys.exit(main())
