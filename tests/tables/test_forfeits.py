"""Every answer about a table says which seats are forfeited, and whether a forfeit decided the match."""

import json
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from rules.records.json_form import record_from
from tables import audit, play, records, schedule, spoken
from tables.api import waiting
from tables.models import EndedReason, Round, Seat, Table
from tables.presenters.history import present_events
from tables.presenters.rounds import present_results
from tests.cast import Caller, position
from tests.matches import arrange, begin, bots, play_match, play_round, send, snapshot, step
from tests.streams import listening

ONE_ROUND = {"set_max_pip": 6, "hand_sizes": {"2": 2, "3": 2}, "rounds": 1}
TWO_ROUNDS = ONE_ROUND | {"rounds": 2}


def against_the_clock(*persons: Caller, options: dict[str, Any] = ONE_ROUND, **fields: Any) -> dict[str, Any]:
    return begin(*persons, options=options, turn_seconds=60, on_timeout="forfeit", **fields)


def run_out(table: dict[str, Any]) -> None:
    """Let the time of the seat to move run out."""
    now = snapshot(table)
    assert now.deadline is not None
    assert play.time_out(now.id, now.next_number, now.deadline + schedule.GRACE)


def difference(table: dict[str, Any]) -> str | None:
    """What the check of the logs finds, at a table whose tiles were arranged: no secret gives that order."""
    Round.objects.filter(table=table["id"]).update(secret=b"", commitment="", client_seeds=[])
    Table.objects.filter(pk=table["id"]).update(imported_at=timezone.now())
    rows = audit.read(UUID(table["id"]))
    assert rows is not None
    return audit.first_difference(rows)


@pytest.fixture
def decided(alice: Caller, bob: Caller) -> dict[str, Any]:
    """Alice forfeits, her bot goes out first, and Bob has won."""
    table = against_the_clock(alice, bob)
    arrange(table, "6-5 5-4", "6-3 2-2")
    run_out(table)
    play_match(table)
    assert [seat.total for seat in snapshot(table).seats] == [0, 4]
    return table


def test_a_forfeited_seat_is_marked_at_once(alice: Caller, bob: Caller) -> None:
    table = against_the_clock(alice, bob)
    run_out(table)
    for seats in (bob.get(f"tables/{table['id']}").body["seats"], position(table, bob)["seats"]):
        assert [(seat["away"], seat["forfeited"]) for seat in seats] == [(True, True), (False, False)]


def said_of(table: dict[str, Any], field: str) -> list[str]:
    """The sentences of all events at a table that have this field."""
    chunk = waiting.chunk_between(UUID(table["id"]), 0, snapshot(table).version, "en")
    assert chunk is not None
    lines = [json.loads(line[6:]) for line in chunk.text.decode().splitlines() if line.startswith("data: ")]
    return [each["said"] for each in lines if field in each]


def test_a_sentence_says_that_a_seat_was_forfeited(decided: dict[str, Any], bob: Caller) -> None:
    by_forfeit = "Bob wins the match. A forfeit decided the match."
    assert said_of(decided, "away")[-1] == "Alice has forfeited; a bot plays to the end."
    assert said_of(decided, "changed")[-1] == f"The match is over. {by_forfeit}"
    text = bob.get(f"tables/{decided['id']}/position", Accept="text/plain").text
    assert "Alice has forfeited.\n" in text
    assert "A forfeit decided the match." in text


def test_without_a_forfeit_no_sentence_mentions_one(alice: Caller, bob: Caller) -> None:
    table = against_the_clock(alice, bob)
    alice.delete(f"tables/{table['id']}/seats/0")
    assert said_of(table, "away")[-1] == "A bot plays for Alice."
    play_match(table)
    assert not any("forfeit" in each for each in said_of(table, "changed"))


