"""``GET tables``."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tables.models import Table
from tests.cases import slow_after
from tests.cast import Caller, join, open_table, start
from tests.rest.checks import check_refused


def listed(caller: Caller, query: str = "") -> list[str]:
    answer = caller.get(f"tables?{query}")
    assert answer.status == 200, answer.text
    return [table["id"] for table in answer.body["results"]]


def pages(caller: Caller, path: str, link: str = "next") -> Iterator[dict[str, Any]]:
    """Page after page, as the answers themselves link them."""
    following: str | None = path
    while following:
        answer = caller.get(following)
        assert answer.status == 200, answer.text
        yield answer.body
        url = answer.body[link]
        following = url and f"{urlsplit(url).path.removeprefix('/api/v1/')}?{urlsplit(url).query}"


def test_it_works(alice: Caller, spectator: Caller) -> None:
    tables = [open_table(alice, visibility="public") for _ in range(3)]
    answer = spectator.get("tables")
    assert answer.status == 200
    assert (answer.body["next"], answer.body["previous"]) == (None, None)
    newest_first = [{name: value for name, value in table.items() if name != "invite"} for table in reversed(tables)]
    assert answer.body["results"] == newest_first


def test_tables_are_filtered_by_status(alice: Caller, bob: Caller, spectator: Caller) -> None:
    waiting, playing, cancelled = (open_table(alice, seats=2, visibility="public") for _ in range(3))
    join(playing, bob)
    start(playing, alice)
    alice.post(f"tables/{cancelled['id']}/cancel")
    assert listed(spectator, "status=open") == [waiting["id"]]
    assert listed(spectator, "status=playing") == [playing["id"]]
    assert listed(spectator, "status=cancelled") == [cancelled["id"]]
    assert listed(spectator, "status=finished") == []
    assert len(listed(spectator)) == 3


def test_tables_are_filtered_by_visibility(alice: Caller) -> None:
    private, public = open_table(alice), open_table(alice, visibility="public")
    assert listed(alice, "visibility=private") == [private["id"]]
    assert listed(alice, "visibility=public&status=open") == [public["id"]]


def test_a_private_table_is_listed_for_its_members_only(
    alice: Caller, bob: Caller, cleo: Caller, spectator: Caller
) -> None:
    table = open_table(alice, host_seat=None)
    join(table, bob)
    assert listed(alice) == listed(bob) == [table["id"]]
    assert listed(cleo) == listed(spectator) == []
    assert listed(cleo, "visibility=private") == []


def test_only_members_see_the_invite(alice: Caller, bob: Caller, spectator: Caller) -> None:
    table = open_table(alice, visibility="public")
    assert alice.get("tables").body["results"][0]["invite"] == table["invite"]
    for other in (bob, spectator):
        assert table["invite"]["code"] not in other.get("tables").text


def test_a_table_is_listed_once_to_a_host_who_sits(alice: Caller, bob: Caller) -> None:
    table = open_table(alice, visibility="public", bots=[{"seat": 2, "level": "easy"}])
    join(table, bob)
    assert listed(alice) == listed(bob) == [table["id"]]


@pytest.mark.parametrize("limit", slow_after(1, [1, 3, 7, 100]))
def test_all_pages_together_are_all_tables_once(alice: Caller, spectator: Caller, limit: int) -> None:
    tables = [open_table(alice, visibility="public")["id"] for _ in range(13)]
    walked = list(pages(spectator, f"tables?limit={limit}"))
    assert [table["id"] for page in walked for table in page["results"]] == tables[::-1]
    assert len(walked) == -(-13 // limit)
    last = walked[-1]["previous"]
    if last:
        path = f"tables?{urlsplit(last).query}"
        back = [table["id"] for page in pages(spectator, path, "previous") for table in reversed(page["results"])]
        assert back == tables[len(walked[-1]["results"]) :]


def test_tables_opened_in_the_same_moment_are_all_listed(alice: Caller, spectator: Caller) -> None:
    tables = {open_table(alice, visibility="public")["id"] for _ in range(9)}
    Table.objects.update(created_at=Table.objects.earliest("created_at").created_at)
    walked = [table["id"] for page in pages(spectator, "tables?limit=2") for table in page["results"]]
    assert len(walked) == 9
    assert set(walked) == tables


def test_a_table_opened_meanwhile_does_not_shift_the_pages(alice: Caller, spectator: Caller) -> None:
    tables = [open_table(alice, visibility="public")["id"] for _ in range(6)]
    walk = pages(spectator, "tables?limit=2")
    first = next(walk)
    open_table(alice, visibility="public")
    seen = [table["id"] for page in [first, *walk] for table in page["results"]]
    assert seen == tables[::-1]


def test_the_filter_applies_to_every_page(alice: Caller, spectator: Caller) -> None:
    tables = [open_table(alice, visibility="public")["id"] for _ in range(6)]
    for table in tables[::2]:
        alice.post(f"tables/{table}/cancel")
    walked = [table for page in pages(spectator, "tables?status=open&limit=1") for table in page["results"]]
    assert [table["id"] for table in walked] == tables[1::2][::-1]


def test_thirty_tables_take_as_many_queries_as_three(alice: Caller, spectator: Caller) -> None:
    counts: dict[Caller, list[int]] = {alice: [], spectator: []}
    for more, tables in ((3, 3), (27, 30)):
        for _ in range(more):
            open_table(alice, visibility="public", bots=[{"seat": 1, "level": "easy"}])
        for caller, so_far in counts.items():
            with CaptureQueriesContext(connection) as queries:
                assert len(listed(caller, "limit=100")) == tables
            so_far.append(len(queries))
    assert all(few == many <= 5 for few, many in counts.values())


@pytest.mark.parametrize(
    ("query", "field"),
    [("status=opened", "status"), ("visibility=secret", "visibility"), ("status=%00", "status")],
)
def test_a_wrong_filter_is_named(alice: Caller, query: str, field: str) -> None:
    check_refused(lambda: alice.get(f"tables?{query}"), 400, "invalid", field)


@pytest.mark.parametrize(
    "cursor",
    ["nonsense", "cD1ub3RoaW5n", "cD0lMDA=", "cD0=", "bz0tMQ==", "cD05OTk5LTk5LTk5", "cD0yMDI2LTAxLTAx", "w7w="],
)
def test_an_invalid_cursor_is_refused(alice: Caller, cursor: str) -> None:
    open_table(alice)
    check_refused(lambda: alice.get(f"tables?cursor={cursor}"), 400, "invalid", "cursor")


def test_a_bad_token_is_refused(db: None) -> None:
    check_refused(lambda: Caller("nonsense").get("tables"), 401, "bad_token")
