"""Whether a move late in a match costs more than an early one: moves 900-1000 against moves 50-100 of one match.

The cost of a move may depend on its place within its round. So a late move is compared with the early move at the same
place: of the moves 900-1000, only those count that are the 50th to 100th of their round. Every measured move runs
through the whole of Django in this process, so that its CPU time can be taken. The moves between are submitted without
HTTP.
"""

import json
import sys
import time
from collections import defaultdict
from random import Random
from statistics import median

from bench import stage
from bench.measure import Measure, conclude, milliseconds
from bench.stage import Match

EARLY = range(50, 101)
LATE = range(900, 1001)
MATCHES = 8
Costs = dict[int, list[tuple[float, float]]]
"""CPU and wall seconds of moves, by their place within their round."""


class Player:
    """Plays one match by a script. With ``costs``, it also measures the moves at the places ``EARLY``."""

    def __init__(self, match: Match, chance: Random) -> None:
        from django.test import Client

        self.match = match
        self.chance = chance
        self.client = Client()
        self.round_begins = 1
        self.load()

    def load(self) -> None:
        from tables import repository

        snapshot = repository.load(self.match.table)
        assert snapshot
        assert snapshot.state
        self.state = snapshot.state

    def play(self, numbers: range, costs: Costs | None = None) -> None:
        from bench.scripts import chosen
        from rules.mexican_train.transitions import apply

        for number in numbers:
            seat, move = self.state.turn, chosen(self.state, self.chance)
            place = number - self.round_begins + 1
            if costs is not None and place in EARLY:
                costs[place].append(self.post(number, seat, self.match.body(number, move)))
            else:
                stage.submit(self.match, number, seat, move)
            self.state = apply(self.state, move)
            if self.state.ended is not None:
                self.round_begins = number + 1
                self.load()

    def post(self, number: int, seat: int, body: dict[str, object]) -> tuple[float, float]:
        headers = {"Authorization": f"Bearer {self.match.tokens[seat]}", "Host": "127.0.0.1"}
        content = json.dumps(body)
        wall, cpu = time.perf_counter(), time.process_time()
        answer = self.client.post(f"{self.match.path}/moves", content, "application/json", headers=headers)
        spent = time.process_time() - cpu, time.perf_counter() - wall
        assert answer.status_code == 201, answer.content
        return spent


def measure() -> list[Measure]:
    early: Costs = defaultdict(list)
    late: Costs = defaultdict(list)
    for seed in range(MATCHES):
        player = Player(stage.start_match(), Random(seed))
        player.play(range(1, EARLY.start))
        player.play(EARLY, early)
        player.play(range(EARLY.stop, LATE.start))
        player.play(LATE, late)
    compared = sorted(early.keys() & late.keys())
    measures = []
    for at, name in enumerate(("CPU", "wall")):
        # The same places on both sides: the median at each place, then the median of the ratios over all places.
        before = [median(cost[at] for cost in early[place]) for place in compared]
        after = [median(cost[at] for cost in late[place]) for place in compared]
        ratio = median(new / old for new, old in zip(after, before, strict=True))
        reference = f"move 50-100 {milliseconds(median(before))}"
        measures.append(
            Measure(f"{name} of move 900-1000", milliseconds(median(after)), reference, ratio, floor=1.25, goal=1.1)
        )
    return measures


if __name__ == "__main__":
    stage.prepare()
    sys.exit(conclude(measure()))
