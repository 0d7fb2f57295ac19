"""The ladder of the bots, step by step, and how long each thinks: ``python -m bench.bots``.

``--fast`` is less exact. ``--times`` only measures how long *expert* thinks by each preset, which takes minutes. No
servers are needed. The deals are the same in every run, and so are all choices that are not cut short by time.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from math import sqrt
from typing import NamedTuple

from bench.measure import Measure, conclude
from laboratory.comparison import Comparison, Thinking, compare
from laboratory.experiment import Experiment
from laboratory.printing import match_text, pips_text
from laboratory.workers import all_cores, play_all
from rules.errors import BadOption
from rules.mexican_train.options import Options
from rules.mexican_train.presets import PRESETS, rules_of

THINK_MS = 150
DEALS = {2: 1200, 4: 600, 8: 400}
DEALS_OF_EXPERT = {2: 600, 4: 400, 8: 100}
EXPERT = ("expert", "hard")
DEALS_OF_TIMES = 6
SEATS = range(2, 13)
FASTER = 10
DEVIATION = {2: 37, 4: 17, 8: 8}
"""Standard deviation of one duplicate deal, in pips, by number of seats."""
ERRORS = 3
"""A step may fall this many standard errors short of its known gain."""
MOST_MS = {"random": 0.1, "easy": 0.1, "medium": 0.5, "hard": 0.5, "expert": 60}


@dataclass(frozen=True)
class Step:
    """The pips a round that the first level is known to gain on the second, by number of seats.

    ``floors`` are agreed limits for a run with all deals. Otherwise the floor follows from the number of deals.
    """

    first: str
    second: str
    gains: Mapping[int, float]
    deals: Mapping[int, int] = field(default_factory=lambda: DEALS)
    floors: Mapping[int, float] = field(default_factory=dict)

    def floor(self, seats: int, deals: int) -> float:
        if seats in self.floors and deals == self.deals[seats]:
            return self.floors[seats]
        return round(ERRORS * DEVIATION[seats] / sqrt(deals) - self.gains[seats], 1)


LADDER = (
    Step("easy", "random", {2: 8.3, 4: 9.2, 8: 9.7}),
    Step("medium", "easy", {2: 17.7, 4: 7.8, 8: 1.6}),
    Step("hard", "medium", {2: 8.1, 4: 7.2, 8: 4.5}),
    Step("hard", "easy", {2: 28.5, 4: 18.7, 8: 4.8}),
    Step("expert", "hard", {2: 7.0, 4: 3.9, 8: 3.9}, DEALS_OF_EXPERT, {2: -2.5, 4: -1.4, 8: -1.4}),
)


class Found(NamedTuple):
    """A step of the ladder with a number of seats, and its result."""

    step: Step
    seats: int
    deals: int
    comparison: Comparison


def climb(faster: int) -> Iterator[Found]:
    """Play every step with every number of seats, using a part of its deals."""
    for step in LADDER:
        for seats, all_deals in step.deals.items():
            deals = all_deals // faster
            pair = (step.first, step.second)
            experiment = Experiment(pair, seats, deals, rules_of("classic", {}), think_ms=THINK_MS)
            played = play_all(experiment, all_cores())
            found = Found(step, seats, deals, compare(experiment, pair, played[pair]))
            print(strength(found).what, pips_text(found.comparison), file=sys.stderr, flush=True)
            yield found


def strength(found: Found) -> Measure:
    """The gain of a step. The floor is the known gain minus the error that so few deals can have."""
    step, seats, deals, comparison = found
    return Measure(
        f"{step.first} v {step.second}, {seats} seats, {deals} deals, pips",
        f"{pips_text(comparison)}, won {match_text(comparison)}",
        f"known {-step.gains[seats]:g}",
        comparison.pips,
        floor=step.floor(seats, deals),
        goal=-step.gains[seats],
    )


def speed(level: str, found: Iterable[Found]) -> Measure:
    """The median time of a level's choices, at the table where it is longest."""
    slowest = max(thoughts(level, found), key=lambda thought: thought.median_ms or 0)
    assert slowest.median_ms is not None
    times = f"95 % {slowest.p95_ms:.3f} ms, longest {slowest.longest_ms:.1f} ms"
    return Measure(f"ms a move, {level}", f"{slowest.median_ms:.3f} ms, {times}", "", slowest.median_ms, MOST_MS[level])


def thoughts(level: str, found: Iterable[Found]) -> Iterator[Thinking]:
    for each in found:
        comparison = each.comparison
        if comparison.first == level:
            yield comparison.first_thinking
        if comparison.second == level:
            yield comparison.second_thinking


def times(deals: int) -> Iterator[Measure]:
    """How long *expert* thinks by each preset, with the fewest seats and with the most."""
    for name in PRESETS:
        possible = [each for each in map(partial(experiment_with, rules_of(name, {}), deals), SEATS) if each]
        for experiment in (possible[0], possible[-1]):
            played = play_all(experiment, all_cores())[EXPERT]
            yield time_by(name, experiment.seats, compare(experiment, EXPERT, played).first_thinking)


def experiment_with(options: Options, deals: int, seats: int) -> Experiment | None:
    """The experiment that measures times; ``None`` if the rules do not allow so many seats."""
    try:
        return Experiment(EXPERT, seats, deals, options, think_ms=THINK_MS)
    except BadOption:
        return None


def time_by(preset: str, seats: int, thought: Thinking) -> Measure:
    assert thought.median_ms is not None
    what = f"ms a move, expert, {preset}, {seats} seats"
    ours = f"{thought.median_ms:.1f} ms, 95 % {thought.p95_ms:.1f} ms, {thought.moves} choices"
    print(what, ours, file=sys.stderr, flush=True)
    return Measure(what, ours, "", thought.median_ms, MOST_MS["expert"])


def measure(faster: int) -> list[Measure]:
    found = list(climb(faster))
    return [*map(strength, found), *(speed(level, found) for level in MOST_MS)]


ABOUT = "The ladder of the bots, and how long each thinks. --fast is less sure; --times measures only *expert*."


def main() -> int:
    parser = ArgumentParser(prog="python -m bench.bots", description=ABOUT)
    parser.add_argument("--fast", action="store_true", help=f"one deal in {FASTER}: minutes, not half an hour")
    parser.add_argument("--times", action="store_true", help="only how long expert thinks, by each named rule set")
    asked = parser.parse_args()
    return conclude(times(DEALS_OF_TIMES) if asked.times else measure(FASTER if asked.fast else 1))


if __name__ == "__main__":
    sys.exit(main())
