"""``POST players/logout``."""

from functools import partial
from typing import Any

import pytest

from tests.cast import Caller
from tests.rest.checks import check_refused


def test_it_works(alice: Caller) -> None:
    answer = alice.post("players/logout")
    assert (answer.status, answer.text) == (204, "")
    check_refused(lambda: alice.get("players/me"), 401, "bad_token")


def test_only_this_token_ends(alice: Caller, dora: Caller, bob: Caller) -> None:
    assert dora.post("players/logout").status == 204
    assert alice.get("players/me").status == 200
    assert bob.get("players/me").status == 200


def test_without_a_token(spectator: Caller) -> None:
    answer = check_refused(lambda: spectator.post("players/logout"), 401, "not_authenticated")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_token_ends_once(alice: Caller) -> None:
    alice.post("players/logout")
    check_refused(lambda: alice.post("players/logout"), 401, "bad_token")


def test_everywhere_all_tokens_of_the_player_end(alice: Caller, dora: Caller, bob: Caller) -> None:
    assert dora.post("players/logout", {"everywhere": True}).status == 204
    for caller in (alice, dora):
        check_refused(partial(caller.get, "players/me"), 401, "bad_token")
    assert bob.get("players/me").status == 200


def test_everywhere_false_ends_only_this_token(alice: Caller, dora: Caller) -> None:
    assert dora.post("players/logout", {"everywhere": False}).status == 204
    assert alice.get("players/me").status == 200


@pytest.mark.parametrize(
    ("body", "field"), [({"everywhere": "where"}, "everywhere"), ({"every_where": True}, "every_where")]
)
def test_an_invalid_body_is_refused(alice: Caller, body: dict[str, Any], field: str) -> None:
    check_refused(lambda: alice.post("players/logout", body), 400, "invalid", field)
