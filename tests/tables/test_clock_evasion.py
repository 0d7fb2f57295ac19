"""Leaving, coming back and being removed give a player no extra time and reset no timeouts."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
import time_machine

from tables import play, schedule
from tables.models import By, Move, Seat, StandIn, Table
from tests.cast import Answer, Caller, position
from tests.matches import arrange, begin, heaviest, play_match, send, snapshot, step
from tests.rest.checks import check_problem, check_refused, nothing_changes

BIG = {"set_max_pip": 9, "hand_sizes": {"2": 15}, "rounds": 1}
"""Enough tiles for many turns."""
TICK = timedelta(microseconds=1)
SOON = timedelta(seconds=20)


def clocked(host: Caller, other: Caller, on_timeout: str, **fields: Any) -> dict[str, Any]:
    """The host is to move, within a minute."""
    return begin(host, other, turn_seconds=60, on_timeout=on_timeout, options=BIG, **fields)


def deadline(table: dict[str, Any]) -> datetime:
    found = snapshot(table).deadline
    assert found is not None
    return found


def at(table: dict[str, Any], after: timedelta) -> Any:
    """The time stands still, this long after the deadline."""
    return time_machine.travel(deadline(table) + after, tick=False)


def leave(table: dict[str, Any], caller: Caller, seat: int = 0) -> None:
    assert caller.delete(f"tables/{table['id']}/seats/{seat}").status == 204


def take_seat(table: dict[str, Any], caller: Caller) -> Answer:
    return caller.post(f"tables/{table['id']}/seats")


def join_again(table: dict[str, Any], caller: Caller) -> Answer:
    return caller.post("tables/join", {"invite": table["invite"]["code"]})


WAYS_BACK = [take_seat, join_again]
WayBack = Callable[[dict[str, Any], Caller], Answer]


def leave_and_return(table: dict[str, Any], caller: Caller, back: WayBack = take_seat) -> None:
    leave(table, caller)
    answer = back(table, caller)
    assert answer.status == 200, answer.text


def told_deadline(table: dict[str, Any], caller: Caller) -> str | None:
    told: str | None = position(table, caller)["turn"]["deadline"]
    return told


def move(table: dict[str, Any], caller: Caller) -> Answer:
    """The first move that is offered; where none is, something all the same."""
    now = position(table, caller)
    offered = [each["move"] for each in now["you"]["legal_moves"]]
    return send(table, caller, [*offered, "draw"][0], now["next_number"])


def act(table: dict[str, Any]) -> bool:
    """The clock's turn, as the sweep would give it, once the grace is over."""
    now = snapshot(table)
    return play.time_out(now.id, now.next_number, deadline(table) + schedule.GRACE)


def log(table: dict[str, Any]) -> list[tuple[int, str]]:
    return list(Move.objects.filter(table=table["id"]).order_by("number").values_list("seat", "by"))


def seat(number: int) -> Seat:
    return Seat.objects.get(number=number)


# A turn has one deadline


@pytest.mark.parametrize("back", WAYS_BACK)
@pytest.mark.parametrize("on_timeout", ["auto", "bot", "forfeit"])
def test_a_player_who_comes_back_has_the_time_that_was_left(
    alice: Caller, bob: Caller, on_timeout: str, back: WayBack
) -> None:
    table = clocked(alice, bob, on_timeout)
    before = told_deadline(table, alice)
    assert before
    with at(table, -SOON):
        leave(table, alice)
        assert told_deadline(table, bob) == before
        assert back(table, alice).status == 200
        assert told_deadline(table, alice) == told_deadline(table, bob) == before


def test_the_sweep_looks_after_the_table_when_the_time_is_over(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob, "auto")
    due = Table.objects.get().due_at
    with at(table, -SOON):
        leave_and_return(table, alice)
    assert Table.objects.get().due_at == due == deadline(table) + schedule.GRACE


def test_leaving_and_coming_back_many_times_gives_no_time(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob, "auto")
    end = deadline(table)
    for left in (50, 30, 10, 1, 0):
        with at(table, -timedelta(seconds=left)):
            leave_and_return(table, alice)
    assert deadline(table) == end


def test_a_turn_that_the_bot_has_begun_keeps_its_deadline(alice: Caller, bob: Caller) -> None:
    small = {"set_max_pip": 6, "hand_sizes": {"2": 3}, "rounds": 2}
    table = begin(alice, bob, turn_seconds=60, options=small)
    arrange(table, "5-4 4-4 3-1", "5-5 5-2 4-3", boneyard="6-3")
    end = deadline(table)
    with at(table, -SOON):
        leave(table, alice)
        step(table)
        assert (snapshot(table).turn, snapshot(table).next_number) == (0, 2)
        assert take_seat(table, alice).status == 200
    assert deadline(table) == end


def test_another_turn_has_another_deadline(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob, "auto")
    end = deadline(table)
    with at(table, -SOON):
        leave_and_return(table, alice)
        while snapshot(table).turn == 0:
            assert move(table, alice).status == 201
    assert deadline(table) == end - SOON + timedelta(seconds=60)