def test_a_seat_that_is_away_is_not_forfeited(alice: Caller, bob: Caller) -> None:
    table = against_the_clock(alice, bob)
    bob.delete(f"tables/{table['id']}/seats/1")
    for seats in (alice.get(f"tables/{table['id']}").body["seats"], position(table, alice)["seats"]):
        assert [(seat["away"], seat["forfeited"]) for seat in seats] == [(False, False), (True, False)]


def test_the_stream_sends_a_forfeit(decided: dict[str, Any], bob: Caller) -> None:
    with listening(decided, bob, after=0) as stream:
        found = stream.rest()
    seats = [event.data for event in found if event.kind == "seat"]
    assert [(seat["seat"], seat["away"], seat["forfeited"]) for seat in seats] == [(1, False, False), (0, True, True)]
    (ended,) = [event.data["result"] for event in found if event.kind == "round" and event.data["what"] == "ended"]
    assert ended["forfeited"] == [True, False]
    (*_, end) = [event.data for event in found if event.kind == "table"]
    assert (end["status"], end["winners"], end["ended_reason"]) == ("finished", [1], "forfeited")


def test_the_end_is_forfeited_if_a_forfeit_decided_the_match(decided: dict[str, Any], alice: Caller) -> None:
    shown, lying = alice.get(f"tables/{decided['id']}").body, position(decided, alice)
    assert (shown["winners"], shown["ended_reason"]) == ([1], "forfeited")
    assert (lying["winners"], lying["ended_reason"], lying["last_round"]["forfeited"]) == (
        [1],
        "forfeited",
        [True, False],
    )
    (result,) = alice.get(f"tables/{decided['id']}/rounds").body
    assert result == alice.get(f"tables/{decided['id']}/rounds/1").body == lying["last_round"]
    assert difference(decided) is None


def test_the_end_is_played_if_the_forfeit_decided_nothing(alice: Caller, bob: Caller) -> None:
    table = against_the_clock(alice, bob)
    arrange(table, "6-5 1-1", "6-3 3-2", boneyard="4-4 0-0 1-0 2-0")
    run_out(table)
    play_match(table)
    shown = alice.get(f"tables/{table['id']}").body
    assert (shown["winners"], shown["ended_reason"]) == ([1], "played")
    assert shown["seats"][0]["forfeited"]
    assert difference(table) is None


def test_a_result_lists_the_seats_forfeited_when_the_round_ended(alice: Caller, bob: Caller) -> None:
    table = against_the_clock(alice, bob, options=TWO_ROUNDS)
    play_round(table)
    run_out(table)
    play_match(table)
    results = alice.get(f"tables/{table['id']}/rounds").body
    loser = snapshot(table).seats[0].is_forfeited
    assert [each["forfeited"] for each in results] == [[False, False], [loser, not loser]]
    assert difference(table) is None


def test_a_result_of_the_first_release_lists_the_present_forfeits(decided: dict[str, Any], alice: Caller) -> None:
    """It was stored without that, and its match was called played."""
    stored: Any = Round.objects.get().result
    Round.objects.update(result={name: each for name, each in stored.items() if name != "forfeited"})
    Table.objects.update(ended_reason="played")
    (result,) = alice.get(f"tables/{decided['id']}/rounds").body
    assert result["forfeited"] == [True, False]
    assert result == alice.get(f"tables/{decided['id']}/rounds/1").body == position(decided, alice)["last_round"]
    with listening(decided, alice, after=0) as stream:
        told = [event.data["result"] for event in stream.rest() if event.data.get("what") == "ended"]
    assert told == [result]
    assert difference(decided) is None


# No person is left


