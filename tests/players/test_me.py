"""``GET``, ``PATCH`` and ``DELETE players/me``."""

from typing import Any

import pytest
from knox.models import AuthToken

from players.models import Player
from tables.models import Status, Table
from tests.at_once import await_blocked, held, threads
from tests.cast import Caller, guest, join, open_table, position
from tests.matches import begin, play_match
from tests.rest.checks import check_refused
from tests.tables.nudges import nudges


def test_it_works(alice: Caller) -> None:
    answer = alice.get("players/me")
    assert answer.status == 200
    assert alice.player is not None
    assert answer.body["id"] == str(alice.player.pk)
    assert (answer.body["name"], answer.body["kind"], answer.body["username"]) == ("Alice", "person", None)
    assert answer.body["created_at"].endswith("Z")


def test_everybody_sees_a_new_name(alice: Caller, two_seats: dict[str, Any], bob: Caller) -> None:
    answer = alice.patch("players/me", {"name": "Alicia"})
    assert (answer.status, answer.body["name"]) == (200, "Alicia")
    assert bob.get(f"tables/{two_seats['id']}").body["seats"][0]["player"]["name"] == "Alicia"


def test_only_the_name_can_be_changed(alice: Caller) -> None:
    for field in ("id", "kind", "level", "username", "created_at", "nme"):
        check_refused(lambda: alice.patch("players/me", {field: "root"}), 400, "invalid", field)  # noqa: B023


def test_an_empty_change_changes_nothing(alice: Caller) -> None:
    assert alice.patch("players/me", {}).body["name"] == "Alice"


@pytest.mark.parametrize("method", ["GET", "PATCH", "DELETE"])
def test_without_a_token(spectator: Caller, method: str) -> None:
    answer = check_refused(lambda: spectator.ask(method, "players/me"), 401, "not_authenticated")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("name", ["", " ", "x" * 41, None, ["Alice"], {}, True, "A\0"])
def test_an_invalid_name_is_refused(alice: Caller, name: object) -> None:
    check_refused(lambda: alice.patch("players/me", {"name": name}), 400, "invalid", "name")


def test_a_deleted_player_has_no_name_and_no_token(alice: Caller, dora: Caller) -> None:
    answer = dora.delete("players/me")
    assert (answer.status, answer.text) == (204, "")
    check_refused(lambda: dora.get("players/me"), 401, "bad_token")
    check_refused(lambda: alice.get("players/me"), 401, "bad_token")
    kept = Player.objects.get()
    assert not AuthToken.objects.exists()
    assert kept.username is None
    assert not kept.has_usable_password()
    assert "Alice" not in str(Player.objects.values().get())


def test_a_deleted_player_frees_a_seat_of_an_open_table(two_seats: dict[str, Any], alice: Caller, bob: Caller) -> None:
    bob.delete("players/me")
    table = alice.get(f"tables/{two_seats['id']}").body
    assert table["seats"][1]["player"] is None
    assert table["version"] > two_seats["version"]


def test_the_next_person_hosts_a_deleted_hosts_open_table(
    two_seats: dict[str, Any], alice: Caller, bob: Caller, cleo: Caller
) -> None:
    alice.delete("players/me")
    table = bob.get(f"tables/{two_seats['id']}").body
    assert bob.player is not None
    assert (table["status"], table["host"]) == ("open", str(bob.player.pk))
    assert table["seats"][0]["player"] is None
    join(table, cleo)
    assert bob.post(f"tables/{table['id']}/start").status == 200


@pytest.mark.parametrize("host_seat", [0, None])
def test_a_deleted_hosts_open_table_with_nobody_else_ends(
    alice: Caller, spectator: Caller, host_seat: int | None
) -> None:
    table = open_table(alice, host_seat=host_seat, bots=[{"seat": 1, "level": "easy"}])
    alice.delete("players/me")
    ended = spectator.get(f"tables/{table['id']}").body
    assert (ended["status"], ended["ended_reason"]) == ("cancelled", "host_left")


def test_a_bot_takes_over_a_deleted_players_match_at_once(
    playing: dict[str, Any], alice: Caller, bob: Caller, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        alice.delete("players/me")
    now = position(playing, bob)
    assert (now["turn"]["seat"], now["seats"][0]["away"]) == (0, True)
    assert nudges(playing) == [1]
    assert bob.player is not None
    assert bob.get(f"tables/{playing['id']}").body["host"] == str(bob.player.pk)


def test_no_bot_is_asked_to_move_out_of_turn(
    playing: dict[str, Any], bob: Caller, alice: Caller, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        bob.delete("players/me")
    assert position(playing, alice)["seats"][1]["away"]
    assert nudges(playing) == []


def test_a_match_whose_host_only_watched_gets_another(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = open_table(alice, host_seat=None, seats=2)
    join(table, bob, cleo)
    alice.post(f"tables/{table['id']}/start")
    alice.delete("players/me")
    assert bob.post(f"tables/{table['id']}/cancel").status == 200


def test_the_histories_of_others_stay(alice: Caller, bob: Caller, spectator: Caller) -> None:
    table = begin(alice, bob)
    play_match(table)
    assert alice.player is not None
    assert bob.player is not None
    paths = (f"players/{bob.player.pk}", f"tables/{table['id']}/moves", f"tables/{table['id']}/rounds")
    before = [spectator.get(path).body for path in paths]
    seats = spectator.get(f"tables/{table['id']}").body["seats"]
    alice.delete("players/me")
    assert [spectator.get(path).body for path in paths] == before
    after = spectator.get(f"tables/{table['id']}").body["seats"]
    assert after[0]["player"].pop("name") != "Alice"
    assert seats[0]["player"].pop("name") == "Alice"
    assert after == seats
    assert spectator.get(f"players/{alice.player.pk}").body["matches"] == 1


@pytest.mark.django_db(transaction=True)
def test_a_table_that_ends_meanwhile_does_not_prevent_the_deletion() -> None:
    alice, bob = guest("Alice"), guest("Bob")
    table = open_table(alice, seats=2)
    join(table, bob)
    with threads() as begin_call:
        with held(table):
            deleted = begin_call(lambda: bob.delete("players/me"))
            await_blocked(1)
            Table.objects.update(status=Status.CANCELLED)
        assert deleted.result(10).status == 204
    assert bob.get("players/me").status == 401
