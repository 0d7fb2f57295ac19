"""The results of an experiment for a pair of levels."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import mean, median

from laboratory.duplicates import SEATINGS, Duplicate, side_at
from laboratory.experiment import Experiment, Pair
from laboratory.intervals import half_width, share_interval
from rules.mexican_train.match import winners
from rules.mexican_train.options import Options


@dataclass(frozen=True, slots=True)
class Thinking:
    """How long one level of a pair thought: the number of choices, and CPU milliseconds. ``None`` means no choice."""

    moves: int
    median_ms: float | None
    p95_ms: float | None
    longest_ms: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """The first level of a pair against the second.

    ``pips`` is the difference of their mean points a round. It is negative if the first is better. ``pips_within`` is
    half of its interval over the deals. ``share`` is the part of ``matches`` that the first has won; a shared win
    counts in part. Its interval goes from ``share_from`` to ``share_to``. A figure is ``None`` if there are too few
    deals for it.
    """

    first: str
    second: str
    pips: float
    pips_within: float | None
    share: float | None
    share_from: float | None
    share_to: float | None
    matches: int
    rounds: int
    blocked: int
    first_points: float
    second_points: float
    first_thinking: Thinking
    second_thinking: Thinking


def compare_all(experiment: Experiment, played: Mapping[Pair, Sequence[Duplicate]]) -> list[Comparison]:
    return [compare(experiment, pair, duplicates) for pair, duplicates in played.items()]


def compare(experiment: Experiment, pair: Pair, duplicates: Sequence[Duplicate]) -> Comparison:
    differences = [each.difference for each in duplicates]
    shares = match_shares(experiment.options, duplicates)
    interval = share_interval(shares)
    return Comparison(
        *pair,
        pips=mean(differences),
        pips_within=half_width(differences),
        share=mean(shares) if shares else None,
        share_from=interval and interval[0],
        share_to=interval and interval[1],
        matches=len(shares),
        rounds=len(SEATINGS) * len(duplicates),
        blocked=sum(each.blocked for each in duplicates),
        first_points=mean(each.penalties[0] for each in duplicates),
        second_points=mean(each.penalties[1] for each in duplicates),
        first_thinking=thinking(each.seconds[0] for each in duplicates),
        second_thinking=thinking(each.seconds[1] for each in duplicates),
    )


def match_shares(options: Options, duplicates: Sequence[Duplicate]) -> list[float]:
    """The first level's share of the winners, for each whole match in each seating."""
    size = options.round_count
    return [
        share_of(options, [duplicate.points[seating] for duplicate in duplicates[at : at + size]], seating)
        for at in range(0, len(duplicates) // size * size, size)
        for seating in SEATINGS
    ]


def share_of(options: Options, points_by_round: Sequence[Sequence[int]], seating: int) -> float:
    won = winners(options, points_by_round, [True] * len(points_by_round[0]))
    return sum(side_at(seat, seating) == 0 for seat in won) / len(won)


def thinking(seconds: Iterable["array[float]"]) -> Thinking:
    times = sorted(1000 * each for each in chain.from_iterable(seconds))
    if not times:
        return Thinking(0, None, None, None)
    return Thinking(len(times), median(times), times[int(len(times) * 0.95)], times[-1])
