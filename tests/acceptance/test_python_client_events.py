"""The Python client follows the events of a live server, of a whole match and across a web server that is killed."""

import asyncio
from collections.abc import Iterator

import pytest

from mexican_train import (
    AsyncClient,
    Client,
    Event,
    Moved,
    Position,
    RoundDealt,
    RoundEnded,
    SeatChanged,
    Table,
    TableChanged,
)
from tests.acceptance.server import Server
from tests.acceptance.test_matches import bots

ROUNDS = 3
SEATED = {bot["seat"]: bot["level"] for bot in bots("easy", "random")}


@pytest.fixture
def alice(server: Server) -> Iterator[Client]:
    with Client(server.url) as alice:
        alice.register_guest("Alice")
        yield alice


def open_for_bots(alice: Client, rounds: int) -> tuple[Table, Position]:
    table = alice.open_table(seats=2, host_seat=None, bots=SEATED, options={"rounds": rounds})
    return table, alice.position(table)


def check_whole(alice: Client, table: Table, since: int, events: list[Event]) -> None:
    """Every version once and in order, and every move and every round of the log."""
    end = alice.position(table)
    assert [event.version for event in events] == list(range(since + 1, end.version + 1))
    log = [move for after in range(0, end.next_number, 500) for move in alice.moves(table, after, 500)]
    moved = [event for event in events if isinstance(event, Moved)]
    assert [(each.number, each.seat, each.move, each.by) for each in moved] == [
        (each.number, each.seat, each.move, each.by) for each in log
    ]
    assert [event.result for event in events if isinstance(event, RoundEnded)] == list(alice.rounds(table))
    (last,) = [event for event in events if isinstance(event, TableChanged) and event.status == "finished"]
    assert last.winners == end.winners


def test_a_whole_match_is_told_without_a_gap(alice: Client) -> None:
    table, before = open_for_bots(alice, ROUNDS)
    alice.start(table)
    events = list(alice.events(table, since=before.version))
    check_whole(alice, table, before.version, events)
    assert len([event for event in events if isinstance(event, RoundDealt)]) in {ROUNDS - 1, ROUNDS}


def test_nothing_is_lost_or_told_twice_when_the_web_server_dies(server: Server, alice: Client) -> None:
    table, before = open_for_bots(alice, 2)
    alice.start(table)
    events: list[Event] = []
    for event in alice.events(table, since=before.version):
        events.append(event)
        if len(events) in {5, 15}:
            server.kill("web")
            server.start("web")
    check_whole(alice, table, before.version, events)


def test_who_sits_down_is_told_to_whoever_awaits_it(server: Server, alice: Client) -> None:
    table = alice.open_table(seats=2)
    assert table.invite
    invite = table.invite.code

    async def watched() -> list[Event]:
        async with AsyncClient(server.url, token=alice.token) as watching, AsyncClient(server.url) as bob:
            await bob.register_guest("Bob")
            before = await watching.position(table)
            await bob.join(invite)
            told = []
            async for event in watching.events(table, since=before.version):
                told.append(event)
                if isinstance(event, SeatChanged):
                    await watching.cancel(table)
            return told

    changed, *_, last = asyncio.run(asyncio.wait_for(watched(), 60))
    assert isinstance(changed, SeatChanged)
    assert changed.player
    assert (changed.seat, changed.player.name, changed.away) == (1, "Bob", False)
    assert isinstance(last, TableChanged)
    assert last.status == "cancelled"
