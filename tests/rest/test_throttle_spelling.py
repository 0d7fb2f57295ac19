"""One token is one caller for the throttle, however its header is spelt."""

import pytest

from tests.cast import Caller
from tests.rates import limit
from tests.rest.checks import check_refused

SPELLINGS = ["Bearer {}", "bearer {}", "BEARER {}", "Bearer  {}", "Bearer\t{}", " bEARER \t {} "]


@pytest.fixture
def rates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two calls a minute, in a minute that is this test's alone."""
    limit(monkeypatch, caller="2/min")


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("path", ["players/me", "tables"])
def test_another_spelling_of_the_header_is_the_same_caller(
    rates: None, alice: Caller, spelling: str, path: str
) -> None:
    spelt = spelling.format(alice.token)
    assert [alice.get(path).status for _ in range(2)] == [200, 200]
    check_refused(lambda: Caller().get(path, Authorization=spelt), 429, "too_many_requests")


def test_all_spellings_share_one_count(rates: None, alice: Caller) -> None:
    spelt = [spelling.format(alice.token) for spelling in SPELLINGS]
    assert [Caller().get("players/me", Authorization=each).status for each in spelt] == [200, 200, 429, 429, 429, 429]


def test_another_token_is_another_caller(rates: None, alice: Caller, bob: Caller) -> None:
    assert [alice.get("players/me").status for _ in range(3)] == [200, 200, 429]
    assert Caller().get("players/me", Authorization=f"bearer  {bob.token}").status == 200
