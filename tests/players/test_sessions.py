"""``players/me/sessions``: a player sees and ends their sessions."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone
from knox.models import AuthToken

from players import sessions
from players.models import TokenUse
from players.tokens import issue_token
from tests.cast import Caller
from tests.rest.checks import check_refused, nothing_changes


def test_it_works(dora: Caller, alice: Caller, bob: Caller) -> None:
    """Dora is Alice with another token."""
    told = dora.get("players/me/sessions").body
    assert [each["current"] for each in told] == [True, False]
    assert all(each["last_used_at"] for each in told)
    (other,) = (each["id"] for each in told if not each["current"])
    assert dora.delete(f"players/me/sessions/{other}").status == 204
    check_refused(lambda: alice.get("players/me"), 401, "bad_token")
    assert [each["current"] for each in dora.get("players/me/sessions").body] == [True]
    assert bob.get("players/me").status == 200


def test_a_caller_may_end_the_current_session(alice: Caller) -> None:
    (own,) = alice.get("players/me/sessions").body
    assert alice.delete(f"players/me/sessions/{own['id']}").status == 204
    check_refused(lambda: alice.get("players/me"), 401, "bad_token")


def test_ending_an_ended_or_foreign_session_changes_nothing(dora: Caller, bob: Caller) -> None:
    (theirs,) = bob.get("players/me/sessions").body
    for session in (theirs["id"], uuid4()):
        with nothing_changes():
            assert dora.delete(f"players/me/sessions/{session}").status == 204
    assert bob.get("players/me").status == 200


def test_no_answer_contains_a_token_or_its_hash(alice: Caller) -> None:
    token = AuthToken.objects.get()
    text = alice.get("players/me/sessions").text
    assert alice.token is not None
    for secret in (alice.token[:8], token.token_key, token.digest[:8]):
        assert secret not in text


def test_ids_come_from_a_key_that_only_the_server_has(alice: Caller, settings: Any) -> None:
    (before,) = alice.get("players/me/sessions").body
    settings.SECRET_KEY = "another-key-of-at-least-32-characters"
    (after,) = alice.get("players/me/sessions").body
    assert before["id"] != after["id"]


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_without_a_token(spectator: Caller, method: str) -> None:
    path = "players/me/sessions" + (f"/{uuid4()}" if method == "DELETE" else "")
    check_refused(lambda: spectator.ask(method, path), 401, "not_authenticated")


def test_beyond_the_most_the_least_used_session_ends(
    alice: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "MOST", 3)
    assert alice.player is not None
    old = issue_token(alice.player)
    digest = AuthToken.objects.order_by("-created").values_list("digest", flat=True)[0]
    TokenUse.objects.filter(digest=digest).update(used_at=timezone.now() - timedelta(days=3))
    for _ in range(2):
        issue_token(alice.player)
    assert AuthToken.objects.filter(user=alice.player).count() == 3
    assert bob.get("players/me").status == 200
    check_refused(lambda: Caller(old).get("players/me"), 401, "bad_token")
    assert alice.get("players/me").status == 200
