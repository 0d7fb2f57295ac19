"""``PATCH players/me`` with a ``password``."""

from typing import Any

import pytest
from django.db import transaction
from knox.models import AuthToken

from players import accounts
from players.models import Player
from tests.at_once import await_blocked, threads
from tests.cast import Answer, Caller
from tests.players.conftest import PASSWORD
from tests.rates import limit
from tests.rest.checks import check_refused, nothing_changes, together

NEW = "dominoes at night"
CHANGE = {"current_password": PASSWORD, "password": NEW}


def may_log_in(password: str) -> bool:
    return Caller().post("players/login", {"username": "dora", "password": password}).status == 200


def test_it_works(dora: Caller) -> None:
    answer = dora.patch("players/me", CHANGE)
    assert (answer.status, answer.body) == (200, dora.get("players/me").body)
    assert (may_log_in(NEW), may_log_in(PASSWORD)) == (True, False)


def test_every_other_token_ends(dora: Caller, alice: Caller, bob: Caller) -> None:
    assert dora.patch("players/me", CHANGE).status == 200
    check_refused(lambda: alice.get("players/me"), 401, "bad_token")
    assert dora.get("players/me").status == 200
    assert bob.get("players/me").status == 200


def test_a_retry_after_a_lost_answer_changes_nothing(dora: Caller) -> None:
    assert dora.patch("players/me", CHANGE).status == 200
    with nothing_changes():
        assert dora.patch("players/me", CHANGE).status == 200
    wrong = CHANGE | {"password": "trains-and-tiles"}
    check_refused(lambda: dora.patch("players/me", wrong), 400, "invalid", "current_password")


def test_a_name_and_a_password_are_changed_together(dora: Caller) -> None:
    assert dora.patch("players/me", CHANGE | {"name": "Theodora"}).body["name"] == "Theodora"
    assert may_log_in(NEW)


def test_the_name_alone_ends_no_token(dora: Caller, alice: Caller) -> None:
    assert dora.patch("players/me", {"name": "Theodora"}).status == 200
    assert alice.get("players/me").status == 200


def test_the_current_password_must_be_correct(dora: Caller) -> None:
    wrong = CHANGE | {"current_password": "trains-and-tiles", "name": "Theodora"}
    answer = check_refused(lambda: dora.patch("players/me", wrong), 400, "invalid", "current_password")
    assert answer.body["errors"][0]["code"] == "wrong_password"


@pytest.mark.parametrize("missing", ["password", "current_password"])
def test_both_passwords_are_required(dora: Caller, missing: str) -> None:
    body = {name: value for name, value in CHANGE.items() if name != missing}
    check_refused(lambda: dora.patch("players/me", body), 400, "invalid", missing)


@pytest.mark.parametrize("password", ["", "short", "password", "1234567890123", "x" * 129, None, ["secret-secret"]])
def test_an_invalid_password_is_refused(dora: Caller, password: object) -> None:
    body = CHANGE | {"password": password}
    check_refused(lambda: dora.patch("players/me", body), 400, "invalid", "password")


def test_a_guest_has_no_password_to_change(alice: Caller) -> None:
    answer = check_refused(lambda: alice.patch("players/me", CHANGE), 400, "invalid", "password")
    assert answer.body["errors"][0]["code"] == "no_account"


def test_the_limit_of_the_log_in_applies(dora: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch, login="4/min")
    wrong: dict[str, Any] = CHANGE | {"current_password": "trains-and-tiles"}
    assert [dora.patch("players/me", wrong).status for _ in range(2)] == [400, 400]
    check_refused(lambda: dora.patch("players/me", CHANGE), 429, "too_many_requests")
    assert dora.patch("players/me", {"name": "Theodora"}).status == 200


@pytest.mark.django_db(transaction=True)
def test_of_two_changes_at_once_one_succeeds() -> None:
    """The later finds another password, or no token."""
    account = {"username": "dora", "password": PASSWORD}
    answers = [Caller().post(f"players/{way}", account) for way in ("register", "login")]
    callers = [Caller(answer.body["token"]) for answer in answers]

    def ask(caller: Caller, password: str) -> Answer:
        return caller.patch("players/me", CHANGE | {"password": password})

    statuses = [each.status for each in together(*(lambda at=at: ask(callers[at], f"{NEW} {at}") for at in range(2)))]
    assert sorted(statuses) in ([200, 400], [200, 401])
    won = statuses.index(200)
    assert may_log_in(f"{NEW} {won}")
    assert Player.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_log_in_with_the_old_password_does_not_outlive_the_change() -> None:
    """It has read the row, and waits to make its token until the change is through."""
    Caller().post("players/register", {"username": "dora", "password": PASSWORD})
    player = Player.objects.get()
    with threads() as begin:
        with transaction.atomic():
            Player.objects.select_for_update().get()
            log_in = begin(lambda: Caller().post("players/login", {"username": "dora", "password": PASSWORD}))
            await_blocked(1)
            player.set_password(NEW)
            player.save(update_fields=("password",))
            accounts.end_tokens(player)
        assert log_in.result(20).status == 401
    assert not AuthToken.objects.exists()
