"""A table is played to its end with the version of the rules that it began with, even if a newer one exists."""

from typing import Any
from uuid import UUID

import pytest

from rules.game import Game
from rules.games import GAMES
from rules.mexican_train import ENGINE_VERSION
from rules.mexican_train.state import State
from rules.mexican_train.versions import MexicanTrain
from rules.records.json_form import record_from
from tables import audit, records, thinking
from tables.models import Table
from tests.cast import Caller, join, open_table, position, start
from tests.deals import deal_again
from tests.matches import SMALL, arrange, play_match, send, snapshot
from tests.rest.checks import check_refused

LATER = 3
OPTIONS = SMALL | {"first_round_starter": "random"}
NAMES = {name for name, value in vars(Game).items() if callable(value) and not name.startswith("_")}
"""What a game can be asked."""
ASKED_ELSEWHERE = {"may_make", "type_of"}
"""Of moves out of turn when a log is checked, and by the presenters of games that have none of their own."""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The calls that a later version gets, which is like the present one."""
    names: set[str] = set()

    class Noted(MexicanTrain):
        version = LATER

        def __getattribute__(self, name: str) -> Any:
            names.add(name)
            return super().__getattribute__(name)

    monkeypatch.setitem(GAMES, ("mexican_train", LATER), Noted())
    return names


def begun_with(version: int, *callers: Caller, options: dict[str, Any] = OPTIONS, **fields: Any) -> dict[str, Any]:
    """A table of theirs that began with this version."""
    table = open_table(callers[0], seats=len(callers), options=options, **fields)
    join(table, *callers[1:])
    Table.objects.filter(pk=table["id"]).update(engine_version=version)
    start(table, callers[0])
    return table


def test_a_table_asks_only_the_rules_of_its_version(alice: Caller, bob: Caller, asked: set[str]) -> None:
    assert (
        alice.patch(f"tables/{open_table(alice, options=OPTIONS)['id']}", {"options": {"must_play": False}}).status
        == 200
    )
    table = begun_with(LATER, alice, bob, auto_pass=True)
    arrange(table, "6-5 5-4 4-3", "6-4 4-2 2-1")  # the first seat has a tile to lay
    path, mover = f"tables/{table['id']}", (alice, bob)[snapshot(table).turn or 0]
    for call in ("explain", "hint?level=expert", "rules"):
        assert mover.get(f"{path}/{call}").status == 200
    wanted = position(table, mover)["you"]["legal_moves"][0]["move"]
    assert send(table, mover, wanted, 1, keep_marker=True).status == 400
    assert send(table, mover, "call 1", 1).status == 422
    thinking.first_legal(snapshot(table))
    thinking.checked_choice(snapshot(table), "easy")
    play_match(table)
    for call in ("moves", "rounds/1/deal", "positions/1"):
        assert mover.get(f"{path}/{call}").status == 200
    assert NAMES - asked == ASKED_ELSEWHERE


def test_points_and_winners_follow_the_version_of_the_table(
    alice: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Later(MexicanTrain):
        version = LATER

        def round_points(self, state: State) -> tuple[int, ...]:
            return (7, 7)

        def winners(self, *facts: Any) -> list[int]:
            return [1]

    monkeypatch.setitem(GAMES, ("mexican_train", LATER), Later())
    tables = [begun_with(version, alice, bob) for version in (1, LATER)]
    for table in tables:
        play_match(table)
    now, then = (alice.get(f"tables/{table['id']}").body for table in tables)
    assert (then["winners"], [seat["total"] for seat in then["seats"]]) == ([1], [14, 14])
    assert [seat["total"] for seat in now["seats"]] != [14, 14]


@pytest.mark.parametrize("call", ["position", "explain", "hint", "board.svg"])
def test_an_unknown_version_is_unavailable(alice: Caller, bob: Caller, call: str) -> None:
    """As while a newer release is being taken back, or comes up process by process."""
    table = begun_with(1, alice, bob)
    Table.objects.update(engine_version=99)
    check_refused(lambda: alice.get(f"tables/{table['id']}/{call}"), 503, "unavailable")
    check_refused(lambda: send(table, alice, "draw", 1), 503, "unavailable")


# Version 1 and the present one, side by side: a match that was running when the rules changed goes on as it began.
LEFT = {
    "set_max_pip": 6,
    "hand_sizes": {"2": 3},
    "engine_selection": "highest_held",
    "round_starter": "left_of_engine_holder",
    "first_turn_length": "unlimited",
    "first_turn_trains": "own_only",
    "mexican_start": "second_turn",
    "rounds": 3,
}
ORDER = "6-6 6-5 5-4 6-1 3-2 2-2"


@pytest.mark.parametrize(("version", "legal"), [(1, ["6-5>0", "6-5>mexican"]), (ENGINE_VERSION, ["6-5>0"])])
def test_a_running_match_keeps_the_version_that_it_began_with(
    alice: Caller, bob: Caller, version: int, legal: list[str]
) -> None:
    """Alice has laid the engine; only version 1 calls that her first turn."""
    table = begun_with(version, alice, bob, options=LEFT)
    deal_again(table, ORDER)
    for number, move in enumerate(["6-1>1", "end"], start=1):
        assert send(table, bob, move, number).status == 201
    shown = position(table, alice)
    assert [each["move"] for each in shown["you"]["legal_moves"]] == legal
    explained = alice.get(f"tables/{table['id']}/explain").body
    assert ("6-5>mexican" in legal) == is_allowed(explained, "6-5>mexican")
    answer = send(table, alice, "6-5>0", 3)
    assert (answer.status, position(table, alice)["turn"]["seat"]) == (201, 1 if version == 1 else 0)


def is_allowed(explained: dict[str, Any], move: str) -> bool:
    return any(each["legal"] for each in explained["moves"] if each["move"] == move)


def test_a_match_of_version_1_is_checked_exported_and_imported_by_version_1(alice: Caller, bob: Caller) -> None:
    table = begun_with(1, alice, bob, options=LEFT)
    play_match(table)
    assert audit.first_difference(rows_in(table)) is None
    exported = alice.get(f"tables/{table['id']}/record").body
    assert exported["engine_version"] == 1
    checked = alice.post("records/check", exported)
    assert (checked.status, checked.body["valid"]) == (200, True)
    unsaid: dict[str, Any] = {"secret": None, "commitment": None, "client_seeds": []}
    elsewhere = exported | {"table": None, "rounds": [each | unsaid for each in exported["rounds"]]}
    kept = records.import_record(record_from(elsewhere))
    assert kept.engine_version == 1
    assert audit.first_difference(rows_in({"id": str(kept.pk)})) is None


def test_new_tables_and_changed_rules_have_the_newest_version(alice: Caller) -> None:
    table = open_table(alice)
    assert Table.objects.get().engine_version == ENGINE_VERSION
    Table.objects.update(engine_version=1)
    alice.patch(f"tables/{table['id']}", {"name": "Still of version 1"})
    assert Table.objects.get().engine_version == 1
    alice.patch(f"tables/{table['id']}", {"options": {"first_round_starter": "seat_3"}})
    assert Table.objects.get().engine_version == ENGINE_VERSION


def test_the_rule_sheet_follows_the_version_of_the_table(alice: Caller, bob: Caller) -> None:
    table = begun_with(1, alice, bob, options=LEFT)
    assert STILL_TO_COME not in alice.get(f"tables/{table['id']}/rules").text
    Table.objects.update(engine_version=ENGINE_VERSION)
    assert STILL_TO_COME in alice.get(f"tables/{table['id']}/rules").text


STILL_TO_COME = "The first turn of the seat that has laid the engine is still to come."


def rows_in(table: dict[str, Any]) -> audit.StoredTable:
    rows = audit.read(UUID(table["id"]))
    assert rows is not None
    return rows
