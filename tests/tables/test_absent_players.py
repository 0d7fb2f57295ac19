"""When a bot may play for another person: an absent player blocks no table, and a present player keeps the seat."""

from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from rules.mexican_train.notation import move_text
from tables.models import Move, Seat
from tests.at_once import at_once
from tests.cast import Answer, Caller, guest, join, open_table, position, start
from tests.clocks import MINUTE, SECOND
from tests.matches import begin, bots, heaviest, snapshot, step
from tests.rest.checks import check_refused, nothing_changes

LONG_AGO = 4 * MINUTE


def empty(table: dict[str, Any], caller: Caller, seat: int, query: str = "") -> Answer:
    return caller.delete(f"tables/{table['id']}/seats/{seat}{query}")


def put_bot(table: dict[str, Any], caller: Caller, seat: int, **body: Any) -> Answer:
    return caller.put(f"tables/{table['id']}/seats/{seat}/bot", body)


WAYS: list[Callable[..., Answer]] = [empty, put_bot]
REFUSED: dict[Callable[..., Answer], str] = {empty: "not_your_seat", put_bot: "not_host"}


def is_away(table: dict[str, Any], caller: Caller, seat: int) -> bool:
    away: bool = position(table, caller)["seats"][seat]["away"]
    return away


def here(*callers: Caller) -> None:
    for caller in callers:
        assert caller.get("players/me").status == 200


# The host, in a match


@pytest.mark.parametrize("way", WAYS)
def test_the_host_cannot_replace_a_present_player(
    playing: dict[str, Any], alice: Caller, bob: Caller, way: Any
) -> None:
    check_refused(lambda: way(playing, alice, 1), 409, "player_present")
    assert not is_away(playing, bob, 1)


@pytest.mark.parametrize("way", WAYS)
def test_the_host_has_a_bot_play_for_an_absent_player(
    clock: time_machine.Traveller, playing: dict[str, Any], alice: Caller, way: Any
) -> None:
    clock.shift(LONG_AGO)
    assert way(playing, alice, 1).status in {200, 204}
    assert is_away(playing, alice, 1)
    assert Seat.objects.get(number=1).stand_in == "easy"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("on_timeout", ["auto", "bot"])
def test_the_host_has_a_bot_play_for_a_slow_player(
    clock: time_machine.Traveller, alice: Caller, bob: Caller, on_timeout: str, way: Any
) -> None:
    table = begin(alice, bob, turn_seconds=60, on_timeout=on_timeout)
    while snapshot(table).turn == 0:
        step(table)
    clock.shift(61 * SECOND)
    here(bob)
    assert way(table, alice, 1).status in {200, 204}
    assert is_away(table, alice, 1)


@pytest.mark.parametrize("way", WAYS)
def test_a_player_who_is_away_stays_away(playing: dict[str, Any], alice: Caller, bob: Caller, way: Any) -> None:
    empty(playing, bob, 1)
    with nothing_changes():
        assert way(playing, alice, 1).status in {200, 204}


