"""Replays every stored round, and reports where the rules of this server give another result than the one stored."""

import sys
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tables import audit


class Command(BaseCommand):
    help = (
        "Replays every stored round with the rules version that played it, and reports the first difference of each "
        "table. It only reads and takes no locks. The exit status is 1 if a table differs."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--table", type=UUID, metavar="UUID", help="Check this table only.")

    def handle(self, *args: Any, table: UUID | None = None, **options: Any) -> None:
        if table is not None and audit.read(table) is None:
            raise CommandError(f"There is no table {table}.")
        if self.check_tables(audit.table_ids() if table is None else [table]):
            sys.exit(1)

    def check_tables(self, tables: Iterable[UUID]) -> int:
        """Report each difference when it is found, and the totals at the end. Returns how many tables differ."""
        checked = rounds = moves = differ = 0
        for rows in filter(None, map(audit.read, tables)):
            checked += 1
            rounds += rows.dealt
            moves += sum(map(len, rows.moves.values()))
            if difference := audit.first_difference(rows):
                differ += 1
                self.stdout.write(difference)
        self.stdout.write(f"Tables: {checked}, rounds: {rounds}, moves: {moves}. Tables that differ: {differ}.")
        return differ
