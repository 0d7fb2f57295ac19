"""``POST tables/join``."""

from typing import Any

import pytest

from tests.at_once import at_once
from tests.cast import Caller, guest, join, open_table
from tests.matches import begin, play_match
from tests.rest.checks import check_refused


def code_of(table: dict[str, Any]) -> str:
    return str(table["invite"]["code"])


def test_it_works(alice: Caller, bob: Caller) -> None:
    table = open_table(alice)
    answer = bob.post("tables/join", {"invite": code_of(table)})
    assert (answer.status, answer.body["seat"]) == (200, 1)
    assert answer.body["table"] == bob.get(f"tables/{table['id']}").body
    assert answer.body["table"]["invite"] == table["invite"]
    assert answer.body["table"]["seats"][1]["player"]["name"] == "Bob"
    assert answer.body["table"]["version"] == table["version"] + 1


def test_a_player_may_choose_the_seat(alice: Caller, bob: Caller) -> None:
    table = open_table(alice)
    answer = bob.post("tables/join", {"invite": code_of(table), "seat": 3})
    assert (answer.status, answer.body["seat"]) == (200, 3)


@pytest.mark.parametrize("seat", [{}, {"seat": 2}, {"seat": 0}, {"seat": 11}])
def test_joining_again_returns_the_same_seat(alice: Caller, bob: Caller, seat: dict[str, int]) -> None:
    table = open_table(alice)
    join(table, bob)
    before = bob.get(f"tables/{table['id']}").body
    answer = bob.post("tables/join", {"invite": code_of(table)} | seat)
    assert (answer.status, answer.body["seat"], answer.body["table"]) == (200, 1, before)


def test_a_code_in_two_halves_is_accepted(alice: Caller, bob: Caller) -> None:
    table = open_table(alice)
    assert bob.post("tables/join", {"invite": f" {code_of(table).lower()} "}).status == 200


@pytest.mark.parametrize(
    "link", ["{url}", " {url}/ ", "{url}?from=mail#sit", "https://app.example.org/?join={code}", "tiles://table/{code}"]
)
def test_a_link_is_accepted(alice: Caller, bob: Caller, cleo: Caller, link: str) -> None:
    table = open_table(alice)
    invite = link.format(**table["invite"])
    assert bob.post("tables/join", {"invite": invite}).body["seat"] == 1
    assert cleo.post(f"tables/{table['id']}/seats", {"invite": invite}).body["seat"] == 2


def test_an_invite_opens_a_hidden_table(alice: Caller, bob: Caller) -> None:
    table = open_table(alice, spectators="none")
    join(table, bob)
    assert bob.get(f"tables/{table['id']}").status == 200


def test_a_host_without_a_seat_may_sit_down(alice: Caller) -> None:
    table = open_table(alice, host_seat=None)
    assert alice.post("tables/join", {"invite": code_of(table)}).body["seat"] == 0


def test_a_seat_in_a_match_is_taken_back(playing: dict[str, Any], bob: Caller) -> None:
    bob.delete(f"tables/{playing['id']}/seats/1")
    answer = bob.post("tables/join", {"invite": code_of(playing)})
    assert (answer.status, answer.body["seat"]) == (200, 1)
    assert answer.body["table"]["seats"][1]["away"] is False


def test_a_spectator_cannot_sit_down(alice: Caller, spectator: Caller) -> None:
    body = {"invite": code_of(open_table(alice))}
    check_refused(lambda: spectator.post("tables/join", body), 401, "not_authenticated")


@pytest.mark.parametrize(
    "invite", ["NOSUCHCODE", "x", "https://x.org/join/", "https://x.org/NOSUCHCODE", "ß" * 32, "' or 1=1 --"]
)
def test_an_unknown_invite_is_refused(alice: Caller, bob: Caller, invite: str) -> None:
    open_table(alice)
    check_refused(lambda: bob.post("tables/join", {"invite": invite}), 404, "unknown_invite")


def test_the_id_of_a_table_is_not_an_invite(alice: Caller, bob: Caller) -> None:
    table = open_table(alice)
    check_refused(lambda: bob.post("tables/join", {"invite": table["id"][:32]}), 404, "unknown_invite")


