"""Checks the record of a match, and stores it as a finished table that can be viewed like any other."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from rules.records.checking import Checked, check_record
from rules.records.record import BadRecord, Record
from rules.records.text_form import record_in
from tables import records


class Command(BaseCommand):
    help = (
        "Checks a record (docs/record-format.md), and stores it as a finished table. Exit status 1, with the place and "
        "the reason, if it cannot be read, is not correct, or is already stored."
    )
    requires_system_checks = []  # so that --check needs neither database nor Redis

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="text or JSON; - reads the standard input")
        parser.add_argument("--check", action="store_true", help="check it only, and store nothing")

    def handle(self, *args: Any, **asked: Any) -> None:
        try:
            record = record_in(text_in(asked["file"]))
            self.stdout.write(summary_of(check_record(record)))
            if not asked["check"]:
                self.stdout.write(f"Stored as table {records.import_record(record).pk}.")
        except (BadRecord, records.NotImported) as refusal:
            raise CommandError(str(refusal)) from refusal


def text_in(file: str) -> str:
    try:
        return (sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()).decode()
    except OSError as fault:
        raise CommandError(f"{file} cannot be read: {fault.strerror}.") from fault
    except UnicodeDecodeError as fault:
        raise CommandError(f"{file} is not UTF-8.") from fault


def summary_of(found: Checked) -> str:
    """Describe a correct record in two sentences."""
    fair = {
        "verified": "Every deal follows from its secret.",
        "partly_verified": "Some deals follow from their secrets; the other deals have no secret.",
        "not_stated": "The record has no secrets, so the deals cannot be verified.",
    }
    counted = f"The record is correct: rounds {len(found.record.rounds)}, moves {found.move_count}"
    return f"{counted}, totals {' '.join(map(str, found.totals))}; {ending(found.record)}. {fair[found.fair]}"


def ending(record: Record) -> str:
    """Return who has won, by name where there is one."""
    if record.winners is None:
        return "unfinished"
    names = [record.seats[seat].name or f"seat {seat}" for seat in record.winners]
    return f"won by {' and '.join(names) or 'nobody'}"
