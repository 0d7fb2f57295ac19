"""``manage.py open_demonstration`` and ``first_admin``: what a fresh server has to look at."""

from io import StringIO
from typing import Any

from django.core.management import call_command
from django.test import Client

from players.models import Player
from tables.models import Status, Table
from tests.cast import Caller


def said_by(command: str) -> str:
    out = StringIO()
    call_command(command, stdout=out)
    return out.getvalue().strip()


def test_a_table_of_bots_is_playing(spectator: Caller) -> None:
    path = said_by("open_demonstration").partition("/api/v1/")[2]
    shown = spectator.get(path).body
    assert (shown["status"], len(shown["seats"]), shown["you"]) == ("playing", 4, None)
    assert [table["id"] for table in spectator.get("tables").body["results"]] == [shown["table"]]


def test_again_it_is_the_same(db: None) -> None:
    assert said_by("open_demonstration") == said_by("open_demonstration")
    assert Table.objects.count() == 1


def test_once_it_is_over_there_is_another(db: None) -> None:
    first = said_by("open_demonstration")
    Table.objects.update(status=Status.FINISHED, turn=None)
    assert said_by("open_demonstration") != first


def test_its_host_is_nobody_who_could_call(db: None) -> None:
    said_by("open_demonstration")
    (host,) = Player.objects.filter(kind="person")
    assert not host.has_usable_password()


def test_the_first_admin_can_enter(db: None, settings: Any, tmp_path: Any) -> None:
    settings.DATA_DIR = tmp_path
    username, _, password = said_by("first_admin").partition(" / ")
    assert Client().login(username=username, password=password)
    assert said_by("first_admin") == f"{username} / {password}"
    assert (tmp_path / "admin_password").stat().st_mode & 0o077 == 0


def test_a_password_of_ones_own_is_not_told(db: None, settings: Any, tmp_path: Any) -> None:
    settings.DATA_DIR = tmp_path
    said_by("first_admin")
    admin = Player.objects.get(username="admin")
    admin.set_password("another one")
    admin.save()
    assert "changepassword" in said_by("first_admin")
