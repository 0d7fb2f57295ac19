"""``GET tables/{id}/hint``."""

from typing import Any

import pytest

from rest.throttles import HintThrottle
from rules.mexican_train.bots import BOTS
from tables.models import Move, Seat, StandIn
from tests.cast import Answer, Caller, open_table, position
from tests.matches import SMALL, arrange, begin, bots, play_match, send
from tests.rest.checks import check_refused, nothing_changes


@pytest.fixture
def arranged(alice: Caller, bob: Caller) -> dict[str, Any]:
    table = begin(alice, bob)
    arrange(table, "6-5 6-4 3-1", "5-5 5-2 4-3", boneyard="2-0 6-0 1-1")
    return table


def ask(table: dict[str, Any], caller: Caller, level: str | None = None) -> Answer:
    return caller.get(f"tables/{table['id']}/hint" + (f"?level={level}" if level else ""))


@pytest.mark.parametrize("level", BOTS)
def test_it_works(arranged: dict[str, Any], alice: Caller, level: str) -> None:
    with nothing_changes():
        answer = ask(arranged, alice, level)
    assert answer.status == 200, answer.text
    assert (answer.body["table"], answer.body["number"], answer.body["level"]) == (arranged["id"], 1, level)
    offered = position(arranged, alice)["you"]["legal_moves"]
    names = ("move", "type", "tile", "train")
    assert {name: answer.body[name] for name in names} in [{name: each.get(name) for name in names} for each in offered]
    assert answer.body["why"].strip()
    assert Move.objects.count() == 0


def test_the_hard_level_answers_if_none_is_named(arranged: dict[str, Any], alice: Caller) -> None:
    assert ask(arranged, alice).body["level"] == "hard"


def test_the_grounds_are_those_of_the_level(arranged: dict[str, Any], alice: Caller) -> None:
    shown = ask(arranged, alice, "easy").body
    assert shown["move"] == "6-5>0"
    assert shown["why"] == "gets rid of eleven pips, the most that you can lay"


def test_a_player_is_called_by_name(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, options=SMALL | {"announce": "penalty"})
    arrange(table, "6-5 6-4 3-3", "5-2 4-3 2-1", boneyard="2-0 6-0 1-1")
    send(table, alice, "6-5>mexican", 1)
    send(table, bob, "5-2>mexican", 2)
    send(table, alice, "6-4>0", 3)
    send(table, bob, "2-1>mexican", 4)
    assert ask(table, alice).body["why"] == "calls Bob, who did not announce the last tile"


def test_an_unknown_level_is_named(arranged: dict[str, Any], alice: Caller) -> None:
    answer = ask(arranged, alice, "genius")
    assert (answer.status, answer.body["errors"][0]["field"]) == (400, "level")


def test_only_the_seat_to_move_gets_a_hint(arranged: dict[str, Any], alice: Caller, bob: Caller, cleo: Caller) -> None:
    check_refused(lambda: ask(arranged, bob), 409, "not_your_turn")
    check_refused(lambda: ask(arranged, cleo), 403, "not_seated")
    assert ask(arranged, Caller()).status == 401
    Seat.objects.filter(table=arranged["id"], number=0).update(stand_in="easy", stand_in_until=StandIn.END)
    check_refused(lambda: ask(arranged, alice), 409, "too_late")


def test_only_a_running_match_gives_hints(alice: Caller, bob: Caller) -> None:
    waiting = open_table(alice, seats=2)
    check_refused(lambda: ask(waiting, alice), 409, "table_open")
    over = begin(alice, bots=bots(1))
    play_match(over)
    check_refused(lambda: ask(over, alice), 409, "table_finished")


def test_a_host_can_switch_hints_off(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, hints=False)
    assert alice.get(f"tables/{table['id']}").body["hints"] is False
    check_refused(lambda: ask(table, alice), 403, "hints_off")


def test_hints_are_on_unless_switched_off_and_may_change_while_the_table_is_open(alice: Caller) -> None:
    table = open_table(alice, seats=2)
    assert table["hints"] is True
    assert alice.patch(f"tables/{table['id']}", {"hints": False}).body["hints"] is False


def test_hints_have_a_rate_of_their_own(
    arranged: dict[str, Any], alice: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HintThrottle, "THROTTLE_RATES", {"caller": None, "hint": "1/hour"})
    assert [ask(arranged, alice).status for _ in range(2)] == [200, 429]
    assert alice.get(f"tables/{arranged['id']}/explain").status == 200
