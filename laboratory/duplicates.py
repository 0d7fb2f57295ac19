"""Duplicate deals: the same tiles and starter are played twice, and the two levels swap seats.

Both levels get the same tiles, so the difference in their points is due to their play.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from laboratory.deals import deal_number
from laboratory.experiment import Experiment, Pair
from laboratory.rounds import Played, play

SEATINGS = (0, 1)


@dataclass(frozen=True, slots=True)
class Duplicate:
    """One deal, played in both seatings.

    ``points`` has one row for each seating, with the points of each seat. ``blocked`` counts the blocked rounds.
    ``seconds`` are the CPU times of the choices of the first level, and of the second.
    """

    points: tuple[tuple[int, ...], tuple[int, ...]]
    blocked: int
    seconds: tuple["array[float]", "array[float]"]

    @property
    def penalties(self) -> tuple[float, float]:
        """The mean points of a seat of the first level, and of the second, over both seatings."""
        first, second = (
            sum(mean_of(row, side, seating) for seating, row in enumerate(self.points)) / 2 for side in (0, 1)
        )
        return first, second

    @property
    def difference(self) -> float:
        """The points a round of the first level minus those of the second. It is negative if the first is better."""
        first, second = self.penalties
        return first - second


def side_at(seat: int, seating: int) -> int:
    """The level at this seat: the first (0) or the second (1) of the pair.

    Seats alternate, and the other seating swaps them.
    """
    return (seat + seating) % 2


def mean_of(points: Sequence[int], side: int, seating: int) -> float:
    own = [each for seat, each in enumerate(points) if side_at(seat, seating) == side]
    return sum(own) / len(own)


def play_twice(experiment: Experiment, pair: Pair, number: int) -> Duplicate:
    """Play a deal of the experiment in both seatings."""
    dealt = deal_number(experiment, number)
    one, other = (
        play(
            dealt,
            [pair[side_at(seat, seating)] for seat in range(experiment.seats)],
            f"{experiment.seed}/{number}",
            experiment.think_ms,
        )
        for seating in SEATINGS
    )
    return Duplicate(
        (one.points, other.points), one.is_blocked + other.is_blocked, (spent(one, other, 0), spent(one, other, 1))
    )


def spent(one: Played, other: Played, side: int) -> "array[float]":
    """The times of one level in both seatings."""
    times = array("d")
    for seating, played in enumerate((one, other)):
        for seat, seconds in enumerate(played.seconds):
            if side_at(seat, seating) == side:
                times.extend(seconds)
    return times
