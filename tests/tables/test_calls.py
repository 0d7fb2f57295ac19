"""``announce`` and ``call N`` over HTTP, at tables where a last tile has to be announced."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
import time_machine
from django.utils import timezone

from rules.mexican_train.bots import BOTS
from rules.mexican_train.notation import parse_move
from rules.mexican_train.reasons import Reason
from tables import play, repository, schedule, tasks
from tables.lobby.absence import turn_began
from tables.models import By, Move, Seat, StandIn, Table
from tests.at_once import at_once
from tests.brokers import nudges, unread
from tests.cases import slow_after
from tests.cast import Answer, Caller, guest, join, open_table, position, start
from tests.matches import SMALL, arrange, begin, bots, play_match, play_round, send, snapshot, state, timeless
from tests.rest.checks import check_problem, check_refused, nothing_changes

PENALTY = SMALL | {"announce": "penalty", "hand_sizes": {"3": 2}}
HANDS = ("6-5 3-1", "5-4 4-2", "6-3 6-1")
BONEYARD = "2-0 3-0 1-1 2-1"
"""The first two are the penalty, or what Bob draws: nothing that he could lay."""
CALL = {"move": "call 0", "type": "call", "seat": 0}
BONEYARD_TILES = 28 - 1 - 6


def calling(*callers: Caller, hands: tuple[str, ...] = HANDS, boneyard: str = BONEYARD, **fields: Any) -> Any:
    """Double-six, two tiles each, nothing played: the first seat can lay, the second is stuck, the third can lay."""
    options = PENALTY | fields.pop("options", {})
    table = begin(*callers, options=options, **fields)
    arrange(table, *hands, boneyard=boneyard)
    return table


@pytest.fixture
def table(alice: Caller, bob: Caller, cleo: Caller) -> dict[str, Any]:
    begun: dict[str, Any] = calling(alice, bob, cleo)
    return begun


@pytest.fixture
def exposed(table: dict[str, Any], alice: Caller) -> dict[str, Any]:
    """Alice has one tile left and has not announced it. Bob is to move and stuck; Cleo comes after him."""
    assert send(table, alice, "6-5>0", 1).status == 201
    return table


def offered(table: dict[str, Any], caller: Caller) -> list[dict[str, Any]]:
    moves: list[dict[str, Any]] = position(table, caller)["you"]["legal_moves"]
    return moves


def log(table: dict[str, Any]) -> list[tuple[int, str, str]]:
    return list(Move.objects.filter(table=table["id"]).order_by("number").values_list("seat", "text", "by"))


def listed(table: dict[str, Any], caller: Caller, number: int) -> dict[str, Any]:
    entry: dict[str, Any] = caller.get(f"tables/{table['id']}/moves?after={number - 1}&limit=1").body[0]
    return entry


def check_illegal(table: dict[str, Any], caller: Caller, move: str, number: int) -> None:
    """The call is illegal, and the answer lists the legal moves."""
    answer = check_refused(lambda: send(table, caller, move, number), 422, "illegal_move")
    assert (answer.body["reason"], answer.body["detail"]) == (Reason.NOTHING_TO_CALL, Reason.NOTHING_TO_CALL.sentence)
    assert answer.body["legal_moves"] == offered(table, caller)


# Announcing


def test_it_works(table: dict[str, Any], alice: Caller, bob: Caller, cleo: Caller) -> None:
    assert {"move": "announce", "type": "announce"} in offered(table, alice)
    answer = send(table, alice, "announce", 1)
    assert (answer.status, answer.body["move"], answer.body["position"]["turn"]["seat"]) == (201, "announce", 0)
    assert send(table, alice, "6-5>0", 2).status == 201
    for caller in (alice, bob, cleo):
        shown = position(table, caller)
        assert [seat["announced"] for seat in shown["seats"]] == [True, False, False]
        assert shown["may_be_called"] is None
    for caller in (bob, cleo):
        assert CALL not in offered(table, caller)
        check_illegal(table, caller, "call 0", 3)


def test_a_seat_announces_once(table: dict[str, Any], alice: Caller) -> None:
    send(table, alice, "announce", 1)
    assert "announce" not in {each["move"] for each in offered(table, alice)}
    check_illegal(table, alice, "announce", 2)


def test_a_seat_announces_in_its_own_turn_only(exposed: dict[str, Any], alice: Caller, cleo: Caller) -> None:
    for caller in (alice, cleo):
        check_refused(lambda caller=caller: send(exposed, caller, "announce", 2), 409, "not_your_turn")  # type: ignore[misc]


def test_a_seat_with_many_tiles_has_nothing_to_announce(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, options=SMALL | {"announce": "penalty"})
    arrange(table, "6-5 6-4 3-1", "6-2 5-2 4-3")
    assert "announce" not in {each["move"] for each in offered(table, alice)}
    check_illegal(table, alice, "announce", 1)


@pytest.mark.parametrize("announce", ["off", "automatic"])
def test_without_the_option_there_is_no_announcing_and_no_calling(
    alice: Caller, bob: Caller, cleo: Caller, announce: str
) -> None:
    table = calling(alice, bob, cleo, options={"announce": announce})
    assert {each["type"] for each in offered(table, alice)} == {"play"}
    check_illegal(table, alice, "announce", 1)
    send(table, alice, "6-5>0", 1)
    check_illegal(table, cleo, "call 0", 2)
    shown = position(table, bob)
    assert [seat["announced"] for seat in shown["seats"]] == [announce == "automatic", False, False]
    assert shown["may_be_called"] is None


# Calling


def test_a_seat_that_did_not_announce_may_be_called_by_every_other(
    exposed: dict[str, Any], alice: Caller, bob: Caller, cleo: Caller, spectator: Caller
) -> None:
    for caller in (alice, bob, cleo, spectator):
        shown = position(exposed, caller)
        assert (shown["may_be_called"], shown["seats"][0]["announced"]) == (0, False)
    assert offered(exposed, bob) == [{"move": "draw", "type": "draw"}, CALL]
    assert offered(exposed, cleo) == [CALL]
    assert offered(exposed, alice) == []


@pytest.mark.parametrize("seat", [1, 2])
def test_the_called_seat_draws_its_penalty_in_or_out_of_turn(
    exposed: dict[str, Any], alice: Caller, bob: Caller, cleo: Caller, seat: int
) -> None:
    caller = (alice, bob, cleo)[seat]
    answer = send(exposed, caller, "call 0", 2)
    assert answer.status == 201
    assert set(answer.body) == {"number", "move", "position"}
    assert (answer.body["number"], answer.body["move"]) == (2, "call 0")
    shown = answer.body["position"]
    assert timeless(shown) == timeless(position(exposed, caller))
    assert (shown["turn"]["seat"], shown["turn"]["phase"], shown["may_be_called"]) == (1, "play", None)
    assert [each["tile_count"] for each in shown["seats"]] == [3, 2, 2]
    assert (shown["boneyard"], shown["next_number"]) == (BONEYARD_TILES - 2, 3)
    assert log(exposed)[1:] == [(seat, "call 0", By.PERSON)]
    assert [each["tile_count"] for each in bob.get(f"tables/{exposed['id']}").body["seats"]] == [3, 2, 2]
    assert position(exposed, alice)["you"]["tiles"] == ["2-0", "3-0", "3-1"]


@pytest.mark.parametrize("penalty", [1, 2])
def test_the_penalty_has_the_number_of_tiles_of_the_option(
    alice: Caller, bob: Caller, cleo: Caller, penalty: int
) -> None:
    table = calling(alice, bob, cleo, options={"announce_penalty_tiles": penalty})
    send(table, alice, "6-5>0", 1)
    assert send(table, cleo, "call 0", 2).body["position"]["seats"][0]["tile_count"] == 1 + penalty
    assert listed(table, alice, 2)["tiles"] == ["2-0", "3-0"][:penalty]


NO_SIXES = (*HANDS, "6-0 6-2", "6-4 0-0")
"""Whoever draws from what is left beside these five hands finds no tile that fits an empty train."""


@pytest.mark.parametrize("left", [1, 0])
def test_the_penalty_is_limited_by_the_boneyard(alice: Caller, bob: Caller, cleo: Caller, left: int) -> None:
    options = {"hand_sizes": {"5": 2}, "draw_rule": "until_playable"}
    table = calling(alice, bob, cleo, hands=NO_SIXES, boneyard="", options=options, bots=bots(3, 4))
    send(table, alice, "6-5>0", 1)
    drawn = 28 - 1 - 5 * 2 - left
    for number in range(2, 2 + drawn):
        assert send(table, bob, "draw", number).status == 201
    assert position(table, bob)["boneyard"] == left
    called = send(table, bob, "call 0", 2 + drawn).body["position"]
    assert (called["boneyard"], called["seats"][0]["tile_count"]) == (0, 1 + left)
    assert len(listed(table, alice, 2 + drawn)["tiles"]) == left


def test_the_called_seat_sees_its_penalty_tiles(
    exposed: dict[str, Any], alice: Caller, bob: Caller, cleo: Caller, spectator: Caller
) -> None:
    answer = send(exposed, cleo, "call 0", 2)
    assert listed(exposed, alice, 2)["tiles"] == ["2-0", "3-0"]
    for caller in (bob, cleo, spectator):
        assert set(listed(exposed, caller, 2)) == {"number", "round", "seat", "move", "type", "by", "at"}
    for text in (answer.text, *(each.get(f"tables/{exposed['id']}/position").text for each in (bob, cleo, spectator))):
        assert not [tile for tile in ("2-0", "3-0") if f'"{tile}"' in text]


def test_everybody_sees_the_penalty_tiles_after_the_round(
    exposed: dict[str, Any], alice: Caller, bob: Caller, cleo: Caller, spectator: Caller
) -> None:
    send(exposed, cleo, "call 0", 2)
    play_round(exposed)
    for caller in (alice, bob, cleo, spectator):
        entry = listed(exposed, caller, 2)
        assert (entry["seat"], entry["move"], entry["tiles"]) == (2, "call 0", ["2-0", "3-0"])
        assert "tile" not in entry


def test_a_past_position_includes_a_call(exposed: dict[str, Any], bob: Caller, cleo: Caller) -> None:
    send(exposed, cleo, "call 0", 2)
    play_round(exposed)
    shown = bob.get(f"tables/{exposed['id']}/positions/2").body
    assert (shown["move"], shown["by_seat"], shown["turn"]) == ("call 0", 2, {"seat": 1, "phase": "play"})
    assert shown["hands"][0] == ["2-0", "3-0", "3-1"]


def test_a_call_out_of_turn_does_not_restart_the_turn(exposed: dict[str, Any], cleo: Caller) -> None:
    table = Table.objects.get(pk=exposed["id"])
    began = turn_began(table, 1)
    assert send(exposed, cleo, "call 0", 2).status == 201
    assert turn_began(table, 1) == began


def test_a_retry_is_safe(exposed: dict[str, Any], cleo: Caller) -> None:
    first = send(exposed, cleo, "call 0", 2)
    with nothing_changes():
        again = send(exposed, cleo, "call 0", 2)
    assert again.status == 200
    assert again.body.keys() == first.body.keys()
    assert timeless(again.body["position"]) == timeless(first.body["position"])


def test_a_retry_is_safe_when_the_match_is_over(exposed: dict[str, Any], cleo: Caller) -> None:
    send(exposed, cleo, "call 0", 2)
    play_match(exposed)
    again = send(exposed, cleo, "call 0", 2)
    assert (again.status, again.body["number"], again.body["move"]) == (200, 2, "call 0")
    assert again.body["position"]["status"] == "finished"


def test_the_same_call_by_another_seat_is_not_a_retry(exposed: dict[str, Any], bob: Caller, cleo: Caller) -> None:
    send(exposed, cleo, "call 0", 2)
    assert check_refused(lambda: send(exposed, bob, "call 0", 2), 409, "stale").body["position"]["next_number"] == 3


@pytest.mark.parametrize("number", [1, 3, 1000])
def test_a_call_for_another_number_is_stale(exposed: dict[str, Any], cleo: Caller, number: int) -> None:
    answer = check_refused(lambda: send(exposed, cleo, "call 0", number), 409, "stale")
    assert timeless(answer.body["position"]) == timeless(position(exposed, cleo))
    assert CALL in answer.body["position"]["you"]["legal_moves"]


# Who may not call, and when


def test_a_seat_cannot_call_itself(exposed: dict[str, Any], alice: Caller) -> None:
    check_illegal(exposed, alice, "call 0", 2)


@pytest.mark.parametrize("called", ["call 1", "call 2", "call 3", "call 99"])
def test_a_seat_that_announced_cannot_be_called(
    exposed: dict[str, Any], bob: Caller, cleo: Caller, called: str
) -> None:
    for caller in (bob, cleo):
        check_illegal(exposed, caller, called, 2)


def test_a_seat_cannot_be_called_twice(exposed: dict[str, Any], bob: Caller, cleo: Caller) -> None:
    send(exposed, cleo, "call 0", 2)
    for caller in (bob, cleo):
        check_illegal(exposed, caller, "call 0", 3)


def test_only_seated_players_can_call(exposed: dict[str, Any], spectator: Caller) -> None:
    check_refused(lambda: send(exposed, spectator, "call 0", 2), 401, "not_authenticated")
    dora = guest("Dora")
    answer = check_refused(lambda: send(exposed, dora, "call 0", 2), 403, "not_seated")
    assert answer.body["position"]["you"] is None


def test_a_call_before_or_after_the_match_is_refused(alice: Caller, bob: Caller) -> None:
    table = open_table(alice, seats=2, options=PENALTY | {"hand_sizes": {"2": 2}})
    check_refused(lambda: send(table, alice, "call 1", 1), 409, "table_open")
    join(table, bob)
    start(table, alice)
    play_match(table)
    number = snapshot(table).next_number
    check_refused(lambda: send(table, alice, "call 1", number), 409, "table_finished")


def test_a_seat_may_be_called_until_the_turn_after_it_has_ended(
    exposed: dict[str, Any], alice: Caller, bob: Caller, cleo: Caller
) -> None:
    send(exposed, bob, "draw", 2)
    assert offered(exposed, bob) == [{"move": "pass", "type": "pass"}, CALL]
    assert offered(exposed, cleo) == [CALL]
    send(exposed, bob, "pass", 3)
    assert position(exposed, alice)["may_be_called"] is None
    assert (offered(exposed, bob), CALL in offered(exposed, cleo)) == ([], False)
    check_illegal(exposed, bob, "call 0", 4)
    check_illegal(exposed, cleo, "call 0", 4)


def test_a_seat_may_be_called_while_the_one_after_it_covers_its_double(
    alice: Caller, bob: Caller, cleo: Caller
) -> None:
    table = calling(alice, bob, cleo, hands=("6-5 3-1", "5-5 4-2", "6-3 6-1"))
    send(table, alice, "6-5>mexican", 1)
    send(table, bob, "5-5>mexican", 2)
    assert position(table, cleo)["turn"]["phase"] == "cover"
    assert offered(table, bob) == [
        {"move": "draw", "type": "draw"},
        {"move": "announce", "type": "announce"},
        CALL,
    ]
    assert send(table, cleo, "call 0", 3).status == 201
    assert (position(table, bob)["turn"]["phase"], position(table, bob)["open_doubles"]) == ("cover", ["mexican"])


def test_in_the_next_round_no_seat_can_be_called(alice: Caller, bob: Caller) -> None:
    table = calling(alice, bob, hands=("6-5 6-4", "6-3 2-1"), options={"hand_sizes": {"2": 2}})
    send(table, alice, "6-5>0", 1)
    send(table, bob, "6-3>1", 2)
    assert position(table, alice)["may_be_called"] == 1
    assert send(table, alice, "6-4>mexican", 3).body["position"]["round"]["number"] == 2
    assert position(table, alice)["may_be_called"] is None
    check_illegal(table, alice, "call 1", 4)


def forfeited(alice: Caller, bob: Caller, cleo: Caller, seat: int) -> dict[str, Any]:
    """Of the seats 1 and 2 one has been forfeited; then Alice forgets to announce and Bob's seat is to move."""
    table = begin(alice, bob, cleo, options=PENALTY, turn_seconds=60, on_timeout="forfeit")
    Seat.objects.filter(table=table["id"], number=seat).update(stand_in="easy", stand_in_until=StandIn.END)
    arrange(table, *HANDS, boneyard=BONEYARD)
    assert send(table, alice, "6-5>0", 1).status == 201
    return table


