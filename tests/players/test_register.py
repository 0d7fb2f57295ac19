"""``POST players/register``."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from players.models import Player
from tests.cast import Answer, Caller, guest, play
from tests.players.conftest import PASSWORD
from tests.rest.checks import check_refused, together

ACCOUNT = {"username": "alice", "password": PASSWORD}


def test_it_works(spectator: Caller) -> None:
    answer = spectator.post("players/register", ACCOUNT | {"name": "Alice A."})
    assert answer.status == 201
    assert (answer.body["player"]["name"], answer.body["player"]["username"]) == ("Alice A.", "alice")
    assert Caller(answer.body["token"]).get("players/me").body == answer.body["player"]
    assert spectator.post("players/login", ACCOUNT).status == 200


def test_the_username_becomes_the_name_if_none_is_given(spectator: Caller) -> None:
    assert spectator.post("players/register", ACCOUNT).body["player"]["name"] == "alice"


def test_a_guest_becomes_the_account_and_keeps_seat_and_log(playing: dict[str, Any], alice: Caller) -> None:
    play(playing, alice)
    answer = alice.post("players/register", ACCOUNT)
    assert answer.status == 201
    assert alice.player is not None
    assert (answer.body["player"]["id"], answer.body["player"]["name"]) == (str(alice.player.pk), "Alice")
    account = Caller(answer.body["token"])
    table = account.get(f"tables/{playing['id']}").body
    assert table["host"] == table["seats"][0]["player"]["id"] == answer.body["player"]["id"]
    assert "invite" in table
    assert account.get(f"tables/{playing['id']}/moves").body[0]["seat"] == 0
    assert alice.get("players/me").body["username"] == "alice"


def test_an_account_cannot_register_again(dora: Caller) -> None:
    check_refused(lambda: dora.post("players/register", ACCOUNT), 409, "already_registered")


def test_a_retry_after_a_lost_answer_gets_another_token(alice: Caller) -> None:
    first = alice.post("players/register", ACCOUNT)
    again = alice.post("players/register", ACCOUNT | {"username": "ALICE"})
    assert (first.status, again.status) == (201, 200)
    assert again.body["player"] == first.body["player"]
    assert again.body["token"] != first.body["token"]
    assert Caller(again.body["token"]).get("players/me").status == 200


@pytest.mark.parametrize("wrong", [{"username": "carol"}, {"password": "trains-and-tiles"}])
def test_an_account_with_other_credentials_is_refused(alice: Caller, wrong: dict[str, str]) -> None:
    alice.post("players/register", ACCOUNT)
    check_refused(lambda: alice.post("players/register", ACCOUNT | wrong), 409, "already_registered")


def test_without_a_token_the_username_is_taken_even_with_its_password(dora: Caller, spectator: Caller) -> None:
    body = {"username": "dora", "password": PASSWORD}
    check_refused(lambda: spectator.post("players/register", body), 400, "invalid", "username")


@pytest.mark.parametrize("who", ["spectator", "bob"])
def test_the_username_is_taken(dora: Caller, who: str, request: pytest.FixtureRequest) -> None:
    caller: Caller = request.getfixturevalue(who)
    body = {"username": "dora", "password": PASSWORD}
    answer = check_refused(lambda: caller.post("players/register", body), 400, "invalid", "username")
    assert answer.body["errors"][0]["code"] == "username_taken"


@pytest.mark.parametrize("username", ["", "two words", "x" * 61, "a\0b", None, ["alice"], "<b>"])
def test_an_invalid_username_is_refused(spectator: Caller, username: object) -> None:
    body = ACCOUNT | {"username": username}
    check_refused(lambda: spectator.post("players/register", body), 400, "invalid", "username")


@pytest.mark.parametrize("username", ["admin", "Admin", "demonstration", "DEMONSTRATION", "\uff41dmin"])
def test_the_servers_own_usernames_are_reserved(spectator: Caller, alice: Caller, username: str) -> None:
    body = ACCOUNT | {"username": username}
    for caller in (spectator, alice):
        answer = check_refused(partial(caller.post, "players/register", body), 400, "invalid", "username")
        assert answer.body["errors"][0]["code"] == "username_reserved"


@pytest.mark.parametrize("password", ["", "short", "password", "1234567890123", "x" * 129, None, ["secret-secret"]])
def test_an_invalid_password_is_refused(spectator: Caller, password: object) -> None:
    body = ACCOUNT | {"password": password}
    check_refused(lambda: spectator.post("players/register", body), 400, "invalid", "password")


@pytest.mark.django_db(transaction=True)
def test_two_registrations_at_once_with_one_username() -> None:
    def ask() -> Answer:
        return Caller().post("players/register", ACCOUNT)

    answers = together(*[ask] * 4)
    assert sorted(answer.status for answer in answers) == [201, 400, 400, 400]
    lost = next(answer for answer in answers if answer.status == 400)
    assert [error["field"] for error in lost.body["errors"]] == ["username"]
    assert Player.objects.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("names", [["alice"] * 4, ["alice", "Alice", "carol", "dora"]])
def test_a_guest_who_registers_several_times_at_once_is_one_player(names: list[str]) -> None:
    alice = guest("Alice")

    def ask(username: str) -> Callable[[], Answer]:
        return lambda: alice.post("players/register", ACCOUNT | {"username": username})

    answers = together(*map(ask, names))
    statuses = sorted(answer.status for answer in answers)
    assert statuses.count(201) == 1
    assert set(statuses) <= {200, 201, 409}
    assert (len(set(names)) > 1) == (409 in statuses)
    assert Player.objects.count() == 1
    assert {Caller(each.body["token"]).get("players/me").status for each in answers if each.status < 300} == {200}
