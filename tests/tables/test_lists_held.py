"""``ETag`` and ``?wait=`` of ``GET players/me/tables`` and ``GET tables``."""

from collections.abc import Callable
from time import monotonic
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tables.api.lists import PageNow, TableListApiView
from tests.at_once import threads
from tests.cast import Answer, Caller, join, open_table
from tests.matches import arrange, begin, send
from tests.rest.checks import check_problem
from tests.tables.test_waiting import LONG, await_nobody_listens, await_watchers, without_redis

pytestmark = pytest.mark.django_db(transaction=True)
LISTS = ["players/me/tables", "tables", "tables?status=open", "players/me/tables?status=playing&limit=5"]


@pytest.fixture
def table(alice: Caller, bob: Caller) -> dict[str, Any]:
    begun = begin(alice, bob, visibility="public")
    arrange(begun, "6-5 6-4 3-1", "5-5 5-2 4-3", boneyard="2-0 6-0 1-1")
    return begun


def woken_by(path: str, caller: Caller, act: Callable[[], object]) -> Answer:
    """The answer of a caller who waits for a list to change while something is done."""
    tag, begun = str(caller.get(path).headers["ETag"]), monotonic()
    held = f"{path}{'&' if '?' in path else '?'}wait={LONG}"
    with threads() as begin_in_thread:
        waiting = begin_in_thread(lambda: caller.get(held, If_None_Match=tag))
        await_watchers(1)
        act()
        answer = waiting.result(LONG)
    assert monotonic() - begun < LONG / 2
    assert (answer.status, answer.headers.get("ETag") != tag) == (200, True)
    return answer


@pytest.mark.parametrize("path", LISTS)
def test_an_unchanged_list_is_304_from_one_query_besides_the_tokens(
    path: str, table: dict[str, Any], bob: Caller
) -> None:
    answer = bob.get(path)
    assert answer.headers["Cache-Control"] == "private, no-cache"
    with CaptureQueriesContext(connection) as made:
        again = bob.get(path, If_None_Match=answer.headers["ETag"])
    assert (again.status, again.text, again.headers["ETag"]) == (304, "", answer.headers["ETag"])
    assert len([each for each in made if "tables_table" in each["sql"]]) == 1


def test_every_caller_and_every_page_has_another_tag(table: dict[str, Any], alice: Caller, bob: Caller) -> None:
    open_table(alice, visibility="public")
    asked = [(caller, path) for caller in (alice, bob, Caller()) for path in ("tables", "tables?limit=1")]
    assert len({caller.get(path).headers["ETag"] for caller, path in asked}) == len(asked)


def test_a_move_ends_the_wait(table: dict[str, Any], alice: Caller, bob: Caller) -> None:
    answer = woken_by("players/me/tables", bob, lambda: send(table, alice, "6-5>mexican", 1))
    assert answer.body["results"][0]["your_turn"]


def test_a_move_at_a_public_table_ends_the_wait(table: dict[str, Any], alice: Caller) -> None:
    woken_by("tables", Caller(), lambda: send(table, alice, "6-5>mexican", 1))


def test_a_new_table_ends_the_wait(alice: Caller, bob: Caller) -> None:
    assert len(woken_by("tables", bob, lambda: open_table(alice, visibility="public")).body["results"]) == 1


def test_a_new_table_of_the_caller_ends_the_wait(alice: Caller, bob: Caller) -> None:
    assert len(woken_by("players/me/tables", alice, lambda: open_table(alice)).body["results"]) == 1
    opened = open_table(alice)
    assert len(woken_by("players/me/tables", bob, lambda: join(opened, bob)).body["results"]) == 1


def test_losing_a_seat_ends_the_wait(alice: Caller, bob: Caller) -> None:
    opened = open_table(alice)
    join(opened, bob)
    answer = woken_by("players/me/tables", bob, lambda: alice.delete(f"tables/{opened['id']}/seats/1"))
    assert answer.body["results"] == []


def test_a_table_that_leaves_the_list_ends_the_wait(alice: Caller, bob: Caller) -> None:
    opened = open_table(alice, visibility="public")
    hide = lambda: alice.patch(f"tables/{opened['id']}", {"visibility": "private"})  # noqa: E731
    assert woken_by("tables", bob, hide).body["results"] == []


def test_without_redis_the_list_is_polled(
    table: dict[str, Any], alice: Caller, bob: Caller, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tables.watching.LISTS_LOOK_EVERY", 0.05)
    await_nobody_listens()
    with without_redis(settings, monkeypatch):
        woken_by("players/me/tables", bob, lambda: open_table(bob))


def test_a_change_at_another_table_queries_the_list_once(
    table: dict[str, Any], alice: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, looks = "players/me/tables?status=open", list[TableListApiView]()
    tag = bob.get(path).headers["ETag"]
    glance = TableListApiView.glance

    def counted(call: TableListApiView) -> PageNow:
        looks.append(call)
        return glance(call)

    monkeypatch.setattr(TableListApiView, "glance", counted)
    with threads() as begin_in_thread:
        waiting = begin_in_thread(lambda: bob.get(f"{path}&wait=1", If_None_Match=tag))
        await_watchers(1)
        send(table, alice, "6-5>mexican", 1)
        assert waiting.result(LONG).status == 304
    assert 3 <= len(looks) <= 6


def test_after_the_time_an_unchanged_list_is_304(table: dict[str, Any], bob: Caller) -> None:
    tag, begun = bob.get("players/me/tables").headers["ETag"], monotonic()
    assert bob.get("players/me/tables?wait=1", If_None_Match=tag).status == 304
    assert monotonic() - begun >= 1


def test_without_an_etag_the_answer_comes_at_once(bob: Caller) -> None:
    assert bob.get(f"players/me/tables?wait={LONG}").status == 200


def test_a_revoked_token_ends_the_wait(alice: Caller, bob: Caller) -> None:
    opened = open_table(alice)
    join(opened, bob)
    tag = bob.get("players/me/tables").headers["ETag"]
    with threads() as begin_in_thread:
        waiting = begin_in_thread(lambda: bob.get(f"players/me/tables?wait={LONG}", If_None_Match=tag))
        await_watchers(1)
        bob.post("players/logout")
        alice.post(f"tables/{opened['id']}/cancel")
        check_problem(waiting.result(LONG), 401, "bad_token")


def test_if_too_many_wait_the_answer_comes_at_once(bob: Caller, settings: Any) -> None:
    settings.WATCHERS = 0
    tag, begun = bob.get("tables").headers["ETag"], monotonic()
    answer = bob.get(f"tables?wait={LONG}", If_None_Match=tag)
    assert (answer.status, answer.headers["Retry-After"]) == (304, "5")
    assert monotonic() - begun < LONG / 2
