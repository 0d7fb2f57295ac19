"""``hands_visible``: everybody sees all hands, and nothing else changes."""

from typing import Any

import pytest

from rules.tiles import tile_texts, tiles_in
from tests.cast import Caller, open_table, position
from tests.matches import SMALL, arrange, begin, bots, play_match, play_round, send, snapshot, state, step, timeless

OPEN = SMALL | {"hands_visible": True}
HANDS = ("6-5 6-4 3-1", "5-5 5-2 4-3")
SHOWN = [["3-1", "6-4", "6-5"], ["4-3", "5-2", "5-5"]]


def arranged(alice: Caller, bob: Caller, **options: Any) -> dict[str, Any]:
    table = begin(alice, bob, options=OPEN | options)
    arrange(table, *HANDS, boneyard="2-0 3-2 1-1")
    return table


@pytest.fixture
def table(alice: Caller, bob: Caller) -> dict[str, Any]:
    return arranged(alice, bob)


def hands(table: dict[str, Any], caller: Caller) -> list[list[str]]:
    return [seat["tiles"] for seat in position(table, caller)["seats"]]


def test_it_works(table: dict[str, Any], alice: Caller, bob: Caller, cleo: Caller, spectator: Caller) -> None:
    for caller in (alice, bob, cleo, spectator):
        shown = position(table, caller)
        assert [seat["tiles"] for seat in shown["seats"]] == SHOWN
    assert position(table, alice)["you"]["tiles"] == SHOWN[0]


@pytest.mark.parametrize("options", [SMALL, SMALL | {"hands_visible": False}])
def test_without_the_option_hands_are_hidden(alice: Caller, bob: Caller, options: dict[str, Any]) -> None:
    table = begin(alice, bob, options=options)
    assert all("tiles" not in seat for seat in position(table, alice)["seats"])


def test_the_hands_change_with_each_move(alice: Caller, bob: Caller, cleo: Caller, spectator: Caller) -> None:
    table = begin(alice, bob, bots=bots(2), options=OPEN)
    while True:
        held = [tile_texts(tiles_in(hand)) for hand in state(table).hands]
        assert all(hands(table, caller) == held for caller in (alice, bob, cleo, spectator))
        if not snapshot(table).is_playing:
            break
        step(table)
    assert hands(table, spectator) == position(table, spectator)["last_round"]["hands"]


def test_answers_to_accepted_and_refused_moves_contain_the_hands(
    table: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    refused = send(table, bob, "draw", 1)
    assert [seat["tiles"] for seat in refused.body["position"]["seats"]] == SHOWN
    accepted = send(table, alice, "6-4>0", 1)
    assert [seat["tiles"] for seat in accepted.body["position"]["seats"]] == [["3-1", "6-5"], SHOWN[1]]


def test_the_log_is_the_same_as_without_the_option(
    table: dict[str, Any], alice: Caller, bob: Caller, cleo: Caller, spectator: Caller
) -> None:
    send(table, alice, "6-4>0", 1)
    assert send(table, bob, "draw", 2).body["tile"] == "2-0"
    path = f"tables/{table['id']}/moves"
    assert [entry.get("tile") for entry in bob.get(path).body] == ["6-4", "2-0"]
    for caller in (alice, cleo, spectator):
        assert [entry.get("tile") for entry in caller.get(path).body] == ["6-4", None]
        assert "2-0" in hands(table, caller)[1]
    play_round(table)
    assert spectator.get(path).body[1]["tile"] == "2-0"


def test_only_the_seat_to_move_gets_its_legal_moves(table: dict[str, Any], alice: Caller, bob: Caller) -> None:
    assert len(position(table, alice)["you"]["legal_moves"]) == 4
    assert position(table, bob)["you"]["legal_moves"] == []


def test_the_boneyard_and_the_secret_stay_hidden(table: dict[str, Any], spectator: Caller) -> None:
    text = spectator.get(f"tables/{table['id']}/position").text
    assert not [tile for tile in ("2-0", "3-2", "1-1") if f'"{tile}"' in text]
    assert spectator.get(f"tables/{table['id']}/rounds/1/deal").status == 409


def test_nothing_but_the_tiles_differs_from_another_table(alice: Caller, bob: Caller) -> None:
    shown, hidden = (timeless(position(arranged(alice, bob, hands_visible=open_), bob)) for open_ in (True, False))
    for seat in shown["seats"]:
        del seat["tiles"]
    of_their_own = {"table": None, "version": None, "next_commitment": None, "round": None}
    assert shown | of_their_own == hidden | of_their_own


def test_before_the_deal_there_are_no_hands(alice: Caller) -> None:
    table = open_table(alice, seats=2, options=OPEN)
    assert all("tiles" not in seat for seat in position(table, alice)["seats"])


def test_after_the_match_the_last_hands_are_visible(table: dict[str, Any], alice: Caller, spectator: Caller) -> None:
    play_match(table)
    assert hands(table, spectator) == alice.get(f"tables/{table['id']}/rounds/2").body["hands"]
