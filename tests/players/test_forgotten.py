"""A deleted player stays deleted, even if they or others change something at the same moment."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import pytest
from django.db import connection, transaction
from django.utils import timezone
from knox.models import AuthToken

from players.accounts import Forgotten, change
from players.models import Player
from players.names import FORGOTTEN
from tables import tasks
from tables.lobby import leaving
from tables.models import Seat, StandIn, Status, Table
from tests.at_once import await_blocked, threads
from tests.cast import Answer, Caller, guest, join, open_table, position, start
from tests.matches import begin, play_match
from tests.players.conftest import PASSWORD
from tests.rest.checks import check_problem, check_refused, together

pytestmark = pytest.mark.django_db(transaction=True)
TIMES = 5
LONGEST = 20
ACCOUNT = {"username": "alice", "password": PASSWORD}
Ask = Callable[[], Answer]


@contextmanager
def held(*rows: Player | dict[str, Any]) -> Iterator[None]:
    """Keep rows of players and tables locked, as a call in progress does."""
    with transaction.atomic(), connection.cursor() as cursor:
        for row in rows:
            name, key = ("players_player", row.pk) if isinstance(row, Player) else ("tables_table", row["id"])
            cursor.execute(f"select 1 from {name} where id = %s for update", [key])
        yield


def in_turn(row: Player | dict[str, Any], *asks: Ask) -> list[Answer]:
    """The answers of calls that have all come to this row's lock, one after another, before the first gets it."""
    with threads() as begin_call:
        with held(row):
            running = []
            for ask in asks:
                running.append(begin_call(ask))
                await_blocked(len(running))
        return [each.result(LONGEST) for each in running]


def row_of(caller: Caller) -> Player:
    assert caller.player is not None
    return caller.player


def forget(caller: Caller) -> Ask:
    return lambda: caller.delete("players/me")


def rename_to(caller: Caller, name: str = "Alicia") -> Ask:
    return lambda: caller.patch("players/me", {"name": name})


def register(caller: Caller, username: str = "alice") -> Ask:
    return lambda: caller.post("players/register", ACCOUNT | {"username": username})


def join_with(caller: Caller, table: dict[str, Any]) -> Ask:
    return lambda: caller.post("tables/join", {"invite": table["invite"]["code"]})


def check_forgotten(caller: Caller) -> None:
    row = Player.objects.get(pk=row_of(caller).pk)
    assert (row.name, row.username, row.is_active, row.has_usable_password()) == (FORGOTTEN, None, False, False)
    assert row.deleted_at is not None
    check_problem(caller.get("players/me"), 401, "bad_token")


def check_tables_are_the_livings() -> None:
    """No table that goes on has a forgotten host; no open one has a forgotten player in a seat."""
    running = Table.objects.filter(status__in=(Status.OPEN, Status.PLAYING))
    assert not running.filter(status=Status.OPEN, host__is_active=False).exists()
    assert not running.filter(status=Status.OPEN, seats__player__is_active=False).exists()
    assert not running.filter(seats__player__is_active=False, seats__stand_in="").exists()


# A new name


def account(name: str) -> Caller:
    caller = guest(name)
    assert register(caller, name.lower())().status == 201
    return caller


@pytest.mark.parametrize("make", [guest, account])
def test_a_new_name_after_the_deletion_is_refused(make: Callable[[str], Caller]) -> None:
    alice = make("Alice")
    deleted, renamed = in_turn(row_of(alice), forget(alice), rename_to(alice))
    assert deleted.status == 204
    check_problem(renamed, 401, "bad_token")
    check_forgotten(alice)


@pytest.mark.parametrize("make", [guest, account])
def test_a_new_name_before_the_deletion_is_deleted_too(make: Callable[[str], Caller]) -> None:
    alice = make("Alice")
    renamed, deleted = in_turn(row_of(alice), rename_to(alice), forget(alice))
    assert (renamed.status, deleted.status) == (200, 204)
    check_forgotten(alice)


def test_renaming_at_the_same_moment_never_restores_a_player() -> None:
    for _ in range(TIMES):
        alice = guest("Alice")
        renamed, deleted = together(rename_to(alice), forget(alice))
        assert (renamed.status in {200, 401}, deleted.status) == (True, 204)
        check_forgotten(alice)


def test_an_empty_change_restores_no_player_either() -> None:
    alice = guest("Alice")
    _, changed = in_turn(row_of(alice), forget(alice), lambda: alice.patch("players/me", {}))
    assert changed.status in {200, 401}
    check_forgotten(alice)


def test_the_token_of_a_deleted_player_cannot_rename() -> None:
    alice = guest("Alice")
    assert forget(alice)().status == 204
    check_refused(rename_to(alice), 401, "bad_token")
    assert not AuthToken.objects.exists()
    with pytest.raises(Forgotten):
        change(row_of(alice), {"name": "Alicia"}, AuthToken())
    check_forgotten(alice)


# An account


