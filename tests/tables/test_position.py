"""``GET tables/{id}/position``."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.dateparse import parse_datetime

from tables.models import Round
from tests.cast import Answer, Caller, open_table, play, position
from tests.matches import SMALL, arrange, begin, bots, play_match, play_round, send, snapshot, step

FIELDS = {
    "table",
    "status",
    "version",
    "next_number",
    "round",
    "next_commitment",
    "turn",
    "trains",
    "open_doubles",
    "boneyard",
    "seats",
    "last_move",
    "may_be_called",
    "you",
    "last_round",
    "winners",
    "ended_reason",
}


PERSON = {"kind": "person", "level": None, "away": False, "forfeited": False, "announced": False}
ON_MEXICAN = {"type": "play", "train": "mexican", "place": "mexican"}
LAID_LAST = ON_MEXICAN | {"tile": "5-5"}


@pytest.fixture
def arranged(alice: Caller, bob: Caller) -> dict[str, Any]:
    table = begin(alice, bob)
    arrange(table, "6-5 6-4 3-1", "5-5 5-2 4-3", boneyard="2-0 6-0 1-1")
    return table


def look(table: dict[str, Any], caller: Caller, **headers: str) -> Answer:
    return caller.get(f"tables/{table['id']}/position", **headers)


def test_it_works(arranged: dict[str, Any], alice: Caller, bob: Caller) -> None:
    send(arranged, alice, "6-5>mexican", 1)
    send(arranged, bob, "5-5>mexican", 2)
    shown = position(arranged, bob)
    turn = shown.pop("turn")
    assert parse_datetime(turn.pop("server_time"))
    assert turn == {"seat": 1, "phase": "cover", "deadline": None}
    assert shown == {
        "table": arranged["id"],
        "status": "playing",
        "version": snapshot(arranged).version,
        "next_number": 3,
        "round": {
            "number": 1,
            "of": 2,
            "engine": "6-6",
            "engine_from": None,
            "starter": 0,
            "commitment": commitment(arranged, 1),
        },
        "next_commitment": commitment(arranged, 2),
        "trains": [
            {"train": "0", "seat": 0, "tiles": [], "end": 6, "marker": False},
            {"train": "1", "seat": 1, "tiles": [], "end": 6, "marker": False},
            {"train": "mexican", "seat": None, "tiles": ["6-5", "5-5"], "end": 5, "marker": False},
        ],
        "open_doubles": ["mexican"],
        "boneyard": 21,
        "seats": [
            {"seat": 0, "name": "Alice", "tile_count": 2, "total": 0, **PERSON},
            {"seat": 1, "name": "Bob", "tile_count": 2, "total": 0, **PERSON},
        ],
        "last_move": {"number": 2, "round": 1, "seat": 1, "move": "5-5>mexican", "by": "person"} | LAID_LAST,
        "may_be_called": None,
        "you": {
            "seat": 1,
            "tiles": ["4-3", "5-2"],
            "legal_moves": [{"move": "5-2>mexican", "tile": "5-2", **ON_MEXICAN}],
        },
        "last_round": None,
        "winners": None,
        "ended_reason": None,
    }


def commitment(table: dict[str, Any], number: int) -> str:
    return Round.objects.get(table=table["id"], number=number).commitment


def test_tiles_on_trains_are_written_as_they_lie(arranged: dict[str, Any], alice: Caller, bob: Caller) -> None:
    send(arranged, alice, "6-4>mexican", 1)
    send(arranged, bob, "4-3>mexican", 2)
    send(arranged, alice, "3-1>mexican", 3)
    assert position(arranged, bob)["trains"][2]["tiles"] == ["6-4", "4-3", "3-1"]
    assert position(arranged, bob)["trains"][2]["end"] == 1


def test_a_drawn_turn_says_so_and_a_pass_leaves_a_marker(arranged: dict[str, Any], alice: Caller, bob: Caller) -> None:
    send(arranged, alice, "6-4>0", 1)
    send(arranged, bob, "draw", 2)
    for caller in (alice, bob):
        shown = position(arranged, caller)
        assert (shown["turn"]["phase"], shown["boneyard"], shown["seats"][1]["tile_count"]) == ("drawn", 20, 4)
    assert position(arranged, bob)["you"]["legal_moves"] == [{"move": "pass", "type": "pass"}]
    send(arranged, bob, "pass", 3)
    assert [train["marker"] for train in position(arranged, alice)["trains"]] == [False, True, False]


def test_only_the_seat_to_move_gets_legal_moves(arranged: dict[str, Any], alice: Caller, bob: Caller) -> None:
    assert len(position(arranged, alice)["you"]["legal_moves"]) == 4
    assert position(arranged, bob)["you"] == {"seat": 1, "tiles": ["4-3", "5-2", "5-5"], "legal_moves": []}


def test_others_see_everything_but_hands(arranged: dict[str, Any], cleo: Caller, spectator: Caller) -> None:
    for caller in (cleo, spectator):
        shown = position(arranged, caller)
        assert set(shown) == FIELDS
        assert shown["you"] is None
        assert [seat["tile_count"] for seat in shown["seats"]] == [3, 3]


def test_an_open_table_has_no_round_yet_but_a_commitment(two_seats: dict[str, Any], alice: Caller) -> None:
    shown = position(two_seats, alice)
    assert set(shown) == FIELDS
    assert (shown["status"], shown["round"], shown["turn"], shown["trains"]) == ("open", None, None, [])
    assert shown["you"] == {"seat": 0, "tiles": [], "legal_moves": []}
    assert shown["next_commitment"] == commitment(two_seats, 1)
    assert shown["next_number"] == 1


def test_the_position_has_the_result_of_the_last_round(
    arranged: dict[str, Any], alice: Caller, spectator: Caller
) -> None:
    play_round(arranged)
    result = alice.get(f"tables/{arranged['id']}/rounds/1").body
    for caller in (alice, spectator):
        shown = position(arranged, caller)
        assert shown["last_round"] == result
        assert (shown["round"]["number"], shown["round"]["engine"], shown["round"]["starter"]) == (2, "5-5", 1)
        assert shown["next_commitment"] is None
        assert [seat["total"] for seat in shown["seats"]] == result["totals"]


def test_a_finished_match_shows_its_last_round_and_winners(
    arranged: dict[str, Any], alice: Caller, spectator: Caller
) -> None:
    play_match(arranged)
    for caller in (alice, spectator):
        shown = position(arranged, caller)
        assert (shown["status"], shown["turn"], shown["round"]["number"]) == ("finished", None, 2)
        assert shown["last_round"]["number"] == 2
        totals = shown["last_round"]["totals"]
        assert shown["winners"] == [seat for seat, total in enumerate(totals) if total == min(totals)]
    assert position(arranged, alice)["you"]["legal_moves"] == []


def test_the_position_has_the_deadline_and_the_servers_time(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, turn_seconds=60)
    turn = position(table, bob)["turn"]
    deadline, now = parse_datetime(turn["deadline"]), parse_datetime(turn["server_time"])
    assert deadline
    assert now
    assert timedelta(seconds=55) < deadline - now <= timedelta(seconds=60)


def test_a_hidden_table_does_not_exist_for_others(alice: Caller, bob: Caller, cleo: Caller, spectator: Caller) -> None:
    table = begin(alice, bob, spectators="none")
    tag = look(table, alice).headers["ETag"]
    for caller in (cleo, spectator):
        answer = look(table, caller, If_None_Match=tag)
        assert (answer.status, answer.body["code"]) == (404, "not_found")
    assert look(table, bob).status == 200


def test_a_host_who_does_not_play_sees_a_hidden_table(alice: Caller) -> None:
    table = begin(alice, seats=2, host_seat=None, bots=bots(0, 1), spectators="none")
    assert position(table, alice)["you"] is None


@pytest.mark.parametrize("token", ["unknown", "ä"])
def test_a_bad_token_is_not_a_spectator(arranged: dict[str, Any], token: str) -> None:
    answer = look(arranged, Caller(token))
    assert (answer.status, answer.body["code"]) == (401, "bad_token")


def test_an_unknown_table_does_not_exist(alice: Caller) -> None:
    assert alice.get("tables/00000000-0000-4000-8000-000000000000/position").status == 404
    assert alice.get("tables/no-id/position").status == 404


def test_an_unchanged_position_is_304_from_one_statement(arranged: dict[str, Any], alice: Caller) -> None:
    first = look(arranged, alice)
    for tag in (first.headers["ETag"], first.headers["ETag"].removeprefix("W/"), f'"other", {first.headers["ETag"]}'):
        with CaptureQueriesContext(connection) as statements:
            again = look(arranged, alice, If_None_Match=tag)
        assert (again.status, again.text, again.headers["ETag"]) == (304, "", first.headers["ETag"])
        assert len(statements) == 1


def test_a_changed_position_comes_from_two_statements(arranged: dict[str, Any], alice: Caller) -> None:
    tag = look(arranged, alice).headers["ETag"]
    send(arranged, alice, "6-5>0", 1)
    with CaptureQueriesContext(connection) as statements:
        answer = look(arranged, alice, If_None_Match=tag)
    assert (answer.status, len(statements)) == (200, 2)
    assert answer.headers["ETag"] != tag


def test_the_one_statement_reads_by_indexes_alone(arranged: dict[str, Any], alice: Caller) -> None:
    with CaptureQueriesContext(connection) as statements:
        look(arranged, alice, If_None_Match=look(arranged, alice).headers["ETag"])
    with connection.cursor() as cursor:
        cursor.execute("set local enable_seqscan = off")
        cursor.execute("explain " + statements[-1]["sql"])
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "Seq Scan" not in plan, plan


def test_every_viewer_has_an_etag_of_their_own(
    arranged: dict[str, Any], alice: Caller, bob: Caller, cleo: Caller, spectator: Caller
) -> None:
    tags = {look(arranged, caller).headers["ETag"]: caller for caller in (alice, bob, cleo, spectator)}
    assert len(tags) == 4
    for tag, owner in tags.items():
        for caller in tags.values():
            assert look(arranged, caller, If_None_Match=tag).status == (304 if caller is owner else 200)


def test_a_position_may_not_be_cached_for_other_callers(arranged: dict[str, Any], alice: Caller) -> None:
    for headers in ({}, {"If_None_Match": look(arranged, alice).headers["ETag"]}):
        answer = look(arranged, alice, **headers)
        assert "private" in answer.headers["Cache-Control"]
        assert "Authorization" in answer.headers["Vary"]


def test_versions_with_the_same_last_digits_differ(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    tag = look(table, alice).headers["ETag"]
    assert look(table, alice, If_None_Match=tag.replace('"', '"1', 1)).status == 200


CHANGES: dict[str, Callable[[str, Caller, Caller], Answer]] = {
    "a seat taken": lambda path, _, bob: bob.post(f"{path}/seats"),
    "a bot seated": lambda path, alice, _: alice.put(f"{path}/seats/1/bot", {"level": "easy"}),
    "another name": lambda path, alice, _: alice.patch(path, {"name": "Other"}),
    "more seats": lambda path, alice, _: alice.patch(path, {"seats": 3}),
    "a cancelled table": lambda path, alice, _: alice.post(f"{path}/cancel"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_visible_change_of_an_open_table_changes_the_version(change: str, alice: Caller, bob: Caller) -> None:
    table = open_table(alice, seats=2, visibility="public", options=SMALL)
    assert_changes(table, alice, lambda: CHANGES[change](f"tables/{table['id']}", alice, bob))


def test_a_player_who_leaves_changes_the_version(two_seats: dict[str, Any], alice: Caller, bob: Caller) -> None:
    assert_changes(two_seats, alice, lambda: bob.delete(f"tables/{two_seats['id']}/seats/1"))


def assert_changes(table: dict[str, Any], viewer: Caller, change: Callable[[], Any]) -> None:
    before = look(table, viewer)
    answer = change()
    assert answer is None or answer.status in {200, 201, 204}, answer.text
    after = look(table, viewer, If_None_Match=before.headers["ETag"])
    assert after.status == 200
    assert after.body["version"] > before.body["version"]


def test_a_visible_change_of_a_match_changes_the_version(
    two_seats: dict[str, Any], alice: Caller, bob: Caller, spectator: Caller
) -> None:
    path = f"tables/{two_seats['id']}"
    for change in (
        lambda: alice.post(f"{path}/start"),
        lambda: play(two_seats, alice),
        lambda: step(two_seats),
        lambda: bob.delete(f"{path}/seats/1"),
        lambda: bob.post(f"{path}/seats"),
        lambda: play_round(two_seats),
        lambda: alice.post(f"{path}/cancel"),
    ):
        assert_changes(two_seats, spectator, change)


def test_a_rematch_changes_the_version(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    play_match(table)
    assert_changes(table, bob, lambda: alice.post(f"tables/{table['id']}/rematch"))


def test_a_refused_move_does_not_change_the_version(arranged: dict[str, Any], alice: Caller) -> None:
    tag = look(arranged, alice).headers["ETag"]
    send(arranged, alice, "pass", 1)
    send(arranged, alice, "6-5>0", 9)
    assert look(arranged, alice, If_None_Match=tag).status == 304
