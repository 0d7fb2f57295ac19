"""A second game, block dominoes, is played to the end of a match, and no line in ``tables`` is about it."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from rules.games import GAMES
from tables import audit, play, schedule, tasks
from tables.models import Table
from tables.presenters.game import GamePresenter
from tables.presenters.games import PRESENTERS
from tests.block_dominoes import TARGET, BlockDominoes
from tests.cast import Answer, Caller, read


class Ends(GamePresenter):
    def present_view(self, view: Any) -> dict[str, Any]:
        return super().present_view(view) | {"ends": view.ends if view else []}


def ask(caller: Caller, method: str, path: str, body: Any = None, **headers: str) -> Answer:
    """Without the check against the schema, which does not describe this game."""
    given = {"Authorization": f"Bearer {caller.token}", **headers}
    content = {} if body is None else {"data": body, "content_type": "application/json"}
    call: Any = getattr(Client(headers=given), method)
    return read(call(f"/api/v1/{path}", **content))


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch, alice: Caller, bob: Caller) -> str:
    """A match of two persons and a bot, begun over HTTP."""
    monkeypatch.setitem(GAMES, ("block_dominoes", 1), BlockDominoes())
    monkeypatch.setitem(PRESENTERS, "block_dominoes", Ends())
    wanted = {"preset": "block", "seats": 3, "bots": [{"seat": 2, "level": "easy"}], "turn_seconds": 60}
    opened = ask(alice, "post", "tables", wanted)
    assert (opened.status, opened.body["preset"]) == (201, "block"), opened.body
    path = f"tables/{opened.body['id']}"
    assert ask(bob, "post", "tables/join", {"invite": opened.body["invite"]["code"]}).status == 200
    assert ask(alice, "post", f"{path}/start").status == 200
    return path


def position(table: str, caller: Caller) -> dict[str, Any]:
    shown: dict[str, Any] = ask(caller, "get", f"{table}/position").body
    return shown


def make_move(table: str, *persons: Caller) -> dict[str, Any]:
    """Make the next move: a person over HTTP, a bot by its task."""
    now = position(table, persons[0])
    mover, number = now["turn"]["seat"], now["next_number"]
    if mover >= len(persons) or now["seats"][mover]["away"]:
        assert tasks.take_turn(table.removeprefix("tables/"), number)
    else:
        wanted = position(table, persons[mover])["you"]["legal_moves"][0]["move"]
        made = ask(persons[mover], "post", f"{table}/moves", {"move": wanted, "number": number})
        assert (made.status, made.body["move"]) == (201, wanted)
    return position(table, persons[0])


def test_a_match_is_played_to_its_end(table: str, alice: Caller, bob: Caller) -> None:
    while position(table, alice)["turn"] is not None:
        make_move(table, alice, bob)
    shown, rounds = ask(alice, "get", table).body, ask(alice, "get", f"{table}/rounds").body
    best = max(seat["total"] for seat in shown["seats"])
    assert (shown["status"], best >= TARGET, len(rounds)) == ("finished", True, shown["rounds_played"])
    assert shown["winners"] == [seat["seat"] for seat in shown["seats"] if seat["total"] == best]
    assert rounds[-1]["totals"] == [seat["total"] for seat in shown["seats"]]
    rows = audit.read(Table.objects.get().pk)
    assert rows is not None
    assert audit.first_difference(rows) is None


def test_every_answer_about_the_table_can_be_read(table: str, alice: Caller, bob: Caller) -> None:
    while position(table, alice)["turn"]["seat"] != 0:
        make_move(table, alice, bob)
    for call in ("explain", "hint", "position?said=true"):
        assert ask(alice, "get", f"{table}/{call}").status == 200, call
    while position(table, alice)["round"]["number"] == 1:
        now = make_move(table, alice, bob)
    assert (now["round"]["engine"], now["trains"], now["round"]["of"]) == (None, [], None)
    for call in ("rounds/1", "rounds/1/deal", "positions/1", "moves", "position?said=true"):
        assert ask(alice, "get", f"{table}/{call}").status == 200, call
    for call in ("record", "rules", "board.svg", "positions/1/board.svg"):
        assert ask(alice, "get", f"{table}/{call}").status == 404, call
    assert "Your tiles:" in ask(alice, "get", f"{table}/position", Accept="text/plain").text
    assert ask(alice, "get", "rules/presets/block").body["seats"] == [2, 3, 4]


def test_calls_that_the_game_does_not_support_are_refused(table: str, alice: Caller, bob: Caller) -> None:
    while position(table, alice)["turn"]["seat"] != 0:
        make_move(table, alice, bob)
    number = position(table, alice)["next_number"]
    held = position(table, alice)["you"]["tiles"]
    other = next(f"{high}-{low}>0" for high in range(7) for low in range(high + 1) if f"{high}-{low}" not in held)
    refused = ask(alice, "post", f"{table}/moves", {"move": other, "number": number})
    assert (refused.status, refused.body["reason"]) == (422, "cannot")
    assert ask(alice, "post", f"{table}/moves", {"move": "draw", "number": number}).status == 400
    kept = {"move": other, "number": number, "keep_marker": True}
    assert ask(alice, "post", f"{table}/moves", kept).status == 400
    assert ask(alice, "post", "tables", {"preset": "block", "seats": 8}).status == 400
    assert ask(alice, "post", "tables", {"preset": "block", "options": {"rounds": 2}}).status == 400


def test_the_clock_moves_for_a_seat_that_is_too_slow(table: str, alice: Caller, bob: Caller) -> None:
    while position(table, alice)["turn"]["seat"] == 2:
        make_move(table, alice, bob)
    row = Table.objects.get()
    assert row.deadline is not None
    assert play.time_out(row.pk, row.next_number, row.deadline + schedule.GRACE + timedelta(seconds=1))
    last = position(table, alice)["last_move"]
    assert (last["seat"], last["by"]) == (row.turn, "timeout")


@pytest.mark.slow
def test_a_bot_plays_for_a_player_who_has_left(table: str, alice: Caller, bob: Caller) -> None:
    assert ask(bob, "delete", f"{table}/seats/1").status == 204
    while position(table, alice)["turn"] is not None:
        make_move(table, alice, bob)
    assert ask(alice, "get", table).body["status"] == "finished"
