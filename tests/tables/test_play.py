"""``submit_move``, ``submit_bot_move`` and ``time_out``: moves of persons, bots and the clock, at given times."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
import time_machine
from django.utils import timezone

from rules.mexican_train.moves import DRAW, PASS
from rules.mexican_train.notation import parse_move
from tables import play, refusals, repository, schedule
from tables.models import By, Move, Seat, Table
from tests.at_once import at_once, await_blocked, held, threads
from tests.cast import Answer, Caller, position
from tests.matches import SMALL, arrange, begin, bots, heaviest, play_match, send, snapshot, state, step

BIG = {"set_max_pip": 9, "hand_sizes": {"2": 15}, "rounds": 1}
"""Enough tiles for many turns."""
TICK = timedelta(microseconds=1)


def clocked(alice: Caller, bob: Caller, on_timeout: str = "auto", **fields: Any) -> dict[str, Any]:
    return begin(alice, bob, turn_seconds=60, on_timeout=on_timeout, **fields)


def deadline(table: dict[str, Any]) -> datetime:
    found = snapshot(table).deadline
    assert found is not None
    return found


def time_out(table: dict[str, Any], after: timedelta = schedule.GRACE, number: int | None = None) -> bool:
    """Have the clock act so long after the deadline."""
    now = snapshot(table)
    return play.time_out(now.id, number or now.next_number, deadline(table) + after)


def bot_moves(table: dict[str, Any]) -> bool:
    now = snapshot(table)
    return play.submit_bot_move(now.id, now.next_number, heaviest(now), timezone.now())


def bots_turn(table: dict[str, Any]) -> int:
    """Play out the turn of a bot that stands in. Returns the number of its moves."""
    moves, seat = 0, snapshot(table).turn
    while snapshot(table).turn == seat:
        assert bot_moves(table)
        moves += 1
    return moves


def submit(table: dict[str, Any], caller: Caller, at: datetime) -> play.Submitted:
    """The caller's heaviest move, received at this time."""
    now = snapshot(table)
    assert caller.player is not None
    return play.submit_move(now.id, caller.player.id, heaviest(now), now.next_number, at)


def persons_turn(table: dict[str, Any], caller: Caller) -> None:
    seat = snapshot(table).turn
    while snapshot(table).turn == seat:
        submit(table, caller, timezone.now())


def log(table: dict[str, Any]) -> list[tuple[int, str, str]]:
    return list(Move.objects.filter(table=table["id"]).order_by("number").values_list("seat", "text", "by"))


def seat(number: int) -> Seat:
    return Seat.objects.get(number=number)


# The clock


