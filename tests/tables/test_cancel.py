"""``POST tables/{id}/cancel``."""

from typing import Any

import pytest

from tables.models import Table
from tests.cast import Caller, open_table, play
from tests.matches import begin, play_match
from tests.rest.checks import check_refused, nothing_changes


@pytest.mark.parametrize("stage", ["two_seats", "playing"])
def test_it_works(stage: str, alice: Caller, request: pytest.FixtureRequest) -> None:
    table = request.getfixturevalue(stage)
    answer = alice.post(f"tables/{table['id']}/cancel")
    assert answer.status == 200
    assert (answer.body["status"], answer.body["ended_reason"]) == ("cancelled", "cancelled_by_host")
    assert answer.body["winners"] is None
    assert answer.body["version"] > table["version"]


def test_cancelling_again_changes_nothing(two_seats: dict[str, Any], alice: Caller) -> None:
    first = alice.post(f"tables/{two_seats['id']}/cancel")
    with nothing_changes():
        again = alice.post(f"tables/{two_seats['id']}/cancel")
    assert (again.status, again.body) == (200, first.body)


def test_the_clocks_of_a_cancelled_table_stop(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, turn_seconds=60)
    alice.post(f"tables/{table['id']}/cancel")
    row = Table.objects.get()
    assert (row.turn, row.deadline, row.due_at) == (None, None, None)


def test_a_host_without_a_seat_may_cancel(alice: Caller) -> None:
    table = open_table(alice, host_seat=None)
    assert alice.post(f"tables/{table['id']}/cancel").status == 200


def test_a_cancelled_table_accepts_no_moves(playing: dict[str, Any], alice: Caller) -> None:
    alice.post(f"tables/{playing['id']}/cancel")
    body = {"move": "draw", "number": 1}
    check_refused(lambda: alice.post(f"tables/{playing['id']}/moves", body), 409, "table_finished")


@pytest.mark.parametrize(
    ("who", "status", "code"),
    [("bob", 403, "not_host"), ("cleo", 403, "not_host"), ("spectator", 401, "not_authenticated")],
)
@pytest.mark.parametrize("stage", ["two_seats", "playing"])
def test_only_the_host_may_cancel(stage: str, who: str, status: int, code: str, request: pytest.FixtureRequest) -> None:
    table, caller = request.getfixturevalue(stage), request.getfixturevalue(who)
    check_refused(lambda: caller.post(f"tables/{table['id']}/cancel"), status, code)


def test_a_finished_match_cannot_be_cancelled(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    play_match(table)
    check_refused(lambda: alice.post(f"tables/{table['id']}/cancel"), 409, "table_finished")


def test_the_log_keeps_the_moves_of_a_cancelled_match(playing: dict[str, Any], alice: Caller) -> None:
    play(playing, alice)
    before = alice.get(f"tables/{playing['id']}/moves").body
    alice.post(f"tables/{playing['id']}/cancel")
    assert alice.get(f"tables/{playing['id']}/moves").body == before
