"""Moves while two thousand callers watch: ``python -m bench.watchers``, optionally with names of servers.

Each server in turn answers moves without watchers, with them, and without them again. By default only ours is measured.
The others need packages that nothing else here uses: gevent, granian, uvicorn.
"""

import os
import socket
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from random import Random
from statistics import median

import psutil

from bench import stage
from bench.measure import Measure, conclude, milliseconds
from bench.moves import CREATED, matches, script
from bench.stage import FOUR_PERSONS, Match
from bench.web import OURS, wait_for
from bench.wire import HOST, Connection, request

WATCHERS = 2000
OURS_IS = "gthread"
TABLES = 50
MATCHES = 10
PAUSE = 2
"""Seconds between two matches, so that the whole measure lasts longer than the interval between two heartbeats."""
THREADS = WATCHERS + 100
PATIENCE = 30
MOST_MB = 400
MOST_SLOWER = 1.3
MIB = 2**20
GUNICORN = ("gunicorn", OURS, "--workers", "1", "--no-control-socket", "--log-level", "warning")
GRANIAN = ("granian", "--interface", "wsgi", "--workers", "1", "--no-log", OURS, "--host", HOST)


@dataclass(frozen=True)
class Server:
    """A command that answers moves, and the command that holds the watchers if it is a different one."""

    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    watched: tuple[str, ...] | None = None


LIMITS = {"WATCHERS_OF_ONE": str(WATCHERS), "WATCHERS_OF_ADDRESS": str(WATCHERS)}
POOLED = {"SHARE_CONNECTIONS": "yes"}
SERVERS = {
    "gevent": Server((*GUNICORN, "--worker-class", "gevent", "--worker-connections", "4000"), POOLED),
    OURS_IS: Server(GUNICORN),  # as configured by gunicorn.conf.py
    "granian": Server((*GRANIAN, "--blocking-threads", str(THREADS), "--backpressure", str(THREADS)), POOLED),
    "asgi": Server(
        (*GUNICORN, "--worker-class", "gthread", "--threads", "4"),
        watched=(
            "uvicorn",
            "bench.watching_asgi:application",
            "--log-level",
            "warning",
            "--timeout-graceful-shutdown",
            "2",
            "--host",
            HOST,
        ),
    ),
}


@dataclass(frozen=True)
class Running:
    port: int
    process: psutil.Process

    @property
    def megabytes(self) -> float:
        """The memory of the largest process, which does the work."""
        all_of_it = (self.process, *self.process.children(recursive=True))
        return max(each.memory_info().rss for each in all_of_it) / MIB


@contextmanager
def running(command: Iterable[str], environment: Mapping[str, str]) -> Iterator[Running]:
    with socket.create_server((HOST, 0)) as found:
        port = found.getsockname()[1]
    words = [sys.executable, "-m", *command]
    words += ["--bind", f"{HOST}:{port}"] if "gunicorn" in words else ["--port", str(port)]
    process = subprocess.Popen(words, env={**os.environ, **LIMITS, **environment})
    try:
        wait_for(port, process)
        yield Running(port, psutil.Process(process.pid))
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()


@contextmanager
def watching(port: int, tables: list[Match]) -> Iterator[float]:
    """Open all streams, and wait until each is answered. Yields the seconds that this took."""
    began = time.monotonic()
    with ExitStack() as crowd:
        streams = []
        for number in range(WATCHERS):
            table = tables[number % len(tables)]
            stream = crowd.enter_context(socket.create_connection((HOST, port), timeout=PATIENCE))
            stream.sendall(
                request("GET", f"{table.path}/events", table.tokens[0], headers="Accept: text/event-stream\r\n")
            )
            streams.append(stream)
        for stream in streams:
            heard = b""
            while b"retry:" not in heard:
                heard += stream.recv(4096)
                assert b"200 OK" in heard.partition(b"\r\n")[0], heard
        yield time.monotonic() - began


def waits(port: int, playing: list[Match]) -> float:
    """The median time of an answer to a move."""
    times: list[float] = []
    with Connection(port) as connection:
        for match in playing:
            times += connection.ask_all(script(match), CREATED)
            time.sleep(PAUSE)
    return median(times)


def measure_one(name: str, chance: Random) -> list[Measure]:
    server = SERVERS[name]
    idle = [stage.start_match() for _ in range(TABLES)]
    playing = [matches(FOUR_PERSONS, MATCHES, chance) for _ in range(4)]
    with ExitStack() as both:
        web = both.enter_context(running(server.command, server.environment))
        held = both.enter_context(running(server.watched, {})) if server.watched else web
        waits(web.port, playing[0][:1])
        before = held.megabytes
        without = [waits(web.port, playing[1])]
        with watching(held.port, idle) as seconds:
            meanwhile = waits(web.port, playing[2])
            after = held.megabytes
        time.sleep(1)
        without.append(waits(web.port, playing[3]))
    ratio = meanwhile / median(without)
    found = f"{before:.0f} MB without, {seconds:.1f} s until all were answered"
    is_ours = name == OURS_IS
    return [
        Measure(f"{name}: MB with {WATCHERS} watchers", f"{after:.0f} MB", found, after, MOST_MB if is_ours else None),
        Measure(
            f"{name}: p50 of POST moves with them",
            milliseconds(meanwhile),
            f"without {milliseconds(median(without))}",
            ratio,
            MOST_SLOWER if is_ours else None,
        ),
    ]


ABOUT = (
    "Moves while two thousand callers watch. Ours is measured unless other servers are named: gevent, granian, asgi."
)


def main() -> int:
    parser = ArgumentParser(prog="python -m bench.watchers", description=ABOUT)
    parser.add_argument("servers", nargs="*", metavar="SERVER", help=", ".join(SERVERS))
    names = parser.parse_args().servers or [OURS_IS]
    stage.prepare()
    measures: list[Measure] = []
    for name in names:
        measures += measure_one(name, Random(1))
        print(*(f"{each.what}: {each.ours}, {each.reference}" for each in measures[-2:]), sep="\n", file=sys.stderr)
    return conclude(measures)


if __name__ == "__main__":
    sys.exit(main())
