"""Calls that compute for long have given their connection to the database back by then: there are few for all."""

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
def test_whoever_thinks_or_draws_keeps_none(playing: dict[str, Any], alice: Caller, bob: Caller, what: str) -> None:
    mover = bob if alice.get(f"tables/{playing['id']}/explain").status == 409 else alice
    assert not kept_after(mover, "GET", f"tables/{playing['id']}/{what}")


def test_nor_does_whoever_draws_what_was() -> None:
    table = put_into_rows(stored("one_lap"))
    table.spectators = Spectators.OPEN
    table.save()
    assert not kept_after(Caller(), "GET", f"tables/{table.pk}/positions/3/board.svg")


@pytest.mark.parametrize("record", [BY_HAND, FROM_SERVER])
def test_nor_does_whoever_checks_a_record(alice: Caller, record: str) -> None:
    assert not kept_after(alice, "POST", "records/check", document_of(record_in(record)))


def test_one_who_only_asks_keeps_it_to_the_end(playing: dict[str, Any], alice: Caller) -> None:
    assert kept_after(alice, "GET", f"tables/{playing['id']}/position")
