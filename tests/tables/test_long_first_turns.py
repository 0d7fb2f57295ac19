"""First turns of many tiles over HTTP: ``end``, doubles that are covered later, and the first lap."""

from datetime import datetime
from typing import Any

import pytest

from rules.mexican_train.reasons import Reason
from tables import play, schedule, tasks
from tables.models import By, Move
from tests.cases import slow_after
from tests.cast import Caller, position
from tests.deals import deal_again
from tests.matches import SMALL, arrange, begin, bots, send, snapshot
from tests.rest.checks import check_refused

LONG = SMALL | {"first_turn_length": "unlimited", "hand_sizes": {"2": 4, "3": 4}}
HANDS = ("6-5 5-5 5-4 1-0", "6-3 3-2 1-1 2-0")
"""Alice can lay three tiles one after another, a double among them, Bob can lay three."""
BONEYARD = "4-2 4-1 4-3"
END = {"move": "end", "type": "end"}


def long_turns(*callers: Caller, hands: tuple[str, ...] = HANDS, boneyard: str = BONEYARD, **fields: Any) -> Any:
    options = LONG | fields.pop("options", {})
    table = begin(*callers, options=options, **fields)
    arrange(table, *hands, boneyard=boneyard)
    return table


@pytest.fixture
def table(alice: Caller, bob: Caller) -> dict[str, Any]:
    begun: dict[str, Any] = long_turns(alice, bob)
    return begun


def lay(table: dict[str, Any], caller: Caller, *moves: str) -> dict[str, Any]:
    """Each of these, accepted; the position after the last."""
    for move in moves:
        answer = send(table, caller, move, snapshot(table).next_number)
        assert answer.status == 201, answer.text
    shown: dict[str, Any] = answer.body["position"]
    return shown


def offered(shown: dict[str, Any]) -> set[str]:
    return {each["move"] for each in shown["you"]["legal_moves"]}


def turn(shown: dict[str, Any]) -> tuple[int, str]:
    return shown["turn"]["seat"], shown["turn"]["phase"]


def log(table: dict[str, Any]) -> list[tuple[int, str, str]]:
    return list(Move.objects.filter(table=table["id"]).order_by("number").values_list("seat", "text", "by"))


def check_illegal(table: dict[str, Any], caller: Caller, move: str, reason: Reason) -> None:
    number = snapshot(table).next_number
    answer = check_refused(lambda: send(table, caller, move, number), 422, "illegal_move")
    assert answer.body["reason"] == reason


def test_it_works(table: dict[str, Any], alice: Caller, bob: Caller, spectator: Caller) -> None:
    for caller in (alice, bob, spectator):
        assert turn(position(table, caller)) == (0, "first_turn")
    assert offered(position(table, alice)) == {"6-5>0", "6-5>mexican"}
    shown = lay(table, alice, "6-5>0")
    assert turn(shown) == (0, "first_turn")
    assert END in shown["you"]["legal_moves"]
    assert offered(shown) == {"5-5>0", "5-4>0", "end"}
    shown = lay(table, alice, "5-4>0", "end")
    assert (turn(shown), shown["trains"][0]["tiles"]) == ((1, "first_turn"), ["6-5", "5-4"])
    assert log(table) == [(0, move, By.PERSON) for move in ("6-5>0", "5-4>0", "end")]


def test_ending_a_turn_again_is_safe(table: dict[str, Any], alice: Caller) -> None:
    lay(table, alice, "6-5>0", "end")
    again = send(table, alice, "end", 2)
    assert (again.status, again.body["move"], again.body["position"]["next_number"]) == (200, "end", 3)
    check_refused(lambda: send(table, alice, "end", 1), 409, "stale")


def test_before_its_first_tile_a_turn_cannot_be_ended(table: dict[str, Any], alice: Caller) -> None:
    check_illegal(table, alice, "end", Reason.NOTHING_TO_END)


def test_another_seats_turn_cannot_be_ended(table: dict[str, Any], alice: Caller, bob: Caller) -> None:
    lay(table, alice, "6-5>0")
    check_refused(lambda: send(table, bob, "end", 2), 409, "not_your_turn")


@pytest.mark.parametrize("move", ["draw", "pass"])
def test_after_its_first_tile_a_seat_may_not_draw_or_pass(table: dict[str, Any], alice: Caller, move: str) -> None:
    assert offered(lay(table, alice, "6-5>0", "5-4>0")) == {"end"}
    check_illegal(table, alice, move, Reason.MUST_PLAY)


def test_a_seat_without_a_first_tile_draws_and_then_goes_on(alice: Caller, bob: Caller) -> None:
    table = long_turns(alice, bob, hands=("5-5 5-4 3-2 1-0", "6-1 2-2 1-1 2-0"), boneyard="6-5")
    assert offered(position(table, alice)) == {"draw"}
    shown = lay(table, alice, "draw")
    assert (turn(shown), offered(shown)) == ((0, "drawn"), {"6-5>0", "6-5>mexican"})
    shown = lay(table, alice, "6-5>0")
    assert (turn(shown), offered(shown)) == ((0, "first_turn"), {"5-5>0", "5-4>0", "end"})


