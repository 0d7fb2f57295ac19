"""Matches survive a killed worker, lost messages, and a time limit that only the sweep enforces."""

from typing import Any

import psutil
import redis

from local.records import is_alive
from tests.acceptance.server import Client, Server, until
from tests.acceptance.test_matches import bots


def moves_made(client: Client, table: str) -> int:
    number: int = client.position(table)["next_number"]
    return number


def goes_on(client: Client, table: str) -> None:
    now = moves_made(client, table)
    until(lambda: moves_made(client, table) > now + 5, "play goes on", seconds=30)


def slow_match_of_bots(client: Client) -> str:
    return client.open_and_start(seats=3, host_seat=None, bots=bots("easy", "easy", "easy"), bot_delay_ms=100)


def test_a_killed_worker_loses_no_move(server: Server, alice: Client) -> None:
    table = slow_match_of_bots(alice)
    goes_on(alice, table)
    server.kill("worker")
    server.start("worker")
    goes_on(alice, table)


def test_a_killed_master_of_the_web_leaves_no_worker_behind(server: Server, alice: Client) -> None:
    """Not even one that has a stream to send."""
    table = alice.done("POST", "tables", {"seats": 2})["id"]
    with alice.session.get(f"{server.url}/api/v1/tables/{table}/events", stream=True, timeout=30) as stream:
        assert next(stream.iter_lines())
        workers = psutil.Process(server.processes["web"].pid).children()
        assert workers
        server.kill("web")
        until(lambda: not any(map(is_alive, workers)), "the workers end", seconds=30)
    server.start("web")
    server.wait_until_ready()


def test_lost_messages_lose_no_move(server: Server, alice: Client) -> None:
    table = slow_match_of_bots(alice)
    with redis.Redis.from_url(server.environment["REDIS_URL"]) as broker:
        broker.flushall()
    goes_on(alice, table)


def test_the_clock_plays_a_turn_without_a_move(alice: Client) -> None:
    table = alice.open_and_start(seats=2, bots=bots("easy", first=1), turn_seconds=5, options={"rounds": 1})
    until(lambda: moves_made(alice, table) > 1, "the clock has moved", seconds=10)
    first: dict[str, Any] = alice.done("GET", f"tables/{table}/moves")[0]
    assert (first["seat"], first["by"]) == (0, "timeout")


def test_without_bot_processes_a_table_waits_five_seconds_at_most(server: Server, alice: Client) -> None:
    table = slow_match_of_bots(alice)
    goes_on(alice, table)
    assert server.readiness()["bots"] == "ok"
    server.kill("bots")
    for _ in range(3):
        now = moves_made(alice, table)
        until(lambda: moves_made(alice, table) > now, "a move is played for the bot", seconds=6)  # noqa: B023
    until(lambda: server.readiness()["bots"] == "down", "somebody notices", seconds=10)
    assert server.is_ready()
    server.start("bots")
    until(lambda: server.readiness()["bots"] == "ok", "they are back", seconds=30)
    goes_on(alice, table)
