"""``python -m local manage``: commands of manage.py with the data of this machine's server."""

from http import HTTPStatus
from urllib.request import urlopen

import pytest

from tests.local.conftest import Machine, eventually

pytestmark = pytest.mark.slow


def is_ready(machine: Machine) -> bool:
    return "Ctrl-C stops everything." in machine.said()


def test_a_command_finds_the_databases_of_a_running_server(machine: Machine) -> None:
    with machine.started("run"):
        assert eventually(lambda: is_ready(machine)), machine.said()
        told = machine.type("manage", "check_logs")
        assert (told.returncode, told.stderr) == (0, "")
        assert told.stdout.startswith("Tables: 1, ")
        with urlopen(f"http://127.0.0.1:{machine.port}/healthz") as answer:
            assert answer.status == HTTPStatus.OK
        assert (machine.folder / "addresses.json").stat().st_mode & 0o077 == 0


def test_a_command_starts_the_databases_if_no_server_runs(machine: Machine) -> None:
    fresh, again = machine.type("manage", "check_logs"), machine.type("manage", "check_logs")
    counted = "Tables: 0, rounds: 0, moves: 0. Tables that differ: 0.\n"
    assert (fresh.returncode, fresh.stderr) == (0, "")
    assert fresh.stdout.endswith(f"Migrating the database.\n{counted}")
    assert (again.returncode, again.stderr) == (0, "")
    assert again.stdout.endswith(counted)
    assert "Migrating" not in again.stdout
    assert not any(machine.recorded(name) for name in ("postgres", "redis"))


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["simulate", "--deals=1", "--seats=2", "easy", "random"], 0),
        (["simulate", "--help"], 0),
        (["check_logs", "-h"], 0),
        (["help"], 0),
        (["import_record", "--check", "no-such-file"], 1),
    ],
)
def test_a_command_without_database_starts_none_and_makes_no_folder(
    machine: Machine, words: list[str], code: int
) -> None:
    told = machine.type("manage", *words)
    assert told.returncode == code, told.stderr
    assert "Traceback" not in told.stderr
    assert not machine.folder.exists()


def test_a_command_must_be_named(machine: Machine) -> None:
    told = machine.type("manage")
    assert (told.returncode, told.stdout) == (1, "")
    assert told.stderr.startswith("Name a command: make manage ARGS=")


def test_the_exit_code_is_that_of_the_command(machine: Machine) -> None:
    told = machine.type("manage", "simulate", "--seats", "4", "genius", "hard")
    assert told.returncode == 2
    assert "genius" in told.stderr
    assert "Traceback" not in told.stderr
