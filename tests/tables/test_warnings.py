"""The ``warn`` event of a stream: once in a turn, when a quarter of it is left."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from tables.api import warning
from tables.api.waiting import is_end_of_turn
from tables.models import Event, Table
from tests.cast import Caller
from tests.matches import arrange, begin, bots, send, snapshot
from tests.streams import Heard, Listening, events_in, listening

pytestmark = pytest.mark.django_db(transaction=True)
MOMENT = timedelta(seconds=0.3)


@pytest.fixture(autouse=True)
def nothing_known() -> None:
    warning.turn_at.cache_clear()


def clocked(alice: Caller, bob: Caller, left: timedelta, seconds: int = 60, **fields: Any) -> dict[str, Any]:
    """Alice has so much of her turn left, and has to draw."""
    table = begin(alice, bob, turn_seconds=seconds, **fields)
    arrange(table, "5-4 4-4 3-1", "5-5 5-2 4-3", boneyard="6-3")
    set_left(table, left)
    return table


def set_left(table: dict[str, Any], left: timedelta) -> None:
    warning.turn_at.cache_clear()
    Table.objects.filter(pk=table["id"]).update(deadline=timezone.now() + left)


def next_event(stream: Listening) -> Heard:
    """The next event of the stream, without its signs of life."""
    (event,) = events_in(stream.part())
    return event


def check_warned(event: Heard, table: dict[str, Any], seat: int = 0) -> None:
    deadline = snapshot(table).deadline
    assert deadline
    assert (event.kind, event.id, event.data["seat"]) == ("warn", None, seat)
    assert event.data["deadline"] == deadline.isoformat().replace("+00:00", "Z")
    assert event.data.keys() == {"seat", "deadline", "server_time"}


def test_every_stream_warns_when_a_quarter_is_left(alice: Caller, bob: Caller, spectator: Caller) -> None:
    table = clocked(alice, bob, timedelta(seconds=15) + MOMENT)
    before, kept = snapshot(table).version, Event.objects.count()
    with listening(table, alice) as stream, listening(table, spectator) as other:
        check_warned(next_event(stream), table)
        check_warned(next_event(other), table)
    deadline = snapshot(table).deadline
    assert deadline
    assert deadline - timezone.now() <= timedelta(seconds=15)
    assert (snapshot(table).version, Event.objects.count()) == (before, kept)


def test_a_stream_that_is_opened_later_warns_at_once(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob, timedelta(seconds=10))
    for _ in range(2):
        with listening(table, bob) as stream:
            check_warned(next_event(stream), table)


def test_each_turn_has_one_warning(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob, timedelta(seconds=10))
    with listening(table, bob) as stream:
        check_warned(next_event(stream), table)
        send(table, alice, "draw", 1)
        assert stream.event().data["move"] == "draw"
        warning.turn_at.cache_clear()
        send(table, alice, "6-3>0", 2)
        assert stream.event().data["move"] == "6-3>0"
        set_left(table, timedelta(seconds=10))
        check_warned(next_event(stream), table, seat=1)


@pytest.mark.parametrize(
    ("left", "seconds"), [(timedelta(seconds=10), 59), (timedelta(seconds=10), None), (-timedelta(seconds=1), 60)]
)
def test_there_is_no_warning_of_short_turns_or_turns_that_are_over(
    alice: Caller, bob: Caller, left: timedelta, seconds: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tables.api.waiting.BEAT", 0.2)
    table = begin(alice, bob, turn_seconds=seconds)
    if seconds:
        set_left(table, left)
    with listening(table, bob) as stream:
        assert [stream.part() for _ in range(2)] == [": still here\n\n"] * 2


def test_there_is_no_warning_if_a_bot_plays(alice: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tables.api.waiting.BEAT", 0.2)
    left = clocked(alice, bob, timedelta(seconds=10))
    alice.delete(f"tables/{left['id']}/seats/0")
    of_a_bot = begin(alice, seats=2, host_seat=1, bots=bots(0), turn_seconds=60)
    for table in (left, of_a_bot):
        with listening(table, bob) as stream:
            assert stream.part() == ": still here\n\n"


def test_a_call_by_another_seat_does_not_begin_a_turn() -> None:
    told = {"event": "move", "seat": 1, "turn": 0}
    assert is_end_of_turn(told | {"type": "play"})
    assert not is_end_of_turn(told | {"type": "call"})
    assert not is_end_of_turn(told | {"type": "draw", "seat": 0})
    assert is_end_of_turn({"event": "round", "what": "dealt"})


@pytest.mark.parametrize(
    ("seconds", "changed_to", "warned_before_end"), [(60, 1209600, 15), (60, None, 15), (30, 600, None), (600, 5, 150)]
)
def test_a_changed_clock_warns_from_the_next_turn_on(
    alice: Caller, bob: Caller, seconds: int, changed_to: int | None, warned_before_end: int | None
) -> None:
    table = begin(alice, bob, turn_seconds=seconds)
    clock = {"turn_seconds": changed_to, "on_timeout": "bot"}
    for caller in (alice, bob):
        assert caller.post(f"tables/{table['id']}/clock", clock).status in {200, 202}
    turn = warning.turn_at(UUID(table["id"]), snapshot(table).version)
    before_end = turn and round((turn.deadline - turn.warns_at).total_seconds())
    assert before_end == warned_before_end
