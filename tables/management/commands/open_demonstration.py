"""Opens a public table where bots play, so that a new server has something to show."""

from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.core.management.base import BaseCommand
from django.db.models import QuerySet
from django.urls import reverse

from players.accounts import DEMONSTRATION, free_username
from players.models import Player
from tables.lobby import opening, starting
from tables.models import Status, Table, Visibility

NAME = "Demonstration"
BOTS = {0: "easy", 1: "random", 2: "easy", 3: "random"}
PAUSE_MS = 1000


class Command(BaseCommand):
    help = "Opens a table where four bots play, unless one is playing, and prints the address of its position."

    def handle(self, *args: Any, **options: Any) -> None:
        playing = Table.objects.filter(name=NAME, host__in=hosts(), status=Status.PLAYING)
        table = playing.first() or open_demonstration()
        self.stdout.write(settings.PUBLIC_URL + reverse("position", args=[table.id]))


def hosts() -> "QuerySet[Player]":
    """Return the players that this command has made.

    Nobody can log in as one of them. A person who took that username first has a password, and is not among them.
    """
    nobody = Player.objects.filter(password__startswith=UNUSABLE_PASSWORD_PREFIX, is_active=True)
    return nobody.filter(username__istartswith=DEMONSTRATION)


def open_demonstration() -> Table:
    """Open the table, and start its match. Its host cannot log in, so only an admin can stop it."""
    host = hosts().first() or Player.objects.create_user(free_username(DEMONSTRATION), name=NAME)
    table = opening.open_table(
        host,
        seats=len(BOTS),
        host_seat=None,
        bots=BOTS,
        name=NAME,
        preset="classic",
        options={},
        visibility=Visibility.PUBLIC,
        bot_delay_ms=PAUSE_MS,
    )
    return starting.start_match(table.id, host)
