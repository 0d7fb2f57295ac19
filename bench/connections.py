"""``POST moves`` over many connections against few, with the settings of production: CPU a move, and moves a second.

Start it as ``python -m local servers -- python -m bench.connections``. Few and many take turns on one server.
"""

import sys
from dataclasses import dataclass
from random import Random
from statistics import median

from bench import stage
from bench.measure import Measure, conclude, median_ratio, milliseconds
from bench.moves import CREATED, move_request
from bench.stage import FOUR_PERSONS
from bench.web import OURS, Web, serving
from bench.wire import rate

MOVES = 24
"""The moves of each table, from the first on."""
FEWEST_TABLES = 8
"""One connection alone plays so many tables, one after the other."""
PAIRS = 4


@dataclass(frozen=True)
class Batch:
    """Moves that were made at once: CPU of each in seconds, and moves a second."""

    cpu: float
    rate: float


def batch(web: Web, connections: int, chance: Random) -> Batch:
    """Play new tables over so many connections, as many tables over each."""
    shares: list[list[bytes]] = [[] for _ in range(connections)]
    for at in range(max(connections, FEWEST_TABLES)):
        match = stage.scripted_match(FOUR_PERSONS, MOVES, chance, MOVES)
        shares[at % connections] += [move_request(match, number) for number in range(1, MOVES + 1)]
    before = web.cpu_seconds()
    moves_a_second = rate(web.port, shares, CREATED)
    return Batch((web.cpu_seconds() - before) / sum(map(len, shares)), moves_a_second)


def measure() -> list[Measure]:
    chance = Random(1)
    with serving(OURS, workers=2, threads=None) as web:
        batch(web, 16, chance)  # both workers are warm
        cpu, rates = [], []
        for _ in range(PAIRS):
            cpu.append((batch(web, 16, chance).cpu, batch(web, 1, chance).cpu))
            rates.append((batch(web, 64, chance).rate, batch(web, 4, chance).rate))
    (cpu_16, cpu_1), (rate_64, rate_4) = (map(median, zip(*pairs, strict=True)) for pairs in (cpu, rates))
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
    ]


if __name__ == "__main__":
    stage.prepare()
    sys.exit(conclude(measure()))
