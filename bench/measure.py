"""A measure: our figure, the reference's figure, and the bounds that we set ourselves."""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True)
class Measure:
    """``value`` must be at most ``floor`` and should be at most ``goal``.

    With ``at_least``, both are minimums. Without a floor, the figure is only reported.
    """

    what: str
    ours: str
    reference: str
    value: float
    floor: float | None = None
    goal: float | None = None
    at_least: bool = False

    def reaches(self, bound: float | None) -> bool:
        return bound is None or (self.value >= bound if self.at_least else self.value <= bound)

    @property
    def is_missed(self) -> bool:
        return not self.reaches(self.floor)

    @property
    def verdict(self) -> str:
        if self.floor is None:
            return "no floor"
        if self.is_missed:
            return "MISSED"
        return "goal" if self.goal is not None and self.reaches(self.goal) else "passes"

    def bound_text(self, bound: float | None) -> str:
        return "" if bound is None else f"{'≥' if self.at_least else '≤'} {bound:g}"


HEADINGS = ("measure", "ours", "reference", "ratio", "floor", "goal", "")


def table_of(measures: Iterable[Measure]) -> str:
    """The measures as an aligned Markdown table."""
    rows = [
        (m.what, m.ours, m.reference, f"{m.value:.2f}", m.bound_text(m.floor), m.bound_text(m.goal), m.verdict)
        for m in measures
    ]
    widths = [max(map(len, column)) for column in zip(HEADINGS, *rows, strict=True)]
    lines = [HEADINGS, tuple("-" * width for width in widths), *rows]
    return "\n".join("| " + " | ".join(map(str.ljust, line, widths)) + " |" for line in lines)


def conclude(measures: Iterable[Measure]) -> int:
    """Print the measures. The exit code is 1 if a floor was missed, otherwise 0."""
    kept = list(measures)
    print(table_of(kept))
    return int(any(each.is_missed for each in kept))


def percentile(values: Iterable[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


def median_ratio(pairs: Iterable[tuple[float, float]]) -> float:
    """The median of ours / reference over the pairs of one run. Other load disturbs both sides of a pair alike."""
    return median(ours / reference for ours, reference in pairs)


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms"
