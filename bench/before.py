"""Validated replay against an earlier revision of the rules, on the same logs: ``python -m bench.before 12e5751``."""

import json
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from random import Random

from bench.measure import Measure, conclude, median_ratio
from bench.scripts import played_out
from rules.mexican_train.dealing import deal
from rules.mexican_train.notation import move_text
from rules.mexican_train.presets import rules_of
from rules.tiles import double_set, tile_texts

ROOT = Path(__file__).resolve().parent.parent
LOGS = 40
LENGTHS = range(140, 166)
PAIRS = 9
REPLAYS = """
import json, sys, time
from rules.mexican_train.dealing import deal
from rules.mexican_train.log import replay
from rules.mexican_train.notation import parse_move
from rules.tiles import parse_tile
from rules.mexican_train.presets import rules_of
options = rules_of("classic", {})
logs = [([*map(parse_tile, order)], [*map(parse_move, moves)]) for order, moves in json.load(sys.stdin)]
laps = []
for _ in range(8):
    began = time.process_time()
    for order, moves in logs:
        replay(deal(options, 4, 12, 0, order), moves)
    laps.append((time.process_time() - began) / len(logs))
print(min(laps))
"""
"""Runs in a process of its own, with one revision's ``rules`` on the path.

It calls only what is the same in all revisions.
"""


def logs() -> str:
    """Classic rounds of about 150 random legal moves, as text that every revision can read."""
    chance, kept = Random(5), list[tuple[list[str], list[str]]]()
    options = rules_of("classic", {})
    while len(kept) < LOGS:
        order = list(double_set(options.highest_pip))
        chance.shuffle(order)
        moves = [move_text(move) for _, move in played_out(deal(options, 4, options.highest_pip, 0, order), chance)]
        if len(moves) in LENGTHS:
            kept.append((tile_texts(order), moves))
    return json.dumps(kept)


def seconds_a_round(rules_in: Path, given: str) -> float:
    command = [sys.executable, "-c", REPLAYS]
    ran = subprocess.run(command, cwd=rules_in, input=given, capture_output=True, text=True, check=False)
    if ran.returncode:
        sys.exit(f"The rules in {rules_in.name} do not replay these logs:\n{ran.stderr}")
    return float(ran.stdout)


def rules_at(revision: str, folder: Path) -> None:
    """Extract that revision's ``rules`` into a folder."""
    archive = subprocess.run(["git", "archive", revision, "rules"], cwd=ROOT, capture_output=True, check=True)
    subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)


def measure(revision: str) -> list[Measure]:
    given = logs()
    with tempfile.TemporaryDirectory() as folder:
        rules_at(revision, Path(folder))
        pairs = [(seconds_a_round(ROOT, given), seconds_a_round(Path(folder), given)) for _ in range(PAIRS)]
    ours, theirs = (f"{1000 * min(column):.3f} ms" for column in zip(*pairs, strict=True))
    ratio = median_ratio(pairs)
    return [Measure("replay of a classic round of 150 moves", ours, f"{revision} {theirs}", ratio, floor=1.1, goal=1)]


ABOUT = "Validated replay against an earlier revision of the rules, on the same logs."


def main() -> int:
    parser = ArgumentParser(prog="python -m bench.before", description=ABOUT)
    parser.add_argument("revision", help="a commit, a branch or a tag to compare with")
    return conclude(measure(parser.parse_args().revision))


if __name__ == "__main__":
    sys.exit(main())
