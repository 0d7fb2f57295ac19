#!/usr/bin/env python
"""Django's command line with this project's settings."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import DatabaseError, OperationalError, ProgrammingError


def main(arguments: list[str]) -> None:
    """Run a command. An error that a person can correct is printed as one sentence, unless ``--traceback`` is given."""
    try:
        execute_from_command_line(arguments)
    except (ImproperlyConfigured, OperationalError, ProgrammingError) as error:
        if "--traceback" in arguments:
            raise
        sys.exit(advice(error))


def advice(error: ImproperlyConfigured | DatabaseError) -> str:
    first, *_ = str(error).strip().split("\n")
    match error:
        case ImproperlyConfigured():
            return first
        case ProgrammingError():
            return f"The database lacks tables of this version ({first}). Run manage.py migrate first."
    return f"The database does not answer ({first}). Start it, or correct DATABASE_URL."


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ["STATEMENT_SECONDS"] = "0"  # no limit: migrations and manual queries may take long
    main(sys.argv)
