"""A repeated message is logged once a minute."""

import logging
from collections.abc import Iterator

import pytest
import time_machine

from runtime.logs import EVERY, OncePerMinute

LOG = logging.getLogger("tests.seldom")


@pytest.fixture(autouse=True)
def seldom() -> Iterator[None]:
    once = OncePerMinute()
    LOG.addFilter(once)
    yield
    LOG.removeFilter(once)


def messages(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records]


def test_a_repeated_message_is_logged_once_whatever_its_arguments(caplog: pytest.LogCaptureFixture) -> None:
    for attempt in range(3):
        LOG.warning("attempt %s failed", attempt)
    LOG.warning("another thing")
    assert messages(caplog) == ["attempt 0 failed", "another thing"]


def test_a_minute_later_it_is_logged_again(caplog: pytest.LogCaptureFixture, clock: time_machine.Traveller) -> None:
    LOG.warning("attempt %s failed", 1)
    clock.shift(EVERY)
    LOG.warning("attempt %s failed", 2)
    assert messages(caplog) == ["attempt 1 failed", "attempt 2 failed"]


def test_the_connection_pool_uses_this_filter() -> None:
    assert any(isinstance(each, OncePerMinute) for each in logging.getLogger("psycopg.pool").filters)
