"""A server does not start with a setting that it could not work with, and tells which one."""

import os
import subprocess
import sys

import pytest

from local import ROOT

NEEDED = {"SECRET_KEY": "0123456789" * 4, "DATABASE_URL": "postgresql://localhost/postgres"}


def start(**environment: str) -> subprocess.CompletedProcess[str]:
    """What every process of a server begins with."""
    command = [sys.executable, "-c", "import config.settings"]
    environment = {**os.environ, **NEEDED, **environment}
    return subprocess.run(command, check=False, cwd=ROOT, env=environment, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("RATE_CALLER", "abc"),
        ("RATE_LOGIN", "10"),
        ("RATE_GUEST", "0/min"),
        ("RATE_HINT", "1/fortnight"),
        ("LOG_LEVEL", "LOUD"),
        ("INVITE_URL", "https://example.org/join"),
        ("INVITE_URL", "https://example.org/{table}/{code}"),
        ("DATABASE_URL", "mysql://localhost/x"),
        ("DATABASE_URL", "postgresql://localhost:port/x"),
        ("REDIS_URL", "localhost:6379"),
        ("STATEMENT_SECONDS", "1.5"),
        ("SECRET_KEY", "short"),
    ],
)
def test_what_is_wrong_is_named(name: str, value: str) -> None:
    started = start(**{name: value})
    last = started.stderr.splitlines()[-1]
    assert started.returncode == 1
    assert last.startswith(f"django.core.exceptions.ImproperlyConfigured: {name}")


def test_what_is_right_is_taken() -> None:
    right = {
        "RATE_CALLER": "5/s",
        "RATE_CHECK": "1/hour",
        "LOG_LEVEL": "info",
        "INVITE_URL": "https://x.example/?{code}",
    }
    assert start(**right, REDIS_URL="unix:///run/redis.sock?db=1").stderr == ""
