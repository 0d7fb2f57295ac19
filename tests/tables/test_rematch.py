"""``POST tables/{id}/rematch``."""

from typing import Any

import pytest

from tables.models import Event, Table
from tests.at_once import at_once
from tests.cast import Caller, guest, open_table
from tests.matches import SMALL, begin, play_match
from tests.rest.checks import check_refused, nothing_changes

OTTO = [{"seat": 2, "level": "easy"}]
KEPT = ("name", "preset", "options", "visibility", "spectators", "turn_seconds", "on_timeout", "auto_pass")


@pytest.fixture
def finished(alice: Caller, bob: Caller) -> dict[str, Any]:
    table = begin(alice, bob, bots=OTTO, name="Friday", visibility="public", turn_seconds=60)
    play_match(table)
    return table


def seated(table: dict[str, Any]) -> list[str]:
    return [seat["player"] and seat["player"]["id"] for seat in table["seats"]]


def test_it_works(finished: dict[str, Any], bob: Caller) -> None:
    before = bob.get(f"tables/{finished['id']}").body
    answer = bob.post(f"tables/{finished['id']}/rematch")
    assert (answer.status, answer.body["status"]) == (201, "open")
    assert answer.headers["Location"] == f"/api/v1/tables/{answer.body['id']}"
    assert {name: answer.body[name] for name in KEPT} == {name: before[name] for name in KEPT}
    assert seated(answer.body) == seated(before)
    assert [seat["total"] for seat in answer.body["seats"]] == [0, 0, 0]
    assert answer.body["invite"]["code"] != before["invite"]["code"]
    assert bob.player is not None
    assert answer.body["host"] == str(bob.player.pk)
    after = bob.get(f"tables/{finished['id']}").body
    assert after["next_table"] == answer.body["id"]
    assert after["version"] > before["version"]


def test_the_previous_table_sends_an_event(finished: dict[str, Any], bob: Caller) -> None:
    following = bob.post(f"tables/{finished['id']}/rematch").body
    event = Event.objects.get(table=following["id"])
    assert (event.version, event.kind, event.data["changed"]) == (1, "table", ["status"])


def test_a_rematch_can_be_played(finished: dict[str, Any], bob: Caller) -> None:
    table = bob.post(f"tables/{finished['id']}/rematch").body
    assert bob.post(f"tables/{table['id']}/start").status == 200
    play_match(table)
    assert bob.get(f"tables/{table['id']}").body["status"] == "finished"


@pytest.mark.parametrize("who", ["alice", "bob"])
def test_a_repeated_call_returns_the_same_table(
    finished: dict[str, Any], alice: Caller, who: str, request: pytest.FixtureRequest
) -> None:
    first = alice.post(f"tables/{finished['id']}/rematch")
    with nothing_changes():
        again = request.getfixturevalue(who).post(f"tables/{finished['id']}/rematch")
    assert (again.status, again.body) == (200, first.body)


def test_the_seat_of_a_deleted_player_is_free(finished: dict[str, Any], alice: Caller, bob: Caller) -> None:
    alice.delete("players/me")
    assert seated(bob.post(f"tables/{finished['id']}/rematch").body)[0] is None


@pytest.mark.parametrize(
    ("who", "status", "code"), [("cleo", 403, "not_seated"), ("spectator", 401, "not_authenticated")]
)
def test_only_players_of_the_match_may_ask(
    finished: dict[str, Any], who: str, status: int, code: str, request: pytest.FixtureRequest
) -> None:
    caller: Caller = request.getfixturevalue(who)
    check_refused(lambda: caller.post(f"tables/{finished['id']}/rematch"), status, code)


@pytest.mark.parametrize(("stage", "code"), [("two_seats", "table_open"), ("playing", "table_playing")])
def test_a_rematch_before_the_end_is_refused(
    stage: str, code: str, alice: Caller, request: pytest.FixtureRequest
) -> None:
    table = request.getfixturevalue(stage)
    check_refused(lambda: alice.post(f"tables/{table['id']}/rematch"), 409, code)


def test_a_rematch_of_a_cancelled_table_is_refused(alice: Caller) -> None:
    table = open_table(alice)
    alice.post(f"tables/{table['id']}/cancel")
    check_refused(lambda: alice.post(f"tables/{table['id']}/rematch"), 409, "table_cancelled")


@pytest.mark.django_db(transaction=True)
def test_two_calls_at_once_get_one_table() -> None:
    alice, bob = guest("Alice"), guest("Bob")
    table = begin(alice, bob, options=SMALL | {"rounds": 1})
    play_match(table)
    first, again = at_once(table, *[lambda who=who: who.post(f"tables/{table['id']}/rematch") for who in (alice, bob)])
    assert (first.status, again.status) == (201, 200)
    assert first.body == again.body
    assert Table.objects.count() == 2
