"""The command that creates the first admin if there is none, and prints how to log in."""

import secrets
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db.models import QuerySet

from players.accounts import FIRST_ADMIN, free_username
from players.models import Player


class Command(BaseCommand):
    help = "Creates an admin if there is none, and stores the generated password in DATA_DIR/admin_password."

    def handle(self, *args: Any, **options: Any) -> None:
        kept = Path(settings.DATA_DIR) / "admin_password"
        if not admins().exists():
            Player.objects.create_superuser(free_username(FIRST_ADMIN), keep_password(kept))
        self.stdout.write(self.how_to_enter(kept))

    def how_to_enter(self, kept: Path) -> str:
        password = kept.read_text().strip() if kept.exists() else ""
        for admin in admins().filter(username__istartswith=FIRST_ADMIN):
            if password and admin.check_password(password):
                return f"{admin.username} / {password}"
        return "with the password that you chose (manage.py changepassword sets a new one)"


def admins() -> "QuerySet[Player]":
    return Player.objects.filter(is_superuser=True, is_active=True)


def keep_password(kept: Path) -> str:
    """Return a new password. It is stored in a file that only its owner can read."""
    password = secrets.token_urlsafe(12)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.touch(mode=0o600)
    kept.write_text(password + "\n")
    return password
