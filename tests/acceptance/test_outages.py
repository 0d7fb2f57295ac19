"""Outages with real processes, killed or frozen, and with the database: players lose no time."""

import os
import signal
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.acceptance.server import Client, Server, running_server, until

TURN = 10
LONGER = TURN + 2
"""Seconds of an outage."""
OURS = ("web", "worker", "bots", "beat")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server of its own, for others would notice."""
    with running_server() as running:
        yield running


@pytest.fixture
def alice(server: Server) -> Client:
    return Client(server, "Alice")


@pytest.fixture
def table(alice: Client, server: Server) -> str:
    bob = Client(server, "Bob")
    opened = alice.done("POST", "tables", {"seats": 2, "turn_seconds": TURN, "on_timeout": "forfeit"})
    bob.done("POST", "tables/join", {"invite": opened["invite"]["code"]})
    alice.done("POST", f"tables/{opened['id']}/start")
    return str(opened["id"])


def time_left(turn: dict[str, Any]) -> float:
    return (datetime.fromisoformat(turn["deadline"]) - datetime.fromisoformat(turn["server_time"])).total_seconds()


def goes_on_with_what_was_left(server: Server, alice: Client, table: str, before: float) -> None:
    """Alice has what she had, within the second or two that nobody can know, until the deadline that she is told."""
    until(lambda: web_answers(server), "web answers", seconds=60)
    now = alice.position(table)
    assert not now["seats"][0]["away"]
    assert 0 < time_left(now["turn"]) <= before + 2
    until(lambda: alice.position(table)["seats"][0]["away"], "the clock acts in the end", seconds=60)


def web_answers(server: Server) -> bool:
    try:
        return requests.get(f"{server.url}/healthz", timeout=5).ok
    except requests.RequestException:
        return False


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@contextmanager
def frozen(pids: Iterable[int]) -> Iterator[None]:
    stopped = list(pids)
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)


def database(server: Server) -> list[int]:
    """The processes of PostgreSQL."""
    (lock,) = Path(server.environment["DATA_DIR"]).rglob("postmaster.pid")
    postmaster = int(lock.read_text().split("\n")[0])
    return [postmaster, *children(postmaster)]


def web(server: Server) -> list[int]:
    arbiter = server.processes["web"].pid
    return [arbiter, *children(arbiter)]


@pytest.mark.parametrize("killed", [OURS, ("web",)])
def test_a_player_who_could_not_move_has_no_timeout(
    server: Server, alice: Client, table: str, killed: tuple[str, ...]
) -> None:
    before = time_left(alice.position(table)["turn"])
    for name in killed:
        server.kill(name)
    time.sleep(LONGER)
    for name in killed:
        server.start(name)
    goes_on_with_what_was_left(server, alice, table, before)


def move_meanwhile(alice: Client, table: str) -> tuple[threading.Thread, list[requests.Response]]:
    """Alice moves, in a thread that may have to wait."""
    now, answers = alice.position(table), []
    move = {"move": now["you"]["legal_moves"][0]["move"], "number": now["next_number"]}
    thread = threading.Thread(target=lambda: answers.append(alice.call("POST", f"tables/{table}/moves", move)))
    return thread, answers


@pytest.mark.parametrize("freezing", [database, web])
def test_a_move_sent_to_a_frozen_server_counts_and_costs_the_next_seat_no_time(
    server: Server, alice: Client, table: str, freezing: Any
) -> None:
    thread, answers = move_meanwhile(alice, table)
    with frozen(freezing(server)):
        thread.start()
        time.sleep(LONGER)
    thread.join(60)
    (answer,) = answers
    assert answer.status_code == 201, answer.text
    turn = answer.json()["position"]["turn"]
    assert 0 < time_left(turn) <= TURN + 0.1
    assert turn["seat"] == 0 or time_left(turn) > TURN - 1
    assert not any(seat["away"] for seat in alice.position(table)["seats"])


def test_after_a_frozen_database_the_turn_has_the_time_that_was_left(server: Server, alice: Client, table: str) -> None:
    before = time_left(alice.position(table)["turn"])
    with frozen(database(server)):
        time.sleep(LONGER)
    goes_on_with_what_was_left(server, alice, table, before)
