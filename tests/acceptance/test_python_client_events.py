"""The Python client follows the events of a live server, of a whole match and across a web server that is killed."""

import asyncio
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

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
    Warned,
)
from tests.acceptance.server import Server
from tests.acceptance.test_matches import MATCH_SECONDS, bots
from tests.acceptance.test_watching import restart

Followed = tuple[list[int], list[Event]]
ROUNDS = 3
SEATED = {bot["seat"]: bot["level"] for bot in bots("easy", "random")}


@pytest.fixture
def alice(server: Server) -> Iterator[Client]:
    with Client(server.url) as alice:
        alice.register_guest("Alice")
        yield alice


def open_for_bots(alice: Client, rounds: int, bot_delay_ms: int = 0) -> tuple[Table, Position]:
    table = alice.open_table(
        seats=2, host_seat=None, bots=SEATED, options={"rounds": rounds}, bot_delay_ms=bot_delay_ms
    )
    return table, alice.position(table)


def followed(alice: Client, server: Server, table: Table, since: int) -> Followed:
    """The versions of all positions, and all events: by two clients at once, until the match is over."""
    with ThreadPoolExecutor() as pool, Client(server.url, alice.token) as other:
        seen = pool.submit(lambda: [position.version for position in other.follow(table)])
        events = list(alice.events(table, since))
        return seen.result(MATCH_SECONDS), events


def followed_async(alice: Client, server: Server, table: Table, since: int) -> Followed:
    """The same by one client that does both."""

    async def run() -> Followed:
        async with AsyncClient(server.url, alice.token) as client:

            async def seen() -> list[int]:
                return [position.version async for position in client.follow(table)]

            async def events() -> list[Event]:
                return [event async for event in client.events(table, since)]

            both = await asyncio.gather(seen(), events())
            return both[0], both[1]

    return asyncio.run(run())


def check_whole(alice: Client, table: Table, since: int, events: list[Event]) -> None:
    """Every version once and in order, and every move and every round of the log."""
    end = alice.position(table)
    versions = [event.version for event in events if not isinstance(event, Warned)]
    assert versions == list(range(since + 1, end.version + 1))
    log = list(alice.moves(table, limit=50))
    moved = [event for event in events if isinstance(event, Moved)]
    assert [(each.number, each.seat, each.move, each.by) for each in moved] == [
        (each.number, each.seat, each.move, each.by) for each in log
    ]
    assert all(f"{each.tile}>{each.train}" == each.move for each in moved if each.type == "play")
    assert [event.result for event in events if isinstance(event, RoundEnded)] == list(alice.rounds(table))
    (last,) = [event for event in events if isinstance(event, TableChanged) and event.status == "finished"]
    assert last.winners == end.winners


def test_a_whole_match_is_followed_without_a_gap(alice: Client) -> None:
    table, before = open_for_bots(alice, ROUNDS)
    alice.start(table)
    events = list(alice.events(table, since=before.version))
    check_whole(alice, table, before.version, events)
    assert len([event for event in events if isinstance(event, RoundDealt)]) in {ROUNDS - 1, ROUNDS}


def test_no_event_is_lost_or_repeated_when_the_web_server_dies(server: Server, alice: Client) -> None:
    table, before = open_for_bots(alice, 2)
    alice.start(table)
    events: list[Event] = []
    for event in alice.events(table, since=before.version):
        events.append(event)
        if len(events) in {5, 15}:
            server.kill("web")
            server.start("web")
    check_whole(alice, table, before.version, events)


@pytest.mark.parametrize("follow", [followed, followed_async], ids=["sync", "async"])
def test_both_clients_continue_after_a_restart_of_the_web_server(
    server: Server, alice: Client, follow: Callable[[Client, Server, Table, int], Followed]
) -> None:
    table, before = open_for_bots(alice, 2, bot_delay_ms=100)
    alice.start(table)
    with ThreadPoolExecutor() as pool:
        following = pool.submit(follow, alice, server, table, before.version)
        for is_killed in (False, True):
            time.sleep(2)
            restart(server, is_killed=is_killed)
        seen, events = following.result(MATCH_SECONDS)
    check_whole(alice, table, before.version, events)
    assert seen == sorted(set(seen))
    last = events[-1]
    assert not isinstance(last, Warned)
    assert seen[-1] == last.version


def played(alice: Client, table: Table) -> Position:
    """The end of a match in which she plays whatever she may, and is refused nothing."""
    for now in alice.follow(table):
        end = now
        while end.legal_moves:
            end = alice.play(table, end.legal_moves[0], end.next_number).position
    return end


def test_a_player_continues_after_a_restart_of_the_web_server(server: Server, alice: Client) -> None:
    table = alice.open_table(seats=2, bots={1: "random"}, options={"rounds": 2}, bot_delay_ms=150)
    alice.start(table)
    with ThreadPoolExecutor() as pool:
        playing = pool.submit(played, alice, table)
        for is_killed in (False, True, True):
            time.sleep(1)
            restart(server, is_killed=is_killed)
        end = playing.result(MATCH_SECONDS)
    assert end.status == "finished"
    assert {move.by for move in alice.moves(table) if move.seat == 0} == {"person"}


def test_an_async_client_gets_the_event_of_a_player_who_sits_down(server: Server, alice: Client) -> None:
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
