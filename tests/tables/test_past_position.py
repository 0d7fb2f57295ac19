"""``GET tables/{id}/positions/{number}``: each position of a round that is over, with all hands open."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rules.mexican_train.dealing import deal
from rules.mexican_train.log import replay
from rules.mexican_train.notation import laid_tiles, parse_move, train_text
from rules.mexican_train.options import resolve
from rules.mexican_train.state import State, train_names
from rules.mexican_train.view import phase_of
from rules.tiles import tile_texts, tiles_in
from tables.snapshots import tiles_from
from tests.cases import slow_after
from tests.cast import Answer, Caller, open_table, play
from tests.matches import begin, bots, play_match, play_round, step
from tests.rest.checks import check_refused

SHORT = {"set_max_pip": 6, "hand_sizes": {"3": 5}, "rounds": 2}


@pytest.fixture
def table(alice: Caller, bob: Caller) -> dict[str, Any]:
    """The second round of two has been dealt."""
    begun = begin(alice, bob, bots=bots(2), options=SHORT)
    play_round(begun)
    return begun


def look(table: dict[str, Any], caller: Caller, number: int) -> Answer:
    return caller.get(f"tables/{table['id']}/positions/{number}")


def log_of(table: dict[str, Any], caller: Caller, number: int) -> list[dict[str, Any]]:
    """The log of one round."""
    moves = caller.get(f"tables/{table['id']}/moves?limit=500").body
    return [move for move in moves if move["round"] == number]


def last_number(table: dict[str, Any], caller: Caller) -> int:
    last: int = log_of(table, caller, 1)[-1]["number"]
    return last


def replayed(table: dict[str, Any], caller: Caller, number: int) -> Iterator[tuple[dict[str, Any], State]]:
    """Each move of a round with the state after it, computed only from the API's answers about deal and log."""
    opened = caller.get(f"tables/{table['id']}/rounds/{number}/deal").body
    result = caller.get(f"tables/{table['id']}/rounds/{number}").body
    engine = int(opened["engine"].split("-")[0])
    rules = resolve(table["options"])
    dealt = deal(rules, len(opened["hands"]), engine, result["starter"], tiles_from(" ".join(opened["order"])))
    log = log_of(table, caller, number)
    for end, entry in enumerate(log, 1):
        yield entry, replay(dealt, [parse_move(each["move"]) for each in log[:end]])


def expected(table: dict[str, Any], entry: dict[str, Any], state: State) -> dict[str, Any]:
    names = train_names(state.setup.seats)
    return {
        "table": table["id"],
        "number": entry["number"],
        "move": entry["move"],
        "by_seat": entry["seat"],
        "round": entry["round"],
        "turn": None if state.ended else {"seat": state.turn, "phase": phase_of(state)},
        "trains": [
            {
                "train": train_text(name),
                "seat": name if name >= 0 else None,
                "tiles": laid_tiles(train.tiles, state.setup.engine),
                "end": train.end,
                "marker": train.is_marked,
            }
            for name, train in zip(names, state.trains, strict=True)
        ],
        "open_doubles": [train_text(each.train) for each in state.open_doubles],
        "boneyard": tile_texts(state.boneyard),
        "hands": [tile_texts(tiles_in(hand)) for hand in state.hands],
    }


@pytest.mark.parametrize("who", slow_after(1, ["alice", "cleo", "spectator"]))
def test_every_position_is_the_replayed_one(
    table: dict[str, Any], who: str, alice: Caller, request: pytest.FixtureRequest
) -> None:
    caller = request.getfixturevalue(who)
    for entry, state in replayed(table, alice, 1):
        answer = look(table, caller, entry["number"])
        assert (answer.status, answer.body) == (200, expected(table, entry, state))


def test_every_position_of_a_later_round_too(table: dict[str, Any], alice: Caller) -> None:
    play_match(table)
    later = list(replayed(table, alice, 2))
    assert later
    for entry, state in later:
        assert look(table, alice, entry["number"]).body == expected(table, entry, state)


def test_no_tile_is_lost(table: dict[str, Any], alice: Caller) -> None:
    order = set(alice.get(f"tables/{table['id']}/rounds/1/deal").body["order"]) - {"6-6"}
    for entry in log_of(table, alice, 1):
        shown = look(table, alice, entry["number"]).body
        laid = [tile for train in shown["trains"] for tile in train["tiles"]]
        tiles = laid + shown["boneyard"] + [tile for hand in shown["hands"] for tile in hand]
        assert len(tiles) == len(order)
        assert {sorted_text(tile) for tile in tiles} == order


def sorted_text(tile: str) -> str:
    return "-".join(map(str, sorted(map(int, tile.split("-")), reverse=True)))


def test_after_the_last_move_no_seat_has_the_turn(table: dict[str, Any], alice: Caller) -> None:
    last = last_number(table, alice)
    turns = [look(table, alice, number).body["turn"] for number in range(1, last + 1)]
    assert turns[-1] is None
    assert all(turns[:-1])
    result = alice.get(f"tables/{table['id']}/rounds/1").body
    assert look(table, alice, last).body["hands"] == result["hands"]


@pytest.mark.parametrize("who", ["alice", "spectator"])
def test_a_position_of_a_running_round_is_refused(
    table: dict[str, Any], alice: Caller, who: str, request: pytest.FixtureRequest
) -> None:
    caller = request.getfixturevalue(who)
    running = last_number(table, alice) + 1
    check_refused(lambda: look(table, caller, running), 404, "not_found")
    step(table)
    answer = check_refused(lambda: look(table, caller, running), 409, "round_not_over")
    assert answer.body.keys() == {"type", "title", "status", "detail", "code"}


def test_a_position_of_a_cancelled_round_is_refused(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    assert play(table, alice).status == 201
    alice.post(f"tables/{table['id']}/cancel")
    check_refused(lambda: look(table, alice, 1), 409, "round_not_over")


@pytest.mark.parametrize("number", [0, 5000, 2**31 - 1, 2**31, 2**63, 10**30, "-1", "1.5", "one", "", "%00", "1/"])
def test_an_impossible_number_is_not_found(playing: dict[str, Any], alice: Caller, number: int | str) -> None:
    check_refused(lambda: alice.get(f"tables/{playing['id']}/positions/{number}"), 404, "not_found")


def test_a_number_beyond_the_last_move_is_not_found(table: dict[str, Any], alice: Caller) -> None:
    check_refused(lambda: look(table, alice, 5000), 404, "not_found")


def test_an_open_table_has_no_past_positions(alice: Caller) -> None:
    table = open_table(alice)
    check_refused(lambda: look(table, alice, 1), 404, "not_found")


def test_an_unknown_table(alice: Caller) -> None:
    check_refused(lambda: look({"id": uuid4()}, alice, 1), 404, "not_found")


def test_a_hidden_table(alice: Caller, bob: Caller, cleo: Caller, spectator: Caller) -> None:
    table = begin(alice, bob, spectators="none")
    play_round(table)
    assert [look(table, caller, 1).status for caller in (alice, bob)] == [200, 200]
    for caller in (cleo, spectator):
        check_refused(lambda: look(table, caller, 1), 404, "not_found")  # noqa: B023


def queries(table: dict[str, Any], caller: Caller, number: int) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert look(table, caller, number).status == 200
    return len(captured)


def test_the_last_position_takes_as_many_queries_as_the_first(table: dict[str, Any], alice: Caller) -> None:
    last = last_number(table, alice)
    assert {queries(table, alice, number) for number in (1, last // 2, last)} == {queries(table, alice, 1)}
    assert queries(table, alice, 1) <= 8
