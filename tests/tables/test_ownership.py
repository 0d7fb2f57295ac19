"""Limits on the tables that one player may host, and that one address may open."""

from typing import Any
from uuid import UUID

import pytest

from tables.models import Status, Table
from tests.cast import Caller, guest, open_table, start
from tests.matches import begin, bots, play_match
from tests.rates import limit
from tests.rest.checks import check_problem, check_refused, together


def test_the_open_tables_of_a_player_are_limited(alice: Caller, bob: Caller, settings: Any) -> None:
    settings.OPEN_TABLES_OF_ONE = 2
    first, _ = open_table(alice), open_table(alice)
    check_refused(lambda: alice.post("tables", {}), 409, "too_many_tables")
    open_table(bob)
    alice.post(f"tables/{first['id']}/cancel")
    open_table(alice)


def test_the_running_matches_of_a_player_are_limited(alice: Caller, settings: Any) -> None:
    settings.RUNNING_TABLES_OF_ONE = 1
    first, second = (open_table(alice, seats=2, bots=bots(1)) for _ in range(2))
    start(first, alice)
    check_refused(lambda: alice.post(f"tables/{second['id']}/start"), 409, "too_many_tables")
    assert alice.post(f"tables/{first['id']}/start").status == 200, "again, nothing changes"
    alice.post(f"tables/{first['id']}/cancel")
    start(second, alice)


def test_a_rematch_counts_as_an_open_table(alice: Caller, bob: Caller, settings: Any) -> None:
    settings.OPEN_TABLES_OF_ONE = 1
    match = begin(alice, bob)
    play_match(match)
    other = open_table(alice)
    check_refused(lambda: alice.post(f"tables/{match['id']}/rematch"), 409, "too_many_tables")
    following = bob.post(f"tables/{match['id']}/rematch")
    assert following.status == 201
    assert alice.post(f"tables/{match['id']}/rematch").status == 200, "it is there already, and Bob hosts it"
    assert Table.objects.filter(status=Status.OPEN, host=alice.player).get().pk == UUID(other["id"])


def test_zero_means_no_limit(alice: Caller, settings: Any) -> None:
    settings.OPEN_TABLES_OF_ONE = settings.RUNNING_TABLES_OF_ONE = 0
    start(open_table(alice, seats=2, bots=bots(1)), alice)
    open_table(alice)


def test_the_limits_have_defaults(settings: Any) -> None:
    assert 20 <= settings.OPEN_TABLES_OF_ONE <= 300
    assert 20 <= settings.RUNNING_TABLES_OF_ONE <= 300


@pytest.mark.django_db(transaction=True)
def test_many_tables_opened_at_once_do_not_exceed_the_limit(settings: Any) -> None:
    settings.OPEN_TABLES_OF_ONE = 2
    alice = guest("Alice")
    answers = together(*[lambda: alice.post("tables", {})] * 5)
    assert sorted(answer.status for answer in answers) == [201, 201, 409, 409, 409]
    assert Table.objects.filter(status=Status.OPEN).count() == 2


def test_guests_of_one_address_share_its_limit(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch, table="2/hour")
    assert [guest("Alice").post("tables", {}).status for _ in range(3)] == [201, 201, 429]
    check_problem(guest("Bob").post("tables", {}), 429, "too_many_requests")
    assert guest("Bob").get("tables").status == 200
