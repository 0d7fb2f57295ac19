"""Watching through real processes: a whole match event by event, over restarts of the web server, and without Redis."""

import itertools
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.acceptance.server import Broker, Client, Server, running_server, until
from tests.acceptance.test_matches import bots
from tests.streams import Heard, events_in

LONGEST = 60
FINISHED = Heard("end", None, {"reason": "finished"})
AGAIN = Heard("end", None, {"reason": "reconnect"})


def stream(client: Client, table: str, after: int) -> Iterator[Heard]:
    """The events of one connection, as they arrive."""
    headers = {"Accept": "text/event-stream", "Last-Event-ID": str(after)}
    url = f"{client.server.url}/api/v1/tables/{table}/events"
    with client.session.get(url, headers=headers, stream=True, timeout=LONGEST) as answer:
        if answer.status_code == 204:  # the line was lost just before the end
            yield FINISHED
            return
        assert answer.status_code == 200, answer.text
        lines: Iterator[str] = answer.iter_lines(chunk_size=1, decode_unicode=True)
        for is_empty, block in itertools.groupby(lines, key=lambda line: not line):
            if not is_empty:
                yield from events_in("\n".join(block))


def everything(client: Client, table: str) -> list[Heard]:
    """All events from the first on to the end, over as many connections as it takes."""
    found: list[Heard] = []
    begun = time.monotonic()
    while found[-1:] != [FINISHED]:
        assert time.monotonic() < begun + LONGEST
        found = [event for event in found if event.id]
        try:
            found += stream(client, table, int(found[-1].id or 0) if found else 1)
        except requests.RequestException:
            time.sleep(0.2)  # the server is being started again
    return found


def check_whole(client: Client, table: str, found: list[Heard]) -> None:
    """Every version once and in order, and every move of the log."""
    end = client.position(table)
    assert [event.id for event in found] == [*map(str, range(2, end["version"] + 1)), None]
    assert [event.data["number"] for event in found if event.kind == "move"] == list(range(1, end["next_number"]))


def watched_match(client: Client, **fields: Any) -> str:
    options = {"rounds": 2}
    return client.open_and_start(seats=2, host_seat=None, bots=bots("easy", "easy"), options=options, **fields)


def test_the_stream_has_every_move_of_a_match(alice: Client) -> None:
    table = watched_match(alice)
    check_whole(alice, table, everything(alice, table))


def test_no_event_is_lost_or_repeated_over_a_restart_of_the_web_server(server: Server, alice: Client) -> None:
    table = watched_match(alice, bot_delay_ms=100)
    with ThreadPoolExecutor() as pool:
        watching = pool.submit(everything, Client(server, "Watcher"), table)
        for is_killed in (False, True):
            time.sleep(2)
            restart(server, is_killed=is_killed)
        found = watching.result(LONGEST)
    check_whole(alice, table, found)


def restart(server: Server, *, is_killed: bool) -> None:
    if is_killed:
        server.kill("web")
        until(lambda: not server.is_ready(), "its worker, which answers a little longer, is gone", seconds=30)
    else:
        process = server.processes.pop("web")
        process.terminate()
        process.wait(30)
    server.start("web")
    server.wait_until_ready()


def test_a_web_server_that_stops_ends_its_streams_with_reconnect(server: Server, alice: Client) -> None:
    table = alice.open_and_start(seats=2, bots=bots("easy", first=1))
    with ThreadPoolExecutor() as pool:
        watching = pool.submit(lambda: list(stream(alice, table, alice.position(table)["version"])))
        time.sleep(1)
        restart(server, is_killed=False)
        assert watching.result(LONGEST)[-1:] == [AGAIN]


def test_a_position_is_held_until_it_changes(alice: Client) -> None:
    table = alice.open_and_start(seats=2, bots=bots("easy", first=1), bot_delay_ms=1500)
    before = alice.position(table)
    move = {"move": before["you"]["legal_moves"][0]["move"], "number": before["next_number"]}
    url = f"{alice.server.url}/api/v1/tables/{table}/position?wait=25"
    while True:
        answer = alice.call("POST", f"tables/{table}/moves", move)
        now = answer.json()["position"]
        if now["turn"]["seat"] == 1:
            break
        move = {"move": now["you"]["legal_moves"][0]["move"], "number": now["next_number"]}
    tag = alice.session.get(url.removesuffix("?wait=25"), timeout=30).headers["ETag"]
    begun = time.monotonic()
    later = alice.session.get(url, headers={"If-None-Match": tag}, timeout=30)
    assert 0.5 < time.monotonic() - begun < 10
    assert later.json()["version"] > now["version"]


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    broker = Broker(tmp_path)
    broker.start()
    yield broker
    broker.kill()


def test_without_redis_watchers_get_every_move_a_second_later(broker: Broker) -> None:
    with running_server(REDIS_URL=broker.url) as server:
        alice, bob = Client(server, "Alice"), Client(server, "Bob")
        opened = alice.done("POST", "tables", {"seats": 2})
        bob.done("POST", "tables/join", {"invite": opened["invite"]["code"]})
        alice.done("POST", f"tables/{opened['id']}/start")
        events = stream(bob, opened["id"], alice.position(opened["id"])["version"])
        broker.kill()
        for _ in range(6):
            now = next(each for each in (alice, bob) if each.position(opened["id"])["you"]["legal_moves"])
            seen = now.position(opened["id"])
            move = {"move": seen["you"]["legal_moves"][0]["move"], "number": seen["next_number"]}
            assert now.call("POST", f"tables/{opened['id']}/moves", move).status_code == 201
            assert next(events).data["number"] == seen["next_number"]
        broker.start()