def check_account(answer: Answer, caller: Caller) -> None:
    assert answer.status == 201
    assert answer.body["player"]["id"] == str(row_of(caller).pk)
    assert Caller().post("players/login", ACCOUNT).status == 200


def test_registering_before_a_new_name_loses_no_account() -> None:
    alice = guest("Alice")
    registered, renamed = in_turn(row_of(alice), register(alice), rename_to(alice))
    check_account(registered, alice)
    assert (renamed.body["name"], renamed.body["username"]) == ("Alicia", "alice")


def test_registering_after_a_new_name_keeps_the_name() -> None:
    alice = guest("Alice")
    _, registered = in_turn(row_of(alice), rename_to(alice), register(alice))
    check_account(registered, alice)
    assert alice.get("players/me").body["name"] == "Alicia"


def test_registering_and_a_new_name_in_any_order() -> None:
    for at in range(TIMES):
        alice, username = guest("Alice"), f"alice{at}"
        fields = {"username": username, "password": PASSWORD}
        registered, renamed = together(lambda: alice.post("players/register", fields), rename_to(alice))  # noqa: B023
        assert (registered.status, renamed.status) == (201, 200)
        now = alice.get("players/me").body
        assert (now["name"], now["username"]) == ("Alicia", username)
        assert Caller().post("players/login", fields).status == 200


def test_registering_after_the_deletion_creates_another_player() -> None:
    alice = guest("Alice")
    _, registered = in_turn(row_of(alice), forget(alice), register(alice))
    assert registered.status in {201, 401}
    check_forgotten(alice)


def test_an_account_made_just_before_is_deleted_too() -> None:
    alice = guest("Alice")
    registered, _ = in_turn(row_of(alice), register(alice), forget(alice))
    check_forgotten(alice)
    check_problem(Caller(registered.body["token"]).get("players/me"), 401, "bad_token")
    check_problem(Caller().post("players/login", ACCOUNT), 401, "bad_credentials")


# Seats and tables


def test_sitting_down_after_is_refused(alice: Caller) -> None:
    table, bob = open_table(alice, seats=2), guest("Bob")
    deleted, joined = in_turn(row_of(bob), forget(bob), join_with(bob, table))
    assert deleted.status == 204
    check_problem(joined, 401, "bad_token")
    assert not Seat.objects.filter(player=row_of(bob)).exists()


def test_a_seat_taken_just_before_is_free_again(alice: Caller) -> None:
    table, bob = open_table(alice, seats=2), guest("Bob")
    joined, deleted = in_turn(row_of(bob), join_with(bob, table), forget(bob))
    assert (joined.status, deleted.status) == (200, 204)
    assert not Seat.objects.filter(player=row_of(bob)).exists()


def test_sitting_down_in_any_order_leaves_nobody_in_a_seat(alice: Caller) -> None:
    for _ in range(TIMES):
        table, bob = open_table(alice, seats=2), guest("Bob")
        joined, deleted = together(join_with(bob, table), forget(bob))
        assert (joined.status in {200, 401}, deleted.status) == (True, 204)
        check_tables_are_the_livings()
        check_forgotten(bob)


def opening(caller: Caller) -> Ask:
    return lambda: caller.post("tables", {"seats": 2})


def test_opening_a_table_after_is_refused() -> None:
    alice = guest("Alice")
    _, opened = in_turn(row_of(alice), forget(alice), opening(alice))
    check_problem(opened, 401, "bad_token")
    assert not Table.objects.exists()


def test_a_table_opened_just_before_is_ended() -> None:
    alice = guest("Alice")
    opened, _ = in_turn(row_of(alice), opening(alice), forget(alice))
    assert opened.status == 201
    ended = Table.objects.get()
    assert (ended.status, ended.ended_reason) == (Status.CANCELLED, "host_left")


def test_opening_a_table_in_any_order_leaves_none_without_a_host() -> None:
    for _ in range(TIMES):
        alice = guest("Alice")
        opened, deleted = together(opening(alice), forget(alice))
        assert (opened.status in {201, 401}, deleted.status) == (True, 204)
        check_tables_are_the_livings()


def finished_match(alice: Caller, bob: Caller) -> dict[str, Any]:
    table = begin(alice, bob)
    play_match(table)
    return table


def test_a_rematch_after_is_refused(alice: Caller, bob: Caller) -> None:
    table = finished_match(alice, bob)
    _, asked = in_turn(row_of(alice), forget(alice), lambda: alice.post(f"tables/{table['id']}/rematch"))
    check_problem(asked, 401, "bad_token")
    assert Table.objects.count() == 1


def test_a_rematch_does_not_seat_a_player_who_is_deleted_meanwhile(alice: Caller, bob: Caller) -> None:
    """Alice's rematch asks who is still here, and waits; meanwhile Bob is being forgotten, before it or after it."""
    table = finished_match(alice, bob)
    with threads() as begin_call:
        with held(row_of(alice)):
            asked = begin_call(lambda: alice.post(f"tables/{table['id']}/rematch"))
            await_blocked(1)
            gone = begin_call(forget(bob))
        assert [asked.result(LONGEST).status, gone.result(LONGEST).status] == [201, 204]
    check_tables_are_the_livings()