@pytest.mark.parametrize(("seat", "code"), [(1, "too_late"), (2, "not_your_turn")])
def test_a_forfeited_seat_cannot_call(alice: Caller, bob: Caller, cleo: Caller, seat: int, code: str) -> None:
    table = forfeited(alice, bob, cleo, seat)
    caller = (alice, bob, cleo)[seat]
    assert offered(table, caller) == []
    answer = check_refused(lambda: send(table, caller, "call 0", 2), 409, code)
    assert timeless(answer.body["position"]) == timeless(position(table, caller))


def test_a_forfeited_seat_may_be_called(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = forfeited(alice, bob, cleo, 1)
    Seat.objects.filter(table=table["id"], number=0).update(stand_in="easy", stand_in_until=StandIn.END)
    assert send(table, cleo, "call 0", 2).body["position"]["seats"][0]["tile_count"] == 3


# The clock, and who is away


def clocked(alice: Caller, bob: Caller, cleo: Caller, **fields: Any) -> dict[str, Any]:
    table: dict[str, Any] = calling(alice, bob, cleo, turn_seconds=60, on_timeout="auto", **fields)
    return table


def deadline(table: dict[str, Any]) -> datetime:
    found = snapshot(table).deadline
    assert found is not None
    return found


def test_a_call_out_of_turn_leaves_the_clock_of_the_seat_to_move(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = clocked(alice, bob, cleo)
    send(table, alice, "6-5>0", 1)
    end, due = deadline(table), Table.objects.get().due_at
    with time_machine.travel(end - timedelta(seconds=1), tick=False):
        assert send(table, cleo, "call 0", 2).status == 201
    assert (deadline(table), Table.objects.get().due_at) == (end, due)


def test_a_call_in_turn_is_in_time_or_too_late_and_one_out_of_turn_has_no_clock(
    alice: Caller, bob: Caller, cleo: Caller
) -> None:
    table = clocked(alice, bob, cleo)
    send(table, alice, "6-5>0", 1)
    with time_machine.travel(deadline(table) + timedelta(microseconds=1), tick=False):
        check_refused(lambda: send(table, bob, "call 0", 2), 409, "too_late")
        assert send(table, cleo, "call 0", 2).status == 201


def test_the_clock_announces_for_a_seat_that_is_absent(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = clocked(alice, bob, cleo)
    assert play.time_out(UUID(table["id"]), 1, deadline(table) + schedule.GRACE)
    assert log(table) == [(0, "announce", By.TIMEOUT), (0, "6-5>0", By.TIMEOUT)]
    shown = position(table, bob)
    assert (shown["may_be_called"], shown["seats"][0]["announced"]) == (None, True)


def test_the_clock_announces_after_the_last_but_one_tile_too(alice: Caller, bob: Caller, cleo: Caller) -> None:
    """A double was laid in time; the clock finds the seat with one tile, and a double to cover."""
    table = clocked(alice, bob, cleo, hands=("6-5 3-1", "5-5 4-2", "6-3 6-1"))
    send(table, alice, "6-5>mexican", 1)
    send(table, bob, "5-5>mexican", 2)
    assert play.time_out(UUID(table["id"]), 3, deadline(table) + schedule.GRACE)
    assert log(table)[2:] == [(1, move, By.TIMEOUT) for move in ("announce", "draw", "pass")]


def test_the_clock_makes_no_calls(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = clocked(alice, bob, cleo)
    send(table, alice, "6-5>0", 1)
    assert play.time_out(UUID(table["id"]), 2, deadline(table) + schedule.GRACE)
    assert log(table)[1:] == [(1, "draw", By.TIMEOUT), (1, "pass", By.TIMEOUT)]


def test_an_away_player_is_back_with_a_call_also_out_of_turn(
    exposed: dict[str, Any], alice: Caller, cleo: Caller
) -> None:
    assert cleo.delete(f"tables/{exposed['id']}/seats/2").status == 204
    assert position(exposed, alice)["seats"][2]["away"]
    assert not send(exposed, cleo, "call 0", 2).body["position"]["seats"][2]["away"]


def test_auto_pass_waits_for_a_player_who_can_call(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = calling(alice, bob, cleo, auto_pass=True)
    send(table, alice, "6-5>0", 1)
    assert send(table, bob, "draw", 2).body["position"]["turn"]["seat"] == 1
    assert offered(table, bob) == [{"move": "pass", "type": "pass"}, CALL]
    assert send(table, bob, "call 0", 3).status == 201
    assert log(table)[1:] == [(1, "draw", By.PERSON), (1, "call 0", By.PERSON), (1, "pass", By.HOST)]


def test_auto_pass_goes_on_when_another_seat_has_called(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = calling(alice, bob, cleo, auto_pass=True)
    send(table, alice, "6-5>0", 1)
    send(table, bob, "draw", 2)
    assert send(table, cleo, "call 0", 3).body["position"]["turn"]["seat"] == 2
    assert log(table)[2:] == [(2, "call 0", By.PERSON), (1, "pass", By.HOST)]
    assert (send(table, cleo, "call 0", 3).status, snapshot(table).next_number) == (200, 5)


def test_auto_pass_passes_if_no_seat_can_be_called(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = calling(alice, bob, cleo, auto_pass=True)
    send(table, alice, "announce", 1)
    send(table, alice, "6-5>0", 2)
    assert send(table, bob, "draw", 3).body["position"]["turn"]["seat"] == 2
    assert log(table)[3:] == [(1, "pass", By.HOST)]


# Bots


def test_a_bot_announces(alice: Caller, bob: Caller) -> None:
    table = calling(alice, bob, bots=bots(0), host_seat=1)
    assert [tasks.take_turn(table["id"], number) for number in (1, 2)] == [True, True]
    assert log(table) == [(0, "announce", By.BOT), (0, "6-5>0", By.BOT)]
    assert position(table, alice)["seats"][0]["announced"]


def test_a_bot_calls_in_its_turn(alice: Caller, bob: Caller) -> None:
    table = calling(alice, bob, bots=bots(1))
    send(table, alice, "6-5>0", 1)
    assert tasks.take_turn(table["id"], 2)
    assert log(table)[1:] == [(1, "call 0", By.BOT)]
    assert (snapshot(table).turn, position(table, bob)["seats"][0]["tile_count"]) == (1, 3)
    assert tasks.take_turn(table["id"], 3)


@pytest.mark.parametrize("level", slow_after(1, sorted(BOTS)))
def test_bots_play_a_whole_match_of_announcing_and_calling(alice: Caller, level: str) -> None:
    table = begin(alice, seats=3, host_seat=None, bots=bots(0, 1, 2, level=level), options=PENALTY)
    while (now := snapshot(table)).is_playing:
        assert tasks.take_turn(table["id"], now.next_number)
    assert (now.status, now.rounds_played) == ("finished", 2)


@pytest.mark.django_db(transaction=True)
def test_a_bots_move_is_not_lost_when_a_person_calls(alice: Caller, cleo: Caller) -> None:
    """The bot was nudged for the place in the log that the call has taken; it is nudged again for the next one."""
    with unread() as broker:
        table = calling(alice, cleo, bots=bots(1))
        send(table, alice, "6-5>0", 1)
        assert send(table, cleo, "call 0", 2).status == 201
        assert nudges(broker, table) == [[table["id"], 2], [table["id"], 3]]
    assert Table.objects.get().due_at
    assert [tasks.take_turn(table["id"], number) for number in (2, 3)] == [False, True]
    assert [seat for seat, _, _ in log(table)] == [0, 2, 1]


def test_a_move_that_a_bot_chose_before_the_call_does_nothing(alice: Caller, cleo: Caller) -> None:
    table = calling(alice, cleo, bots=bots(1))
    send(table, alice, "6-5>0", 1)
    send(table, cleo, "call 0", 2)
    with nothing_changes():
        assert not play.submit_bot_move(UUID(table["id"]), 2, parse_move("call 0"), timezone.now())


# Two at once


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("first", [1, 2])
def test_of_two_calls_at_once_one_counts(exposed: dict[str, Any], bob: Caller, cleo: Caller, first: int) -> None:
    callers = (bob, cleo) if first == 1 else (cleo, bob)
    one, other = at_once(exposed, *(calls(exposed, caller, 2) for caller in callers))
    assert one.status == 201
    check_problem(other, 409, "stale")
    assert (log(exposed)[1:], position(exposed, bob)["seats"][0]["tile_count"]) == ([(first, "call 0", By.PERSON)], 3)


def calls(table: dict[str, Any], caller: Caller, number: int) -> Callable[[], Answer]:
    return lambda: send(table, caller, "call 0", number)


@pytest.mark.django_db(transaction=True)
def test_a_call_that_was_sent_twice_is_one_call(exposed: dict[str, Any], bob: Caller, cleo: Caller) -> None:
    answers = at_once(exposed, *[calls(exposed, cleo, 2)] * 3, calls(exposed, bob, 3))
    assert [answer.status for answer in answers] == [201, 200, 200, 422]
    assert answers[-1].body["reason"] == Reason.NOTHING_TO_CALL
    assert (len(log(exposed)), position(exposed, bob)["seats"][0]["tile_count"]) == (2, 3)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("call_first", [True, False])
def test_a_call_and_the_move_that_ends_the_window_are_one_after_the_other(
    exposed: dict[str, Any], bob: Caller, cleo: Caller, call_first: bool
) -> None:
    send(exposed, bob, "draw", 2)
    both = [calls(exposed, cleo, 3), lambda: send(exposed, bob, "pass", 3)]
    one, other = at_once(exposed, *(both if call_first else reversed(both)))
    assert one.status == 201
    check_problem(other, 409, "stale")
    assert position(exposed, bob)["seats"][0]["tile_count"] == (3 if call_first else 1)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("bot_first", [True, False])
def test_a_person_and_a_bot_call_once(alice: Caller, cleo: Caller, bot_first: bool) -> None:
    table = calling(alice, cleo, bots=bots(1))
    send(table, alice, "6-5>0", 1)
    both: list[Callable[[], Any]] = [lambda: tasks.take_turn(table["id"], 2), calls(table, cleo, 2)]
    at_once(table, *(both if bot_first else reversed(both)))
    assert log(table)[1:] == [(1, "call 0", By.BOT) if bot_first else (2, "call 0", By.PERSON)]
    assert tasks.take_turn(table["id"], 3)


# What submit_move returns


@pytest.mark.parametrize("seat", [1, 2])
def test_the_table_after_a_call_equals_its_rows(exposed: dict[str, Any], bob: Caller, cleo: Caller, seat: int) -> None:
    caller = bob if seat == 1 else cleo
    assert caller.player
    called = play.submit_move(UUID(exposed["id"]), caller.player.id, parse_move("call 0"), 2, timezone.now())
    assert (called.is_new, called.drawn) == (True, ())
    assert called.snapshot == repository.load(UUID(exposed["id"]))
    assert called.snapshot.state == state(exposed)


def test_after_the_match_no_seat_can_be_called(exposed: dict[str, Any], alice: Caller) -> None:
    assert position(exposed, alice)["may_be_called"] == 0
    assert alice.post(f"tables/{exposed['id']}/cancel").status == 200
    assert position(exposed, alice)["may_be_called"] is None
