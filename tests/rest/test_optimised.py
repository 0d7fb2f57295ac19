"""``python -OO`` drops docstrings and asserts, and the texts for callers stay the same."""

import json
import os
import re
import subprocess
import sys
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client

from local import ROOT
from rest.schema_view import schema_text

API = "/api/v1"
NOWHERE = UUID(int=0)
REFUSED: list[tuple[str, str, dict[str, Any] | None]] = [
    ("GET", f"{API}/tables/{NOWHERE}", None),
    ("GET", f"{API}/tables/{NOWHERE}/position", None),
    ("GET", f"{API}/invites/AAAAA-AAAAA", None),
    ("POST", f"{API}/tables", {}),
    ("POST", f"{API}/players/guest", {}),
    ("POST", f"{API}/players/login", {"username": "nobody", "password": "wrong"}),
    ("POST", f"{API}/rules/check", {"preset": "chess"}),
    ("POST", f"{API}/rules/check", {"seats": 40, "tiles": 3}),
    ("PUT", f"{API}/tables", None),
    ("GET", "/join/AAAAA-AAAAA", None),
]
"""Requests that are refused: method, path, body."""
ASKED = """
import json, sys, django
django.setup()
from rest.schema_view import schema_text
from tests.rest.test_optimised import refusals
print(json.dumps({"optimised": sys.flags.optimize, "schema": schema_text()[0].decode(), "refusals": refusals()}))
"""


def refusals() -> list[tuple[int, str]]:
    """The status and the body of each."""
    client = Client()
    answers = [
        client.generic(method, path, json.dumps(body) if body is not None else "", "application/json")
        for method, path, body in REFUSED
    ]
    return [(answer.status_code, answer.content.decode()) for answer in answers]


@pytest.fixture
def optimised(db: None) -> dict[str, Any]:
    """The output of a process with ``-OO``, with the database of the tests."""
    settings = connection.settings_dict
    environment = {
        **os.environ,
        "DATABASE_URL": f"postgresql://{settings['USER']}@/{settings['NAME']}?host={settings['HOST']}",
    }
    command = [sys.executable, "-OO", "-c", ASKED]
    said: dict[str, Any] = json.loads(subprocess.check_output(command, cwd=ROOT, env=environment, text=True))
    return said


@pytest.mark.slow
def test_the_schema_and_the_refusals_are_the_same(optimised: dict[str, Any]) -> None:
    assert optimised["optimised"] == 2
    assert optimised["schema"] == schema_text()[0].decode()
    assert [tuple(each) for each in optimised["refusals"]] == refusals()
    assert all(status >= 400 for status, _ in optimised["refusals"])


def test_no_text_is_read_from_a_docstring() -> None:
    rooms = (
        "bench",
        "config",
        "laboratory",
        "local",
        "players",
        "rest",
        "rules",
        "runtime",
        "tables",
        "webhooks",
        "words",
    )
    sources = [path for room in rooms for path in (ROOT / room).rglob("*.py")]
    assert [path for path in sources if re.search(r"__doc__|getdoc\(", path.read_text())] == []
    assert len(sources) > 100
