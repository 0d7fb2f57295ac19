"""Rate limits for a test: no request is throttled unless the test says so, in a time window of its own."""

from uuid import uuid4

import pytest
from django.conf import settings

from rest.throttles import CallerThrottle
from runtime.counts import OWN
from runtime.redis_commands import RetryTime


def limit(monkeypatch: pytest.MonkeyPatch, **rates: str) -> None:
    """Set rates by scope, such as ``login="2/min"``."""
    scopes = settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]
    assert rates.keys() <= scopes.keys()
    moment = uuid4().int % 10**9 * 3600.0
    monkeypatch.setattr(CallerThrottle, "timer", lambda _: moment)
    monkeypatch.setattr(RetryTime, "asks_from", 0)
    monkeypatch.setattr(OWN, "counts", {})
    monkeypatch.setattr(CallerThrottle, "THROTTLE_RATES", dict.fromkeys(scopes) | rates)
