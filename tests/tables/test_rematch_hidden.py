"""A rematch without spectators, requested again by a player who has left it."""

from typing import Any

import pytest

from tests.cast import Caller
from tests.matches import begin, play_match
from tests.rest.checks import check_refused


@pytest.fixture
def hidden(alice: Caller, bob: Caller) -> dict[str, Any]:
    """Alice's finished table with Bob, without spectators."""
    table = begin(alice, bob, spectators="none")
    play_match(table)
    return table


def test_a_player_who_sits_there_gets_the_table(hidden: dict[str, Any], alice: Caller, bob: Caller) -> None:
    opened = alice.post(f"tables/{hidden['id']}/rematch")
    assert opened.status == 201
    again = bob.post(f"tables/{hidden['id']}/rematch")
    assert (again.status, again.body["id"]) == (200, opened.body["id"])


def test_a_player_who_left_the_open_table_sits_there_again(hidden: dict[str, Any], alice: Caller, bob: Caller) -> None:
    following = alice.post(f"tables/{hidden['id']}/rematch").body
    assert bob.delete(f"tables/{following['id']}/seats/1").status == 204
    answer = bob.post(f"tables/{hidden['id']}/rematch")
    assert (answer.status, answer.body["id"]) == (200, following["id"])
    assert answer.body["seats"][1]["player"]["name"] == "Bob"


def test_a_full_table_does_not_exist_for_a_player_who_left(hidden: dict[str, Any], alice: Caller, bob: Caller) -> None:
    following = alice.post(f"tables/{hidden['id']}/rematch").body
    assert bob.delete(f"tables/{following['id']}/seats/1").status == 204
    assert alice.put(f"tables/{following['id']}/seats/1/bot", {"level": "easy"}).status == 200
    answer = check_refused(lambda: bob.post(f"tables/{hidden['id']}/rematch"), 404, "not_found")
    assert following["invite"]["code"] not in answer.text
    assert following["id"] not in answer.text


def test_a_removed_player_gets_removed_by_host(hidden: dict[str, Any], alice: Caller, bob: Caller) -> None:
    following = alice.post(f"tables/{hidden['id']}/rematch").body
    alice.delete(f"tables/{following['id']}/seats/1")
    answer = check_refused(lambda: bob.post(f"tables/{hidden['id']}/rematch"), 403, "removed_by_host")
    assert following["invite"]["code"] not in answer.text
    assert following["id"] not in answer.text


def test_a_full_table_with_spectators_is_returned(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    play_match(table)
    following = alice.post(f"tables/{table['id']}/rematch").body
    bob.delete(f"tables/{following['id']}/seats/1")
    alice.put(f"tables/{following['id']}/seats/1/bot", {"level": "easy"})
    answer = bob.post(f"tables/{table['id']}/rematch")
    assert (answer.status, answer.body["id"]) == (200, following["id"])
    assert "invite" not in answer.body
