"""``python -m local run``, ``python -m local servers -- COMMAND…`` and ``python -m local manage COMMAND…``."""

import os
import sys
from collections.abc import Sequence

from local.errors import LocalError
from local.lend import lend
from local.manage import manage
from local.run import run
from words.compile import compile_all

USAGE = "Usage: python -m local run | python -m local servers -- COMMAND… | python -m local manage COMMAND…"


def main(arguments: Sequence[str]) -> int:
    compile_all()
    match arguments:
        case ["run"]:
            return run(os.environ)
        case ["servers", "--", _, *_]:
            return lend(arguments[2:], os.environ)
        case ["manage", _, *_]:
            return manage(arguments[1:], os.environ)
        case ["manage"]:
            raise LocalError("Name a command: make manage ARGS=check_logs. All of them: make manage ARGS=help.")
    raise LocalError(USAGE)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except LocalError as error:
        print(error, file=sys.stderr, flush=True)
        sys.exit(1)
