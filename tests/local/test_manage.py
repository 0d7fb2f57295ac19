"""``python -m local manage``: commands of manage.py with the data of this machine's server."""

from http import HTTPStatus
from urllib.request import urlopen

from tests.local.conftest import Machine, eventually


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


def test_a_command_starts_the_databases_for_itself_where_no_server_runs(machine: Machine) -> None:
    assert machine.type("manage", "migrate", "-v0").returncode == 0
    told = machine.type("manage", "check_logs")
    assert (told.returncode, told.stdout) == (0, "Tables: 0, rounds: 0, moves: 0. Tables that differ: 0.\n")
    assert not any(machine.recorded(name) for name in ("postgres", "redis"))


def test_the_exit_code_is_the_commands(machine: Machine) -> None:
    told = machine.type("manage", "simulate", "--seats", "4", "genius", "hard")
    assert told.returncode == 2
    assert "genius" in told.stderr
    assert "Traceback" not in told.stderr
