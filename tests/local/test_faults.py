"""Faults of a machine that are reported before anything runs, each in one sentence."""

import socket
from dataclasses import replace
from pathlib import Path

import pytest

from tests.local.conftest import Machine, check_refused, copy_cluster

pytestmark = pytest.mark.slow


def test_a_busy_port_is_named_before_anything_starts(machine: Machine) -> None:
    with socket.create_server(("127.0.0.1", machine.port)):
        check_refused(machine, f"Port {machine.port} cannot be used", "make run PORT=")
    assert not (machine.folder / "postgres").exists()


@pytest.mark.parametrize("port", ["chess", "0", "65536", "-1", "80 80"])
def test_a_port_must_be_a_number(machine: Machine, port: str) -> None:
    check_refused(replace(machine, extra={"PORT": port}), "PORT must be a number", repr(port))


def test_an_address_of_another_machine_is_refused_as_host(machine: Machine) -> None:
    check_refused(replace(machine, extra={"HOST": "192.0.2.1"}), "HOST=192.0.2.1")


def test_a_file_is_refused_as_data_folder(machine: Machine) -> None:
    machine.folder.touch()
    check_refused(machine, f"Nothing can be kept in {machine.folder}", "DATA_DIR")


def test_a_data_folder_must_be_writable(machine: Machine) -> None:
    check_refused(replace(machine, folder=Path("/proc/nothing")), "Nothing can be kept in /proc/nothing")


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("PG_VERSION", "garbage\n", "not a valid data directory"),
        ("PG_VERSION", "16\n", "initialized by PostgreSQL version 16"),
        ("PG_VERSION", None, "PG_VERSION is missing"),
        ("global/pg_control", None, "pg_control"),
        ("global/pg_control", "", "pg_control"),
    ],
)
def test_a_damaged_database_is_named(
    machine: Machine, cluster: Path, name: str, content: str | None, reason: str
) -> None:
    data = machine.place.data("postgres")
    copy_cluster(cluster, data)
    damage(data / name, content)
    check_refused(machine, str(data), reason, "Restore it from a backup, or move it away")


def damage(path: Path, content: str | None) -> None:
    if content is None:
        path.unlink()
    else:
        path.write_text(content)


def test_damaged_redis_data_is_named(machine: Machine, cluster: Path) -> None:
    copy_cluster(cluster, machine.place.data("postgres"))
    redis_data = machine.place.data("redis")
    redis_data.mkdir()
    (redis_data / "dump.rdb").write_text("no dump of Redis")
    check_refused(machine, str(redis_data), "Valkey cannot serve", "delete that folder and start again")


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("DATABASE_URL", "postgresql://somebody:hush@127.0.0.1:1/name", "does not answer"),
        ("DATABASE_URL", "nonsense", "is not an address"),
        ("REDIS_URL", "redis://127.0.0.1:1/0", "does not answer"),
        ("REDIS_URL", "nonsense", "is not an address"),
    ],
)
def test_an_existing_server_must_answer(
    machine: Machine, session_servers: dict[str, str], name: str, value: str, reason: str
) -> None:
    wrong = replace(machine, extra={**session_servers, name: value})
    check_refused(wrong, name, reason)
    assert not (machine.folder / "postgres").exists()
    assert "hush" not in wrong.type("run").stderr
