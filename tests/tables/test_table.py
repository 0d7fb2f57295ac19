"""``GET tables/{id}``."""

from typing import Any
from uuid import uuid4

import pytest

from tests.cast import Caller, open_table, play
from tests.matches import begin, play_match
from tests.rest.checks import check_refused


@pytest.fixture
def hidden(alice: Caller, bob: Caller) -> dict[str, Any]:
    """A table being played that outsiders may not see."""
    return begin(alice, bob, spectators="none")


def test_it_works(two_seats: dict[str, Any], alice: Caller, bob: Caller) -> None:
    table = alice.get(f"tables/{two_seats['id']}")
    assert table.status == 200
    assert [seat["player"]["name"] for seat in table.body["seats"]] == ["Alice", "Bob"]
    assert table.body["invite"] == two_seats["invite"]
    assert bob.get(f"tables/{two_seats['id']}").body == table.body


def test_outsiders_see_a_private_table_without_its_invite(
    two_seats: dict[str, Any], alice: Caller, cleo: Caller, spectator: Caller
) -> None:
    shown = alice.get(f"tables/{two_seats['id']}").body
    code = shown.pop("invite")["code"]
    for outsider in (cleo, spectator):
        answer = outsider.get(f"tables/{two_seats['id']}")
        assert answer.body == shown
        assert code not in answer.text


def test_a_running_table_has_turn_counts_and_totals(playing: dict[str, Any], alice: Caller) -> None:
    before = alice.get(f"tables/{playing['id']}").body
    assert (before["status"], [seat["tile_count"] for seat in before["seats"]]) == ("playing", [15, 15])
    play(playing, alice)
    after = alice.get(f"tables/{playing['id']}").body
    assert after["version"] > before["version"]
    assert after["seats"][0]["tile_count"] in {14, 16}


def test_a_finished_table_has_its_winners(alice: Caller, bob: Caller, spectator: Caller) -> None:
    table = begin(alice, bob)
    play_match(table)
    after = spectator.get(f"tables/{table['id']}").body
    totals = [seat["total"] for seat in after["seats"]]
    assert (after["status"], after["rounds_played"], after["ended_reason"]) == ("finished", 2, "played")
    assert after["winners"] == [seat for seat, total in enumerate(totals) if total == min(totals)]


@pytest.mark.parametrize("who", ["cleo", "spectator"])
def test_a_hidden_table_does_not_exist_for_outsiders(
    hidden: dict[str, Any], who: str, request: pytest.FixtureRequest
) -> None:
    outsider: Caller = request.getfixturevalue(who)
    unknown = outsider.get(f"tables/{uuid4()}")
    answer = check_refused(lambda: outsider.get(f"tables/{hidden['id']}"), 404, "not_found")
    assert answer.body == unknown.body


def test_an_id_may_be_written_in_upper_case(two_seats: dict[str, Any], alice: Caller) -> None:
    assert alice.get(f"tables/{two_seats['id'].upper()}").body == alice.get(f"tables/{two_seats['id']}").body
    assert alice.get(f"players/{two_seats['host'].upper()}").body["id"] == two_seats["host"]


GETS = ("", "/position", "/moves", "/rounds", "/rounds/1", "/rounds/1/deal", "/rounds/9")
CHANGES: list[tuple[str, str, Any]] = [
    ("PATCH", "", {"name": "Mine"}),
    ("POST", "/seats", {}),
    ("POST", "/seats", {"invite": "WRONG"}),
    ("DELETE", "/seats/0", None),
    ("DELETE", "/seats/9", None),
    ("PUT", "/seats/0/bot", {"level": "easy"}),
    ("PUT", "/seats/9/bot", {"level": "easy"}),
    ("POST", "/start", None),
    ("POST", "/cancel", None),
    ("POST", "/rematch", None),
    ("POST", "/moves", {"move": "draw", "number": 1}),
    ("PUT", "/client-seed", {"seed": "mine"}),
]


@pytest.mark.parametrize(("method", "call", "body"), [("GET", call, None) for call in GETS] + CHANGES)
def test_a_hidden_and_an_unknown_table_have_the_same_refusal(
    hidden: dict[str, Any], cleo: Caller, method: str, call: str, body: Any
) -> None:
    unknown = cleo.ask(method, f"tables/{uuid4()}{call}", body)
    answer = check_refused(lambda: cleo.ask(method, f"tables/{hidden['id']}{call}", body), 404, "not_found")
    assert answer.body == unknown.body


@pytest.mark.parametrize("call", GETS[:4])
def test_members_see_a_hidden_table(hidden: dict[str, Any], alice: Caller, bob: Caller, call: str) -> None:
    for member in (alice, bob):
        assert member.get(f"tables/{hidden['id']}{call}").status == 200


def test_a_host_who_does_not_play_sees_a_hidden_table(alice: Caller) -> None:
    table = open_table(alice, host_seat=None, spectators="none")
    assert alice.get(f"tables/{table['id']}").body == table


@pytest.mark.parametrize("table_id", ["7", "not-a-uuid", "0" * 32, "%00", "a" * 5000])
def test_an_invalid_id_is_not_found(alice: Caller, table_id: str) -> None:
    check_refused(lambda: alice.get(f"tables/{table_id}"), 404, "not_found")


def test_a_bad_token_is_refused(two_seats: dict[str, Any]) -> None:
    check_refused(lambda: Caller("nonsense").get(f"tables/{two_seats['id']}"), 401, "bad_token")