def test_the_turn_of_another_seat_is_not_affected(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob, "auto")
    end = deadline(table)
    with at(table, -SOON):
        leave(table, bob, 1)
        take_seat(table, bob)
    assert (deadline(table), told_deadline(table, bob) is None) == (end, False)


# A late move stays late


@pytest.mark.parametrize("on_timeout", ["auto", "bot", "forfeit"])
def test_a_late_move_is_late_after_coming_back_in_time(alice: Caller, bob: Caller, on_timeout: str) -> None:
    table = clocked(alice, bob, on_timeout)
    with at(table, -SOON):
        leave_and_return(table, alice)
    with at(table, TICK):
        check_refused(lambda: move(table, alice), 409, "too_late")


@pytest.mark.parametrize("back", WAYS_BACK)
def test_a_late_move_is_late_after_coming_back_late(alice: Caller, bob: Caller, back: WayBack) -> None:
    """A bot stands in because the time is over; it has not moved yet."""
    table = clocked(alice, bob, "auto")
    with at(table, -SOON):
        leave(table, alice)
    with at(table, TICK):
        check_refused(lambda: move(table, alice), 409, "too_late")
        assert back(table, alice).status == 200
        check_refused(lambda: move(table, alice), 409, "too_late")
        assert (position(table, alice)["you"]["legal_moves"], told_deadline(table, alice)) == ([], None)
    bot_plays_the_turn_and_goes(table)


def bot_plays_the_turn_and_goes(table: dict[str, Any]) -> None:
    assert (seat(0).stand_in_until, seat(0).is_away) == (StandIn.TURN, False)
    while snapshot(table).turn == 0:
        step(table)
    assert set(log(table)) == {(0, By.BOT)}
    assert seat(0).stand_in_until == StandIn.NOBODY


@pytest.mark.parametrize("after", [TICK, schedule.GRACE, timedelta(hours=1)])
def test_leaving_and_coming_back_does_not_replace_a_bot_that_plays_the_turn(
    alice: Caller, bob: Caller, after: timedelta
) -> None:
    table = clocked(alice, bob, "bot")
    assert act(table)
    assert seat(0).stand_in_until == StandIn.TURN
    with at(table, after):
        leave_and_return(table, alice)
        check_refused(lambda: move(table, alice), 409, "too_late")
    assert log(table) == []


def test_coming_back_does_not_replace_a_bot_that_plays_the_turn(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob, "bot")
    act(table)
    with nothing_changes():
        assert take_seat(table, alice).status == 200
    check_refused(lambda: move(table, alice), 409, "too_late")


# Overdue: the clock has its turn before anybody leaves or comes back


def forfeited(table: dict[str, Any], caller: Caller) -> None:
    assert position(table, caller)["seats"][0]["away"]
    assert seat(0).stand_in_until == StandIn.END
    check_refused(lambda: take_seat(table, caller), 409, "seat_forfeited")
    check_refused(lambda: join_again(table, caller), 409, "seat_forfeited")


@pytest.mark.parametrize("after", [TICK, schedule.GRACE, timedelta(hours=1)])
def test_leaving_late_forfeits(alice: Caller, bob: Caller, after: timedelta) -> None:
    table = clocked(alice, bob, "forfeit")
    with at(table, after):
        leave(table, alice)
        forfeited(table, alice)
        check_refused(lambda: move(table, alice), 409, "too_late")


def test_deleting_the_player_late_forfeits(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob, "forfeit")
    with at(table, TICK):
        assert alice.delete("players/me").status == 204
    assert seat(0).stand_in_until == StandIn.END


def test_a_refused_return_does_not_undo_the_forfeit(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob, "forfeit")
    with at(table, TICK):
        check_problem(take_seat(table, alice), 409, "seat_forfeited")
        assert position(table, bob)["seats"][0]["away"]


@pytest.mark.parametrize("back", WAYS_BACK)
def test_coming_back_late_forfeits(alice: Caller, bob: Caller, back: WayBack) -> None:
    table = clocked(alice, bob, "forfeit")
    with at(table, TICK):
        check_problem(back(table, alice), 409, "seat_forfeited")
        leave(table, alice)
        forfeited(table, alice)


def test_coming_back_late_after_leaving_in_time_is_for_the_next_turn(alice: Caller, bob: Caller) -> None:
    """The player left the turn in time, so the bot plays it, and coming back too late forfeits nothing."""
    table = clocked(alice, bob, "forfeit")
    with at(table, -SOON):
        leave(table, alice)
    with at(table, TICK):
        assert take_seat(table, alice).status == 200
        check_refused(lambda: move(table, alice), 409, "too_late")
        assert not act(table)
    bot_plays_the_turn_and_goes(table)


def test_coming_back_at_the_deadline_is_in_time(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob, "forfeit")
    with at(table, timedelta(0)):
        leave_and_return(table, alice)
        assert move(table, alice).status == 201


