"""OPTIONS: the methods of an address."""

from typing import Any

import pytest

from tests.cast import Caller


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
