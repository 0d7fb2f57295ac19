"""``GET tables/{id}/rounds`` and ``…/rounds/{n}``."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tables import snapshots
from tests.cast import Caller
from tests.matches import begin, play_match, play_round


@pytest.fixture
def table(alice: Caller, bob: Caller) -> dict[str, Any]:
    return begin(alice, bob)


def test_it_works(table: dict[str, Any], alice: Caller) -> None:
    play_round(table)
    (result,) = alice.get(f"tables/{table['id']}/rounds").body
    assert set(result) == {"number", "engine", "starter", "ended", "out", "points", "totals", "hands", "forfeited"}
    assert (result["number"], result["engine"], result["starter"]) == (1, "6-6", 0)
    assert result["ended"] in {"out", "blocked"}
    left = [[snapshots.TILE_FROM_TEXT[text] for text in hand] for hand in result["hands"]]
    assert result["points"] == result["totals"] == [sum(tile.pips for tile in hand) for hand in left]
    assert result["out"] == (left.index([]) if result["ended"] == "out" else None)
    assert all(hand == sorted(hand) for hand in left)


def test_before_the_end_the_list_is_empty(table: dict[str, Any], alice: Caller) -> None:
    assert alice.get(f"tables/{table['id']}/rounds").body == []
    answer = alice.get(f"tables/{table['id']}/rounds/1")
    assert (answer.status, answer.body["code"]) == (409, "round_not_over")


def test_the_list_is_in_order_and_totals_carry_over(table: dict[str, Any], spectator: Caller) -> None:
    play_match(table)
    first, second = spectator.get(f"tables/{table['id']}/rounds").body
    assert [first["number"], second["number"]] == [1, 2]
    assert (second["engine"], second["starter"]) == ("5-5", 1)
    assert second["totals"] == [one + two for one, two in zip(first["points"], second["points"], strict=True)]
    for result in (first, second):
        assert spectator.get(f"tables/{table['id']}/rounds/{result['number']}").body == result


@pytest.mark.parametrize("number", ["0", "2", "3", "99999999999999999999"])
def test_a_round_that_was_not_dealt_does_not_exist(table: dict[str, Any], alice: Caller, number: str) -> None:
    answer = alice.get(f"tables/{table['id']}/rounds/{number}")
    assert (answer.status, answer.body["code"]) == (404, "not_found")


def test_a_table_that_has_not_started_has_no_round(two_seats: dict[str, Any], alice: Caller) -> None:
    assert alice.get(f"tables/{two_seats['id']}/rounds").body == []
    assert alice.get(f"tables/{two_seats['id']}/rounds/1").status == 404


def test_a_cancelled_round_has_no_result(table: dict[str, Any], alice: Caller) -> None:
    alice.post(f"tables/{table['id']}/cancel")
    assert alice.get(f"tables/{table['id']}/rounds").body == []
    assert alice.get(f"tables/{table['id']}/rounds/1").status == 409


def test_a_hidden_table_does_not_exist_for_others(alice: Caller, bob: Caller, cleo: Caller, spectator: Caller) -> None:
    table = begin(alice, bob, spectators="none")
    play_match(table)
    for page in ("rounds", "rounds/1"):
        assert alice.get(f"tables/{table['id']}/{page}").status == 200
        for caller in (cleo, spectator):
            assert caller.get(f"tables/{table['id']}/{page}").status == 404


def test_the_list_takes_a_constant_number_of_statements(table: dict[str, Any], alice: Caller) -> None:
    with CaptureQueriesContext(connection) as few:
        alice.get(f"tables/{table['id']}/rounds")
    play_match(table)
    with CaptureQueriesContext(connection) as many:
        alice.get(f"tables/{table['id']}/rounds")
    assert len(few) == len(many) <= 6
