"""``PUT tables/{id}/seats/{n}/bot``."""

from typing import Any

import pytest

from tests.cast import Caller, join, open_table, start
from tests.rest.checks import check_refused


def test_it_works(alice: Caller) -> None:
    table = open_table(alice)
    answer = alice.put(f"tables/{table['id']}/seats/2/bot", {"level": "easy"})
    assert answer.status == 200
    otto = answer.body["seats"][2]["player"]
    assert (otto["name"], otto["kind"], otto["level"]) == ("Otto", "bot", "easy")
    assert answer.body == alice.get(f"tables/{table['id']}").body


def test_a_repeated_call_keeps_the_bot(alice: Caller) -> None:
    table = open_table(alice)
    first = alice.put(f"tables/{table['id']}/seats/2/bot", {"level": "easy"})
    again = alice.put(f"tables/{table['id']}/seats/2/bot", {"level": "easy"})
    assert (again.status, again.body["seats"]) == (200, first.body["seats"])


def test_another_level_replaces_the_bot(alice: Caller) -> None:
    table = open_table(alice, bots=[{"seat": 1, "level": "easy"}])
    answer = alice.put(f"tables/{table['id']}/seats/1/bot", {"level": "random"})
    assert answer.body["seats"][1]["player"]["level"] == "random"


def test_the_bots_at_a_table_are_different_players(alice: Caller) -> None:
    table = open_table(alice, seats=8)
    for seat in range(1, 8):
        table = alice.put(f"tables/{table['id']}/seats/{seat}/bot", {"level": "easy"}).body
    assert len({seat["player"]["id"] for seat in table["seats"]}) == 8
    assert alice.post(f"tables/{table['id']}/start").status == 200


@pytest.mark.parametrize(
    ("who", "status", "code"),
    [("bob", 403, "not_host"), ("cleo", 403, "not_host"), ("spectator", 401, "not_authenticated")],
)
def test_only_the_host_may_seat_a_bot(
    alice: Caller, bob: Caller, who: str, status: int, code: str, request: pytest.FixtureRequest
) -> None:
    table, caller = open_table(alice), request.getfixturevalue(who)
    join(table, bob)
    check_refused(lambda: caller.put(f"tables/{table['id']}/seats/2/bot", {"level": "easy"}), status, code)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_persons_seat_is_refused(two_seats: dict[str, Any], alice: Caller, seat: int) -> None:
    path = f"tables/{two_seats['id']}/seats/{seat}/bot"
    check_refused(lambda: alice.put(path, {"level": "easy"}), 409, "seat_taken")


def test_a_seat_that_does_not_exist_is_refused(two_seats: dict[str, Any], alice: Caller) -> None:
    path = f"tables/{two_seats['id']}/seats/2/bot"
    check_refused(lambda: alice.put(path, {"level": "easy"}), 404, "no_such_seat")


def test_a_cancelled_table_is_refused(alice: Caller) -> None:
    table = open_table(alice)
    alice.post(f"tables/{table['id']}/cancel")
    path = f"tables/{table['id']}/seats/1/bot"
    check_refused(lambda: alice.put(path, {"level": "easy"}), 409, "table_cancelled")


@pytest.mark.parametrize("body", [{}, {"level": "genius"}, {"level": None}, {"level": ["easy"]}, {"level": ""}])
def test_an_unknown_level_is_refused(alice: Caller, body: dict[str, Any]) -> None:
    path = f"tables/{open_table(alice)['id']}/seats/1/bot"
    check_refused(lambda: alice.put(path, body), 400, "invalid", "level")


def test_a_bots_seat_in_a_match_may_change_its_level(alice: Caller) -> None:
    table = open_table(alice, seats=2, bots=[{"seat": 1, "level": "easy"}])
    start(table, alice)
    answer = alice.put(f"tables/{table['id']}/seats/1/bot", {"level": "random"})
    assert (answer.status, answer.body["seats"][1]["player"]["level"]) == (200, "random")
