"""Anyone can get new tokens, so expensive calls also count for the address, and so do invented tokens."""

from collections.abc import Callable

import pytest

from rest.throttles import OF_ONE_ADDRESS
from tests.cast import Answer, Caller, guest, open_table
from tests.matches import begin
from tests.rates import limit
from tests.rest.checks import check_refused


def two_a_minute(monkeypatch: pytest.MonkeyPatch, scope: str) -> None:
    limit(monkeypatch, **{scope: "2/min"})


def ask_for_hint(caller: Caller) -> Answer:
    table = begin(caller, guest("Bob"))
    return caller.get(f"tables/{table['id']}/hint?level=random")


def check_record(caller: Caller) -> Answer:
    return caller.post("records/check", {})


def register_webhook(caller: Caller) -> Answer:
    return caller.post("players/me/webhooks", {"url": "https://1.1.1.1/", "events": ["your_turn"]})


DEAR: dict[str, Callable[[Caller], Answer]] = {
    "hint": ask_for_hint,
    "check": check_record,
    "webhook": register_webhook,
}


@pytest.mark.django_db
@pytest.mark.parametrize("scope", DEAR)
def test_all_tokens_of_an_address_share_the_limit_of_expensive_calls(
    monkeypatch: pytest.MonkeyPatch, scope: str
) -> None:
    two_a_minute(monkeypatch, scope)
    statuses = [DEAR[scope](guest("Alice")).status for _ in range(2 * OF_ONE_ADDRESS + 1)]
    assert 429 not in statuses[:-1]
    assert statuses[-1] == 429


@pytest.mark.django_db
@pytest.mark.parametrize("scope", DEAR)
def test_one_token_does_not_use_up_the_limit_of_its_address(monkeypatch: pytest.MonkeyPatch, scope: str) -> None:
    two_a_minute(monkeypatch, scope)
    alice = guest("Alice")
    assert [DEAR[scope](alice).status for _ in range(2 * OF_ONE_ADDRESS + 2)].count(429) == 2 * OF_ONE_ADDRESS
    assert DEAR[scope](guest("Bob")).status != 429


@pytest.mark.parametrize("path", ["players/me", "players/me/webhooks", "tables", "tables/{id}", "tables/{id}/position"])
def test_invented_tokens_count_for_their_address(monkeypatch: pytest.MonkeyPatch, alice: Caller, path: str) -> None:
    path = path.format(id=open_table(alice)["id"])
    two_a_minute(monkeypatch, "caller")
    assert [Caller(f"made-up-{at}").get(path).status for at in range(2)] == [401, 401]
    answer = check_refused(lambda: Caller("made-up-too").get(path), 429, "too_many_requests")
    assert int(answer.headers["Retry-After"]) > 0


def test_a_valid_token_is_not_affected_by_invented_ones(monkeypatch: pytest.MonkeyPatch, alice: Caller) -> None:
    two_a_minute(monkeypatch, "caller")
    assert [Caller(f"made-up-{at}").get("players/me").status for at in range(4)] == [401, 401, 429, 429]
    assert alice.get("players/me").status == 200
