"""The results as a table for people, as CSV for spreadsheets, and as JSON for programs."""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from laboratory.comparison import Comparison, Thinking
from laboratory.experiment import Experiment
from rules.mexican_train.presets import differences_of

DIGITS = 4
HEADINGS = ("levels", "pips", "match", "points", "rounds", "blocked", "ms a move: median, 95 %")
NOTES = (
    "pips: difference of the mean points a round, negative: the first is better; ± is 95 % over the deals.",
    "match: share of the matches that the first wins, ties shared, and its 95 % interval.",
    "ms a move: CPU time of the first and of the second; moves that are forced are left out.",
)


def table_text(experiment: Experiment, comparisons: Iterable[Comparison]) -> str:
    """One row of figures for each pair, and notes that explain them."""
    rows = [HEADINGS, *map(row_of, comparisons)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    return "\n".join([title_of(experiment), "", *lines, "", *NOTES])


def title_of(experiment: Experiment) -> str:
    number = f"{experiment.deals} duplicate deals" if experiment.deals > 1 else "one duplicate deal"
    return (
        f"{experiment.seats} seats, {number}, matches of {experiment.options.round_count} rounds, "
        f"seed {experiment.seed!r}, {experiment.think_ms or 'any number of'} ms to think; {rules_text(experiment)}"
    )


def rules_text(experiment: Experiment) -> str:
    different = ", ".join(differences_of(experiment.options))
    return f"classic but for {different}" if different else "classic"


def row_of(found: Comparison) -> Sequence[str]:
    return (
        f"{found.first} v {found.second}",
        pips_text(found),
        match_text(found),
        f"{found.first_points:.1f}, {found.second_points:.1f}",
        str(found.rounds),
        f"{found.blocked} ({found.blocked / found.rounds:.1%})",
        f"{thinking_text(found.first_thinking)} / {thinking_text(found.second_thinking)}",
    )


def pips_text(found: Comparison) -> str:
    return f"{found.pips:+.2f}" + ("" if found.pips_within is None else f" ± {found.pips_within:.2f}")


def match_text(found: Comparison) -> str:
    if found.share is None:
        return "no whole match"
    assert found.share_from is not None
    assert found.share_to is not None
    return f"{found.share:.1%} ({found.share_from:.1%} to {found.share_to:.1%}) of {found.matches}"


def thinking_text(thought: Thinking) -> str:
    if thought.median_ms is None:
        return "no choice"
    return f"{thought.median_ms:.3f}, {thought.p95_ms:.3f}"


def csv_text(experiment: Experiment, comparisons: Iterable[Comparison]) -> str:
    """One line for each pair, with the conditions of the experiment. ``options`` are JSON."""
    found_under = under(experiment)
    found_under["options"] = json.dumps(found_under["options"])
    lines = [found_under | flat(figures_of(each)) for each in comparisons]
    written = io.StringIO()
    writer = csv.DictWriter(written, lines[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return written.getvalue()


def json_text(experiment: Experiment, comparisons: Iterable[Comparison]) -> str:
    """The figures of every pair, with the conditions of the experiment."""
    return json.dumps(under(experiment) | {"pairs": [figures_of(each) for each in comparisons]}, indent=2)


def under(experiment: Experiment) -> dict[str, Any]:
    """Everything that the figures depend on besides the levels. ``options`` are those that differ from *classic*."""
    return {
        "seats": experiment.seats,
        "deals": experiment.deals,
        "rounds_a_match": experiment.options.round_count,
        "options": differences_of(experiment.options),
        "seed": experiment.seed,
        "think_ms": experiment.think_ms,
    }


def figures_of(found: Comparison) -> dict[str, Any]:
    return rounded(asdict(found))


def rounded(figures: dict[str, Any]) -> dict[str, Any]:
    """The figures with few digits. More would only show that two runs differ."""
    return {
        name: rounded(each) if isinstance(each, dict) else round(each, DIGITS) if isinstance(each, float) else each
        for name, each in figures.items()
    }


def flat(figures: dict[str, Any]) -> dict[str, Any]:
    """The figures in one flat line. A nested figure's name begins with the name of the outer one."""
    line = dict[str, Any]()
    for name, each in figures.items():
        line |= {f"{name}_{inner}": value for inner, value in each.items()} if isinstance(each, dict) else {name: each}
    return line
