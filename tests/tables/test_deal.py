"""``GET tables/{id}/rounds/{n}/deal``."""

from typing import Any

import pytest

from rules.shuffling import is_honest, shuffled
from rules.tiles import tile_texts, tiles_in
from tables.models import Round
from tests.cast import Caller, position
from tests.matches import begin, play_match, play_round, state


@pytest.fixture
def table(alice: Caller, bob: Caller) -> dict[str, Any]:
    return begin(alice, bob)


def deal(table: dict[str, Any], caller: Caller, number: int) -> dict[str, Any]:
    answer = caller.get(f"tables/{table['id']}/rounds/{number}/deal")
    assert answer.status == 200, answer.text
    shown: dict[str, Any] = answer.body
    return shown


def test_anybody_can_verify_a_round_that_is_over(table: dict[str, Any], bob: Caller, spectator: Caller) -> None:
    promised = position(table, bob)["round"]["commitment"]
    hands = [tile_texts(tiles_in(hand)) for hand in state(table).hands]
    play_round(table)
    shown = deal(table, spectator, 1)
    secret = bytes.fromhex(shown["secret"])
    assert shown["commitment"] == promised
    assert is_honest(secret, promised)
    order = shuffled(secret, shown["table"], shown["round"], shown["client_seeds"], shown["set_max_pip"])
    assert shown["order"] == tile_texts(order)
    assert (shown["table"], shown["round"], shown["engine"]) == (table["id"], 1, "6-6")
    assert (shown["client_seeds"], shown["hands"]) == (["", ""], hands)


def test_the_deal_is_the_same_for_everybody(
    table: dict[str, Any], alice: Caller, bob: Caller, spectator: Caller
) -> None:
    play_match(table)
    for number in (1, 2):
        assert deal(table, alice, number) == deal(table, bob, number) == deal(table, spectator, number)


def test_the_secret_of_a_running_round_is_refused(table: dict[str, Any], alice: Caller) -> None:
    play_round(table)
    running = Round.objects.get(table=table["id"], number=2)
    answer = alice.get(f"tables/{table['id']}/rounds/2/deal")
    assert (answer.status, answer.body["code"]) == (409, "round_not_over")
    for text in (answer.text, str(deal(table, alice, 1)), str(position(table, alice))):
        assert bytes(running.secret).hex() not in text
        assert running.order not in text


def test_the_secret_of_a_cancelled_round_is_refused(table: dict[str, Any], alice: Caller) -> None:
    alice.post(f"tables/{table['id']}/cancel")
    assert alice.get(f"tables/{table['id']}/rounds/1/deal").status == 409


@pytest.mark.parametrize("number", [0, 2, 3, 10**20])
def test_a_round_that_was_not_dealt_does_not_exist(table: dict[str, Any], alice: Caller, number: int) -> None:
    answer = alice.get(f"tables/{table['id']}/rounds/{number}/deal")
    assert (answer.status, answer.body["code"]) == (404, "not_found")


def test_the_first_secret_of_an_open_table_is_refused(two_seats: dict[str, Any], alice: Caller) -> None:
    assert alice.get(f"tables/{two_seats['id']}/rounds/1/deal").status == 404


def test_a_hidden_table_does_not_exist_for_others(alice: Caller, bob: Caller, cleo: Caller, spectator: Caller) -> None:
    table = begin(alice, bob, spectators="none")
    play_round(table)
    for caller in (cleo, spectator):
        assert caller.get(f"tables/{table['id']}/rounds/1/deal").status == 404
    assert deal(table, bob, 1)["order"] == Round.objects.get(number=1).order.split()
