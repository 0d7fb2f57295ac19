"""Our server and boardgame.io with its PostgreSQL store, in one run and on one database: ``make bench-peers``.

boardgame.io plays a game of the same size with clients of its own (``bench/boardgameio``). npm installs its packages
there at the first run. Both play their matches to the same move, with one socket for each player, and take turns.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median

from psycopg.conninfo import conninfo_to_dict

from bench import stage
from bench.measure import Measure, conclude, median_ratio, milliseconds
from bench.moves import CREATED, move_request
from bench.stage import FOUR_PERSONS, Match
from bench.web import OURS, serving
from bench.wire import HOST, Connection, request

FOLDER = Path(__file__).parent / "boardgameio"
MATCHES = 20
MOVES = 95
"""The moves of each match: most of a first round."""
TURNS = 2
"""How often each side plays."""
PATIENCE = 30
OK = 200


@dataclass(frozen=True)
class Played:
    """How fast matches were played: moves a second, and the median of the seconds of a move."""

    rate: float
    wait: float


def install() -> None:
    """Install boardgame.io, or exit with a line that says what is missing."""
    for program in ("node", "npm"):
        if not shutil.which(program):
            sys.exit(f"{program} is missing; boardgame.io needs Node 20 or later.")
    if not (FOLDER / "node_modules").exists():
        command = ["npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--omit=dev", "--loglevel=error"]
        if subprocess.run(command, cwd=FOLDER, check=False).returncode:
            shutil.rmtree(FOLDER / "node_modules", ignore_errors=True)
            sys.exit("npm could not install boardgame.io; its error is above.")


@contextmanager
def boardgameio() -> Iterator[int]:
    """Run boardgame.io's server on our database. Yields its port."""
    with socket.create_server((HOST, 0)) as free:
        port: int = free.getsockname()[1]
    names = {"host": "host", "port": "port", "dbname": "database", "user": "username", "password": "password"}
    given = conninfo_to_dict(os.environ["DATABASE_URL"])
    database = json.dumps({ours: given[name] for name, ours in names.items() if name in given})
    surroundings = os.environ | {"NODE_ENV": "production", "DATABASE": database}
    process = subprocess.Popen(
        ["node", "server.js", str(port)], cwd=FOLDER, env=surroundings, stdout=subprocess.DEVNULL
    )
    try:
        wait_until_open(port, process)
        yield port
    finally:
        process.terminate()
        process.wait(PATIENCE)


def wait_until_open(port: int, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < deadline:
        try:
            socket.create_connection((HOST, port)).close()
            return
        except OSError:
            time.sleep(0.1)
    sys.exit("boardgame.io did not start.")


def theirs(matches: int) -> Played:
    """Let boardgame.io play the matches. Its server sends each new state to the clients without a request."""
    with boardgameio() as port:
        command = ["node", "drive.js", str(port), str(matches), str(MOVES)]
        finished = subprocess.run(
            command, cwd=FOLDER, env=os.environ | {"NODE_ENV": "production"}, check=True, capture_output=True
        )
    result = json.loads(finished.stdout)
    return Played(result["moves"] / result["seconds"], result["median"] / 1000)


class Seats:
    """A match with one connection for each of its players."""

    def __init__(self, port: int, match: Match) -> None:
        self.match = match
        self.connections = [Connection(port) for _ in match.tokens]

    def close(self) -> None:
        for each in self.connections:
            each.socket.close()

    def move(self, number: int) -> None:
        """Make a move by its own player."""
        seat, _ = self.match.log[number - 1]
        status, head, body = self.connections[seat].ask(move_request(self.match, number))
        assert status == CREATED, (status, head, body)

    def cycle(self, number: int) -> None:
        """Make a move, and let the other players get their positions."""
        self.move(number)
        mover, _ = self.match.log[number - 1]
        self.look(set(range(len(FOUR_PERSONS))) - {mover})

    def look(self, seats: Iterable[int]) -> None:
        """Let these players get their positions."""
        for seat in seats:
            sent = request("GET", f"{self.match.path}/position", self.match.tokens[seat])
            status, head, body = self.connections[seat].ask(sent)
            assert status == OK, (status, head, body)


def ours(matches: Sequence[Match], step: Callable[[Seats, int], None]) -> Played:
    """Play the matches at once, each with one request at a time, on a server with the settings of production."""
    with serving(OURS, workers=2, threads=None) as web:
        tables = [Seats(web.port, match) for match in matches]
        for table in tables:
            table.look(range(len(FOUR_PERSONS)))  # the clients of boardgame.io are connected before they play as well
        with ThreadPoolExecutor(len(tables)) as crowd:
            began = time.perf_counter()
            times = [each.result() for each in [crowd.submit(play, table, step) for table in tables]]
            seconds = time.perf_counter() - began
        for table in tables:
            table.close()
    return Played(MOVES * len(matches) / seconds, median(each for some in times for each in some))


def play(table: Seats, step: Callable[[Seats, int], None]) -> list[float]:
    times = []
    for number in range(1, MOVES + 1):
        began = time.perf_counter()
        step(table, number)
        times.append(time.perf_counter() - began)
    return times


def measure() -> list[Measure]:
    chance = Random(1)

    def matches(number: int) -> list[Match]:
        return [stage.scripted_match(FOUR_PERSONS, MOVES, chance) for _ in range(number)]

    crowds, singles = [], []
    for turn in range(TURNS):
        crowds.append((ours(matches(MATCHES), Seats.move), ours(matches(MATCHES), Seats.cycle), theirs(MATCHES)))
        singles.append((ours(matches(1), Seats.move), theirs(1)))
        print(f"{turn + 1} of {TURNS}", file=sys.stderr, flush=True)
    moves, cycles, they = (median(each.rate for each in side) for side in zip(*crowds, strict=True))
    wait, their_wait = (milliseconds(median(each.wait for each in side)) for side in zip(*singles, strict=True))
    reference = f"boardgame.io {they:.0f}/s"
    move_ratio = median_ratio((mine.rate, peer.rate) for mine, _, peer in crowds)
    cycle_ratio = median_ratio((mine.rate, peer.rate) for _, mine, peer in crowds)
    wait_ratio = median_ratio((mine.wait, peer.wait) for mine, peer in singles)
    return [
        Measure("POST moves/s, 20 matches", f"{moves:.0f}/s", reference, move_ratio, 2, 3, at_least=True),
        Measure(
            "1 POST + 3 GET position, 20 matches", f"{cycles:.0f}/s", reference, cycle_ratio, 1, 1.5, at_least=True
        ),
        Measure("p50 of POST moves, 1 match", wait, f"boardgame.io {their_wait}", wait_ratio, 0.35, 0.25),
    ]


def main() -> int:
    install()
    stage.prepare()
    return conclude(measure())


if __name__ == "__main__":
    sys.exit(main())
