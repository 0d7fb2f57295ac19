"""People at tables while processes are killed and servers freeze.

Start it as ``python -m local servers -- python -m bench.faults``. Every acknowledged move is noted. At the end each
must stand in the log once, and after every fault the rate of moves must be back soon. Only processes that this command
has started are killed or stopped, and all of it ends by itself.
"""

import json
import os
import random
import re
import signal
import socket
import sys
import threading
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from random import Random

import psutil

from bench import stage
from bench.measure import Measure, conclude, milliseconds, percentile
from bench.moves import move_request
from bench.stage import FOUR_PERSONS, Match
from bench.web import OURS, serving
from bench.wire import HOST, Connection, request

LONGER_THAN = 95
ACKNOWLEDGED = (200, 201)
HELD = 20
"""Seconds for which a position is held."""
STREAMS = 4
"""At every fourth table the others follow the stream of events; at the rest they hold positions."""
CALM = 6.0
"""Seconds before each fault, in which the usual rate is measured."""
FROZEN = 2.0
RECOVERY = 3.0
"""Seconds after a fault within which three quarters of the usual rate must be back."""
GIVE_UP = 20.0
NEW_NUMBER = re.compile(rb'"number": ?(\d+)')


@dataclass
class Journal:
    """What the clients have seen: acknowledged moves with their times, and when others heard of them."""

    moves: dict[tuple[str, int], str] = field(default_factory=dict)
    at: list[float] = field(default_factory=list)
    took: list[float] = field(default_factory=list)
    sent: dict[tuple[str, int], float] = field(default_factory=dict)
    heard: list[float] = field(default_factory=list)
    refused: int = 0
    is_over: bool = False

    def hear(self, table: str, number: int) -> None:
        if began := self.sent.get((table, number)):
            self.heard.append(time.monotonic() - began)

    def rate(self, since: float, until: float) -> float:
        return sum(since <= each < until for each in list(self.at)) / (until - since)


@dataclass
class Table:
    """A match that a script plays, and those who watch it."""

    match: Match
    port: int
    journal: Journal
    think: float

    def play(self) -> None:
        """Make the moves of the script one after the other. Each is sent again until it is acknowledged."""
        connection: Connection | None = None
        for number in range(1, len(self.match.log) + 1):
            time.sleep(self.think * random.uniform(0.5, 1.5))
            began = time.monotonic()
            while not self.journal.is_over:
                try:
                    connection = connection or Connection(self.port)
                    self.journal.sent[str(self.match.table), number] = time.monotonic()
                    status, _, body = connection.ask(move_request(self.match, number))
                except (OSError, ValueError):
                    status, connection = 0, None
                if status in ACKNOWLEDGED:
                    self.note(number, json.loads(body)["move"], began)
                    break
                self.journal.refused += 1
                connection = None  # a refusal may have a body that the driver does not read
                time.sleep(0.2)

    def note(self, number: int, move: str, began: float) -> None:
        now = time.monotonic()
        self.journal.moves[str(self.match.table), number] = move
        self.journal.at.append(now)
        self.journal.took.append(now - began)

    def hold(self) -> None:
        """Hold the position of one player, again and again."""
        known = ""
        connection: Connection | None = None
        while not self.journal.is_over:
            path = f"{self.match.path}/position?wait={HELD}"
            try:
                connection = connection or Connection(self.port)
                status, head, body = connection.ask(
                    request("GET", path, self.match.tokens[0], headers=f"If-None-Match: {known}\r\n" if known else "")
                )
            except (OSError, ValueError):
                status, connection = 0, None
            if status == 200:
                self.journal.hear(str(self.match.table), json.loads(body)["next_number"] - 1)
                known = head.partition(b"ETag: ")[2].partition(b"\r\n")[0].decode()
            elif status != 304:
                connection = None
                time.sleep(0.5)

    def follow(self) -> None:
        """Follow the stream of events of one player, and connect again when it ends."""
        while not self.journal.is_over:
            with suppress(OSError), Connection(self.port) as stream:
                stream.socket.sendall(request("GET", f"{self.match.path}/events", self.match.tokens[0]))
                while not self.journal.is_over:
                    for number in NEW_NUMBER.findall(stream.more()):
                        self.journal.hear(str(self.match.table), int(number))
            time.sleep(0.5)


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


