"""Sentences: ``said=true`` on position, moves and events, and ``Accept: text/plain``."""

import json
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tables import play
from tables.api.waiting import chunk_between
from tables.models import Move, Table
from tests.cases import slow_after
from tests.cast import Answer, Caller, guest
from tests.matches import SMALL, arrange, begin, bots, play_match, play_round, send, snapshot

TEXT = {"Accept": "text/plain"}


@pytest.fixture
def arranged(alice: Caller, bob: Caller) -> dict[str, Any]:
    table = begin(alice, bob)
    arrange(table, "6-5 6-4 3-1", "5-5 5-2 4-3", boneyard="2-0 3-2 1-1")
    return table


def position(table: dict[str, Any], caller: Caller, **headers: str) -> Answer:
    return caller.get(f"tables/{table['id']}/position?said=true", **headers)


def last_said(table: dict[str, Any], caller: Caller, **headers: str) -> str:
    said: str = position(table, caller, **headers).body["last_move"]["said"]
    return said


def sentences_in(table: dict[str, Any], caller: Caller, **headers: str) -> list[str]:
    answer = caller.get(f"tables/{table['id']}/moves?said=true&limit=500", **headers)
    assert answer.status == 200
    return [entry["said"] for entry in answer.body]


def test_without_said_there_are_no_sentences(arranged: dict[str, Any], alice: Caller) -> None:
    send(arranged, alice, "6-5>mexican", 1)
    assert "said" not in alice.get(f"tables/{arranged['id']}/position").text
    assert "said" not in alice.get(f"tables/{arranged['id']}/moves").text


def test_the_reader_is_you(arranged: dict[str, Any], alice: Caller, bob: Caller, spectator: Caller) -> None:
    send(arranged, alice, "6-5>mexican", 1)
    assert last_said(arranged, alice) == "You lay 6-5 on the Mexican Train."
    assert last_said(arranged, bob) == "Alice lays 6-5 on the Mexican Train." == last_said(arranged, spectator)


def test_a_double_and_its_cover(arranged: dict[str, Any], alice: Caller, bob: Caller) -> None:
    send(arranged, alice, "6-5>mexican", 1)
    send(arranged, bob, "5-5>mexican", 2)
    assert last_said(arranged, alice) == "Bob lays 5-5 on the Mexican Train. The double 5-5 must be covered."
    send(arranged, bob, "5-2>mexican", 3)
    assert last_said(arranged, bob) == "You lay 5-2 on the Mexican Train. The double 5-5 is covered."


def test_only_its_drawer_reads_which_tile_was_drawn(arranged: dict[str, Any], alice: Caller, bob: Caller) -> None:
    send(arranged, alice, "6-4>0", 1)
    send(arranged, bob, "draw", 2)
    assert (last_said(arranged, bob), last_said(arranged, alice)) == ("You draw 2-0.", "Bob draws a tile.")
    send(arranged, bob, "pass", 3)
    assert last_said(arranged, alice) == "Bob passes. Bob's train is open now."
    assert sentences_in(arranged, bob) == [
        "Alice lays 6-4 on their own train.",
        "You draw 2-0.",
        "You pass. Your train is open now.",
    ]


IN_OTHERS = {
    "nl": ["Alice legt 6-4 aan de eigen trein.", "Je trekt 2-0.", "Je past. Je trein is nu open."],
    "hu": ["Alice a saját vonatához rakja ezt: 6-4.", "Ezt húzod: 2-0.", "Passzolsz. A vonatod most nyitva van."],
}


@pytest.mark.parametrize("language", IN_OTHERS)
def test_sentences_are_in_the_language_of_the_request(
    arranged: dict[str, Any], alice: Caller, bob: Caller, language: str
) -> None:
    for number, (caller, move) in enumerate([(alice, "6-4>0"), (bob, "draw"), (bob, "pass")], start=1):
        send(arranged, caller, move, number)
    assert sentences_in(arranged, bob, Accept_Language=language) == IN_OTHERS[language]
    answer = position(arranged, bob, Accept_Language=language)
    assert answer.body["last_move"]["said"] == IN_OTHERS[language][-1]
    assert answer.headers["Content-Language"] == language
    assert "Accept-Language" in answer.headers["Vary"]