def test_if_both_persons_forfeit_the_match_ends_at_once(alice: Caller, bob: Caller) -> None:
    table = against_the_clock(alice, bob, options=TWO_ROUNDS)
    arrange(table, "6-5 5-4", "6-3 2-2", boneyard="1-1 0-0")
    run_out(table)
    version = snapshot(table).version
    while snapshot(table).turn == 0:
        now = snapshot(table)
        play.submit_bot_move(now.id, now.next_number, snapshot_move(table), timezone.now())
    run_out(table)
    shown, lying = alice.get(f"tables/{table['id']}").body, position(table, alice)
    assert (shown["status"], shown["winners"], shown["ended_reason"]) == ("finished", [], "forfeited")
    assert [seat["forfeited"] for seat in shown["seats"]] == [True, True]
    assert (lying["status"], lying["winners"], lying["turn"]) == ("finished", [], None)
    assert lying["round"]["number"] == 1
    assert lying["trains"][0]["tiles"] == ["6-5"]
    assert lying["you"]["legal_moves"] == []
    assert lying["version"] > version
    assert difference(table) is None


def snapshot_move(table: dict[str, Any]) -> Any:
    now = snapshot(table)
    assert now.state is not None
    return now.rules.clocks_move(now.state)


def test_bots_win_with_the_lowest_total_so_far(alice: Caller) -> None:
    table = against_the_clock(alice, options=TWO_ROUNDS, bots=bots(1, 2))
    arrange(table, "6-5 5-4", "6-3 2-2", "6-1 3-3")
    send(table, alice, "6-5>0", 1)
    play_round(table)
    assert snapshot(table).rounds_played == 1
    while snapshot(table).seats[snapshot(table).turn or 0].level is not None:
        now = snapshot(table)
        play.submit_bot_move(now.id, now.next_number, snapshot_move(table), timezone.now())
    run_out(table)
    shown = alice.get(f"tables/{table['id']}").body
    lowest = min(seat["total"] for seat in shown["seats"][1:])
    assert (shown["status"], shown["ended_reason"]) == ("finished", "forfeited")
    assert shown["winners"] == [seat for seat in (1, 2) if shown["seats"][seat]["total"] == lowest]
    assert difference(table) is None


def test_before_the_first_round_is_over_all_bots_win(alice: Caller) -> None:
    table = against_the_clock(alice, options=TWO_ROUNDS, bots=bots(1, 2))
    run_out(table)
    assert (snapshot(table).winners, snapshot(table).ended_reason) == ([1, 2], "forfeited")
    assert alice.get(f"tables/{table['id']}/rounds").body == []
    assert difference(table) is None


def test_a_forfeit_by_leaving_late_ends_the_match_too(alice: Caller) -> None:
    """Whatever makes a seat forfeit: here the clock acts before a player who is overdue leaves."""
    table = against_the_clock(alice, bots=bots(1))
    Table.objects.update(deadline=timezone.now() - timedelta(seconds=1))
    assert alice.delete(f"tables/{table['id']}/seats/0").status == 204
    assert snapshot(table).ended_reason == "forfeited"


@pytest.mark.parametrize("is_deleted_first", [True, False])
def test_a_deleted_player_does_not_prolong_the_match(alice: Caller, bob: Caller, *, is_deleted_first: bool) -> None:
    """No person can come back, so the bots do not play on; and the seat of the deleted player does not win."""
    table = against_the_clock(alice, bob, options=TWO_ROUNDS)
    late, other = (alice, bob) if snapshot(table).turn == 0 else (bob, alice)
    if is_deleted_first:
        assert other.delete("players/me").status == 204
    run_out(table)
    if not is_deleted_first:
        assert snapshot(table).is_playing
        assert other.delete("players/me").status == 204
    shown = late.get(f"tables/{table['id']}").body
    assert (shown["status"], shown["winners"], shown["ended_reason"]) == ("finished", [], "forfeited")
    assert difference(table) is None