# Two who host each other's tables


def each_others(alice: Caller, bob: Caller) -> list[dict[str, Any]]:
    """Two tables: each hosts one, and sits at the other's."""
    tables = [open_table(host, seats=2) for host in (alice, bob)]
    join(tables[0], bob)
    join(tables[1], alice)
    return tables


@pytest.mark.parametrize("make", [guest, account])
def test_two_players_of_one_table_can_be_deleted_at_once(make: Callable[[str], Caller]) -> None:
    """Both deletions reach the tables together: a lock on a player that was still held would deadlock."""
    alice, bob = make("Alice"), make("Bob")
    with threads() as begin_call:
        with held(*each_others(alice, bob)):
            calls = [begin_call(forget(caller)) for caller in (alice, bob)]
            await_blocked(2)
        assert [call.result(LONGEST).status for call in calls] == [204, 204]
    check_all_gone(alice, bob)


def check_all_gone(*callers: Caller) -> None:
    for caller in callers:
        check_forgotten(caller)
    assert set(Table.objects.values_list("status", flat=True)) == {Status.CANCELLED}


@pytest.mark.parametrize("make", [guest, account])
def test_two_players_of_one_table_can_be_deleted_in_any_order(make: Callable[[str], Caller]) -> None:
    for _ in range(TIMES):
        alice, bob = make("Alice"), make("Bob")
        each_others(alice, bob)
        assert [answer.status for answer in together(forget(alice), forget(bob))] == [204, 204]
        check_all_gone(alice, bob)


# A crash between the two transactions


def crash_while_forgetting(caller: Caller) -> None:
    """What the first transaction leaves."""
    row = Player.objects.filter(pk=row_of(caller).pk)
    AuthToken.objects.filter(user=row_of(caller)).delete()
    row.update(name=FORGOTTEN, username=None, password="!", is_active=False, deleted_at=timezone.now())


def test_tidying_frees_the_seats_at_open_tables(alice: Caller, bob: Caller) -> None:
    mine, others = open_table(alice, seats=2), open_table(bob, seats=2)
    join(mine, bob)
    join(others, alice)
    crash_while_forgetting(alice)
    tasks.tidy()
    check_tables_are_the_livings()
    for table in (mine, others):
        shown = bob.get(f"tables/{table['id']}").body
        assert (shown["status"], shown["host"]) == ("open", str(row_of(bob).pk))
        assert sum(seat["player"] is not None for seat in shown["seats"]) == 1


@pytest.mark.parametrize("host_seat", [0, None])
def test_tidying_ends_a_table_without_other_persons(alice: Caller, host_seat: int | None) -> None:
    open_table(alice, seats=2, host_seat=host_seat)
    crash_while_forgetting(alice)
    tasks.tidy()
    assert Table.objects.get().ended_reason == "host_left"


def test_tidying_lets_a_bot_play_on(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    crash_while_forgetting(alice)
    tasks.tidy()
    assert position(table, bob)["seats"][0]["away"]
    assert Seat.objects.get(number=0).stand_in_until == StandIn.RETURN
    assert bob.get(f"tables/{table['id']}").body["host"] == str(row_of(bob).pk)
    assert tasks.take_turn(table["id"], 1)


def test_tidying_again_changes_nothing(alice: Caller, bob: Caller) -> None:
    table = open_table(alice, seats=2)
    join(table, bob)
    start(table, alice)
    crash_while_forgetting(alice)
    tasks.tidy()
    version = Table.objects.get().version
    tasks.tidy()
    assert Table.objects.get().version == version


def test_a_match_that_ends_while_its_player_is_deleted_keeps_its_result(alice: Caller, bob: Caller) -> None:
    table = finished_match(alice, bob)
    before = (Table.objects.values().get(), list(Seat.objects.order_by("pk").values()))
    leaving.vacate(UUID(table["id"]), row_of(alice))
    assert (Table.objects.values().get(), list(Seat.objects.order_by("pk").values())) == before


def test_tidying_changes_no_active_players_and_no_finished_tables(alice: Caller, bob: Caller) -> None:
    table = finished_match(alice, bob)
    running = open_table(bob, seats=2)
    crash_while_forgetting(alice)
    before = list(Table.objects.order_by("pk").values())
    tasks.tidy()
    with_name_replaced = [each | {"version": each["version"] + (each["status"] == Status.FINISHED)} for each in before]
    assert list(Table.objects.order_by("pk").values()) == with_name_replaced
    assert [seat.name for seat in Seat.objects.filter(table=table["id"])] == ["Deleted player", "Bob"]
    assert {str(each["id"]) for each in before} == {table["id"], running["id"]}
    assert Seat.objects.filter(table=table["id"], player=row_of(alice)).exists()
