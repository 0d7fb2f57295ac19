"""A broker that is killed and returns, while bots wait and a person plays."""

import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from django.conf import settings
from kombu import Connection
from redis.exceptions import RedisError

from tests.acceptance.server import COMMANDS, Broker, Client, running_server, until
from tests.acceptance.test_faults import goes_on
from tests.acceptance.test_matches import bots


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    broker = Broker(tmp_path)
    broker.start()
    yield broker
    broker.kill()


def make_first_legal_move(client: Client, table: str) -> int:
    now = client.position(table)
    move = {"move": now["you"]["legal_moves"][0]["move"], "number": now["next_number"]}
    return client.call("POST", f"tables/{table}/moves", move).status_code


def test_a_killed_broker_loses_no_move(broker: Broker) -> None:
    with running_server(REDIS_URL=broker.url) as server:
        alice = Client(server, "Alice")
        slow = alice.open_and_start(seats=2, host_seat=None, bots=bots("easy", "easy"), bot_delay_ms=500)
        own = alice.open_and_start(seats=2, bots=bots("easy", first=1))
        broker.kill()
        assert make_first_legal_move(alice, own) == 201
        broker.start()
        goes_on(alice, slow)
        until(lambda: bool(alice.position(own)["you"]["legal_moves"]), "it is Alice's turn again", seconds=15)
        assert [process.poll() for process in server.processes.values()] == [None] * len(COMMANDS)


def test_unacknowledged_messages_are_dropped_when_the_broker_dies(
    broker: Broker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    connection = Connection(broker.url, transport_options=settings.CELERY_BROKER_TRANSPORT_OPTIONS)
    queue = connection.SimpleQueue("bots")
    queue.put("a nudge")
    queue.get()
    broker.kill()
    with suppress(RedisError):
        connection.release()
    assert list(scratch.iterdir()) == []
