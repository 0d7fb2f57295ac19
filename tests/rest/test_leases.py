"""Uses that a process reserves from a shared count: Redis is asked less often, and the limit still holds."""

from uuid import uuid4

import pytest

from runtime import counts
from runtime.counts import Leases
from runtime.redis_commands import RetryTime


@pytest.fixture
def key(db: None, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(RetryTime, "asks_from", 0)
    return f"mexican-train:test:{uuid4()}"


def taken(leases: Leases, key: str, most: int, tries: int) -> int:
    return sum(leases.take(key, most, 60) for _ in range(tries))


@pytest.mark.parametrize("most", [1, 2, 199, 200, 450, 1000])
def test_one_process_may_use_exactly_the_most(key: str, most: int) -> None:
    assert taken(Leases(""), key, most, most + 20) == most


def test_redis_is_asked_once_for_a_handful(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    amounts = list[int]()

    def add(_key: str, amount: int, _seconds: int, _otherwise: str) -> int:
        amounts.append(amount)
        return sum(amounts)

    monkeypatch.setattr(counts, "add", add)
    assert taken(Leases(""), key, 1000, 10) == 10
    assert amounts == [5, 5]


def test_two_processes_share_the_most(key: str) -> None:
    first, second = Leases(""), Leases("")
    assert taken(first, key, 1000, 3) == 3  # and has two left of its five
    assert taken(second, key, 1000, 1000) == 995
    assert taken(first, key, 1000, 1000) == 2


def test_while_redis_is_away_everything_passes(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts, "add", lambda *_: None)
    assert taken(Leases(""), key, 2, 5) == 5


def test_leases_of_old_windows_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts, "MOST_KEYS", 2)
    leases = Leases("")
    for each in "abc":
        leases.keep(each, 4)
    assert list(leases.left) == ["b", "c"]
