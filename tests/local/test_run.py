"""``make run`` from the first line to the last, killed and started again."""

import re
import signal
import urllib.request
from http import HTTPStatus

import pytest

from local.records import is_alive
from tests.local.conftest import Machine, check_refused, eventually

pytestmark = pytest.mark.slow

PROCESSES = ("guard", "web", "worker", "bots", "webhooks", "beat", "redis", "postgres")


def check_ready(machine: Machine) -> None:
    assert eventually(lambda: "Ctrl-C stops everything." in machine.said()), machine.said()
    url = f"http://127.0.0.1:{machine.port}"
    for address in (f"{url}/api/v1/docs", f"{url}/admin/"):
        assert address in machine.said()
    shown = re.search(rf"{url}/api/v1/tables/[0-9a-f-]+/position", machine.said())
    assert shown, machine.said()
    assert re.search(r"admin / \S{12,}", machine.said())
    for address in (f"{url}/readyz", shown[0]):
        with urllib.request.urlopen(address) as answer:
            assert answer.status == HTTPStatus.OK
    assert all(machine.recorded(name) for name in PROCESSES)


def check_stopped(machine: Machine, code: int) -> None:
    assert code == 0
    assert machine.said().splitlines()[-1] == "Stopped."
    assert "Traceback" not in machine.said()
    assert not any(machine.recorded(name) for name in PROCESSES)


def test_a_run_stops_on_request_and_recovers_from_every_kill(machine: Machine) -> None:
    with machine.started("run") as run:
        check_ready(machine)
        key = (machine.folder / "secret_key").read_text()
        check_refused(machine, f"already running on {machine.folder}", str(run.pid), "DATA_DIR")
        run.send_signal(signal.SIGTERM)
        check_stopped(machine, run.wait(10))

    with machine.started("run") as run:
        check_ready(machine)
        assert (machine.folder / "secret_key").read_text() == key
        left = {name: machine.recorded(name) for name in PROCESSES}
        guard = left["guard"]
        assert guard
        guard.kill()
        run.kill()

    with machine.started("run") as run:
        check_ready(machine)
        assert "Ended what a killed run had left behind: " in machine.said()
        assert not [name for name, process in left.items() if process and is_alive(process)]
        run.send_signal(signal.SIGINT)
        check_stopped(machine, run.wait(10))


def test_a_run_that_loses_its_database_says_so_and_stops(machine: Machine) -> None:
    with machine.started("run") as run:
        check_ready(machine)
        postgres = machine.recorded("postgres")
        assert postgres
        postgres.kill()
        assert run.wait(20) == 1
    assert "PostgreSQL has stopped by itself" in machine.said()
    assert "Traceback" not in machine.said().partition("PostgreSQL has stopped by itself")[2]
    assert not any(machine.recorded(name) for name in PROCESSES)
