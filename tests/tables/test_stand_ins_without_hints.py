"""Without hints, a stand-in bot plays the round to its end, so that none of its turns can serve as a hint."""

from typing import Any

import pytest
import time_machine

from tables.models import Move, Seat, StandIn
from tests.cast import Caller, position
from tests.clocks import MINUTE
from tests.matches import begin, play_match, play_round, snapshot, step
from tests.rest.checks import check_refused
from tests.tables.test_absent_players import here, is_away


@pytest.fixture
def no_hints(alice: Caller, bob: Caller) -> dict[str, Any]:
    return begin(alice, bob, hints=False)


def leave(table: dict[str, Any], caller: Caller, seat: int) -> None:
    assert caller.delete(f"tables/{table['id']}/seats/{seat}").status == 204


def back(table: dict[str, Any], caller: Caller) -> dict[str, Any]:
    answer = caller.post(f"tables/{table['id']}/seats")
    assert answer.status == 200
    shown: dict[str, Any] = answer.body["table"]["seats"][answer.body["seat"]]
    return shown


def by_seat(seat: int, after: int) -> set[str]:
    return set(Move.objects.filter(seat=seat, number__gt=after).values_list("by", flat=True))


def test_the_player_is_back_from_the_next_round_on(no_hints: dict[str, Any], alice: Caller) -> None:
    leave(no_hints, alice, 0)
    assert back(no_hints, alice)["away"]
    play_round(no_hints)
    assert by_seat(0, 0) == {"bot"}
    assert not is_away(no_hints, alice, 0)
    first_round = snapshot(no_hints).next_number - 1
    play_match(no_hints)
    assert by_seat(0, first_round) == {"person"}


def test_a_player_who_does_not_come_back_stays_away(no_hints: dict[str, Any], alice: Caller) -> None:
    leave(no_hints, alice, 0)
    play_round(no_hints)
    assert is_away(no_hints, alice, 0)
    assert back(no_hints, alice)["away"]


def test_a_player_who_leaves_again_before_the_next_round_stays_away(no_hints: dict[str, Any], alice: Caller) -> None:
    leave(no_hints, alice, 0)
    back(no_hints, alice)
    leave(no_hints, alice, 0)
    play_round(no_hints)
    assert is_away(no_hints, alice, 0)


def test_a_player_deleted_before_the_next_round_stays_away(
    no_hints: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    leave(no_hints, alice, 0)
    back(no_hints, alice)
    assert alice.delete("players/me").status == 204
    play_round(no_hints)
    assert is_away(no_hints, bob, 0)


def test_a_move_does_not_bring_the_player_back(no_hints: dict[str, Any], alice: Caller, bob: Caller) -> None:
    leave(no_hints, alice, 0)
    move = {"move": "draw", "number": 1}
    for _ in range(2):
        check_refused(lambda: alice.post(f"tables/{no_hints['id']}/moves", move), 409, "back_next_round")
        now = position(no_hints, alice)
        assert now["you"]["legal_moves"] == []
        back(no_hints, alice)
    assert not alice.get("players/me/tables").body["results"][0]["your_turn"]
    check_refused(lambda: alice.get(f"tables/{no_hints['id']}/explain"), 409, "back_next_round")


def test_the_event_says_when_the_player_is_back(no_hints: dict[str, Any], alice: Caller) -> None:
    leave(no_hints, alice, 0)
    version = snapshot(no_hints).version
    back(no_hints, alice)
    assert snapshot(no_hints).version == version
    play_round(no_hints)
    seat = Seat.objects.get(number=0)
    assert (seat.stand_in, seat.stand_in_until) == ("", StandIn.NOBODY)
    told = seat.table.events.filter(kind="seat", version__gt=version)
    assert [event.data["away"] for event in told] == [False]


def test_a_player_replaced_by_the_host_is_back_from_the_next_round_on(
    clock: time_machine.Traveller, no_hints: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    clock.shift(4 * MINUTE)
    assert alice.put(f"tables/{no_hints['id']}/seats/1/bot", {}).status == 200
    assert back(no_hints, bob)["away"]


def test_a_player_away_after_three_timeouts_is_back_from_the_next_round_on(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, hints=False, turn_seconds=60, on_timeout="bot")
    Seat.objects.filter(number=0).update(timeouts=2)
    now = snapshot(table)
    assert now.deadline is not None
    with time_machine.travel(now.deadline + MINUTE, tick=False):
        here(alice)
        assert back(table, alice)["away"]
    assert Seat.objects.get(number=0).stand_in_until == StandIn.ROUND


def test_with_hints_the_player_is_back_at_once(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    leave(table, alice, 0)
    assert not back(table, alice)["away"]
    step(table)
    assert by_seat(0, 0) == {"person"}


@pytest.mark.parametrize("is_started", [False, True])
def test_a_player_who_begins_a_rematch_away_is_back_from_the_next_round_on(
    no_hints: dict[str, Any], alice: Caller, bob: Caller, *, is_started: bool
) -> None:
    leave(no_hints, bob, 1)
    play_match(no_hints)
    following = alice.post(f"tables/{no_hints['id']}/rematch").body
    assert following["seats"][1]["away"]
    if is_started:
        alice.post(f"tables/{following['id']}/start")
    assert back(following, bob)["away"] is is_started
