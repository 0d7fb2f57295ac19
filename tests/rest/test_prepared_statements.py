"""A migration that changes a column's type under a server whose connections have prepared their statements."""

from collections.abc import Iterator

import pytest
from django.db import connection

from tests.cast import Caller, guest, open_table

pytestmark = pytest.mark.django_db(transaction=True)
USES_UNTIL_PREPARED = 6


def retype(length: int) -> None:
    """As a migration does it, over a connection of its own."""
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute(f"alter table tables_table alter column name type varchar({length})")
    other.close()


@pytest.fixture
def retyped_at_the_end() -> Iterator[None]:
    yield
    connection.close()
    retype(60)


def test_one_request_gets_503_and_the_next_one_works(retyped_at_the_end: None) -> None:
    open_table(guest("Alice"), visibility="public")
    spectator = Caller()
    for _ in range(USES_UNTIL_PREPARED):
        assert spectator.get("tables").status == 200
    retype(80)
    first = spectator.get("tables")
    assert (first.status, first.body["code"]) == (503, "unavailable")
    assert spectator.get("tables").status == 200
