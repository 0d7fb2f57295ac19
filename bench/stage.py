"""The set-up of the measures: an empty database of our own, with tables of persons and bots."""

import os
import secrets
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import TYPE_CHECKING
from uuid import UUID

import django

from rules.mexican_train.moves import Move
from rules.mexican_train.notation import move_text

if TYPE_CHECKING:
    from players.models import Player

NAME = "Measured"
PERSON = "person"
FOUR_PERSONS = (PERSON,) * 4


def prepare() -> None:
    """Load the settings, migrate the database, and exit if it holds games that are not ours."""
    if not os.environ.get("DATABASE_URL"):
        sys.exit("Start this as: python -m local servers -- python -m bench")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("SECRET_KEY", secrets.token_urlsafe(50))
    django.setup()
    from django.core.management import call_command

    from tables.models import Table

    call_command("migrate", verbosity=0)
    if Table.objects.exclude(name=NAME).exists():
        sys.exit("DATABASE_URL names a database with games in it; measuring needs one of its own.")


@dataclass(frozen=True)
class Match:
    """A table that has been started. ``tokens`` has one for each seat, "" for a bot's seat."""

    table: UUID
    players: list["Player | None"]
    tokens: list[str]
    log: list[tuple[int, Move]] = field(default_factory=list)
    """The whole first round, as the script plays it."""

    @property
    def path(self) -> str:
        return f"/api/v1/tables/{self.table}"

    def body(self, number: int, move: Move) -> dict[str, object]:
        return {"move": move_text(move), "number": number}


def start_match(seats: Sequence[str] = FOUR_PERSONS, **fields: object) -> Match:
    """Start a table whose seats are persons, or bots of the named level."""
    from tables.lobby import opening, seating, starting

    players, tokens = persons(seats)
    host = next(filter(None, players), None) or guest()
    bots = {number: level for number, level in enumerate(seats) if level != PERSON}
    wanted: dict[str, object] = {"name": NAME, "preset": "classic", "options": {}} | fields
    table = opening.open_table(host, seats=len(seats), host_seat=None, bots=bots, **wanted)
    for number, player in enumerate(players):
        if player is not None:
            seating.take_seat(table.id, player, number, table.invite_code)
    starting.start_match(table.id, host)
    return Match(table.id, players, tokens)


def guest() -> "Player":
    from players.accounts import become_guest

    return become_guest(NAME)


def persons(seats: Sequence[str]) -> tuple[list["Player | None"], list[str]]:
    from players.tokens import issue_token

    players = [guest() if level == PERSON else None for level in seats]
    return players, [issue_token(player) if player else "" for player in players]


def scripted_match(seats: Sequence[str], at_least: int, chance: Random, at_most: int | None = None) -> Match:
    """A match whose first round will have at least this many moves. Matches with shorter first rounds are not used.

    The script ends after ``at_most`` moves, or with the round.
    """
    from bench.scripts import played_out
    from tables import repository

    while True:
        match = start_match(seats)
        snapshot = repository.load(match.table)
        assert snapshot
        assert snapshot.state
        match.log.extend(islice(played_out(snapshot.state, chance), at_most))
        if len(match.log) >= at_least:
            return match


def submit(match: Match, number: int, seat: int, move: Move) -> None:
    """Submit a move in this process, as the API does."""
    from django.utils import timezone

    from tables import play

    player = match.players[seat]
    if player is None:
        assert play.submit_bot_move(match.table, number, move, timezone.now())
    else:
        play.submit_move(match.table, player.id, move, number, timezone.now())


def play_until(match: Match, number: int) -> None:
    """Play the script's moves from the start to just before ``number``."""
    play_between(match, 1, number)


def play_between(match: Match, first: int, until: int) -> None:
    """Play the script's moves from ``first`` to just before ``until``."""
    for number in range(first, until):
        submit(match, number, *match.log[number - 1])
