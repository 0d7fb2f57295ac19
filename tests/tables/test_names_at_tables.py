"""Names at a table: numbers for players with the same name, and changes of names."""

from typing import Any

import pytest

from players.accounts import forget
from players.models import Player
from players.names import FORGOTTEN
from tables import tasks
from tables.lobby import renaming
from tables.models import Event, Seat, Status, Table
from tests.at_once import at_once, await_blocked, held, threads
from tests.cast import Caller, guest, join, open_table
from tests.matches import begin, play_match


def names_at(table: dict[str, Any]) -> list[str | None]:
    shown = Caller().get(f"tables/{table['id']}").body
    return [seat["player"] and seat["player"]["name"] for seat in shown["seats"]]


def finished_match(*callers: Caller) -> dict[str, Any]:
    table = begin(*callers)
    play_match(table)
    return table


def version_of(table: dict[str, Any]) -> int:
    return Table.objects.get(pk=table["id"]).version


def rename(caller: Caller, name: str) -> None:
    assert caller.patch("players/me", {"name": name}).status == 200


@pytest.fixture
def anns(db: None) -> list[Caller]:
    return [guest(name) for name in ("Ann", "ANN", "\uff21nn", "Ann")]


@pytest.fixture
def table(anns: list[Caller]) -> dict[str, Any]:
    """With three of the four."""
    table = open_table(anns[0], seats=5)
    join(table, *anns[1:3])
    return table


def test_the_player_who_sits_first_keeps_the_plain_name(table: dict[str, Any]) -> None:
    assert names_at(table) == ["Ann", "ANN 2", "\uff21nn 3", None, None]


def test_twelve_players_with_one_name_have_twelve_numbers(db: None) -> None:
    name = "x" * 40
    host, *others = [guest(name) for _ in range(12)]
    table = open_table(host, seats=12, preset="official_d18")
    join(table, *others)
    assert names_at(table) == [name, *("x" * 38 + f" {number}" for number in range(2, 10))] + [
        "x" * 37 + f" {number}" for number in (10, 11, 12)
    ]


def test_a_number_that_another_name_contains_is_skipped(anns: list[Caller]) -> None:
    table = open_table(guest("Ann 2"), seats=4)
    join(table, anns[0], anns[1], guest("Ann"))
    assert names_at(table) == ["Ann 2", "Ann", "ANN 3", "Ann 4"]


def test_a_number_stays_while_the_plain_name_is_there(table: dict[str, Any], anns: list[Caller]) -> None:
    anns[1].delete(f"tables/{table['id']}/seats/1")
    assert names_at(table) == ["Ann", None, "\uff21nn 3", None, None]
    join(table, anns[3])
    assert names_at(table) == ["Ann", "Ann 2", "\uff21nn 3", None, None]


def test_when_the_plain_name_is_free_the_lowest_number_is_dropped(table: dict[str, Any], anns: list[Caller]) -> None:
    before = version_of(table)
    anns[0].delete(f"tables/{table['id']}/seats/0")
    assert names_at(table) == [None, "ANN", "\uff21nn 3", None, None]
    told = Event.objects.filter(table=table["id"], version__gt=before, kind="seat").values_list("data__seat", flat=True)
    assert set(told) == {0, 1}


def test_a_person_may_have_the_name_of_a_bot(db: None) -> None:
    table = open_table(guest("Otto"), seats=3, bots=[{"seat": 1, "level": "easy"}])
    assert names_at(table) == ["Otto", "Otto 2", None]
    other = open_table(guest("Alice"), seats=3, bots=[{"seat": 1, "level": "easy"}])
    join(other, guest("otto"))
    assert names_at(other) == ["Alice", "Otto", "otto 2"]


def test_every_answer_has_the_same_name(table: dict[str, Any], anns: list[Caller]) -> None:
    record = anns[1].get(f"tables/{table['id']}/record").body
    assert [seat.get("name") for seat in record["seats"]][:3] == ["Ann", "ANN 2", "\uff21nn 3"]
    assert "ANN 2" in Caller().get(f"tables/{table['id']}/board.svg").text
    host = anns[1].patch("players/me", {"name": "Ann 2"})
    assert host.status == 200
    anns[0].delete(f"tables/{table['id']}/seats/0")
    invite = table["invite"]["code"]
    assert Caller().get(f"invites/{invite}").body["host"] in names_at(table)


