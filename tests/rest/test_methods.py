"""Which methods an address supports, and how OPTIONS answers."""

from typing import Any

import pytest
from django.test import Client

from tests.cast import Caller

PAGES = [
    "/",
    "/join",
    "/join/CODE",
    "/docs/rules.md",
    "/healthz",
    "/readyz",
    "/metrics",
    "/api/v1/schema",
    "/api/v1/docs",
]


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "NONSENSE"])
@pytest.mark.parametrize("page", PAGES)
def test_a_read_only_address_refuses_other_methods(db: None, page: str, method: str) -> None:
    answer = Client(enforce_csrf_checks=True).generic(method, page)
    assert (answer.status_code, "GET" in answer.headers["Allow"]) == (405, True)


@pytest.mark.parametrize(
    ("call", "methods"),
    [
        ("", {"GET", "HEAD", "PATCH", "OPTIONS"}),
        ("/moves", {"GET", "HEAD", "POST", "OPTIONS"}),
        ("/start", {"POST", "OPTIONS"}),
    ],
)
def test_options_names_the_methods_and_has_no_body(
    two_seats: dict[str, Any], alice: Caller, call: str, methods: set[str]
) -> None:
    answer = alice.ask("OPTIONS", f"tables/{two_seats['id']}{call}", None)
    assert (answer.status, answer.text) == (200, "")
    assert set(answer.headers["Allow"].split(", ")) == methods
