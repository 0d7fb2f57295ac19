"""``POST players/login``."""

import pytest

from players.models import Player
from tests.cast import Caller
from tests.players.conftest import PASSWORD
from tests.rest.checks import check_refused

CREDENTIALS = {"username": "dora", "password": PASSWORD}


def test_it_works(dora: Caller, spectator: Caller) -> None:
    answer = spectator.post("players/login", CREDENTIALS)
    assert answer.status == 200
    assert answer.body["player"] == dora.get("players/me").body
    assert Caller(answer.body["token"]).get("players/me").status == 200


def test_earlier_tokens_stay_valid(dora: Caller, alice: Caller, spectator: Caller) -> None:
    assert spectator.post("players/login", CREDENTIALS).status == 200
    assert dora.get("players/me").status == 200
    assert alice.get("players/me").status == 200


def test_a_log_in_with_an_ended_token_succeeds(dora: Caller) -> None:
    assert Caller("revoked").post("players/login", CREDENTIALS).status == 200


@pytest.mark.parametrize("wrong", [{"username": "nobody"}, {"password": "trains-and-tiles"}, {"username": "Alice"}])
def test_wrong_credentials(dora: Caller, spectator: Caller, wrong: dict[str, str]) -> None:
    body = CREDENTIALS | wrong
    answer = check_refused(lambda: spectator.post("players/login", body), 401, "bad_credentials")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_guest_has_no_password(alice: Caller, spectator: Caller) -> None:
    Player.objects.update(username="alice")
    body = {"username": "alice", "password": ""}
    check_refused(lambda: spectator.post("players/login", body), 400, "invalid", "password")
    body = {"username": "alice", "password": "!"}
    check_refused(lambda: spectator.post("players/login", body), 401, "bad_credentials")


def test_a_deleted_player_cannot_log_in(dora: Caller, spectator: Caller) -> None:
    dora.delete("players/me")
    check_refused(lambda: spectator.post("players/login", CREDENTIALS), 401, "bad_credentials")


@pytest.mark.parametrize("field", ["username", "password"])
@pytest.mark.parametrize("value", [None, ["dora"], {"a": 1}, "x\0"])
def test_a_value_that_is_not_a_text_is_refused(dora: Caller, spectator: Caller, field: str, value: object) -> None:
    body = CREDENTIALS | {field: value}
    check_refused(lambda: spectator.post("players/login", body), 400, "invalid", field)
