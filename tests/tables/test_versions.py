"""The version of the rules that a table began with plays it to its end, whatever has become of them since."""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import pytest

from rules.versions import VERSIONS, Version, version_of
from tables import thinking
from tables.models import Table
from tests.cast import Caller, join, open_table, position, start
from tests.matches import SMALL, play_match, send, snapshot
from tests.rest.checks import check_refused

LATER = 2
OPTIONS = SMALL | {"first_round_starter": "random"}
NAMES = {field.name for field in fields(Version)}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """What has been asked of a later version, which is like the present one."""
    names: set[str] = set()

    def noted(name: str) -> Callable[..., Any]:
        def ask(*arguments: Any) -> Any:
            names.add(name)
            return getattr(version_of(1), name)(*arguments)

        return ask

    monkeypatch.setitem(VERSIONS, LATER, Version(**{name: noted(name) for name in NAMES}))
    return names


def begun_with(version: int, *callers: Caller) -> dict[str, Any]:
    """A table of theirs that began with this version."""
    table = open_table(callers[0], seats=len(callers), options=OPTIONS)
    join(table, *callers[1:])
    Table.objects.filter(pk=table["id"]).update(engine_version=version)
    start(table, callers[0])
    return table


def test_a_table_asks_nobody_else(alice: Caller, bob: Caller, asked: set[str]) -> None:
    table = begun_with(LATER, alice, bob)
    path, mover = f"tables/{table['id']}", (alice, bob)[snapshot(table).turn or 0]
    for call in ("explain", "hint?level=expert"):
        assert mover.get(f"{path}/{call}").status == 200
    wanted = position(table, mover)["you"]["legal_moves"][0]["move"]
    assert send(table, mover, wanted, 1, keep_marker=True).status == 400
    assert send(table, mover, "call 1", 1).status == 422
    thinking.first_legal(snapshot(table))
    play_match(table)
    for call in ("moves", "rounds/1/deal", "positions/1"):
        assert mover.get(f"{path}/{call}").status == 200
    assert asked == NAMES


def test_points_and_winners_are_as_it_counts(alice: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    later = replace(version_of(1), round_points=lambda _: (7, 7), winners=lambda *_: [1])
    monkeypatch.setitem(VERSIONS, LATER, later)
    tables = [begun_with(version, alice, bob) for version in (1, LATER)]
    for table in tables:
        play_match(table)
    now, then = (alice.get(f"tables/{table['id']}").body for table in tables)
    assert (then["winners"], [seat["total"] for seat in then["seats"]]) == ([1], [14, 14])
    assert [seat["total"] for seat in now["seats"]] != [14, 14]


@pytest.mark.parametrize("call", ["position", "explain", "hint", "board.svg"])
def test_a_version_that_is_not_here_is_no_fault_of_the_caller(alice: Caller, bob: Caller, call: str) -> None:
    """As while a newer release is being taken back, or comes up process by process."""
    table = begun_with(1, alice, bob)
    Table.objects.update(engine_version=99)
    check_refused(lambda: alice.get(f"tables/{table['id']}/{call}"), 503, "unavailable")
    check_refused(lambda: send(table, alice, "draw", 1), 503, "unavailable")
