"""A server with an invalid setting does not start, and the error names the variable and the reason."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.environment import VARIABLES, environment, rates
from local import ROOT

WRONG = [
    ("RATE_CALLER", "abc", "must be a number of requests and a period, such as 60/min, not 'abc'"),
    ("RATE_LOGIN", "10", "must be a number of requests and a period, such as 60/min, not '10'"),
    ("RATE_GUEST", "0/min", "must be a number of requests and a period, such as 60/min, not '0/min'"),
    ("RATE_HINT", "1/fortnight", "must be a number of requests and a period, such as 60/min, not '1/fortnight'"),
    ("LOG_LEVEL", "LOUD", "must be DEBUG, INFO, WARNING, ERROR or CRITICAL, not 'LOUD'"),
    ("DEBUG", "perhaps", "must be yes or no, not 'perhaps'"),
    ("STATEMENT_SECONDS", "1.5", "must be a whole number, not '1.5'"),
    ("WORKING_REQUESTS", "0", "must be at least 1, not '0'"),
    ("WATCHERS", "²", "must be a whole number, not '²'"),
    ("NUM_PROXIES", "", "must be a whole number, not ''"),
    (
        "INVITE_URL",
        "https://example.org/join",
        "must be an address with {code} in it and no other braces, not 'https://example.org/join'",
    ),
    (
        "INVITE_URL",
        "https://example.org/{table}/{code}",
        "must be an address with {code} in it and no other braces, not 'https://example.org/{table}/{code}'",
    ),
]
WRONG_SECRETS = [
    ("DATABASE_URL", "mysql://me:hidden@localhost/x", "must start with postgresql://"),
    ("DATABASE_URL", "postgresql://me:hidden@localhost:port/x", "must have a number below 65536 as its port"),
    ("REDIS_URL", "me:hidden@localhost:6379", "must start with redis://, rediss:// or unix://"),
    ("SECRET_KEY", "hidden", "must have at least 32 characters"),
]
"""Their values do not appear in errors, which may be logged."""
RIGHT = [
    ("RATE_CALLER", "5/s", "5/s"),
    ("RATE_CHECK", "1/hour", "1/hour"),
    ("LOG_LEVEL", " info", "INFO"),
    ("DEBUG", "Yes", True),
    ("HSTS_PRELOAD", "", False),
    ("WATCHERS", " 7 ", 7),
    ("ALLOWED_HOSTS", " a.example, ,b.example", ["a.example", "b.example"]),
    ("INVITE_URL", "https://x.example/?{code}", "https://x.example/?{code}"),
    ("INVITE_URL", "", ""),
    ("PUBLIC_URL", "https://x.example/", "https://x.example"),
    ("REQUEST_START_HEADER", " X-Request-Start", "X-Request-Start"),
    ("REDIS_URL", "unix:///run/redis.sock?db=1", "unix:///run/redis.sock?db=1"),
    ("DATA_DIR", "~", Path.home()),
]


@pytest.mark.parametrize(("name", "value", "fault"), WRONG + WRONG_SECRETS)
def test_an_invalid_value_is_named(name: str, value: str, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ImproperlyConfigured) as refused:
        getattr(environment, name)
    assert str(refused.value) == f"{name} {fault}."


@pytest.mark.parametrize("name", ["SECRET_KEY", "DATABASE_URL"])
def test_a_missing_required_variable_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(name)
    with pytest.raises(ImproperlyConfigured, match=f"^Set the environment variable {name}.$"):
        getattr(environment, name)


@pytest.mark.parametrize(("name", "text", "value"), RIGHT)
def test_a_valid_value_is_read(name: str, text: str, value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, text)
    assert getattr(environment, name) == value


@pytest.mark.parametrize("name", [name for name, each in VARIABLES.items() if each.default is not None])
def test_every_default_is_valid(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(name, raising=False)
    getattr(environment, name)


def test_a_throttle_has_the_rate_of_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RATE_GUEST", "7/hour")
    assert rates()["guest"] == "7/hour"


def test_the_error_does_not_contain_the_secret() -> None:
    given = {**os.environ, "DATABASE_URL": "mysql://me:hidden@localhost/x"}
    command = [sys.executable, "-c", "import config.settings"]
    started = subprocess.run(command, check=False, cwd=ROOT, env=given, capture_output=True, text=True)
    assert started.returncode == 1
    assert started.stderr.splitlines()[-1].endswith("ImproperlyConfigured: DATABASE_URL must start with postgresql://.")
    assert "hidden" not in started.stderr
