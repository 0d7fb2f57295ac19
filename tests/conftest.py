"""Fixtures that every room's tests share."""

from typing import Any

import pytest

from tests.cast import Caller, guest, join, open_table, start


@pytest.fixture
def alice(db: None) -> Caller:
    return guest("Alice")


@pytest.fixture
def bob(db: None) -> Caller:
    return guest("Bob")


@pytest.fixture
def cleo(db: None) -> Caller:
    return guest("Cleo")


@pytest.fixture
def spectator(db: None) -> Caller:
    return Caller()


@pytest.fixture
def two_seats(alice: Caller, bob: Caller) -> dict[str, Any]:
    """Alice's table of two, with Bob, not started."""
    table = open_table(alice, seats=2)
    join(table, bob)
    return table


@pytest.fixture
def playing(two_seats: dict[str, Any], alice: Caller) -> dict[str, Any]:
    """The same, started: Alice is to move."""
    start(two_seats, alice)
    return two_seats
