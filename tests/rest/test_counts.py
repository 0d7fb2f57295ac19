"""Counts for limits: in Redis for all processes, or in this process while Redis is away."""

import pytest

from rest.limits import Limit
from runtime import counts
from runtime.counts import OwnCounts
from runtime.redis_commands import client
from tests.rates import limit

pytestmark = pytest.mark.django_db  # while Redis is asked, connections are given back


def test_all_processes_count_together(monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch, invite="5/min")
    Limit("invite").count("192.0.2.1", 2)
    monkeypatch.setattr(counts, "OWN", OwnCounts())  # of another process
    assert counts.add_always(Limit("invite").key_of("192.0.2.1"), 1, 60) == 3


def test_a_count_ends_with_its_window(monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch, invite="5/min")
    Limit("invite").count("192.0.2.1", 2)
    Limit("invite").count("192.0.2.1")
    assert 0 < client().ttl(Limit("invite").key_of("192.0.2.1")) <= 61


def test_a_process_keeps_only_the_newest_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts, "MOST_KEYS", 2)
    own = OwnCounts()
    assert [own.add(key, 1) for key in ("oldest", "other", "newest")] == [1, 1, 1]
    assert own.counts == {"other": 1, "newest": 1}
    assert own.add("other", 2) == 3
