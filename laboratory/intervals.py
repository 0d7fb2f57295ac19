"""95 % confidence intervals of a mean and of a share."""

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist, mean, stdev

Z = NormalDist().inv_cdf(0.975)
# Student's 97.5 % points for 1, 2, … degrees of freedom, where the expansion is not exact enough.
T = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622)


def half_width(values: Sequence[float]) -> float | None:
    """Half of the interval of the mean of independent values, after Student; ``None`` for a single value."""
    if len(values) < 2:
        return None
    return t_point(len(values) - 1) * stdev(values) / sqrt(len(values))


def t_point(freedom: int) -> float:
    """Student's 97.5 % point: from the table, or beyond it from an expansion around the normal one."""
    if freedom <= len(T):
        return T[freedom - 1]
    first = (Z**3 + Z) / 4
    second = (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96
    third = (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384
    return Z + first / freedom + second / freedom**2 + third / freedom**3


def share_interval(shares: Sequence[float]) -> tuple[float, float] | None:
    """The interval of a mean share of wins, after Wilson; ``None`` without any.

    Its width is not zero even if all are won. Every match counts as independent. Matches with swapped seats share their
    tiles, so the interval is rather too wide.
    """
    number = len(shares)
    if not number:
        return None
    share, extra = mean(shares), Z**2 / number
    middle = share + extra / 2
    half = sqrt(max(0.0, Z**2 * share * (1 - share) / number + extra**2 / 4))
    return max(0.0, (middle - half) / (1 + extra)), min(1.0, (middle + half) / (1 + extra))
