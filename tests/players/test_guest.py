"""``POST players/guest``."""

import pytest
from knox.models import AuthToken

from tests.cast import Caller
from tests.rest.checks import check_refused


def test_it_works(spectator: Caller) -> None:
    answer = spectator.post("players/guest", {"name": "Alice"})
    assert answer.status == 201
    player = answer.body["player"]
    assert (player["name"], player["kind"], player["username"]) == ("Alice", "person", None)
    assert "level" not in player
    assert Caller(answer.body["token"]).get("players/me").body == player


def test_two_guests_may_have_one_name(spectator: Caller, alice: Caller) -> None:
    answer = spectator.post("players/guest", {"name": "Alice"})
    assert answer.status == 201
    assert alice.player is not None
    assert answer.body["player"]["id"] != str(alice.player.pk)


def test_the_token_is_stored_as_a_hash(spectator: Caller) -> None:
    token = spectator.post("players/guest", {"name": "Alice"}).body["token"]
    kept = AuthToken.objects.values().get()
    assert token not in str(kept)


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, None, ["Alice"], {"first": "Alice"}, True, "A\0"])
def test_an_invalid_name_is_refused(spectator: Caller, name: object) -> None:
    check_refused(lambda: spectator.post("players/guest", {"name": name}), 400, "invalid", "name")


def test_a_missing_name_is_refused(spectator: Caller) -> None:
    check_refused(lambda: spectator.post("players/guest", {}), 400, "invalid", "name")


def test_a_bad_token_is_refused(db: None) -> None:
    check_refused(lambda: Caller("nonsense").post("players/guest", {"name": "Alice"}), 401, "bad_token")
