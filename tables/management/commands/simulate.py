"""Measures which bot level is better, and by how much: bots play each other in this process, without a table."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from laboratory.comparison import compare_all
from laboratory.duplicates import Duplicate
from laboratory.experiment import BadExperiment, Experiment, Pair
from laboratory.printing import csv_text, json_text, table_text
from laboratory.workers import all_cores, play_all
from rules.errors import BadOption
from rules.mexican_train.options import Options
from rules.mexican_train.presets import rules_of

REFUSED = 2
INTERRUPTED = 130
SECONDS_BETWEEN_LINES = 10
"""The progress bar is written this rarely to a file, because every step of it stays there."""


class Command(BaseCommand):
    help = "Plays duplicate deals between levels of bots, and prints how much better the first level of each pair is."
    requires_system_checks = []  # so that neither database nor Redis is needed

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("levels", nargs="*", metavar="LEVEL", help="two or more; every pair plays")
        parser.add_argument("--seats", type=int, default=4)
        parser.add_argument("--deals", type=int, default=400, help="each is played twice, with swapped seats (400)")
        parser.add_argument("--preset", default="classic")
        parser.add_argument("--options", default="{}", metavar="JSON", help="differences from the preset")
        parser.add_argument("--rounds-a-match", type=int, help="default: as many as the rules say (13 for classic)")
        parser.add_argument("--workers", type=int, default=all_cores(), help="number of processes (default: all cores)")
        parser.add_argument("--seed", default="laboratory", metavar="TEXT", help="the same seed gives the same deals")
        parser.add_argument("--think-ms", type=int, default=150, help="CPU time for a move (default: 150); 0: no limit")
        parser.add_argument("--csv", type=Path, metavar="FILE")
        parser.add_argument("--json", type=Path, metavar="FILE")

    def handle(self, *args: Any, **asked: Any) -> None:
        try:
            experiment = experiment_of(asked)
            check_files(asked["csv"], asked["json"])
            comparisons = compare_all(experiment, played(experiment, asked["workers"], asked["verbosity"]))
        except (BadExperiment, BadOption) as refusal:
            raise CommandError(str(refusal), returncode=REFUSED) from refusal
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)
        self.stdout.write(table_text(experiment, comparisons))
        for path, text in ((asked["csv"], csv_text), (asked["json"], json_text)):
            if path:
                path.write_text(text(experiment, comparisons))


def experiment_of(asked: dict[str, Any]) -> Experiment:
    if asked["workers"] < 1:
        raise BadExperiment("The number of workers must be at least 1.")
    return Experiment(
        levels=tuple(asked["levels"]),
        seats=asked["seats"],
        deals=asked["deals"],
        options=options_of(asked),
        seed=asked["seed"],
        think_ms=asked["think_ms"],
    )


def options_of(asked: dict[str, Any]) -> Options:
    try:
        differences = json.loads(asked["options"])
    except ValueError as fault:
        raise BadExperiment(f"--options is not valid JSON: {fault}") from fault
    if not isinstance(differences, dict):
        raise BadExperiment('--options must be a JSON object, such as {"draw_rule": "until_playable"}.')
    if asked["rounds_a_match"] is not None:
        differences["rounds"] = asked["rounds_a_match"]
    return rules_of(asked["preset"], differences)


def check_files(csv: Path | None, json: Path | None) -> None:
    """Report a file that cannot be written before the deals are played, not after."""
    if csv and json and csv.resolve() == json.resolve():
        raise BadExperiment(f"--csv and --json are one file, {csv}: the second would replace the first.")
    for path in filter(None, (csv, json)):
        try:
            path.open("a").close()
        except OSError as fault:
            raise BadExperiment(f"{path} cannot be written: {fault.strerror}.") from fault


def played(experiment: Experiment, workers: int, verbosity: int) -> dict[Pair, list[Duplicate]]:
    """Play all deals, with a progress bar on the standard error unless ``--verbosity`` is 0."""
    total = experiment.deals * len(experiment.pairs)
    pause = 0.1 if sys.stderr.isatty() else SECONDS_BETWEEN_LINES
    with tqdm(total=total, unit=" deals", mininterval=pause, disable=not verbosity) as bar:
        return play_all(experiment, workers, bar.update)
