"""What a change of seats, host or clock changes in a match, decided from values alone."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone

from players.models import Kind
from tables import deciding_seats
from tables.changes import Changes
from tables.models import EndedReason, EventKind, StandIn, Status
from tables.repository import SOURCES
from tests.cast import Caller
from tests.matches import begin, snapshot

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def changes(alice: Caller, bob: Caller, django_assert_num_queries: Any) -> Iterator[Changes]:
    """Empty changes to a match of Alice and Bob. What a test decides may ask the database nothing."""
    table = snapshot(begin(alice, bob, turn_seconds=60, hints=True))
    assert table.state is not None
    with django_assert_num_queries(0):
        yield Changes.to(table, SOURCES, timezone.now())


def other_seat(changes: Changes) -> int:
    """The seat that is not to move."""
    return 1 - changes.seat.number


def test_a_bot_takes_over_until_the_player_is_back(changes: Changes) -> None:
    seat = changes.seat.number
    deciding_seats.let_bot_take_over(changes, seat)
    assert (changes.seats[seat].level, changes.seats[seat].stand_in_until) == (
        changes.snapshot.on_leave,
        StandIn.RETURN,
    )
    assert [each.kind for each in changes.events] == [EventKind.SEAT]
    assert changes.sets_clock


def test_a_bot_takes_over_only_once(changes: Changes) -> None:
    deciding_seats.let_bot_take_over(changes, 0)
    deciding_seats.let_bot_take_over(changes, 0)
    assert len(changes.events) == 1


def test_the_clock_of_another_seat_does_not_change(changes: Changes) -> None:
    deciding_seats.let_bot_take_over(changes, other_seat(changes))
    assert not changes.sets_clock


def test_a_player_who_is_back_moves_again(changes: Changes) -> None:
    before = changes.seat
    deciding_seats.let_bot_take_over(changes, before.number)
    deciding_seats.bring_back(changes, before.number, is_late=False)
    assert changes.seat == before
    assert not changes.sets_clock


def test_a_player_who_is_back_too_late_waits_for_this_turn(changes: Changes) -> None:
    deciding_seats.let_bot_take_over(changes, changes.seat.number)
    deciding_seats.bring_back(changes, changes.seat.number, is_late=True)
    assert (changes.seat.is_away, changes.seat.stand_in_until) == (False, StandIn.TURN)


def test_another_host_is_a_column_and_an_event(changes: Changes) -> None:
    host = changes.seats[1].player
    assert host is not None
    deciding_seats.change_host(changes, host)
    (event,) = changes.events
    assert changes.columns == {"host_id": host}
    assert (event.data["changed"], event.data["host"], event.data["status"]) == (["host"], str(host), Status.PLAYING)


def test_an_agreed_clock_counts_from_the_next_turn(changes: Changes) -> None:
    before = changes.snapshot.on_timeout
    deciding_seats.change_clock(changes, {"turn_seconds": 90, "on_timeout": before}, was_proposed=True)
    assert changes.columns["turn_seconds"] == 90
    assert changes.columns["turn_on_timeout"] == before
    assert set(changes.events[0].data["changed"]) == {"turn_seconds", "clock_proposal"}
    assert not changes.sets_clock


@pytest.mark.parametrize(("reason", "left"), [(EndedReason.CANCELLED_BY_HOST, {0}), (EndedReason.ABANDONED, set())])
def test_a_host_who_cancels_has_left_the_others(changes: Changes, reason: EndedReason, left: set[int]) -> None:
    assert [seat.kind for seat in changes.seats] == [Kind.PERSON, Kind.PERSON]
    deciding_seats.end_without_winner(changes, reason)
    assert (changes.is_playing, changes.left) == (False, left)
    assert set(changes.events[0].data["changed"]) == {"status", "ended_reason", "deadline"}
