"""Two levels against each other over duplicate deals: the same tiles and starter twice, the seats swapped."""

import random
from collections.abc import Iterator, Sequence
from math import sqrt
from statistics import mean, stdev

from rules.bots import choose
from rules.options import Options
from rules.scoring import round_points
from rules.state import State
from rules.transitions import apply
from rules.view import view_for
from tests.rules.random_rules import random_deal


def played(state: State, levels: Sequence[str], chance: random.Random) -> State:
    """A round to its end, each seat at its level."""
    while state.ended is None:
        move = choose(levels[state.turn], view_for(state, state.turn), chance.randrange)
        state = apply(state, move)
    return state


def difference(points: Sequence[int], first: str, levels: Sequence[str]) -> float:
    """The mean points of the seats at this level less those of the others."""
    own = [each for each, level in zip(points, levels, strict=True) if level == first]
    others = [each for each, level in zip(points, levels, strict=True) if level != first]
    return mean(own) - mean(others)


def duplicate(state: State, first: str, second: str, seed: int) -> float:
    """How many points more a round costs the first level than the second, over both seatings; seats alternate."""
    halves = state.setup.seats // 2
    seatings = ((first, second) * halves, (second, first) * halves)
    return mean(
        difference(round_points(played(state, levels, random.Random(seed))), first, levels) for levels in seatings
    )


def deals(options: Options, seats: int, number: int, seed: int) -> Iterator[State]:
    chance = random.Random(seed)
    for _ in range(number):
        yield random_deal(chance, (options, seats)).state


def strength(options: Options, seats: int, number: int, first: str, second: str, seed: int = 1) -> tuple[float, float]:
    """Mean difference in points a round, and half of its 95 % interval."""
    results = [duplicate(state, first, second, at) for at, state in enumerate(deals(options, seats, number, seed))]
    return mean(results), 1.96 * stdev(results) / sqrt(number)