def test_the_second_turn_is_like_any_other(table: dict[str, Any], alice: Caller, bob: Caller) -> None:
    lay(table, alice, "6-5>0", "end")
    lay(table, bob, "6-3>1", "end")
    shown = position(table, alice)
    assert (turn(shown), "end" in offered(shown)) == ((0, "play"), False)
    assert turn(lay(table, alice, "5-4>0")) == (1, "play")
    check_illegal(table, bob, "end", Reason.NOTHING_TO_END)


def test_without_the_option_there_is_no_turn_to_end(alice: Caller, bob: Caller) -> None:
    table = long_turns(alice, bob, options={"first_turn_length": "one"})
    assert turn(position(table, alice)) == (0, "play")
    check_illegal(table, alice, "end", Reason.NOTHING_TO_END)
    assert turn(lay(table, alice, "6-5>0")) == (1, "play")


def test_an_emptied_hand_ends_the_turn_and_the_round(alice: Caller, bob: Caller) -> None:
    table = long_turns(alice, bob, hands=("6-5 5-4 4-3 3-0", "6-1 2-2 1-1 2-0"))
    shown = lay(table, alice, "6-5>0", "5-4>0", "4-3>0", "3-0>0")
    assert (shown["last_round"]["out"], shown["last_round"]["points"]) == (0, [0, 7 + 4 + 2 + 2])
    assert shown["round"]["number"] == 2
    assert turn(shown) == (1, "first_turn")


# The clock and bots


def deadline(table: dict[str, Any]) -> datetime:
    found = snapshot(table).deadline
    assert found is not None
    return found


def time_out(table: dict[str, Any]) -> None:
    now = snapshot(table)
    assert play.time_out(now.id, now.next_number, deadline(table) + schedule.GRACE)


def test_a_long_turn_has_one_deadline(alice: Caller, bob: Caller) -> None:
    table = long_turns(alice, bob, turn_seconds=60)
    running = deadline(table)
    lay(table, alice, "6-5>0", "5-4>0")
    assert deadline(table) == running
    lay(table, alice, "end")
    assert deadline(table) > running


def test_the_clock_ends_a_turn_that_was_begun(alice: Caller, bob: Caller) -> None:
    table = long_turns(alice, bob, turn_seconds=60)
    lay(table, alice, "6-5>0")
    time_out(table)
    assert log(table) == [(0, "6-5>0", By.PERSON), (0, "end", By.TIMEOUT)]
    assert turn(position(table, bob)) == (1, "first_turn")


def test_the_clock_lays_one_tile_for_a_seat_that_is_absent(alice: Caller, bob: Caller) -> None:
    table = long_turns(alice, bob, turn_seconds=60)
    time_out(table)
    assert log(table) == [(0, "6-5>0", By.TIMEOUT), (0, "end", By.TIMEOUT)]


def test_a_bot_goes_on_with_a_turn_that_was_begun(alice: Caller, bob: Caller) -> None:
    table = long_turns(alice, bob, turn_seconds=60, on_timeout="bot")
    lay(table, alice, "6-5>0")
    time_out(table)
    for number in (2, 3):
        assert tasks.take_turn(table["id"], number)
    assert log(table)[1:] == [(0, "5-5>0", By.BOT), (0, "5-4>0", By.BOT)]
    assert tasks.take_turn(table["id"], 4)
    assert log(table)[3:] == [(0, "end", By.BOT)]
    assert not position(table, bob)["seats"][0]["away"]
    assert turn(position(table, bob)) == (1, "first_turn")


@pytest.mark.parametrize("preset", slow_after(1, ["long_trains", "cardinal"]))
def test_bots_play_whole_rounds(alice: Caller, preset: str) -> None:
    table = begin(alice, seats=3, host_seat=None, bots=bots(0, 1, 2), preset=preset, options={"rounds": 1})
    deal_again(table, "12-12 12-11")
    while (now := snapshot(table)).is_playing:
        assert tasks.take_turn(table["id"], now.next_number)
    assert now.status == "finished"
    assert "end" in {move for _, move, _ in log(table)}


def test_auto_pass_ends_no_turn(alice: Caller, bob: Caller) -> None:
    table = long_turns(alice, bob, auto_pass=True)
    shown = lay(table, alice, "6-5>0", "5-4>0")
    assert (turn(shown), offered(shown)) == ((0, "first_turn"), {"end"})


# Doubles


def test_a_double_needs_no_cover_and_is_open_when_the_turn_ends(table: dict[str, Any], alice: Caller) -> None:
    shown = lay(table, alice, "6-5>0", "5-5>0")
    assert (turn(shown), shown["open_doubles"]) == ((0, "first_turn"), [])
    assert offered(shown) == {"5-4>0", "end"}
    shown = lay(table, alice, "end")
    assert (turn(shown), shown["open_doubles"]) == ((1, "cover"), ["0"])