def back_after(journal: Journal, act: Callable[[], None]) -> float:
    """Let something happen, and return the seconds from its end until the rate is back at three quarters."""
    while not journal.at:  # the server has just started
        time.sleep(0.1)
    time.sleep(CALM)
    now = time.monotonic()
    usual = journal.rate(now - CALM / 2, now)
    assert usual, "nobody plays any more"
    act()
    ended = time.monotonic()
    while time.monotonic() < ended + GIVE_UP:
        time.sleep(0.1)
        now = time.monotonic()
        if now >= ended + 1 and journal.rate(now - 1, now) >= 0.75 * usual:
            return now - ended - 1  # the rate is that of the second before
    return GIVE_UP


def lost_or_doubled(matches: Sequence[Match], journal: Journal) -> tuple[int, int]:
    """Return how many acknowledged moves the log does not have, and how many of its entries nobody has sent.

    One entry a table may be unacknowledged: the move that was under way at the end.
    """
    from tables.models import Move

    lost = doubled = 0
    for match in matches:
        log = list(Move.objects.filter(table=match.table).order_by("number").values_list("number", "text"))
        stands = dict(log)
        told = {number: move for (table, number), move in journal.moves.items() if table == str(match.table)}
        lost += sum(stands.get(number) != move for number, move in told.items())
        doubled += len(log) - len(stands) + (len(log) > len(told) + 1)
    return lost, doubled


def measure(tables: int, think: float, names: Sequence[str]) -> list[Measure]:
    chance, journal = Random(1), Journal()
    matches = [stage.scripted_match(FOUR_PERSONS, LONGER_THAN, chance) for _ in range(tables)]
    with web_servers() as webs:
        playing = [Table(match, webs.port, journal, think) for match in matches]
        threads = [threading.Thread(target=table.play) for table in playing]
        threads += [
            threading.Thread(target=table.hold if at % STREAMS else table.follow, daemon=True)
            for at, table in enumerate(playing)
        ]
        for each in threads:
            each.start()
        faults: dict[str, Callable[[], None]] = {
            "kill -9 of a web process": webs.kill_worker,
            "kill -9 of the web's master": webs.kill_master,
            "Redis stands still": lambda: freeze("valkey") if ours("valkey") else freeze("redis"),
            "PostgreSQL stands still": lambda: freeze("postgres"),
        }
        measures = []
        for name, act in faults.items():
            if name in names or not names:
                seconds = back_after(journal, act)
                measures.append(Measure(f"{name}: the rate is back, s", "", "", seconds, floor=RECOVERY))
        journal.is_over = True
        for each in threads[:tables]:
            each.join()
    lost, doubled = lost_or_doubled(matches, journal)
    p50, p99 = percentile(journal.took, 0.5), percentile(journal.took, 0.99)
    heard = f"p50 {milliseconds(percentile(journal.heard, 0.5))}, p99 {milliseconds(percentile(journal.heard, 0.99))}"
    return [
        *measures,
        Measure("acknowledged moves that are lost", f"of {len(journal.moves)}", "", lost, floor=0),
        Measure("moves that are doubled", "", "", doubled, floor=0),
        Measure("a move, with its repetitions, s", f"p50 {milliseconds(p50)}, p99 {milliseconds(p99)}", "", p99),
        Measure("until the others know of it, s", heard, "", percentile(journal.heard, 0.99)),
    ]


def main() -> int:
    parser = ArgumentParser(prog="python -m bench.faults", description="Faults while people play; a minute.")
    parser.add_argument("--tables", type=int, default=20, help="tables of four persons")
    parser.add_argument("--think", type=float, default=0.4, help="seconds that a person thinks about a move")
    parser.add_argument("--only", action="append", default=[], help="the name of a fault; by default all happen")
    asked = parser.parse_args()
    stage.prepare()
    return conclude(measure(asked.tables, asked.think, asked.only))


if __name__ == "__main__":
    sys.exit(main())
