"""Which methods an address takes, and what OPTIONS says of them."""

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
def test_what_is_only_looked_at_takes_no_other_method(db: None, page: str, method: str) -> None:
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
def test_it_names_the_methods_and_says_no_more(
    two_seats: dict[str, Any], alice: Caller, call: str, methods: set[str]
) -> None:
    answer = alice.ask("OPTIONS", f"tables/{two_seats['id']}{call}", None)
    assert (answer.status, answer.text) == (200, "")
    assert set(answer.headers["Allow"].split(", ")) == methods