def test_a_double_covered_in_the_same_turn_is_never_open(table: dict[str, Any], alice: Caller) -> None:
    shown = lay(table, alice, "6-5>0", "5-5>0", "5-4>0", "end")
    assert (turn(shown), shown["open_doubles"]) == ((1, "first_turn"), [])


def test_a_bound_seat_covers_and_may_end_then(table: dict[str, Any], alice: Caller, bob: Caller) -> None:
    lay(table, alice, "6-5>0", "5-5>0", "end")
    assert offered(position(table, bob)) == {"draw"}
    shown = lay(table, bob, "draw", "pass")
    assert turn(shown) == (0, "cover")
    assert offered(position(table, alice)) == {"5-4>0"}


def test_deferred_doubles_bind_nobody_in_the_first_lap(alice: Caller, bob: Caller) -> None:
    table = long_turns(alice, bob, options={"first_turn_double": "deferred"})
    lay(table, alice, "6-5>0", "5-5>0", "end")
    shown = position(table, bob)
    assert (turn(shown), shown["open_doubles"]) == ((1, "first_turn"), ["0"])
    assert offered(shown) == {"6-3>1", "6-3>mexican"}
    check_illegal(table, bob, "6-3>0", Reason.TRAIN_NOT_OPEN)
    lay(table, bob, "6-3>1", "end")
    shown = position(table, alice)
    assert (turn(shown), offered(shown)) == ((0, "cover"), {"5-4>0"})
    check_illegal(table, alice, "1-0>mexican", Reason.DOUBLE_NOT_COVERED)
    assert lay(table, alice, "5-4>0")["open_doubles"] == []


def test_deferred_doubles_bind_nobody_with_short_first_turns_either(alice: Caller, bob: Caller) -> None:
    options = {"first_turn_double": "deferred", "first_turn_length": "one"}
    table = long_turns(alice, bob, hands=("6-4 5-5 2-2 1-0", "6-3 6-2 4-4 3-1"), boneyard="3-3", options=options)
    lay(table, alice, "6-4>mexican")
    lay(table, bob, "4-4>mexican", "draw", "pass")
    shown = position(table, alice)
    assert (turn(shown), shown["open_doubles"]) == ((0, "cover"), ["mexican"])


# The lap that is finished


OUT_AT_ONCE = ("6-5 5-4 4-3 3-0", "6-3 3-2 2-2 1-1", "6-1 2-0 6-2 2-1")


def test_the_others_have_their_first_turn_when_somebody_goes_out(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = long_turns(alice, bob, cleo, hands=OUT_AT_ONCE, options={"first_turn_out": "finish_lap"})
    shown = lay(table, alice, "6-5>0", "5-4>0", "4-3>0", "3-0>0")
    assert (turn(shown), shown["last_round"]) == ((1, "first_turn"), None)
    assert (shown["seats"][0]["tile_count"], shown["you"]["tiles"]) == (0, [])
    shown = lay(table, bob, "6-3>1", "3-2>1", "2-2>1", "end")
    assert (turn(shown), shown["round"]["number"], shown["open_doubles"]) == ((2, "cover"), 1, ["1"])
    shown = lay(table, cleo, "2-1>1", "end")
    assert (shown["round"]["number"], shown["last_round"]["ended"], shown["last_round"]["out"]) == (2, "out", 0)
    assert shown["last_round"]["points"] == [0, 2, 7 + 2 + 8]


def test_the_last_seats_time_out_finishes_the_lap(alice: Caller, bob: Caller) -> None:
    hands = OUT_AT_ONCE[:2]
    table = long_turns(alice, bob, hands=hands, options={"first_turn_out": "finish_lap"}, turn_seconds=60)
    lay(table, alice, "6-5>0", "5-4>0", "4-3>0", "3-0>0")
    time_out(table)
    assert log(table)[4:] == [(1, "6-3>1", By.TIMEOUT), (1, "end", By.TIMEOUT)]
    assert position(table, bob)["last_round"]["out"] == 0


def test_without_the_option_the_round_is_over_at_once(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = long_turns(alice, bob, cleo, hands=OUT_AT_ONCE)
    shown = lay(table, alice, "6-5>0", "5-4>0", "4-3>0", "3-0>0")
    assert (shown["round"]["number"], shown["last_round"]["points"][1:]) == (2, [9 + 5 + 4 + 2, 7 + 2 + 8 + 3])


def test_the_table_after_a_long_turn_equals_its_rows(table: dict[str, Any], alice: Caller) -> None:
    for move in ("6-5>0", "5-5>0", "end"):
        shown = lay(table, alice, move)
        fresh = position(table, alice)
        assert shown | {"turn": None} == fresh | {"turn": None}
        assert turn(shown) == turn(fresh)
