"""``GET invites/{code}``."""

from typing import Any

import pytest

from tables.models import Table
from tests.cast import Caller, join, open_table
from tests.rest.checks import check_refused


def invitation(table: dict[str, Any], caller: Caller) -> dict[str, Any]:
    answer = caller.get(f"invites/{table['invite']['code']}")
    assert answer.status == 200, answer.text
    told: dict[str, Any] = answer.body
    return told


def test_it_works(alice: Caller, cleo: Caller) -> None:
    table = open_table(alice, name="Friday", seats=3, options={"rounds": 2})
    told = invitation(table, cleo)
    assert told["table"] == cleo.get(f"tables/{table['id']}").body
    assert "invite" not in told["table"]
    del told["table"]
    assert told == {"name": "Friday", "host": "Alice", "status": "open", "free_seats": 2}


def test_a_code_in_lower_case_is_accepted_without_a_token(alice: Caller, spectator: Caller) -> None:
    code = open_table(alice)["invite"]["code"]
    assert spectator.get(f"invites/{code.lower()}").body["host"] == "Alice"


def test_the_answer_about_a_hidden_table_has_only_what_the_page_shows(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = open_table(alice, name="Friday", spectators="none", seats=2)
    join(table, bob)
    hidden = {"name": "Friday", "host": "Alice", "status": "open", "free_seats": 0, "table": None}
    assert invitation(table, cleo) == hidden
    assert invitation(table, bob)["table"]["id"] == table["id"]


def test_the_answer_about_a_table_without_a_host(alice: Caller) -> None:
    table = open_table(alice)
    Table.objects.update(host=None)
    assert invitation(table, Caller())["host"] is None


@pytest.mark.parametrize("code", ["NOSUCHCODE", "x", "%00", "%F0%9F%90%89", "x" * 3000, "' or 1=1 --"])
def test_an_unknown_code_is_404(alice: Caller, code: str) -> None:
    check_refused(lambda: alice.get(f"invites/{code}"), 404, "unknown_invite")