def test_a_level_is_refused_for_a_persons_seat(
    clock: time_machine.Traveller, playing: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    check_refused(lambda: put_bot(playing, alice, 1, level="easy"), 400, "invalid", "level")
    empty(playing, bob, 1)
    check_refused(lambda: put_bot(playing, alice, 1, level="easy"), 400, "invalid", "level")


def test_the_bot_has_the_level_on_leave(clock: time_machine.Traveller, alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, on_leave="medium")
    clock.shift(LONG_AGO)
    assert put_bot(table, alice, 1).status == 200
    assert Seat.objects.get(number=1).stand_in == "medium"


def test_the_player_takes_the_seat_back(
    clock: time_machine.Traveller, playing: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    clock.shift(LONG_AGO)
    empty(playing, alice, 1)
    assert bob.post(f"tables/{playing['id']}/seats").status == 200
    assert not is_away(playing, bob, 1)
    check_refused(lambda: empty(playing, alice, 1), 409, "player_present")


def test_at_an_open_table_the_host_decides_who_sits(two_seats: dict[str, Any], alice: Caller) -> None:
    check_refused(lambda: put_bot(two_seats, alice, 1), 409, "seat_taken")
    assert empty(two_seats, alice, 1).status == 204


# Everybody who sits there, without a clock


@pytest.fixture
def waiting(clock: time_machine.Traveller, alice: Caller, bob: Caller, cleo: Caller) -> dict[str, Any]:
    """A match of three without a clock that waits for Alice, who hosts it."""
    return begin(alice, bob, cleo)


@pytest.mark.parametrize("way", WAYS)
def test_everybody_there_may_replace_an_absent_player_to_move(
    clock: time_machine.Traveller, waiting: dict[str, Any], bob: Caller, cleo: Caller, way: Any
) -> None:
    clock.shift(15 * MINUTE)
    here(bob, cleo)
    check_refused(lambda: way(waiting, cleo, 0), 403, REFUSED[way])
    clock.shift(SECOND)
    assert way(waiting, cleo, 0).status in {200, 204}
    assert is_away(waiting, bob, 0)


@pytest.mark.parametrize("way", WAYS)
def test_a_present_player_to_move_cannot_be_replaced(
    clock: time_machine.Traveller, waiting: dict[str, Any], alice: Caller, bob: Caller, way: Any
) -> None:
    clock.shift(16 * MINUTE)
    here(alice)
    check_refused(lambda: way(waiting, bob, 0), 403, REFUSED[way])


@pytest.mark.parametrize("stall_minutes", [15, None, 20_160])
@pytest.mark.parametrize("is_here", [True, False])
def test_a_player_whose_turn_is_older_than_a_day_may_be_replaced(
    clock: time_machine.Traveller, alice: Caller, bob: Caller, stall_minutes: int | None, *, is_here: bool
) -> None:
    table = begin(alice, bob, stall_minutes=stall_minutes)
    clock.shift(24 * 60 * MINUTE)
    if is_here:
        here(alice)
    if is_here or stall_minutes != 15:
        check_refused(lambda: empty(table, bob, 0), 403, "not_your_seat")
    clock.shift(SECOND)
    assert empty(table, bob, 0).status == 204


@pytest.mark.parametrize("way", WAYS)
def test_a_host_without_a_seat_may_replace_an_absent_player(
    clock: time_machine.Traveller, alice: Caller, bob: Caller, cleo: Caller, way: Any
) -> None:
    table = begin(cleo, alice, bob, host_seat=None, seats=2)
    clock.shift(24 * 60 * MINUTE)
    here(alice, cleo)
    check_refused(lambda: way(table, cleo, 0), 409, "player_present")
    clock.shift(SECOND)
    assert way(table, cleo, 0).status in {200, 204}


@pytest.mark.parametrize("stall_minutes", [3, 60])
def test_stall_minutes_sets_how_long_the_others_wait(
    clock: time_machine.Traveller, alice: Caller, bob: Caller, stall_minutes: int
) -> None:
    table = begin(alice, bob, stall_minutes=stall_minutes)
    clock.shift(stall_minutes * MINUTE)
    check_refused(lambda: empty(table, bob, 0), 403, "not_your_seat")
    clock.shift(SECOND)
    assert empty(table, bob, 0).status == 204


def test_with_a_clock_only_the_host_may_replace_a_player(
    clock: time_machine.Traveller, alice: Caller, bob: Caller, cleo: Caller
) -> None:
    """Bob hosts; the clock takes care of Alice, who is to move."""
    table = begin(bob, alice, cleo, host_seat=1, turn_seconds=86_400)
    clock.shift(16 * MINUTE)
    here(bob, cleo)
    check_refused(lambda: empty(table, cleo, 0), 403, "not_your_seat")
    check_refused(lambda: put_bot(table, cleo, 0), 403, "not_host")


def test_only_the_seat_to_move_may_be_replaced_by_the_others(
    clock: time_machine.Traveller, waiting: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    clock.shift(16 * MINUTE)
    here(alice, bob)
    check_refused(lambda: empty(waiting, bob, 2), 403, "not_your_seat")
    check_refused(lambda: put_bot(waiting, bob, 2), 403, "not_host")


def test_a_caller_without_a_seat_may_replace_nobody(clock: time_machine.Traveller, waiting: dict[str, Any]) -> None:
    clock.shift(25 * 60 * MINUTE)
    dan = guest("Dan")
    check_refused(lambda: empty(waiting, dan, 0), 403, "not_your_seat")
    check_refused(lambda: put_bot(waiting, dan, 0), 403, "not_host")
    check_refused(lambda: put_bot(waiting, dan, 0, level="easy"), 403, "not_host")


def test_a_turn_begins_when_the_seat_before_has_moved(
    clock: time_machine.Traveller, waiting: dict[str, Any], alice: Caller, cleo: Caller
) -> None:
    clock.shift(20 * MINUTE)
    while snapshot(waiting).turn == 0:
        step(waiting)
    clock.shift(15 * MINUTE)
    here(alice)
    check_refused(lambda: empty(waiting, cleo, 1), 403, "not_your_seat")
    clock.shift(SECOND)
    assert empty(waiting, cleo, 1).status == 204


# A kick is for whom it was meant


def test_a_repeated_removal_keeps_a_player_who_sat_down_in_between(
    two_seats: dict[str, Any], alice: Caller, bob: Caller, cleo: Caller
) -> None:
    assert bob.player is not None
    query = f"?player={bob.player.id}"
    assert empty(two_seats, alice, 1, query).status == 204
    join(two_seats, cleo)
    dan = guest("Dan")
    with nothing_changes():
        for caller in (alice, bob, cleo, dan):
            assert empty(two_seats, caller, 1, query).status == 204
    check_refused(lambda: empty(two_seats, bob, 1), 403, "not_your_seat")


def test_a_repeated_removal_in_a_match_changes_nothing(alice: Caller, bob: Caller, cleo: Caller) -> None:
    """A call for another player does not even empty the caller's own seat."""
    table = in_a_match(alice, bob)
    assert cleo.player is not None
    with nothing_changes():
        for caller in (alice, bob):
            assert empty(table, caller, 1, f"?player={cleo.player.id}").status == 204


@pytest.mark.parametrize("query", ["?player=", "?player=bob", "?player=1"])
def test_an_invalid_player_in_the_query_is_refused(two_seats: dict[str, Any], alice: Caller, query: str) -> None:
    check_refused(lambda: empty(two_seats, alice, 1, query), 400, "invalid", "player")


def test_the_same_key_for_another_player_is_another_request(
    two_seats: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    assert alice.player is not None
    assert bob.player is not None
    path, key = f"tables/{two_seats['id']}/seats/1", {"Idempotency-Key": "one kick"}
    assert alice.delete(f"{path}?player={alice.player.id}", **key).status == 204
    check_refused(lambda: alice.delete(f"{path}?player={bob.player.id}", **key), 422, "idempotency_key_reused")  # type: ignore[union-attr]


def test_emptying_an_empty_seat_is_204(two_seats: dict[str, Any], alice: Caller, bob: Caller, cleo: Caller) -> None:
    empty(two_seats, bob, 1)
    with nothing_changes():
        for caller in (alice, bob, cleo):
            assert empty(two_seats, caller, 1).status == 204


def test_leaving_a_hidden_table_twice_is_not_refused(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = open_table(alice, seats=2, spectators="none")
    join(table, bob)
    assert empty(table, bob, 1).status == 204
    with nothing_changes():
        assert empty(table, bob, 1).status == 204
        check_refused(lambda: empty(table, cleo, 1), 404, "not_found")
        check_refused(lambda: empty(table, bob, 0), 404, "not_found")


def test_the_last_person_leaves_twice(alice: Caller) -> None:
    table = open_table(alice, seats=2, bots=bots(1))
    assert empty(table, alice, 0).status == 204
    with nothing_changes():
        assert empty(table, alice, 0).status == 204


# Two at once


def in_a_match(*callers: Caller) -> dict[str, Any]:
    table = open_table(callers[0], seats=len(callers))
    join(table, *callers[1:])
    start(table, callers[0])
    return table


@pytest.mark.django_db(transaction=True)
def test_a_removal_and_sitting_down_at_once() -> None:
    alice, bob, cleo = guest("Alice"), guest("Bob"), guest("Cleo")
    assert bob.player is not None
    table = open_table(alice, seats=2)
    join(table, bob)
    kick = lambda: empty(table, alice, 1, f"?player={bob.player.id}").status  # noqa: E731
    sit = lambda: cleo.post("tables/join", {"invite": table["invite"]["code"]}).status  # noqa: E731
    assert at_once(table, kick, sit, kick) == [204, 200, 204]
    assert Seat.objects.get(table=table["id"], number=1).player == cleo.player


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_first", [True, False])
def test_a_takeover_and_the_players_own_move_at_once(*, is_first: bool) -> None:
    """In either order, the move is recorded and its player plays on."""
    alice, bob = guest("Alice"), guest("Bob")
    table = in_a_match(alice, bob)
    with time_machine.travel(timezone.now() + 16 * MINUTE):
        move = move_text(heaviest(snapshot(table)))
        own = lambda: alice.post(f"tables/{table['id']}/moves", {"move": move, "number": 1}).status  # noqa: E731
        over = lambda: empty(table, bob, 0).status  # noqa: E731
        statuses = at_once(table, own, over) if is_first else at_once(table, over, own)[::-1]
    assert statuses[0] == 201
    assert statuses[1] == 403
    assert Move.objects.get(table=table["id"]).number == 1
    assert not Seat.objects.get(table=table["id"], number=0).is_away