def test_a_player_who_has_left_may_come_back(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = against_the_clock(alice, bob, cleo, options=TWO_ROUNDS)
    callers = (alice, bob, cleo)
    turn = snapshot(table).turn or 0
    leaver, deleted = [seat for seat in range(3) if seat != turn]
    callers[leaver].delete(f"tables/{table['id']}/seats/{leaver}")
    callers[deleted].delete("players/me")
    run_out(table)
    assert snapshot(table).is_playing


def test_the_clocks_stop(alice: Caller) -> None:
    table = against_the_clock(alice, bots=bots(1))
    run_out(table)
    stopped = Table.objects.get()
    assert (stopped.turn, stopped.deadline, stopped.due_at) == (None, None, None)
    answer = send(table, alice, "pass", stopped.next_number)
    assert (answer.status, answer.body["code"]) == (409, "table_finished")


def test_a_round_that_was_cut_short_stays_hidden(alice: Caller, bob: Caller) -> None:
    table = against_the_clock(alice, bots=bots(1))
    run_out(table)
    assert alice.get(f"tables/{table['id']}/rounds/1/deal").body["code"] == "round_not_over"
    assert position(table, bob)["you"] is None
    assert "tiles" not in position(table, bob)["seats"][0]


def test_a_match_ended_by_forfeit_can_have_a_rematch(alice: Caller) -> None:
    table = against_the_clock(alice, bots=bots(1))
    run_out(table)
    assert alice.post(f"tables/{table['id']}/rematch").status == 201


# Records and the check of what is stored


def test_a_record_with_forfeits_is_exported_and_imported(decided: dict[str, Any], alice: Caller) -> None:
    document = alice.get(f"tables/{decided['id']}/record").body
    assert (document["winners"], document["finished"]) == ([1], True)
    assert (document["seats"][0]["forfeited"], document["headers"]["Termination"]) == (True, "forfeited")
    record = record_from(document | {"table": "00000000-0000-4000-8000-000000000007"} | without_secrets(document))
    copy = records.import_record(record)
    assert (copy.winners, copy.ended_reason) == ([1], EndedReason.FORFEITED)
    assert [seat.is_forfeited for seat in copy.seats.order_by("number")] == [True, False]
    assert present_results(copy)[0]["forfeited"] == [True, False]
    assert difference({"id": str(copy.pk)}) is None
    again = alice.get(f"tables/{copy.pk}/record").body
    assert (again["winners"], again["headers"]["Termination"]) == ([1], "forfeited")


def without_secrets(document: dict[str, Any]) -> dict[str, Any]:
    """They belong to the table's own id."""
    secrets: dict[str, Any] = {"secret": None, "commitment": None, "client_seeds": []}
    return {"rounds": [each | secrets for each in document["rounds"]]}


def test_the_record_of_a_match_cut_short_is_unfinished_and_has_a_reason(alice: Caller) -> None:
    table = against_the_clock(alice, bots=bots(1))
    run_out(table)
    document = alice.get(f"tables/{table['id']}/record").body
    assert (document["finished"], document["winners"], document["rounds"]) == (False, None, [])
    assert (document["seats"][0]["forfeited"], document["headers"]["Termination"]) == (True, "forfeited")
    assert alice.post("records/check", document).body["valid"]


@pytest.mark.parametrize(
    ("stored", "told"),
    [
        ([False, False], "round 1: the result's forfeited is [false, false], expected [true, false]"),
        ([True], "round 1: the result's forfeited is [true], expected [true, false]"),
        ("all", 'round 1: the result\'s forfeited is "all", expected [true, false]'),
    ],
)
def test_check_logs_finds_a_wrong_forfeit(decided: dict[str, Any], stored: object, told: str) -> None:
    result: Any = Round.objects.get().result
    Round.objects.update(result=result | {"forfeited": stored})
    assert difference(decided) == f"table {decided['id']}: {told}"


def test_check_logs_finds_a_wrong_reason(decided: dict[str, Any]) -> None:
    Table.objects.update(ended_reason="played")
    assert difference(decided) == f'table {decided["id"]}: ended_reason is "played", expected "forfeited"'


def test_check_logs_finds_a_match_cut_short_without_cause(alice: Caller) -> None:
    table = against_the_clock(alice, bots=bots(1))
    run_out(table)
    Seat.objects.update(stand_in_until="")
    assert difference(table) == f"table {table['id']}: rounds_played is 0, expected 1"


# The picture


@pytest.mark.parametrize(
    ("language", "seat", "end"),
    [
        ("en", "forfeited", "wins by forfeit"),
        ("nl", "opgegeven", "wint door opgave"),
        ("hu", "feladta", "feladással"),
    ],
)
@pytest.mark.parametrize("shape", ["tall", "wide"])
def test_the_picture_names_forfeits_in_words(
    decided: dict[str, Any], bob: Caller, language: str, seat: str, end: str, shape: str
) -> None:
    drawn = bob.get(f"tables/{decided['id']}/board.svg?shape={shape}", Accept_Language=language).text
    assert f">{seat}<" in drawn
    assert end in drawn


@pytest.mark.parametrize("reason", [*EndedReason.values])
def test_every_end_without_a_winner_has_its_own_words(reason: str, alice: Caller, bob: Caller) -> None:
    table = against_the_clock(alice, bob)
    Table.objects.update(status="cancelled", turn=None, ended_reason=reason)
    expected = {
        "played": "This table was cancelled",
        "forfeited": "Nobody wins: every seat was forfeited",
        "cancelled_by_host": "The host cancelled this table",
        "cancelled_by_admin": "An administrator cancelled this table",
        "host_left": "This table was closed: the host left",
        "expired": "This table was closed: nobody came",
        "abandoned": "This match was closed: nobody moved",
    }
    assert expected[reason] in bob.get(f"tables/{table['id']}/board.svg").text


def sentences_for(table: dict[str, Any], caller: Caller) -> list[str]:
    return caller.get(f"tables/{table['id']}/position", Accept="text/plain").text.splitlines()


def test_sentences_name_a_forfeit(alice: Caller, bob: Caller) -> None:
    table = against_the_clock(alice, bob)
    run_out(table)
    assert "You: 2 tiles, 0 points. You have forfeited; a bot plays to the end." in sentences_for(table, alice)
    assert "Alice: 2 tiles, 0 points. Alice has forfeited; a bot plays to the end." in sentences_for(table, bob)
    events = spoken.with_said(UUID(table["id"]), present_events(UUID(table["id"]), 0, snapshot(table).version))
    seats = [each["said"] for each in events if each["event"] == "seat"]
    assert seats == ["In seat 2: Bob.", "Alice has forfeited; a bot plays to the end."]


def test_a_sentence_says_that_a_forfeit_decided_the_match(decided: dict[str, Any], alice: Caller, bob: Caller) -> None:
    lines = sentences_for(decided, bob)
    assert lines[0].startswith("The match is over. Round 1 of 1.")
    assert "You win the match. A forfeit decided the match." in lines
    assert "Alice: 0 tiles, 0 points. Alice has forfeited." in lines  # no bot plays for her any more
    last = bob.get(f"tables/{decided['id']}/moves?said=true").body[-1]["said"]
    assert last.endswith("You win the match. A forfeit decided the match.")
    assert sum("win the match" in line for line in lines) == 1


def test_the_sentence_of_a_move_does_not_end_a_match_that_a_forfeit_ended(alice: Caller) -> None:
    table = against_the_clock(alice, bots=bots(1))
    arrange(table, "6-5 5-4", "6-3 2-2")
    send(table, alice, "6-5>0", 1)
    step(table)
    run_out(table)
    shown = alice.get(f"tables/{table['id']}/position?said=true").body
    assert (shown["status"], shown["winners"]) == ("finished", [1])
    entries = alice.get(f"tables/{table['id']}/moves?said=true").body
    assert not [each for each in (shown["last_move"], *entries) if "match" in each["said"]]
    assert "Otto wins the match. A forfeit decided the match." in sentences_for(table, alice)