def test_a_taken_seat_is_refused(alice: Caller, bob: Caller) -> None:
    body = {"invite": code_of(open_table(alice)), "seat": 0}
    check_refused(lambda: bob.post("tables/join", body), 409, "seat_taken")


def test_the_seat_of_a_bot_is_refused(alice: Caller, bob: Caller) -> None:
    body = {"invite": code_of(open_table(alice, bots=[{"seat": 1, "level": "easy"}])), "seat": 1}
    check_refused(lambda: bob.post("tables/join", body), 409, "seat_taken")


def test_a_seat_that_does_not_exist_is_refused(alice: Caller, bob: Caller) -> None:
    body = {"invite": code_of(open_table(alice)), "seat": 4}
    check_refused(lambda: bob.post("tables/join", body), 404, "no_such_seat")


def test_a_full_table_is_refused(two_seats: dict[str, Any], cleo: Caller) -> None:
    check_refused(lambda: cleo.post("tables/join", {"invite": code_of(two_seats)}), 409, "table_full")


def test_a_running_match_is_refused(playing: dict[str, Any], cleo: Caller) -> None:
    check_refused(lambda: cleo.post("tables/join", {"invite": code_of(playing)}), 409, "table_playing")


def test_a_finished_match_is_refused(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = begin(alice, bob)
    play_match(table)
    check_refused(lambda: cleo.post("tables/join", {"invite": code_of(table)}), 409, "table_finished")


def test_a_cancelled_table_is_refused(two_seats: dict[str, Any], alice: Caller, cleo: Caller) -> None:
    alice.post(f"tables/{two_seats['id']}/cancel")
    check_refused(lambda: cleo.post("tables/join", {"invite": code_of(two_seats)}), 409, "table_cancelled")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "invite"),
        ({"invite": None}, "invite"),
        ({"invite": ""}, "invite"),
        ({"invite": "x" * 501}, "invite"),
        ({"invite": "a\0b"}, "invite"),
        ({"invite": ["x"]}, "invite"),
        ({"invite": "x", "seat": -1}, "seat"),
        ({"invite": "x", "seat": "window"}, "seat"),
        ({"invite": "x", "seat": 10**30}, "seat"),
        ({"invite": "x", "seat": None}, "seat"),
    ],
)
def test_a_wrong_field_is_named(bob: Caller, body: dict[str, Any], field: str) -> None:
    check_refused(lambda: bob.post("tables/join", body), 400, "invalid", field)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seat", [{}, {"seat": 1}])
def test_of_two_players_who_want_the_last_seat_one_gets_it(seat: dict[str, int]) -> None:
    alice, bob, cleo = guest("Alice"), guest("Bob"), guest("Cleo")
    table = open_table(alice, seats=2)
    body = {"invite": code_of(table)} | seat
    won, lost = at_once(table, *[lambda who=who: who.post("tables/join", body) for who in (bob, cleo)])
    assert (won.status, won.body["seat"]) == (200, 1)
    assert (lost.status, lost.body["code"]) == (409, "seat_taken" if seat else "table_full")
    assert alice.get(f"tables/{table['id']}").body["seats"][1]["player"]["name"] == "Bob"


@pytest.mark.django_db(transaction=True)
def test_one_player_joins_twice_at_once() -> None:
    alice, bob = guest("Alice"), guest("Bob")
    table = open_table(alice)
    answers = at_once(table, *[lambda: bob.post("tables/join", {"invite": code_of(table)})] * 2)
    assert [(answer.status, answer.body["seat"]) for answer in answers] == [(200, 1)] * 2
    seats = alice.get(f"tables/{table['id']}").body["seats"]
    assert [seat["player"] and seat["player"]["name"] for seat in seats] == ["Alice", "Bob", None, None]


@pytest.mark.django_db(transaction=True)
def test_somebody_joins_while_the_match_starts() -> None:
    alice, bob, cleo = guest("Alice"), guest("Bob"), guest("Cleo")
    table = open_table(alice, seats=2)
    join(table, bob)
    started, joined = at_once(
        table,
        lambda: alice.post(f"tables/{table['id']}/start"),
        lambda: cleo.post("tables/join", {"invite": code_of(table)}),
    )
    assert (started.status, joined.status, joined.body["code"]) == (200, 409, "table_playing")
