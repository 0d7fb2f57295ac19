#!/usr/bin/env python
"""Django's command line, with this project's settings."""

import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ["STATEMENT_SECONDS"] = "0"  # a migration, or what is looked at by hand, takes the time that it takes
    execute_from_command_line(sys.argv)