def test_a_stand_in_and_the_clock(arranged: dict[str, Any], alice: Caller, bob: Caller) -> None:
    Move.objects.create(
        table_id=arranged["id"],
        round_id=snapshot(arranged).round.id,  # type: ignore[union-attr]
        number=1,
        seat=0,
        text="6-4>0",
        by="bot",
        at=timezone.now(),
    )
    Table.objects.update(next_number=2, turn=1)
    assert last_said(arranged, bob) == "Alice's bot lays 6-4 on Alice's train."
    assert last_said(arranged, alice) == "Your bot lays 6-4 on your train."
    Table.objects.update(deadline=timezone.now() - timezone.timedelta(minutes=1), turn_seconds=5)  # type: ignore[attr-defined]
    assert play.time_out(UUID(arranged["id"]), 2, timezone.now())
    sayings = sentences_in(arranged, alice)
    assert sayings[1].startswith("Time is up for Bob. Bob draws a tile.")
    assert sentences_in(arranged, bob)[1].startswith("Your time is up. You draw 2-0.")


def test_the_sentence_of_a_call_with_its_penalty(alice: Caller, bob: Caller, spectator: Caller) -> None:
    table = begin(alice, bob, options=SMALL | {"announce": "penalty", "hand_sizes": {"2": 2}})
    arrange(table, "6-5 3-1", "5-4 4-2", boneyard="6-3 6-1 2-0")
    send(table, alice, "6-5>0", 1)
    send(table, bob, "call 0", 2)
    for caller in (bob, spectator):
        assert "6-3" not in last_said(table, caller)
    assert last_said(table, bob).startswith("You call Alice, who did not announce the last tile. Alice draws ")
    assert last_said(table, alice).startswith("Bob calls you: you did not announce your last tile. You draw 6-3")


