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


def test_the_username_is_the_name_of_whoever_gives_none(spectator: Caller) -> None:
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


def test_an_account_makes_another(dora: Caller) -> None:
    answer = dora.post("players/register", ACCOUNT)
    assert answer.status == 201
    assert answer.body["player"]["id"] != dora.get("players/me").body["id"]
    assert dora.get("players/me").body["username"] == "dora"


@pytest.mark.parametrize("who", ["spectator", "bob"])
def test_the_username_is_taken(dora: Caller, who: str, request: pytest.FixtureRequest) -> None:
    caller: Caller = request.getfixturevalue(who)
    body = {"username": "dora", "password": PASSWORD}
    answer = check_refused(lambda: caller.post("players/register", body), 400, "invalid", "username")
    assert answer.body["errors"][0]["code"] == "username_taken"


@pytest.mark.parametrize("username", ["", "two words", "x" * 61, "a\0b", None, ["alice"], "<b>"])
def test_not_a_username(spectator: Caller, username: object) -> None:
    body = ACCOUNT | {"username": username}
    check_refused(lambda: spectator.post("players/register", body), 400, "invalid", "username")


@pytest.mark.parametrize("username", ["admin", "Admin", "demonstration", "DEMONSTRATION", "\uff41dmin"])
def test_the_servers_own_accounts_are_nobodys(spectator: Caller, alice: Caller, username: str) -> None:
    body = ACCOUNT | {"username": username}
    for caller in (spectator, alice):
        answer = check_refused(partial(caller.post, "players/register", body), 400, "invalid", "username")
        assert answer.body["errors"][0]["code"] == "username_reserved"


@pytest.mark.parametrize("password", ["", "short", "password", "1234567890123", "x" * 129, None, ["secret-secret"]])
def test_not_a_password(spectator: Caller, password: object) -> None:
    body = ACCOUNT | {"password": password}
    check_refused(lambda: spectator.post("players/register", body), 400, "invalid", "password")


@pytest.mark.django_db(transaction=True)
def test_two_at_once_want_one_username() -> None:
    def ask() -> Answer:
        return Caller().post("players/register", ACCOUNT)

    answers = together(*[ask] * 4)
    assert sorted(answer.status for answer in answers) == [201, 400, 400, 400]
    lost = next(answer for answer in answers if answer.status == 400)
    assert [error["field"] for error in lost.body["errors"]] == ["username"]
    assert Player.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_one_guest_registers_often_at_once_and_no_account_is_lost() -> None:
    alice = guest("Alice")
    wanted = [f"alice{at}" for at in range(6)]

    def ask(username: str) -> Callable[[], Answer]:
        return lambda: alice.post("players/register", ACCOUNT | {"username": username})

    answers = together(*map(ask, wanted))
    assert [answer.status for answer in answers] == [201] * 6
    assert list(Player.objects.order_by("username").values_list("username", flat=True)) == wanted
