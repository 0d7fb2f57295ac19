"""A loop that follows a table waits for a server that is away, and can be stopped at once."""

import asyncio
import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from mexican_train import AsyncClient, NotAuthenticated, Patience, Unreachable
from tests.cases import slow_after
from tests.clients.asking import QUICK, Ask, both
from tests.clients.scripted import LOST, Piece, refuse, reply, scripted, stream
from tests.clients.test_event_stream import OVER, POSITION, QUICKLY, TABLE, event
from tests.examples import answer_of

HURRIED = Patience(timeout=5, total=5, attempts=2, first=0.01, most=0.01, away=60)
LOG: Any = answer_of("moves")
LOGGED = LOG[0]
OUTAGE = [LOST, reply(502), refuse(503, "unavailable")] * 2
POSITIONS = [
    reply(200, POSITION | {"version": 41}, ETag='"41"'),
    reply(200, POSITION | {"version": 42, "status": "finished"}),
]
STREAMS = [stream(QUICKLY, event(41)), stream(event(42), OVER)]


def follow(client: Any) -> Any:
    return client.follow(TABLE, wait=0)


def events(client: Any) -> Any:
    return client.events(TABLE, since=40)


EITHER = [(follow, HURRIED, POSITIONS), (events, replace(HURRIED, total=0.05), STREAMS)]
"""A position is given up after two attempts, events after a twentieth of a second."""
either = pytest.mark.parametrize(("going", "patience", "answers"), EITHER, ids=["follow", "events"])
Going = Callable[[Any], Any]


@both
@either
@pytest.mark.parametrize("away", [60, math.inf])
def test_the_loop_continues_after_an_absence_longer_than_the_time_of_a_call(
    ask: Ask, going: Going, patience: Patience, answers: list[list[Piece]], away: float
) -> None:
    with scripted(answers[0], *OUTAGE, answers[1]) as server:
        told = ask(server.url, going, replace(patience, away=away))
    assert [each.version for each in told] == [41, 42]


@both
@either
def test_the_loop_ends_after_a_very_long_absence(
    ask: Ask, going: Going, patience: Patience, answers: list[list[Piece]]
) -> None:
    with scripted(answers[0]) as server, pytest.raises(Unreachable):
        ask(server.url, going, replace(patience, total=60, away=0.1))
    assert 2 <= len(server.asked) <= 9


@both
@either
def test_a_server_that_never_answered_is_given_up_as_by_any_call(
    ask: Ask, going: Going, patience: Patience, answers: list[list[Piece]]
) -> None:
    with scripted() as server, pytest.raises(Unreachable):
        ask(server.url, going, patience)
    assert len(server.asked) <= 4


@both
@either
def test_a_permanent_refusal_ends_the_loop(
    ask: Ask, going: Going, patience: Patience, answers: list[list[Piece]]
) -> None:
    with scripted(answers[0], LOST, refuse(401, "bad_token")) as server, pytest.raises(NotAuthenticated):
        ask(server.url, going, patience)
    assert len(server.asked) == 3


HELD = [
    (lambda client: client.follow(TABLE), [POSITIONS[0], [2.0, *reply(304)]]),
    (events, [stream(event(41), 2.0, OVER)]),
    (events, [stream("retry: 20000\n\n", event(41))]),
]


@pytest.mark.parametrize(("going", "script"), slow_after(1, HELD), ids=["position held", "stream held", "pausing"])
def test_a_task_that_waits_is_cancelled_at_once(going: Going, script: list[list[Piece]]) -> None:
    async def run() -> float:
        async with AsyncClient(server.url, patience=QUICK) as client:
            going_on = going(client)
            assert (await anext(going_on)).version == 41
            waiting = asyncio.ensure_future(anext(going_on))
            await asyncio.wait([waiting], timeout=0.2)
            since = time.monotonic()
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            return time.monotonic() - since

    with scripted(*script) as server:
        assert asyncio.run(run()) < 1.2


@both
def test_the_log_is_read_page_by_page(ask: Ask) -> None:
    log = [LOGGED | {"number": number} for number in range(3, 9)]
    with scripted(reply(200, log[:3]), reply(200, log[3:]), reply(200, [])) as server:
        moves = ask(server.url, lambda client: client.moves(TABLE, after=2, limit=3))
    assert [move.number for move in moves] == [3, 4, 5, 6, 7, 8]
    assert [asked.path.partition("?")[2] for asked in server.asked] == [f"after={after}&limit=3" for after in (2, 5, 8)]


@both
def test_a_page_that_is_not_full_is_the_last(ask: Ask) -> None:
    with scripted(reply(200, [LOGGED])) as server:
        assert len(ask(server.url, lambda client: client.moves(TABLE))) == 1
    assert [asked.path.partition("?")[2] for asked in server.asked] == ["after=0&limit=500"]