def test_the_end_of_a_round_and_of_the_match(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    play_round(table)
    assert "Round 1 is over. Points: " in last_said(table, alice)
    play_match(table)
    sayings = sentences_in(table, bob)
    assert sum(" is over. Points: " in each for each in sayings) == 2
    assert "match." in sayings[-1] or "victory." in sayings[-1]
    assert sayings[-1] == last_said(table, bob)


def test_players_with_the_same_name_have_numbers_in_sentences(db: None) -> None:
    one, other = guest("Ann"), guest("Ann")
    table = begin(one, other)
    arrange(table, "6-5 6-4 3-1", "5-5 5-2 4-3")
    send(table, one, "6-5>mexican", 1)
    send(table, other, "5-2>mexican", 2)
    assert last_said(table, one) == "Ann 2 lays 5-2 on the Mexican Train."


def test_an_answer_with_sentences_has_its_own_etag(arranged: dict[str, Any], alice: Caller) -> None:
    send(arranged, alice, "6-5>mexican", 1)
    path = f"tables/{arranged['id']}/position"
    plain = alice.get(path).headers["ETag"]
    tags = {
        plain,
        position(arranged, alice).headers["ETag"],
        position(arranged, alice, Accept_Language="nl").headers["ETag"],
        alice.get(path, **TEXT).headers["ETag"],
    }
    assert len(tags) == 4
    assert position(arranged, alice, If_None_Match=plain).status == 200
    assert position(arranged, alice, If_None_Match=position(arranged, alice).headers["ETag"]).status == 304
    assert alice.get(path, **TEXT, If_None_Match=plain).status == 200


def test_a_move_is_answered_with_its_sentence(arranged: dict[str, Any], alice: Caller) -> None:
    at, move = f"tables/{arranged['id']}/moves?said=true", {"move": "6-5>mexican", "number": 1}
    made = alice.post(at, move, **{"Accept-Language": "nl"})
    assert made.body["position"]["last_move"]["said"] == last_said(arranged, alice, **{"Accept-Language": "nl"})
    known = {"If-None-Match": made.headers["ETag"], "Accept-Language": "nl"}
    assert position(arranged, alice, **known).status == 304
    assert alice.post(f"tables/{arranged['id']}/moves?said=", move).status == 400


def test_sentences_take_no_further_queries(arranged: dict[str, Any], alice: Caller) -> None:
    send(arranged, alice, "6-5>mexican", 1)
    with CaptureQueriesContext(connection) as plain:
        alice.get(f"tables/{arranged['id']}/position")
    with CaptureQueriesContext(connection) as worded:
        position(arranged, alice)
    assert len(worded) <= len(plain)


def test_a_position_as_text(arranged: dict[str, Any], alice: Caller, bob: Caller) -> None:
    send(arranged, alice, "6-5>mexican", 1)
    answer = bob.get(f"tables/{arranged['id']}/position", **TEXT)
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.text.splitlines() == [
        "Round 1 of 2. Engine: 6-6.",
        "Last move: Alice lays 6-5 on the Mexican Train.",
        "It is your turn.",
        "Alice: 2 tiles, 0 points.",
        "You: 3 tiles, 0 points.",
        "Alice's train: no tile yet, begins with 6.",
        "Your train: no tile yet, begins with 6.",
        "The Mexican Train: ends in 5.",
        "Boneyard: 21.",
        "Your tiles: 4-3, 5-2, 5-5.",
        "You may: lay 5-2 on the Mexican Train (5-2>mexican)",
        "You may: lay 5-5 on the Mexican Train (5-5>mexican)",
    ]


def test_the_log_as_text(arranged: dict[str, Any], alice: Caller, spectator: Caller) -> None:
    path = f"tables/{arranged['id']}/moves"
    assert spectator.get(path, **TEXT).text == "No moves.\n"
    send(arranged, alice, "6-5>mexican", 1)
    assert spectator.get(path, **TEXT).text == "1. Alice lays 6-5 on the Mexican Train.\n"
    assert "Mexicaanse trein" in spectator.get(path, **TEXT, Accept_Language="nl").text


@pytest.mark.parametrize("language", slow_after(1, ["en", "nl", "hu"]))
def test_every_position_of_a_match_has_a_text(alice: Caller, language: str) -> None:
    """Open, running and over; no sentence is left with a place for a value."""
    table = begin(alice, bots=bots(1, 2))
    play_match(table)
    for path in ("position", "moves"):
        answer = alice.get(f"tables/{table['id']}/{path}", **TEXT, Accept_Language=language)
        assert answer.status == 200
        assert "{" not in answer.text
        assert answer.headers["Content-Language"] == language


def test_the_answer_to_a_move_is_always_json(arranged: dict[str, Any], alice: Caller) -> None:
    path = f"tables/{arranged['id']}/moves"
    assert alice.post(path, {"move": "6-5>mexican", "number": 1}, **TEXT).status == 406
    assert alice.get(path, Accept="image/png").status == 406
    assert Move.objects.count() == 0


def test_a_refusal_is_still_a_problem(arranged: dict[str, Any], spectator: Caller) -> None:
    answer = spectator.get("tables/00000000-0000-4000-8000-000000000001/position", **TEXT)
    assert (answer.status, answer.headers["Content-Type"]) == (404, "application/problem+json")


def test_sentences_of_events_never_say_you(arranged: dict[str, Any], alice: Caller, bob: Caller) -> None:
    send(arranged, alice, "6-4>0", 1)
    send(arranged, bob, "draw", 2)
    play_match(arranged)
    table, version = UUID(arranged["id"]), snapshot(arranged).version
    plain, worded = chunk_between(table, 0, version), chunk_between(table, 0, version, "en")
    assert plain is not None
    assert worded is not None
    assert b'"said"' not in plain.text
    lines = [json.loads(line[6:]) for line in worded.text.decode().splitlines() if line.startswith("data: ")]
    assert len(lines) == version
    assert all(each["said"] and "You" not in each["said"] for each in lines)
    said = [each["said"] for each in lines]
    assert "Bob draws a tile." in said
    assert any(each.startswith("Round 1 begins. Engine: 6-6. First turn: ") for each in said)
    assert any(each.startswith("The match is over. ") for each in said)
    results = [number for number in range(1, 3) for each in said if f"Round {number} is over." in each]
    assert results == list(range(1, len(results) + 1))
    assert sum("wins the match" in each or "share the victory" in each for each in said) == 1
