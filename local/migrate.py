"""Creates or updates the database's tables with ``manage.py migrate``."""

import subprocess
import sys
from collections.abc import Mapping

import psycopg

from local import ROOT
from local.console import last_line, say
from local.errors import LocalError
from local.place import Place


def migrate(place: Place, environment: Mapping[str, str]) -> None:
    """Migrate the database. Raises ``LocalError`` with the last line of the output; the log has all of it."""
    say("Migrating the database.")
    command = [sys.executable, "manage.py", "migrate", "--no-input"]
    log = place.log("migrate")
    with log.open("w") as output:
        result = subprocess.run(
            command,
            cwd=ROOT,
            env=environment,
            check=False,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    if result.returncode:
        raise LocalError(
            f"The database could not be migrated: {last_line(log.read_text())} The whole report is in {log}; "
            "put right what it names, or set DATA_DIR to a new folder."
        )


def is_empty(database_url: str) -> bool:
    """Whether no migration was ever begun. After an interrupted first migration the database is not empty."""
    with psycopg.connect(database_url, connect_timeout=5) as connection:
        row = connection.execute("select to_regclass('django_migrations') is null").fetchone()
    return row == (True,)
