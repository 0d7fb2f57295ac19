"""All measures in one table: ``python -m local servers -- python -m bench``. ``--lateness`` adds the slow one."""

import platform
import sys
import time
from argparse import ArgumentParser

from bench import length, moves, polls, replay, stage
from bench.measure import Measure, conclude


def main() -> int:
    parser = ArgumentParser(prog="bench", description="Every measure in one table; with --lateness the slow one too.")
    parser.add_argument("--lateness", action="store_true", help="deadlines and bots too, with a worker and beat")
    asked = parser.parse_args()
    stage.prepare()
    rooms = [replay, moves, length, polls]
    if asked.lateness:
        from bench import lateness

        rooms.append(lateness)
    measures: list[Measure] = []
    for room in rooms:
        began = time.monotonic()
        measures += room.measure()
        print(f"{room.__name__}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    print(f"{time.strftime('%Y-%m-%d')}, Python {platform.python_version()}\n")
    return conclude(measures)


if __name__ == "__main__":
    sys.exit(main())
