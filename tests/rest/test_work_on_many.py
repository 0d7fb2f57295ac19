"""Work on many things: an error skips one thing, and a database that does not answer ends the work."""

import pytest
from django.db import OperationalError, connection

from runtime.database_away import each_apart
from tests.rest.checks import together

pytestmark = pytest.mark.django_db(transaction=True)


def halve(number: int) -> float:
    return 1 / number


def test_an_error_is_logged_and_the_next_thing_is_taken(caplog: pytest.LogCaptureFixture) -> None:
    assert each_apart(halve, [2, 0, 4], "Halving") == [0.5, 0.25]
    (record,) = caplog.records
    assert record.getMessage() == "Halving failed at 0"
    assert record.exc_info


def test_an_error_of_the_database_skips_one_thing_too(caplog: pytest.LogCaptureFixture) -> None:
    def wait(seconds: int) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"set statement_timeout = '10ms'; select pg_sleep({seconds})")

    assert together(lambda: each_apart(wait, [5, 0], "Waiting")) == [[None]]
    assert "Waiting failed at 5" in caplog.text


def test_a_database_that_is_away_ends_the_work(caplog: pytest.LogCaptureFixture) -> None:
    def end(_: int) -> None:
        with connection.cursor() as cursor:
            cursor.execute("select pg_terminate_backend(pg_backend_pid())")

    def run() -> None:
        with pytest.raises(OperationalError):
            each_apart(end, [1, 2], "Ending")

    together(run)
    assert not caplog.records
