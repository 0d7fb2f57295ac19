"""``position.last_move``: the last move, so that a client can animate it."""

from typing import Any

import pytest

from rules.game import Ended
from tables import snapshots
from tests.cast import Caller, guest, join, open_table, position
from tests.matches import SMALL, arrange, begin, bots, play_match, play_round, send, snapshot, step

LAID = {"number": 1, "round": 1, "seat": 0, "move": "6-4>0", "type": "play", "tile": "6-4", "train": "0", "place": "0"}
DRAWN = {"number": 2, "round": 1, "seat": 1, "move": "draw", "type": "draw", "by": "person"}


@pytest.fixture
def arranged(alice: Caller, bob: Caller) -> dict[str, Any]:
    table = begin(alice, bob)
    arrange(table, "6-5 6-4 3-1", "5-5 5-2 4-3", boneyard="2-0 3-2 1-1")
    return table


def last(table: dict[str, Any], caller: Caller) -> Any:
    return position(table, caller)["last_move"]


def test_before_the_first_move_it_is_null(alice: Caller, bob: Caller) -> None:
    assert last(open_table(alice, seats=2), alice) is None
    assert last(begin(alice, bob), alice) is None


def test_a_tile_laid(arranged: dict[str, Any], alice: Caller, bob: Caller) -> None:
    answer = send(arranged, alice, "6-4>0", 1)
    told = LAID | {"by": "person"}
    assert answer.body["position"]["last_move"] == told == last(arranged, bob)


def test_only_its_drawer_sees_a_drawn_tile(
    arranged: dict[str, Any], alice: Caller, bob: Caller, spectator: Caller
) -> None:
    send(arranged, alice, "6-4>0", 1)
    answer = send(arranged, bob, "draw", 2)
    assert answer.body["position"]["last_move"] == DRAWN | {"tile": "2-0"} == last(arranged, bob)
    assert last(arranged, alice) == DRAWN == last(arranged, spectator)
    assert send(arranged, alice, "draw", 2).body["position"]["last_move"] == DRAWN


def test_only_the_called_seat_sees_its_penalty_tiles(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, options=SMALL | {"announce": "penalty", "hand_sizes": {"2": 2}})
    arrange(table, "6-5 3-1", "5-4 4-2", boneyard="6-3 6-1 2-0")
    send(table, alice, "6-5>0", 1)
    answer = send(table, bob, "call 0", 2)
    told = {"number": 2, "round": 1, "seat": 1, "move": "call 0", "type": "call", "by": "person"}
    assert answer.body["position"]["last_move"] == told
    penalty = last(table, alice).pop("tiles")
    assert penalty == ["6-3", "6-1"][: len(penalty)]


def test_a_bot_is_named_with_its_level(alice: Caller) -> None:
    table = begin(alice, bots=bots(1, level="easy"))
    step(table)
    step(table)
    shown = position(table, alice)
    assert [(seat["name"], seat["kind"], seat["level"]) for seat in shown["seats"]] == [
        ("Alice", "person", None),
        ("Otto", "bot", "easy"),
    ]
    while last(table, alice)["by"] != "bot":
        step(table)


def test_names_are_those_of_the_table(alice: Caller) -> None:
    table = open_table(alice, seats=3)
    join(table, guest("ALICE"))
    assert [seat["name"] for seat in position(table, alice)["seats"]] == ["Alice", "ALICE 2", None]
    assert position(table, alice)["seats"][2]["kind"] is None


def test_after_a_round_the_last_move_is_still_there(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    play_round(table)
    shown = position(table, bob)
    assert (shown["last_round"]["number"], shown["last_move"]["number"]) == (1, shown["next_number"] - 1)
    assert (shown["round"]["number"], shown["last_move"]["round"]) == (2, 1)
    play_match(table)
    over = position(table, bob)
    assert over["last_move"]["number"] == over["next_number"] - 1


def test_the_last_move_after_a_write_equals_the_one_that_is_read(
    arranged: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    """``Snapshot.advanced`` carries the last move, and the state before it, without asking."""
    for number, (caller, move) in enumerate([(alice, "6-4>0"), (bob, "draw"), (bob, "pass")], start=1):
        written = send(arranged, caller, move, number).body["position"]
        read = position(arranged, caller)
        assert written["last_move"] == read["last_move"]
    loaded = snapshot(arranged)
    assert loaded.before_last_move is not None
    assert loaded.state is not None
    assert loaded.state.ended is not Ended.OUT
    assert loaded.last_move == snapshots.LastMove(3, 1, "pass", "person")
