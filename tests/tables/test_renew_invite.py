"""``POST tables/{id}/invite``."""

from typing import Any

import pytest
from django.test import Client

from tables.models import Table
from tests.cast import Caller, join, open_table
from tests.matches import begin, play_match
from tests.rest.checks import check_problem, check_refused


def renew(table: dict[str, Any], caller: Caller) -> str:
    answer = caller.post(f"tables/{table['id']}/invite")
    assert answer.status == 200, answer.text
    code: str = answer.body["invite"]["code"]
    return code


def test_it_works(two_seats: dict[str, Any], alice: Caller, bob: Caller) -> None:
    answer = alice.post(f"tables/{two_seats['id']}/invite")
    assert answer.status == 200
    assert answer.body["invite"]["code"] != two_seats["invite"]["code"]
    assert answer.body["invite"]["url"].endswith(answer.body["invite"]["code"])
    for caller in (alice, bob):
        shown = caller.get(f"tables/{two_seats['id']}").body
        assert shown == answer.body
    assert [seat["player"]["name"] for seat in answer.body["seats"]] == ["Alice", "Bob"]


def test_a_removed_player_cannot_join_with_the_old_invite(
    two_seats: dict[str, Any], alice: Caller, bob: Caller, cleo: Caller
) -> None:
    old = two_seats["invite"]["code"]
    assert alice.delete(f"tables/{two_seats['id']}/seats/1").status == 204
    new = renew(two_seats, alice)
    check_refused(lambda: bob.post("tables/join", {"invite": old}), 404, "unknown_invite")
    seats = f"tables/{two_seats['id']}/seats"
    check_refused(lambda: bob.post(seats, {"invite": old}), 403, "invite_needed")
    assert Client().get(f"/join/{old}").status_code == 404
    assert "invite" not in bob.get(f"tables/{two_seats['id']}").body
    assert Client().get(f"/join/{new}").status_code == 200
    assert cleo.post("tables/join", {"invite": new.lower()}).body["seat"] == 1


def test_every_call_gives_another_code(alice: Caller) -> None:
    table = open_table(alice)
    codes = {table["invite"]["code"], renew(table, alice), renew(table, alice)}
    assert len(codes) == 3


def test_the_event_does_not_contain_the_new_code(two_seats: dict[str, Any], alice: Caller) -> None:
    before = Table.objects.get().version
    code = renew(two_seats, alice)
    row = Table.objects.get()
    assert row.version == before + 1
    event = row.events.get(version=row.version)
    assert (event.kind, event.data["changed"]) == ("table", ["invite"])
    assert code not in str(event.data)


@pytest.mark.parametrize(
    ("who", "status", "code"),
    [("bob", 403, "not_host"), ("cleo", 403, "not_host"), ("spectator", 401, "not_authenticated")],
)
def test_only_the_host_may_renew_the_invite(
    two_seats: dict[str, Any], who: str, status: int, code: str, request: pytest.FixtureRequest
) -> None:
    caller = request.getfixturevalue(who)
    check_refused(lambda: caller.post(f"tables/{two_seats['id']}/invite"), status, code)


def test_a_hidden_table_does_not_exist_for_others(alice: Caller, cleo: Caller) -> None:
    table = open_table(alice, spectators="none")
    check_refused(lambda: cleo.post(f"tables/{table['id']}/invite"), 404, "not_found")
    check_problem(alice.post("tables/0b9ad7ac-1f7f-4f5b-9b37-6b8d0a3d2c11/invite"), 404, "not_found")


def test_a_running_match_is_refused(playing: dict[str, Any], alice: Caller) -> None:
    check_refused(lambda: alice.post(f"tables/{playing['id']}/invite"), 409, "table_playing")


def test_a_finished_match_is_refused(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    play_match(table)
    check_refused(lambda: alice.post(f"tables/{table['id']}/invite"), 409, "table_finished")
    cancelled = open_table(alice, seats=2)
    join(cancelled, bob)
    alice.post(f"tables/{cancelled['id']}/cancel")
    check_refused(lambda: alice.post(f"tables/{cancelled['id']}/invite"), 409, "table_cancelled")


def test_a_repeated_call_with_the_same_key_returns_the_same_code(alice: Caller) -> None:
    table = open_table(alice)
    answers = [alice.post(f"tables/{table['id']}/invite", None, Idempotency_Key="another") for _ in range(2)]
    assert answers[0].body["invite"] == answers[1].body["invite"] != table["invite"]
