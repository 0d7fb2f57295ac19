"""``GET tables/{id}/moves``."""

import json
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.dateparse import parse_datetime

from tables.api.waiting import event_text
from tables.models import Move
from tables.presenters.history import present_events
from tests.cast import Caller
from tests.matches import arrange, begin, bots, play_match, play_round, send, step

LAID = {"type": "play", "tile": "6-4", "train": "0", "place": "0"}


@pytest.fixture
def arranged(alice: Caller, bob: Caller) -> dict[str, Any]:
    """Alice has played, Bob has drawn 2-0 and passed."""
    table = begin(alice, bob)
    arrange(table, "6-5 6-4 3-1", "5-5 5-2 4-3", boneyard="2-0 3-2 1-1")
    send(table, alice, "6-4>0", 1)
    send(table, bob, "draw", 2)
    send(table, bob, "pass", 3)
    return table


def moves(table: dict[str, Any], caller: Caller, query: str = "") -> list[dict[str, Any]]:
    answer = caller.get(f"tables/{table['id']}/moves{query}")
    assert answer.status == 200, answer.text
    listed: list[dict[str, Any]] = answer.body
    return listed


def test_it_works(arranged: dict[str, Any], alice: Caller) -> None:
    listed = moves(arranged, alice)
    assert all(parse_datetime(entry.pop("at")) for entry in listed)
    assert listed == [
        {"number": 1, "round": 1, "seat": 0, "move": "6-4>0", "by": "person", **LAID},
        {"number": 2, "round": 1, "seat": 1, "move": "draw", "by": "person", "type": "draw"},
        {"number": 3, "round": 1, "seat": 1, "move": "pass", "by": "person", "type": "pass"},
    ]


def test_it_says_who_made_a_move(alice: Caller) -> None:
    table = begin(alice, bots=bots(1))
    for _ in range(4):
        step(table)
    assert {(entry["seat"], entry["by"]) for entry in moves(table, alice)} == {(0, "person"), (1, "bot")}


def test_a_drawer_sees_the_drawn_tile_at_once(
    arranged: dict[str, Any], alice: Caller, bob: Caller, cleo: Caller, spectator: Caller
) -> None:
    assert [entry.get("tile") for entry in moves(arranged, bob)] == ["6-4", "2-0", None]
    for caller in (alice, cleo, spectator):
        assert [entry.get("tile") for entry in moves(arranged, caller)] == ["6-4", None, None]


def test_the_event_of_a_move_repeats_its_entry_in_the_list(arranged: dict[str, Any], spectator: Caller) -> None:
    told = [each for each in present_events(UUID(arranged["id"]), 0, 100) if each["event"] == "move"]
    texts = [event_text(each).decode().partition("data: ")[2] for each in told]
    listed = moves(arranged, spectator)
    assert len(listed) == len(texts) == 3
    for entry, text in zip(listed, texts, strict=True):
        assert {name: value for name, value in json.loads(text).items() if name not in {"version", "turn"}} == entry


def test_everybody_sees_drawn_tiles_after_the_round(
    arranged: dict[str, Any], alice: Caller, bob: Caller, spectator: Caller
) -> None:
    play_round(arranged)
    for caller in (alice, bob, spectator):
        listed = moves(arranged, caller)
        assert listed[1]["tile"] == "2-0"
        assert all(("tile" in entry) == (entry["type"] in {"draw", "play"}) for entry in listed if entry["round"] == 1)


def test_a_cancelled_rounds_drawn_tiles_stay_hidden(arranged: dict[str, Any], alice: Caller, bob: Caller) -> None:
    alice.post(f"tables/{arranged['id']}/cancel")
    assert all("tile" not in entry for entry in moves(arranged, alice) if entry["type"] == "draw")
    assert moves(arranged, bob)[1]["tile"] == "2-0"


def test_after_and_limit_choose_a_part(arranged: dict[str, Any], bob: Caller) -> None:
    assert [entry["number"] for entry in moves(arranged, bob, "?after=1")] == [2, 3]
    assert [entry["number"] for entry in moves(arranged, bob, "?after=1&limit=1")] == [2]
    assert moves(arranged, bob, "?after=1&limit=1")[0]["tile"] == "2-0"
    assert [entry["number"] for entry in moves(arranged, bob, "?limit=2")] == [1, 2]
    assert moves(arranged, bob, "?after=3") == []
    assert moves(arranged, bob, f"?after={2**31 - 1}") == []


def test_a_part_across_rounds_hides_the_tiles_of_the_running_round(arranged: dict[str, Any], alice: Caller) -> None:
    play_match(arranged)
    whole = moves(arranged, alice, "?limit=500")
    assert [entry["number"] for entry in whole] == list(range(1, Move.objects.count() + 1))
    for first in range(len(whole)):
        assert moves(arranged, alice, f"?after={first}&limit=3") == whole[first : first + 3]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("after=-1", "after"),
        ("after=x", "after"),
        (f"after={2**31}", "after"),
        ("limit=0", "limit"),
        ("limit=501", "limit"),
        ("limit=ten", "limit"),
    ],
)
def test_an_invalid_part_is_refused(arranged: dict[str, Any], bob: Caller, query: str, field: str) -> None:
    answer = bob.get(f"tables/{arranged['id']}/moves?{query}")
    assert (answer.status, answer.body["code"]) == (400, "invalid")
    assert [error["field"] for error in answer.body["errors"]] == [field]


def test_it_takes_a_constant_number_of_statements(arranged: dict[str, Any], bob: Caller) -> None:
    with CaptureQueriesContext(connection) as few:
        moves(arranged, bob)
    play_match(arranged)
    with CaptureQueriesContext(connection) as many:
        assert {entry["round"] for entry in moves(arranged, bob)} == {1, 2}
    assert len(few) == len(many) <= 6


def test_an_open_table_has_no_moves(two_seats: dict[str, Any], alice: Caller, spectator: Caller) -> None:
    assert moves(two_seats, alice) == moves(two_seats, spectator) == []


def test_a_hidden_table_does_not_exist_for_others(alice: Caller, bob: Caller, cleo: Caller, spectator: Caller) -> None:
    table = begin(alice, bob, spectators="none")
    for caller in (cleo, spectator):
        assert caller.get(f"tables/{table['id']}/moves").status == 404
    assert moves(table, bob) == []


def test_a_bad_token_is_refused(arranged: dict[str, Any]) -> None:
    assert Caller("unknown").get(f"tables/{arranged['id']}/moves").status == 401