def test_without_turn_seconds_there_is_no_timeout(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    assert position(table, alice)["turn"]["deadline"] is None
    assert not play.time_out(UUID(table["id"]), 1, timezone.now() + timedelta(days=400))
    assert submit(table, alice, timezone.now() + timedelta(days=400)).is_new


@pytest.mark.parametrize("after", [-timedelta(seconds=1), timedelta(0), schedule.GRACE - TICK])
def test_the_clock_waits_for_the_deadline_and_the_grace_period(alice: Caller, bob: Caller, after: timedelta) -> None:
    table = clocked(alice, bob)
    version = snapshot(table).version
    assert not time_out(table, after)
    assert (log(table), snapshot(table).version) == ([], version)
    assert time_out(table)


@pytest.mark.parametrize("number", [2, 1000])
def test_the_clock_acts_at_the_number_it_was_set_for(alice: Caller, bob: Caller, number: int) -> None:
    assert not time_out(clocked(alice, bob), number=number)


def test_the_clock_acts_once(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob)
    at = deadline(table) + schedule.GRACE
    assert play.time_out(UUID(table["id"]), 1, at)
    moves = log(table)
    assert not play.time_out(UUID(table["id"]), 1, at)
    assert not play.time_out(UUID(table["id"]), snapshot(table).next_number, at)
    assert log(table) == moves


def test_the_clock_does_not_act_at_a_table_that_is_over(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob)
    at = deadline(table) + schedule.GRACE
    alice.post(f"tables/{table['id']}/cancel")
    assert not play.time_out(UUID(table["id"]), 1, at)
    assert not play.time_out(UUID("00000000-0000-4000-8000-000000000000"), 1, at)


def test_each_turn_has_its_own_deadline(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob)
    arrange(table, "6-5 6-4 3-1", "5-5 5-2 4-3")
    at = deadline(table) - timedelta(seconds=20)
    submit(table, alice, at)
    assert deadline(table) == at + timedelta(seconds=60)


def test_a_whole_turn_has_one_deadline(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob)
    arrange(table, "5-4 4-4 3-1", "5-5 5-2 4-3", boneyard="6-3")
    running = deadline(table)
    assert submit(table, alice, running - timedelta(seconds=5)).move == "draw"
    assert (snapshot(table).turn, deadline(table)) == (0, running)
    assert submit(table, alice, running).move == "6-3>0"
    assert deadline(table) == running + timedelta(seconds=60)


def test_covering_a_double_is_the_same_turn(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob)
    arrange(table, "6-5 5-5 4-1", "6-2 5-2 4-3")
    persons_turn(table, alice)
    persons_turn(table, bob)
    running = deadline(table)
    assert submit(table, alice, running - timedelta(seconds=1)).move == "5-5>0"
    assert (snapshot(table).turn, deadline(table)) == (0, running)


# A deadline against a move


def refused_as(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.body["code"]


def test_a_move_received_at_the_deadline_is_in_time(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob)
    with time_machine.travel(deadline(table), tick=False):
        assert send(table, alice, position(table, alice)["you"]["legal_moves"][0]["move"], 1).status == 201


def test_a_move_received_later_is_too_late_and_changes_nothing(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob)
    before = Table.objects.values().get()
    with time_machine.travel(deadline(table) + TICK, tick=False):
        shown = position(table, alice)
        answer = send(table, alice, shown["you"]["legal_moves"][0]["move"], 1)
    assert refused_as(answer) == (409, "too_late")
    assert answer.body["position"] == shown
    assert (log(table), Table.objects.values().get()) == ([], before)


def test_a_retry_is_never_too_late(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob)
    first = submit(table, alice, timezone.now())
    with time_machine.travel(deadline(table) + timedelta(days=1), tick=False):
        assert send(table, alice, first.move, 1).status == 200


@pytest.mark.django_db(transaction=True)
def test_a_move_received_in_time_counts_although_the_deadline_has_passed(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob)
    move = position(table, alice)["you"]["legal_moves"][0]["move"]
    end = deadline(table)
    with threads() as start, time_machine.travel(end, tick=False) as clock:
        with held(table):
            answer = start(lambda: send(table, alice, move, 1))
            await_blocked(1)
            clock.move_to(end + timedelta(seconds=30))
            acted = start(lambda: play.time_out(UUID(table["id"]), 1, end + schedule.GRACE))
            await_blocked(2)
        assert (answer.result(20).status, acted.result(20)) == (201, False)
    assert {by for _, _, by in log(table)} == {By.PERSON}


@pytest.mark.django_db(transaction=True)
def test_a_move_received_late_is_refused_although_the_clock_has_not_acted(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob)
    move = position(table, alice)["you"]["legal_moves"][0]["move"]
    end = deadline(table)
    with threads() as start, time_machine.travel(end + TICK, tick=False):
        with held(table):
            answer = start(lambda: send(table, alice, move, 1))
            await_blocked(1)
            acted = start(lambda: play.time_out(UUID(table["id"]), 1, end + schedule.GRACE))
            await_blocked(2)
        assert (refused_as(answer.result(20)), acted.result(20)) == ((409, "too_late"), True)
    assert {by for _, _, by in log(table)} == {By.TIMEOUT}


@pytest.mark.django_db(transaction=True)
def test_a_move_that_gets_the_lock_after_the_clock_is_stale(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob)
    arrange(table, "6-5 6-4 3-1", "5-5 5-2 4-3")
    end = deadline(table)
    acted, answer = at_once(
        table,
        lambda: play.time_out(UUID(table["id"]), 1, end + schedule.GRACE),
        lambda: send(table, alice, "6-5>mexican", 1),
    )
    assert acted is True
    assert isinstance(answer, Answer)
    assert refused_as(answer) == (409, "stale")
    assert answer.body["position"]["next_number"] == snapshot(table).next_number
    assert {by for _, _, by in log(table)} == {By.TIMEOUT}


# on_timeout


def test_auto_plays_the_first_legal_tile(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob)
    arrange(table, "6-5 6-4 3-1", "5-5 5-2 4-3")
    first = position(table, alice)["you"]["legal_moves"][0]["move"]
    assert time_out(table)
    assert log(table) == [(0, first, By.TIMEOUT)]
    assert snapshot(table).turn == 1
    assert deadline(table) > timezone.now()


def test_auto_draws_and_passes_for_the_stuck(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob)
    arrange(table, "5-4 4-4 3-1", "5-5 5-2 4-3", boneyard="2-1")
    assert time_out(table)
    assert log(table) == [(0, "draw", By.TIMEOUT), (0, "pass", By.TIMEOUT)]
    assert not seat(0).is_away


def test_auto_ends_a_turn_that_was_begun(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob)
    arrange(table, "5-4 4-4 3-1", "5-5 5-2 4-3", boneyard="2-1")
    submit(table, alice, timezone.now())
    assert time_out(table)
    assert log(table) == [(0, "draw", By.PERSON), (0, "pass", By.TIMEOUT)]


def test_auto_plays_a_whole_match_without_players(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob)
    while snapshot(table).is_playing:
        assert time_out(table)
    assert {by for _, _, by in log(table)} == {By.TIMEOUT}
    assert snapshot(table).rounds_played == 2


def test_a_bot_plays_one_turn(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob, "bot", options=BIG)
    version = snapshot(table).version
    assert time_out(table)
    assert (log(table), snapshot(table).version) == ([], version + 1)
    assert position(table, alice)["turn"]["deadline"] is None
    assert not position(table, bob)["seats"][0]["away"]
    assert bots_turn(table) > 0
    assert {by for _, _, by in log(table)} == {By.BOT}
    assert (seat(0).stand_in, seat(0).stand_in_until, seat(0).timeouts) == ("", "", 1)


def test_while_the_bot_plays_the_turn_a_move_is_too_late(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob, "bot")
    assert time_out(table)
    assert position(table, alice)["you"]["legal_moves"] == []
    answer = send(table, alice, "draw", 1)
    assert refused_as(answer) == (409, "too_late")


def test_a_bot_keeps_the_turn_until_it_is_over(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob, "bot")
    arrange(table, "5-4 4-4 3-1", "5-5 5-2 4-3", boneyard="2-1")
    time_out(table)
    assert bots_turn(table) == 2
    assert log(table) == [(0, "draw", By.BOT), (0, "pass", By.BOT)]


def late_turns(table: dict[str, Any], bob: Caller, times: int) -> None:
    """Alice is late so many times in a row; Bob plays in between."""
    for late in range(times):
        assert time_out(table)
        if late < times - 1:
            bots_turn(table)
            persons_turn(table, bob)


def test_after_three_timeouts_in_a_row_the_seat_is_away(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob, "bot", options=BIG)
    late_turns(table, bob, 2)
    assert not position(table, bob)["seats"][0]["away"]
    bots_turn(table)
    persons_turn(table, bob)
    late_turns(table, bob, 1)
    assert position(table, bob)["seats"][0]["away"]
    bots_turn(table)
    persons_turn(table, bob)
    assert (snapshot(table).turn, snapshot(table).deadline) == (0, None)
    assert bot_moves(table)


def test_a_move_in_between_resets_the_timeouts(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob, "bot", options=BIG)
    late_turns(table, bob, 2)
    bots_turn(table)
    persons_turn(table, bob)
    persons_turn(table, alice)
    assert seat(0).timeouts == 0
    persons_turn(table, bob)
    late_turns(table, bob, 2)
    assert not seat(0).is_away


@pytest.fixture
def away(alice: Caller, bob: Caller) -> dict[str, Any]:
    """Alice was late three times in a row; a bot is to make her move."""
    table = clocked(alice, bob, "bot", options=BIG)
    late_turns(table, bob, 3)
    assert seat(0).is_away
    return table


def test_an_away_player_is_back_with_a_move(away: dict[str, Any], alice: Caller, bob: Caller) -> None:
    now = position(away, alice)
    answer = send(away, alice, now["you"]["legal_moves"][0]["move"], now["next_number"])
    assert answer.status == 201
    assert not answer.body["position"]["seats"][0]["away"]
    assert (seat(0).stand_in, seat(0).timeouts) == ("", 0)
    assert log(away)[-1][2] == By.PERSON


def test_an_away_player_is_back_with_their_seat(away: dict[str, Any], alice: Caller, bob: Caller) -> None:
    version = snapshot(away).version
    assert alice.post(f"tables/{away['id']}/seats").status == 200
    assert not position(away, bob)["seats"][0]["away"]
    assert snapshot(away).version > version
    assert deadline(away) > timezone.now()
    assert not bot_moves(away)
    persons_turn(away, alice)


def test_a_forfeited_seat_is_played_on_and_cannot_win(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob, "forfeit")
    assert time_out(table)
    assert position(table, bob)["seats"][0]["away"]
    while snapshot(table).is_playing:
        step(table)
    assert snapshot(table).winners == [1]
    assert {by for who, _, by in log(table) if who == 0} == {By.BOT}


def test_a_forfeited_seat_cannot_win_with_the_lowest_total(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob, "forfeit", options={"set_max_pip": 6, "hand_sizes": {"2": 1}, "rounds": 1})
    arrange(table, "6-5", "4-3")
    time_out(table)
    assert bot_moves(table)
    now = snapshot(table)
    assert (now.last_result or {})["totals"] == [0, 7]
    assert now.winners == [1]


def test_a_forfeited_player_cannot_come_back(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob, "forfeit")
    time_out(table)
    assert refused_as(alice.post(f"tables/{table['id']}/seats")) == (409, "seat_forfeited")
    now = position(table, alice)
    answer = send(table, alice, "draw", now["next_number"])
    assert refused_as(answer) == (409, "too_late")
    assert seat(0).is_away


def test_with_only_forfeited_seats_there_is_no_winner(alice: Caller, bob: Caller) -> None:
    table = clocked(alice, bob, "forfeit")
    while snapshot(table).is_playing:
        if play.mover(snapshot(table)).level is None:
            assert time_out(table)
        else:
            assert bot_moves(table)
    assert (snapshot(table).status, snapshot(table).winners) == ("finished", [])


# Bots


def test_a_bots_move_is_for_a_bots_seat(alice: Caller, bob: Caller) -> None:
    assert not bot_moves(begin(alice, bob))
    assert not Move.objects.exists()


@pytest.mark.parametrize("number", [0, 2])
def test_a_bots_move_with_another_number_does_nothing(alice: Caller, number: int) -> None:
    table = begin(alice, seats=2, host_seat=1, bots=bots(0))
    assert not play.submit_bot_move(UUID(table["id"]), number, heaviest(snapshot(table)), timezone.now())
    assert not Move.objects.exists()


def test_a_bots_illegal_move_changes_nothing(alice: Caller) -> None:
    table = begin(alice, seats=2, host_seat=1, bots=bots(0))
    with pytest.raises(refusals.Illegal):
        play.submit_bot_move(UUID(table["id"]), 1, parse_move("9-9>7"), timezone.now())
    assert not Move.objects.exists()


def test_a_player_who_left_is_played_by_a_bot_until_they_move(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, options=BIG)
    alice.delete(f"tables/{table['id']}/seats/0")
    bots_turn(table)
    persons_turn(table, bob)
    persons_turn(table, alice)
    assert [by for who, _, by in log(table) if who == 0][-1] == By.PERSON
    assert not seat(0).is_away


# submit_move called without HTTP


def test_an_unknown_table_is_not_found(db: None) -> None:
    with pytest.raises(refusals.NotFound):
        play.submit_move(UUID("00000000-0000-4000-8000-000000000000"), None, DRAW, 1, timezone.now())


def test_a_caller_without_a_player_is_refused(alice: Caller, bob: Caller) -> None:
    with pytest.raises(refusals.NotSeated):
        play.submit_move(UUID(begin(alice, bob)["id"]), None, PASS, 1, timezone.now())


def test_the_returned_table_equals_its_rows(alice: Caller, bob: Caller) -> None:
    """The table after a move is known without asking; here it is asked after every move of a match."""
    table = clocked(alice, bob, options=SMALL | {"hand_sizes": {"2": 7}}, auto_pass=True)
    while (before := snapshot(table)).is_playing:
        caller = (alice, bob)[before.turn or 0]
        returned = submit(table, caller, timezone.now()).snapshot
        assert returned == repository.load(before.id)
        assert returned.state == state(table)


def test_a_finished_match_accepts_no_moves(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    play_match(table)
    assert alice.player is not None
    with pytest.raises(refusals.MatchOver):
        play.submit_move(UUID(table["id"]), alice.player.id, PASS, snapshot(table).next_number, timezone.now())
