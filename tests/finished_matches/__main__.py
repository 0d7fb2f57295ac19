"""Records the matches that are named, or all of them, in a database made for that."""

import os
import sys
from collections.abc import Sequence

import django
from django.db import connection

from local.pytest_servers import DEFAULTS
from tests.finished_matches.files import path_of, text_of
from tests.finished_matches.plans import PLANS


def main(names: Sequence[str]) -> None:
    if not os.environ.get("DATABASE_URL"):
        sys.exit("Start this as: python -m local servers -- python -m tests.finished_matches")
    if unknown := set(names) - set(PLANS):
        sys.exit(f"There is no plan {min(unknown)}; there are {', '.join(PLANS)}.")
    for name, value in {**DEFAULTS, "DJANGO_SETTINGS_MODULE": "tests.settings"}.items():
        os.environ.setdefault(name, value)
    django.setup()
    before = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0)
    try:
        write(names or list(PLANS))
    finally:
        connection.creation.destroy_test_db(before, verbosity=0)


def write(names: Sequence[str]) -> None:
    from tests.finished_matches.recording import record

    for name in names:
        text = text_of(record(PLANS[name]))
        path_of(name).write_text(text, encoding="utf-8")
        sys.stdout.write(f"{name}: {len(text) / 1000:.0f} kB\n")


if __name__ == "__main__":
    main(sys.argv[1:])
