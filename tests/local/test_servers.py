"""Temporary servers for one command, and what happens to them at its end."""

import json
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path

import psutil
import psycopg
import pytest
import redis

from local.place import make_place
from local.servers import servers
from tests.local.conftest import Machine, eventually

SHOW = "import json, os; print(json.dumps(dict(os.environ)))"
ASK = """
import os, psycopg, redis
with psycopg.connect(os.environ["DATABASE_URL"]) as database:
    print([database.execute(f"show {name}").fetchone()[0] for name in ("fsync", "listen_addresses", "max_connections")])
print(redis.Redis.from_url(os.environ["REDIS_URL"]).ping())
"""
WAIT = "import os, time; print(os.environ['DATA_DIR'], flush=True); time.sleep(60)"


@pytest.mark.slow
def test_the_command_finds_both_servers(machine: Machine) -> None:
    result = machine.type("servers", "--", sys.executable, "-c", ASK)
    assert result.stdout.splitlines() == ["['off', '', '200']", "True"], result.stderr


@pytest.mark.slow
def test_nothing_is_left_behind(machine: Machine) -> None:
    folder = Path(json.loads(machine.type("servers", "--", sys.executable, "-c", SHOW).stdout)["DATA_DIR"])
    assert folder != machine.folder
    assert not folder.exists()
    assert not processes_naming(folder)


def processes_naming(folder: Path) -> list[psutil.Process]:
    listed = psutil.process_iter(["cmdline"])
    return [process for process in listed if str(folder) in " ".join(process.info["cmdline"] or ())]


@pytest.mark.slow
def test_the_exit_code_is_that_of_the_command(machine: Machine) -> None:
    assert machine.type("servers", "--", "false").returncode == 1
    assert machine.type("servers", "--", "sh", "-c", "kill -TERM $$").returncode == 128 + signal.SIGTERM


@pytest.mark.slow
def test_a_missing_command_is_named(machine: Machine) -> None:
    result = machine.type("servers", "--", "no-such-command")
    assert (result.returncode, result.stderr) == (1, "no-such-command cannot be run: no such file or directory.\n")


def test_without_a_command_the_usage_is_printed(machine: Machine) -> None:
    assert machine.type("servers", "--").stderr.startswith("Usage: ")


@pytest.mark.slow
def test_existing_servers_are_used_and_none_is_started(machine: Machine, session_servers: dict[str, str]) -> None:
    given = replace(machine, extra=session_servers)
    result = given.type("servers", "--", "sh", "-c", 'echo "$DATABASE_URL $REDIS_URL"; ls "$DATA_DIR"')
    assert result.stdout.split() == [*session_servers.values(), "log", "run"]


@pytest.mark.slow
def test_only_the_missing_server_is_started(machine: Machine, session_servers: dict[str, str]) -> None:
    given = replace(machine, extra={"REDIS_URL": session_servers["REDIS_URL"]})
    result = given.type("servers", "--", "sh", "-c", 'echo "$REDIS_URL"; ls "$DATA_DIR"')
    assert result.stdout.split() == [session_servers["REDIS_URL"], "log", "postgres", "run"]


@pytest.mark.slow
def test_sigterm_reaches_the_command(machine: Machine) -> None:
    with machine.started("servers", "--", sys.executable, "-c", WAIT) as process:
        assert eventually(machine.said)
        process.terminate()
        assert process.wait(10) == 128 + signal.SIGTERM
    assert eventually(lambda: not Path(machine.said().strip()).exists())


@pytest.mark.slow
def test_servers_end_if_their_owner_is_killed(machine: Machine) -> None:
    with machine.started("servers", "--", sys.executable, "-c", WAIT) as process:
        assert eventually(machine.said)
        children = psutil.Process(process.pid).children()
        process.kill()
        for child in children:
            if "time.sleep" in " ".join(child.cmdline()):
                child.kill()
    folder = Path(machine.said().strip())
    assert eventually(lambda: not folder.exists() and not processes_naming(folder))


@pytest.mark.slow
def test_data_is_found_again_even_if_the_path_is_too_long_for_a_socket(tmp_path: Path) -> None:
    place = make_place(tmp_path / ("long" * 20) / "with, a comma")
    for attempt in range(2):
        with servers(place, {}, durable=True) as addresses:
            with psycopg.connect(addresses["DATABASE_URL"]) as database:
                database.execute("create table if not exists kept (number int)")
                database.execute("insert into kept values (1)")
                assert database.execute("select count(*) from kept").fetchone() == (attempt + 1,)
            with redis.Redis.from_url(addresses["REDIS_URL"]) as client:
                assert client.incr("kept") == attempt + 1


@pytest.mark.slow
def test_a_lock_file_with_the_id_of_another_program_is_ignored(tmp_path: Path) -> None:
    place = make_place(tmp_path)
    with servers(place, {}, durable=False):
        pass
    (place.data("postgres") / "postmaster.pid").write_text(f"{os.getpid()}\n")
    with servers(place, {}, durable=False) as addresses, psycopg.connect(addresses["DATABASE_URL"]):
        pass
