"""Calls that compute for long return their database connection to the pool first."""

from typing import Any

import pytest
from django.db import connection

from rules.records.json_form import document_of
from rules.records.text_form import record_in
from tables.models import Spectators
from tests.cast import Caller
from tests.finished_matches.files import stored
from tests.finished_matches.rows import put_into_rows
from tests.rules.test_record_format import BY_HAND, FROM_SERVER

pytestmark = pytest.mark.django_db(transaction=True)


def kept_after(caller: Caller, method: str, path: str, body: Any = None) -> bool:
    """Whether a call still has a connection at its end, when a server would take it; one in use is never new enough."""
    connection.ensure_connection()
    connection.close_at = 0.0
    answer = caller.ask(method, path, body)
    assert answer.status == 200, answer.text
    kept = connection.connection is not None
    connection.close()
    return kept


@pytest.mark.parametrize("what", ["hint", "hint?level=expert", "explain", "board.svg", "record"])
def test_a_hint_and_a_picture_keep_no_connection(
    playing: dict[str, Any], alice: Caller, bob: Caller, what: str
) -> None:
    mover = bob if alice.get(f"tables/{playing['id']}/explain").status == 409 else alice
    assert not kept_after(mover, "GET", f"tables/{playing['id']}/{what}")


def test_a_picture_of_a_past_position_keeps_no_connection() -> None:
    table = put_into_rows(stored("one_lap"))
    table.spectators = Spectators.OPEN
    table.save()
    assert not kept_after(Caller(), "GET", f"tables/{table.pk}/positions/3/board.svg")


@pytest.mark.parametrize("record", [BY_HAND, FROM_SERVER])
def test_the_check_of_a_record_keeps_no_connection(alice: Caller, record: str) -> None:
    assert not kept_after(alice, "POST", "records/check", document_of(record_in(record)))


def test_an_ordinary_call_keeps_its_connection_to_the_end(playing: dict[str, Any], alice: Caller) -> None:
    assert kept_after(alice, "GET", f"tables/{playing['id']}/position")
