"""``POST moves`` over many connections against few, with the settings of production: CPU a move, and moves a second.

Start it as ``python -m local servers -- python -m bench.connections``. Few and many take turns on one server.
"""

import sys
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from random import Random
from statistics import median

from bench import stage
from bench.measure import Measure, conclude, median_ratio, milliseconds
from bench.moves import CREATED, move_request
from bench.stage import FOUR_PERSONS
from bench.web import OURS, Web, serving
from bench.wire import Connection

MOVES = 24
"""The moves of each table, from the first on."""
FEWEST_TABLES = 8
"""One connection alone plays so many tables, one after the other."""
NUMBERS = (1, 4, 16, 64)
ROUNDS = 4


PAUSE = 0.05
"""Seconds before a refused move is sent again."""
TOO_BUSY = 503


@dataclass(frozen=True)
class Batch:
    """Moves that were made at once: CPU of each in seconds, moves a second, and how many requests were refused."""

    cpu: float
    rate: float
    refused: int


def play(port: int, requests: Iterable[bytes]) -> int:
    """Send the moves one after the other, and a refused one again. Returns how many were refused."""
    refused = 0
    with Connection(port) as connection:
        for each in requests:
            while (status := connection.ask(each)[0]) == TOO_BUSY:
                refused += 1
                time.sleep(PAUSE)
            assert status == CREATED, status
    return refused


def batch(web: Web, connections: int, chance: Random) -> Batch:
    """Play new tables over so many connections, as many tables over each."""
    shares: list[list[bytes]] = [[] for _ in range(connections)]
    for at in range(max(connections, FEWEST_TABLES)):
        match = stage.scripted_match(FOUR_PERSONS, MOVES, chance, MOVES)
        shares[at % connections] += [move_request(match, number) for number in range(1, MOVES + 1)]
    moves = sum(map(len, shares))
    with ThreadPoolExecutor(connections) as crowd:
        before, began = web.cpu_seconds(), time.monotonic()
        refused = sum(crowd.map(lambda share: play(web.port, share), shares))
        seconds = time.monotonic() - began
    return Batch((web.cpu_seconds() - before) / moves, moves / seconds, refused)


def measure() -> list[Measure]:
    chance = Random(1)
    with serving(OURS, workers=2, threads=None) as web:
        batch(web, 16, chance)  # both workers are warm
        found = [[batch(web, number, chance) for number in NUMBERS] for _ in range(ROUNDS)]
    cpu = [(many.cpu, one.cpu) for one, _, many, _ in found]
    rates = [(many.rate, few.rate) for _, few, _, many in found]
    (cpu_16, cpu_1), (rate_64, rate_4) = (map(median, zip(*pairs, strict=True)) for pairs in (cpu, rates))
    refused = sum(each.refused for batches in found for each in batches)
    return [
        Measure(
            "CPU a POST moves, 16 connections",
            milliseconds(cpu_16),
            f"1 connection {milliseconds(cpu_1)}",
            median_ratio(cpu),
            floor=1.15,
            goal=1.05,
        ),
        Measure(
            "POST moves/s, 64 connections",
            f"{rate_64:.0f}/s",
            f"4 connections {rate_4:.0f}/s",
            median_ratio(rates),
            floor=0.95,
            goal=1,
            at_least=True,
        ),
        Measure("requests refused meanwhile", "", "", refused),
    ]


if __name__ == "__main__":
    stage.prepare()
    sys.exit(conclude(measure()))
