"""Rematches, leaving and coming back: what stays at the table, and how play continues without a player."""

from typing import Any

import pytest

from tables.api.fields import TableFields
from tables.models import By, Move, Seat, Table
from tests.cast import Caller, guest, join, open_table, position, start
from tests.cast import play as play_move
from tests.matches import begin, bots, play_match, play_round, snapshot, step
from tests.tables.nudges import nudges

OWN: dict[str, Any] = {
    "name": "Friday",
    "visibility": "public",
    "spectators": "none",
    "turn_seconds": 60,
    "on_timeout": "bot",
    "on_leave": "random",
    "bot_delay_ms": 10,
    "auto_pass": True,
    "stall_minutes": 30,
    "hints": False,
}
"""Whatever a host can choose, and other than usual."""


def name_of(seat: dict[str, Any]) -> str | None:
    name: str | None = seat["player"] and seat["player"]["name"]
    return name


def by_seat(table: dict[str, Any], seat: int, after: int = 0) -> set[str]:
    moves = Move.objects.filter(table=table["id"], seat=seat, number__gt=after)
    return set(moves.exclude(by=By.HOST).values_list("by", flat=True))


def test_a_rematch_keeps_every_option_and_the_order_of_the_seats(alice: Caller, bob: Caller, cleo: Caller) -> None:
    usual = open_table(alice)
    assert OWN.keys() == TableFields().fields.keys() - {"preset", "options", "seats"}
    assert all(usual[name] != value for name, value in OWN.items())
    table = begin(bob, alice, cleo, bots=bots(3, level="random"), seats=4, **OWN)
    play_match(table)
    before = cleo.get(f"tables/{table['id']}").body
    following = cleo.post(f"tables/{table['id']}/rematch").body
    for field in ("preset", "options", *OWN):
        assert following[field] == before[field]
    assert [name_of(seat) for seat in following["seats"]] == ["Bob", "Alice", "Cleo", name_of(before["seats"][3])]


def test_a_bot_plays_a_left_seat_until_its_player_returns(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    while snapshot(table).turn != 1:
        step(table)
    bob.delete(f"tables/{table['id']}/seats/1")
    play_round(table)
    assert by_seat(table, 1) == {By.BOT}
    left_at = snapshot(table).next_number - 1
    assert bob.post(f"tables/{table['id']}/seats").status == 200
    play_match(table)
    assert by_seat(table, 1, left_at) == {By.PERSON}
    assert position(table, bob)["seats"][1]["away"] is False


def test_a_left_seat_keeps_its_player_its_tiles_and_its_points(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    play_round(table)
    before = position(table, bob)
    bob.delete(f"tables/{table['id']}/seats/1")
    bob.post(f"tables/{table['id']}/seats")
    after = position(table, bob)
    assert after["you"] == before["you"]
    assert after["seats"] == before["seats"]


def test_a_move_brings_the_player_back_too(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    alice.delete(f"tables/{table['id']}/seats/0")
    assert play_move(table, alice).status == 201
    assert position(table, bob)["seats"][0]["away"] is False


@pytest.mark.parametrize("turn_seconds", [None, 86_400])
def test_a_deleted_players_seat_moves_on_at_once(
    alice: Caller, bob: Caller, turn_seconds: int | None, django_capture_on_commit_callbacks: Any
) -> None:
    table = begin(alice, bob, turn_seconds=turn_seconds)
    with django_capture_on_commit_callbacks(execute=True):
        assert alice.delete("players/me").status == 204
    assert nudges(table) == [1]
    row = Table.objects.get(pk=table["id"])
    assert row.due_at is not None
    assert row.deadline is None or row.due_at < row.deadline
    play_match(table)
    assert by_seat(table, 0) == {By.BOT}
    assert name_of(bob.get(f"tables/{table['id']}").body["seats"][0]) == "Deleted player"


def test_a_deleted_players_seat_at_an_open_table_is_free_at_once(two_seats: dict[str, Any], alice: Caller) -> None:
    assert Seat.objects.get(number=1).player is not None
    bobs = Seat.objects.select_related("player").get(number=1).player
    assert bobs is not None
    from players.accounts import forget

    forget(bobs)
    assert [name_of(seat) for seat in alice.get(f"tables/{two_seats['id']}").body["seats"]] == ["Alice", None]


@pytest.mark.parametrize("is_playing", [False, True])
@pytest.mark.parametrize("way", ["leave", "forget"])
@pytest.mark.parametrize(("host_seat", "heir"), [(0, 1), (1, 3), (3, 0)])
def test_when_the_host_leaves_the_next_person_round_the_table_becomes_host(
    db: None, host_seat: int, heir: int, way: str, is_playing: bool
) -> None:
    """Otto, in seat 2, is passed over."""
    host = guest("Host")
    table = open_table(host, seats=4, host_seat=host_seat, bots=bots(2))
    others = {seat: guest(f"Seat {seat}") for seat in (0, 1, 3) if seat != host_seat}
    join(table, *others.values())
    if is_playing:
        start(table, host)
    host.delete("players/me" if way == "forget" else f"tables/{table['id']}/seats/{host_seat}")
    shown = others[heir].get(f"tables/{table['id']}").body
    assert shown["host"] == shown["seats"][heir]["player"]["id"]
    assert shown["status"] == ("playing" if is_playing else "open")


def test_a_host_without_a_seat_who_is_deleted_hands_on_to_the_first(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = open_table(alice, seats=3, host_seat=None)
    join(table, bob, cleo)
    alice.delete("players/me")
    shown = bob.get(f"tables/{table['id']}").body
    assert shown["host"] == shown["seats"][0]["player"]["id"]
