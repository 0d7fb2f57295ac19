"""Work that goes over many things: one that fails is passed over, and a database that is away ends it at once."""

import pytest
from django.db import OperationalError, connection

from runtime.database_away import each_apart
from tests.rest.checks import together

pytestmark = pytest.mark.django_db(transaction=True)


def halve(number: int) -> float:
    return 1 / number


def test_what_fails_is_logged_and_passed_over(caplog: pytest.LogCaptureFixture) -> None:
    assert each_apart(halve, [2, 0, 4], "Halving") == [0.5, 0.25]
    (record,) = caplog.records
    assert record.getMessage() == "Halving failed at 0"
    assert record.exc_info


def test_so_it_is_where_the_database_refuses_one_thing(caplog: pytest.LogCaptureFixture) -> None:
    def wait(seconds: int) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"set statement_timeout = '10ms'; select pg_sleep({seconds})")

    assert together(lambda: each_apart(wait, [5, 0], "Waiting")) == [[None]]
    assert "Waiting failed at 5" in caplog.text


def test_a_database_that_is_away_ends_it(caplog: pytest.LogCaptureFixture) -> None:
    def end(_: int) -> None:
        with connection.cursor() as cursor:
            cursor.execute("select pg_terminate_backend(pg_backend_pid())")

    def run() -> None:
        with pytest.raises(OperationalError):
            each_apart(end, [1, 2], "Ending")

    together(run)
    assert not caplog.records
