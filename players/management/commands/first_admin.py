"""Make sure that somebody can enter the admin, and say how."""

import secrets
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from players.models import Player

USERNAME = "admin"


class Command(BaseCommand):
    help = "Makes the account 'admin' with a generated password, kept in DATA_DIR/admin_password, if there is no admin."

    def handle(self, *args: Any, **options: Any) -> None:
        kept = Path(settings.DATA_DIR) / "admin_password"
        if not Player.objects.filter(is_superuser=True, is_active=True).exists():
            Player.objects.create_superuser(USERNAME, keep_password(kept))
        self.stdout.write(self.how_to_enter(kept))

    def how_to_enter(self, kept: Path) -> str:
        admin = Player.objects.filter(username=USERNAME).first()
        password = kept.read_text().strip() if kept.exists() else ""
        if admin and password and admin.check_password(password):
            return f"{USERNAME} / {password}"
        return "with the password you chose (manage.py changepassword sets a new one)"


def keep_password(kept: Path) -> str:
    """A new password, in a file that only its owner reads."""
    password = secrets.token_urlsafe(12)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.touch(mode=0o600)
    kept.write_text(password + "\n")
    return password