def test_a_rematch_shows_a_name_that_was_changed_after_the_match(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    play_match(table)
    bob.patch("players/me", {"name": "Bobby"})
    after = alice.post(f"tables/{table['id']}/rematch").body
    assert [seat["player"]["name"] for seat in after["seats"]] == ["Alice", "Bobby"]


def test_a_rematch_keeps_the_numbers(db: None) -> None:
    one, other = guest("Ann"), guest("Ann")
    table = finished_match(one, other)
    after = other.post(f"tables/{table['id']}/rematch").body
    assert names_at(after) == ["Ann", "Ann 2"]


def test_a_new_name_sends_an_event(table: dict[str, Any], anns: list[Caller]) -> None:
    before = version_of(table)
    rename(anns[0], "Zoe")
    assert names_at(table) == ["Zoe", "ANN", "\uff21nn 3", None, None]
    assert version_of(table) == before + 2
    told = Event.objects.filter(table=table["id"], version__gt=before)
    assert {(each.kind, each.data["seat"]) for each in told} == {("seat", 0), ("seat", 1)}


def test_a_new_name_in_another_spelling_keeps_the_number(table: dict[str, Any], anns: list[Caller]) -> None:
    rename(anns[0], "aNN")
    assert names_at(table) == ["aNN", "ANN 2", "\uff21nn 3", None, None]


def test_a_guest_who_registers_under_another_name(
    table: dict[str, Any], anns: list[Caller], django_capture_on_commit_callbacks: Any
) -> None:
    body = {"username": "zoe", "password": "tiles-and-trains", "name": "Zoe"}
    with django_capture_on_commit_callbacks(execute=True):
        assert anns[2].post("players/register", body).status == 201
    assert names_at(table)[2] == "Zoe"


def test_the_same_name_again_changes_nothing(table: dict[str, Any], anns: list[Caller]) -> None:
    host, path = anns[0], f"tables/{table['id']}"
    assert host.put(f"{path}/seats/3/bot", {"level": "easy"}).status == 200
    assert host.patch(path, {"name": "Club", "auto_pass": True}).status == 200
    before = version_of(table)
    rename(host, "Ann")
    assert host.put(f"{path}/seats/3/bot", {"level": "easy"}).status == 200
    assert host.patch(path, {"name": "Club", "auto_pass": True, "seats": 5}).status == 200
    assert version_of(table) == before


def test_a_running_table_shows_the_new_name(playing: dict[str, Any], alice: Caller) -> None:
    before = version_of(playing)
    rename(alice, "Bob")
    assert names_at(playing) == ["Bob 2", "Bob"]
    assert version_of(playing) == before + 1


def test_a_finished_table_keeps_the_names_it_ended_with(alice: Caller, bob: Caller) -> None:
    table = finished_match(alice, bob)
    before = version_of(table)
    rename(alice, "Zoe")
    assert names_at(table) == ["Alice", "Bob"]
    assert version_of(table) == before
    assert alice.player is not None
    forget(alice.player)
    assert names_at(table) == [FORGOTTEN, "Bob"]
    assert version_of(table) == before + 1
    assert not Seat.objects.filter(shown_name="Alice").exists()
    assert not Player.objects.filter(name__in=("Alice", "Zoe")).exists()


def test_two_deleted_players_have_different_names(alice: Caller, bob: Caller) -> None:
    table = finished_match(alice, bob)
    for caller in (bob, alice):
        assert caller.delete("players/me").status == 204
    assert names_at(table) == ["Deleted player 2", "Deleted player"]


def test_the_tidying_settles_names_after_a_crash(table: dict[str, Any], anns: list[Caller]) -> None:
    assert anns[0].player is not None
    Player.objects.filter(pk=anns[0].player.pk).update(name="Zoe")
    tasks.tidy()
    assert names_at(table)[0] == "Zoe"
    before = version_of(table)
    tasks.tidy()
    assert version_of(table) == before


@pytest.mark.django_db(transaction=True)
def test_a_new_name_while_somebody_sits_down(alice: Caller, bob: Caller) -> None:
    """Whichever comes first: the table shows the new name in the end."""
    table = open_table(alice, seats=3)
    sit = lambda: bob.post("tables/join", {"invite": table["invite"]["code"]}).status  # noqa: E731
    change = lambda: bob.patch("players/me", {"name": "Alice"}).status  # noqa: E731
    with threads() as run:
        with held(table):
            sitting = run(sit)
            await_blocked(1)
            assert run(change).result(20) == 200  # it finds no table yet
        assert sitting.result(20) == 200
    assert names_at(table) == ["Alice", "Alice 2", None]


@pytest.mark.django_db(transaction=True)
def test_a_new_name_while_a_match_starts(two_seats: dict[str, Any], alice: Caller, bob: Caller) -> None:
    begins = lambda: alice.post(f"tables/{two_seats['id']}/start").status  # noqa: E731
    assert at_once(two_seats, begins, lambda: bob.patch("players/me", {"name": "ALICE"}).status) == [200, 200]
    assert names_at(two_seats) == ["Alice", "ALICE 2"]


@pytest.mark.django_db(transaction=True)
def test_a_new_name_while_a_table_ends(two_seats: dict[str, Any], alice: Caller, bob: Caller) -> None:
    """The table that is over when the name arrives there keeps the one that it ended with."""
    end = lambda: alice.post(f"tables/{two_seats['id']}/cancel").status  # noqa: E731
    assert at_once(two_seats, end, lambda: bob.patch("players/me", {"name": "Zoe"}).status) == [200, 200]
    assert Table.objects.get().status == Status.CANCELLED
    assert names_at(two_seats) == ["Alice", "Bob"]


def test_the_names_at_many_finished_tables_are_replaced(alice: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renaming, "AT_ONCE", 2)
    tables = [open_table(alice, name=f"{number}") for number in range(5)]
    for table in tables:
        assert alice.post(f"tables/{table['id']}/cancel").status == 200
    assert alice.delete("players/me").status == 204
    assert {names_at(table)[0] for table in tables} == {FORGOTTEN}
    events = Event.objects.filter(kind="seat").values_list("table", "version")
    assert set(events) == set(Table.objects.values_list("pk", "version"))
