"""``GET players/me/tables``."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tables.models import Seat, StandIn
from tests.cast import Caller, join, open_table, play
from tests.matches import begin, play_match
from tests.rest.checks import check_refused


def listed(caller: Caller, query: str = "") -> list[dict[str, Any]]:
    answer = caller.get(f"players/me/tables?{query}")
    assert answer.status == 200, answer.text
    tables: list[dict[str, Any]] = answer.body["results"]
    return tables


def test_it_works(alice: Caller, bob: Caller) -> None:
    open_table(bob, visibility="public")
    older, newer = open_table(alice), open_table(bob, host_seat=None, visibility="public")
    join(newer, alice)
    shown = listed(alice)
    assert [table["id"] for table in shown] == [newer["id"], older["id"]]
    assert shown[1] == older | {"your_turn": False}
    assert listed(bob) != shown


def test_tables_are_filtered_by_status(alice: Caller, bob: Caller) -> None:
    waiting, played, over, cancelled = open_table(alice), begin(alice, bob), begin(alice, bob), open_table(alice)
    play_match(over)
    alice.post(f"tables/{cancelled['id']}/cancel")
    tables = {"open": waiting, "playing": played, "finished": over, "cancelled": cancelled}
    for status, table in tables.items():
        assert [each["id"] for each in listed(alice, f"status={status}")] == [table["id"]]
    assert len(listed(alice)) == 4
    assert len(listed(bob)) == 2


def test_the_list_says_where_it_is_the_callers_turn(playing: dict[str, Any], alice: Caller, bob: Caller) -> None:
    assert [table["your_turn"] for table in listed(alice) + listed(bob)] == [True, False]
    while listed(alice)[0]["your_turn"]:
        play(playing, alice)
    assert [table["your_turn"] for table in listed(alice) + listed(bob)] == [False, True]


@pytest.mark.parametrize(
    ("until", "waits"), [(StandIn.NOBODY, True), (StandIn.RETURN, True), (StandIn.TURN, False), (StandIn.END, False)]
)
def test_it_is_not_the_callers_turn_where_a_bot_moves(
    playing: dict[str, Any], alice: Caller, until: StandIn, waits: bool
) -> None:
    Seat.objects.filter(number=0).update(stand_in_until=until, stand_in="easy" if until else "")
    assert listed(alice)[0]["your_turn"] == waits


def test_the_list_comes_in_pages(alice: Caller) -> None:
    tables = [open_table(alice)["id"] for _ in range(5)]
    seen, query = [], "limit=2"
    while query:
        page = alice.get(f"players/me/tables?{query}").body
        seen += [table["id"] for table in page["results"]]
        query = page["next"] and page["next"].split("?")[1]
    assert seen == tables[::-1]


def test_thirty_tables_take_as_many_queries_as_three(alice: Caller) -> None:
    counts: list[int] = []
    for more in (3, 27):
        for _ in range(more):
            open_table(alice, bots=[{"seat": 1, "level": "easy"}])
        with CaptureQueriesContext(connection) as queries:
            listed(alice, "limit=100")
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 5


def test_a_table_of_a_host_without_a_seat_is_not_listed(alice: Caller) -> None:
    open_table(alice, host_seat=None)
    assert listed(alice) == []


def test_a_caller_without_a_token_is_refused(spectator: Caller) -> None:
    check_refused(lambda: spectator.get("players/me/tables"), 401, "not_authenticated")


@pytest.mark.parametrize(
    ("query", "field"), [("status=mine", "status"), ("cursor=nonsense", "cursor"), ("visibility=x", "visibility")]
)
def test_a_wrong_filter_is_named(alice: Caller, query: str, field: str) -> None:
    check_refused(lambda: alice.get(f"players/me/tables?{query}"), 400, "invalid", field)
