"""``GET tables/{id}/record``."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rules.records.checking import check_record
from rules.records.json_form import record_from
from rules.records.record import Record
from rules.records.text_form import record_in
from tests.cast import Answer, Caller, open_table
from tests.matches import begin, bots, play_match, play_round, step

TEXT = "text/plain"


@pytest.fixture
def table(alice: Caller, bob: Caller) -> dict[str, Any]:
    return begin(alice, bob, bots=bots(2), name="Kitchen")


def look(table: dict[str, Any], caller: Caller, accept: str = "application/json", **headers: str) -> Answer:
    return caller.get(f"tables/{table['id']}/record", Accept=accept, **headers)


def record(table: dict[str, Any], caller: Caller) -> Record:
    answer = look(table, caller)
    assert answer.status == 200, answer.text
    return record_from(answer.body)


def test_it_works(table: dict[str, Any], alice: Caller) -> None:
    play_match(table)
    found = check_record(record(table, alice))
    shown = alice.get(f"tables/{table['id']}").body
    assert found.record == record(table, alice)
    assert found.fair == "verified"
    assert (str(found.record.table), list(found.record.winners or ())) == (table["id"], shown["winners"])
    assert list(found.totals) == [seat["total"] for seat in shown["seats"]]
    assert [(seat.name, seat.kind, seat.level) for seat in found.record.seats] == [
        (seat["player"]["name"], seat["player"]["kind"], seat["player"].get("level", "")) for seat in shown["seats"]
    ]
    assert dict(found.record.headers)["Event"] == "Kitchen"


def test_the_moves_are_those_of_the_log(table: dict[str, Any], alice: Caller) -> None:
    play_match(table)
    told = [move for each in look(table, alice).body["rounds"] for move in each["moves"]]
    log = alice.get(f"tables/{table['id']}/moves?limit=500").body
    assert told == [{name: entry[name] for name in ("number", "seat", "move", "by")} for entry in log]


def test_the_text_has_the_same_content(table: dict[str, Any], alice: Caller) -> None:
    play_match(table)
    answer = look(table, alice, TEXT)
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["Content-Disposition"] == f'inline; filename="{table["id"]}.txt"'
    assert record_in(answer.text) == record(table, alice)


def test_the_record_is_the_same_for_everybody(
    table: dict[str, Any], alice: Caller, bob: Caller, spectator: Caller
) -> None:
    play_round(table)
    for accept in ("application/json", TEXT):
        assert len({look(table, caller, accept).text for caller in (alice, bob, spectator)}) == 1


def test_the_record_of_a_running_match_has_only_finished_rounds(table: dict[str, Any], alice: Caller) -> None:
    before = look(table, alice).text
    assert (record(table, alice).rounds, record(table, alice).is_unfinished) == ((), True)
    step(table)
    assert look(table, alice).text == before
    play_round(table)
    after = look(table, alice).text
    found = check_record(record(table, alice))
    assert (len(found.record.rounds), found.record.is_unfinished, found.record.winners) == (1, True, None)
    step(table)
    assert look(table, alice).text == after


def test_the_record_of_an_open_table_is_empty(alice: Caller) -> None:
    table = open_table(alice, seats=3)
    found = check_record(record(table, alice))
    assert (found.record.rounds, [seat.name for seat in found.record.seats]) == ((), ["Alice", "", ""])


def test_the_record_of_a_cancelled_match_has_the_reason(table: dict[str, Any], alice: Caller) -> None:
    play_round(table)
    alice.post(f"tables/{table['id']}/cancel")
    found = check_record(record(table, alice)).record
    assert (found.is_unfinished, dict(found.headers)["Termination"]) == (True, "cancelled_by_host")


def test_a_deleted_player_has_no_name_in_the_record(table: dict[str, Any], alice: Caller, bob: Caller) -> None:
    play_match(table)
    bob.delete("players/me")
    assert [seat.name for seat in record(table, alice).seats[:2]] == ["Alice", "Deleted player"]
    assert "Bob" not in look(table, alice, TEXT).text


def test_an_unchanged_record_is_304(table: dict[str, Any], alice: Caller) -> None:
    play_round(table)
    for accept in ("application/json", TEXT):
        first = look(table, alice, accept)
        assert {"Accept", "Authorization"} <= set(first.headers["Vary"].split(", "))
        again = look(table, alice, accept, If_None_Match=first.headers["ETag"])
        assert (again.status, again.text) == (304, "")
    play_match(table)
    assert look(table, alice, TEXT, If_None_Match=first.headers["ETag"]).status == 200


def test_the_number_of_queries_does_not_grow_with_the_match(table: dict[str, Any], alice: Caller) -> None:
    counts = set()
    for _ in range(3):
        with CaptureQueriesContext(
            connection,
        ) as asked:
            look(table, alice)
        counts.add(len(asked))
        play_round(table)
    assert len(counts) <= 2  # one fewer where no round is over yet
    assert max(counts) <= 7


def test_the_record_of_a_hidden_table_does_not_exist_for_others(
    alice: Caller, bob: Caller, cleo: Caller, spectator: Caller
) -> None:
    table = begin(alice, bob, spectators="none")
    play_match(table)
    assert look(table, bob).status == 200
    for caller in (cleo, spectator):
        for accept in ("application/json", TEXT):
            answer = look(table, caller, accept)
            assert (answer.status, answer.body["code"]) == (404, "not_found")
            assert answer.headers["Content-Type"] == "application/problem+json"


def test_an_unknown_table_does_not_exist(alice: Caller) -> None:
    assert look({"id": uuid4()}, alice).status == 404


def test_another_media_type_is_not_acceptable(table: dict[str, Any], alice: Caller) -> None:
    answer = look(table, alice, "image/png")
    assert (answer.status, answer.body["code"]) == (406, "not_acceptable")


def test_the_sent_record_passes_the_check(table: dict[str, Any], alice: Caller, spectator: Caller) -> None:
    play_match(table)
    answer = spectator.post("records/check", json.loads(look(table, alice).text))
    assert (answer.status, answer.body["valid"], answer.body["fair"]) == (200, True, "verified")