@pytest.mark.parametrize("back", WAYS_BACK)
def test_the_clock_moves_before_a_late_return(alice: Caller, bob: Caller, back: WayBack) -> None:
    table = clocked(alice, bob, "auto")
    with at(table, TICK):
        assert back(table, alice).status == 200
    assert set(log(table)) == {(0, By.TIMEOUT)}
    assert (snapshot(table).turn, seat(0).is_away) == (1, False)


def test_the_clock_moves_before_a_late_leaving(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob, "auto")
    with at(table, TICK):
        leave(table, alice)
    assert set(log(table)) == {(0, By.TIMEOUT)}
    assert (snapshot(table).turn, seat(0).stand_in_until) == (1, StandIn.RETURN)


def test_leaving_late_counts_as_a_timeout(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob, "bot")
    with at(table, TICK):
        leave(table, alice)
    assert (seat(0).timeouts, seat(0).is_away) == (1, True)


@pytest.mark.parametrize(
    ("on_timeout", "until", "moves"),
    [("auto", StandIn.RETURN, {(0, By.TIMEOUT)}), ("bot", StandIn.RETURN, set()), ("forfeit", StandIn.END, set())],
)
def test_a_host_who_removes_an_overdue_player(
    alice: Caller, bob: Caller, on_timeout: str, until: str, moves: set[tuple[int, str]]
) -> None:
    """Bob hosts; it is the turn of Alice, in seat 0."""
    table = begin(bob, alice, turn_seconds=60, on_timeout=on_timeout, options=BIG, host_seat=1)
    with at(table, TICK):
        leave(table, bob)
    assert (seat(0).stand_in_until, set(log(table))) == (until, moves)


def test_calls_of_others_do_not_shorten_the_grace_period(alice: Caller, bob: Caller) -> None:
    """Alice's move may be on its way when Bob comes back to his seat; once her grace is over, the clock goes first."""
    table = clocked(alice, bob, "forfeit")
    for after, until in ((TICK, StandIn.NOBODY), (schedule.GRACE, StandIn.END)):
        with at(table, after):
            assert take_seat(table, bob).status == 200
        assert seat(0).stand_in_until == until


@pytest.mark.parametrize("number", [2, 99, 32767])
def test_leaving_a_seat_that_does_not_exist(alice: Caller, bob: Caller, number: int) -> None:
    table = clocked(alice, bob, "forfeit")
    with at(table, TICK):
        check_problem(alice.delete(f"tables/{table['id']}/seats/{number}"), 404, "no_such_seat")


def test_calls_of_strangers_do_not_trigger_the_clock(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = clocked(alice, bob, "forfeit")
    with at(table, TICK):
        check_refused(lambda: cleo.delete(f"tables/{table['id']}/seats/0"), 403, "not_your_seat")
        check_refused(lambda: take_seat(table, cleo), 403, "invite_needed")


# Timeouts in a row


def others_turns(table: dict[str, Any]) -> None:
    """Whatever has to be played until it is Alice's turn again."""
    while snapshot(table).turn == 0:
        now = snapshot(table)
        assert play.submit_bot_move(now.id, now.next_number, heaviest(now), deadline(table))
    while snapshot(table).turn != 0:
        step(table)


def test_leaving_and_coming_back_does_not_reset_the_timeouts(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob, "bot")
    for timeouts in (1, 2):
        assert act(table)
        others_turns(table)
        leave_and_return(table, alice)
        assert (seat(0).timeouts, seat(0).is_away) == (timeouts, False)
    assert act(table)
    assert (seat(0).timeouts, seat(0).is_away) == (3, True)


def test_a_move_of_the_player_resets_the_timeouts(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob, "bot")
    assert act(table)
    others_turns(table)
    leave(table, alice)
    assert seat(0).timeouts == 1
    assert move(table, alice).status == 201
    assert (seat(0).timeouts, seat(0).is_away) == (0, False)


# Tables that are over


@pytest.fixture
def left(alice: Caller, bob: Caller) -> dict[str, Any]:
    """A match that Bob has left."""
    table = begin(alice, bob, turn_seconds=60)
    leave(table, bob, 1)
    return table


def cancel(table: dict[str, Any], host: Caller) -> None:
    assert host.post(f"tables/{table['id']}/cancel").status == 200


@pytest.mark.parametrize("over", [cancel, lambda table, _: play_match(table)], ids=["cancelled", "finished"])
@pytest.mark.parametrize("back", WAYS_BACK)
def test_coming_back_to_a_table_that_is_over_is_refused(
    left: dict[str, Any], alice: Caller, bob: Caller, over: Callable[..., None], back: WayBack
) -> None:
    over(left, alice)
    with nothing_changes():
        answer = back(left, bob)
    assert answer.status == 200
    assert position(left, alice)["seats"][1]["away"]


def test_the_clock_does_not_act_at_a_table_that_is_over(left: dict[str, Any], alice: Caller, bob: Caller) -> None:
    cancel(left, alice)
    with nothing_changes():
        assert alice.player is not None
        play.let_clock_act(UUID(left["id"]), alice.player, datetime.max.replace(tzinfo=snapshot_zone()))


def snapshot_zone() -> Any:
    return Table.objects.get().created_at.tzinfo
