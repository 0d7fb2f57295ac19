"""``manage.py open_demonstration`` and ``first_admin``: what a new server shows."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from players.models import Player
from tables.models import Status, Table
from tests.cast import Caller
from tests.players.conftest import PASSWORD


def said_by(command: str) -> str:
    out = StringIO()
    call_command(command, stdout=out)
    return out.getvalue().strip()


def test_a_table_of_bots_is_playing(spectator: Caller) -> None:
    path = said_by("open_demonstration").partition("/api/v1/")[2]
    shown = spectator.get(path).body
    assert (shown["status"], len(shown["seats"]), shown["you"]) == ("playing", 4, None)
    assert [table["id"] for table in spectator.get("tables").body["results"]] == [shown["table"]]


def test_the_command_called_again_returns_the_same_table(db: None) -> None:
    assert said_by("open_demonstration") == said_by("open_demonstration")
    assert Table.objects.count() == 1


def test_after_the_match_another_table_is_opened(db: None) -> None:
    first = said_by("open_demonstration")
    Table.objects.update(status=Status.FINISHED, turn=None)
    assert said_by("open_demonstration") != first


def test_nobody_can_log_in_as_the_host(db: None) -> None:
    said_by("open_demonstration")
    (host,) = Player.objects.filter(kind="person")
    assert not host.has_usable_password()


def test_the_first_admin_can_log_in(db: None, settings: Any, tmp_path: Any) -> None:
    settings.DATA_DIR = tmp_path
    username, _, password = said_by("first_admin").partition(" / ")
    assert Client().login(username=username, password=password)
    assert said_by("first_admin") == f"{username} / {password}"
    assert (tmp_path / "admin_password").stat().st_mode & 0o077 == 0


def test_a_changed_password_is_not_printed(db: None, settings: Any, tmp_path: Any) -> None:
    settings.DATA_DIR = tmp_path
    said_by("first_admin")
    admin = Player.objects.get(username="admin")
    admin.set_password("another one")
    admin.save()
    assert "changepassword" in said_by("first_admin")


@pytest.mark.parametrize("username", ["admin", "Admin"])
def test_a_player_with_the_username_admin_does_not_prevent_an_admin(
    db: None, settings: Any, tmp_path: Any, username: str
) -> None:
    settings.DATA_DIR = tmp_path
    Player.objects.create_user(username, PASSWORD, name="Mallory")
    first, _, password = said_by("first_admin").partition(" / ")
    assert first == "admin2"
    assert Client().login(username=first, password=password)
    assert said_by("first_admin") == f"{first} / {password}"
    assert not Player.objects.get(name="Mallory").is_superuser


def test_a_player_with_the_username_demonstration_is_not_the_host(spectator: Caller) -> None:
    mallory = Player.objects.create_user("demonstration", PASSWORD, name="Mallory")
    path = said_by("open_demonstration")
    assert said_by("open_demonstration") == path
    host = Table.objects.get().host
    assert host is not None
    assert (host == mallory, host.username, host.has_usable_password()) == (False, "demonstration2", False)
    token = spectator.post("players/login", {"username": "demonstration", "password": PASSWORD}).body["token"]
    assert Caller(token).post(f"tables/{Table.objects.get().pk}/cancel").status == 403


def test_an_inactive_host_is_replaced_by_another(db: None) -> None:
    first = said_by("open_demonstration")
    Player.objects.filter(username="demonstration").update(is_active=False)
    assert said_by("open_demonstration") != first
    assert Player.objects.filter(username="demonstration2", is_active=True).exists()
