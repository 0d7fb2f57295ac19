"""An absent host hands the table on to the next person who is present."""

from typing import Any

import pytest
import time_machine
from django.utils import timezone

from players.models import Player
from tables.lobby import absence, leaving
from tables.models import Table
from tests.at_once import at_once
from tests.cast import Caller, guest, join, open_table
from tests.clocks import MINUTE, SECOND
from tests.matches import begin, play_match
from tests.rest.checks import check_refused
from tests.tables.test_absent_players import here
from tests.tables.test_host import host_of, id_of


def started(table: dict[str, Any], caller: Caller) -> int:
    return caller.post(f"tables/{table['id']}/start").status


def test_the_next_person_starts_a_full_table_whose_host_is_absent(
    clock: time_machine.Traveller, two_seats: dict[str, Any], bob: Caller
) -> None:
    clock.shift(15 * MINUTE)
    check_refused(lambda: bob.post(f"tables/{two_seats['id']}/start"), 403, "not_host")
    clock.shift(SECOND)
    assert started(two_seats, bob) == 200
    assert host_of(two_seats, bob) == id_of(bob)


def test_a_host_who_is_present_keeps_the_table(
    clock: time_machine.Traveller, two_seats: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    clock.shift(16 * MINUTE)
    here(alice)
    check_refused(lambda: bob.post(f"tables/{two_seats['id']}/start"), 403, "not_host")


@pytest.mark.parametrize("call", ["start", "cancel", "invite"])
def test_the_next_person_may_make_every_call_of_a_host(
    clock: time_machine.Traveller, two_seats: dict[str, Any], bob: Caller, call: str
) -> None:
    clock.shift(16 * MINUTE)
    assert bob.post(f"tables/{two_seats['id']}/{call}").status == 200
    assert host_of(two_seats, bob) == id_of(bob)


def test_without_stall_minutes_an_absent_host_keeps_the_table(
    clock: time_machine.Traveller, alice: Caller, bob: Caller
) -> None:
    table = open_table(alice, seats=2, stall_minutes=None)
    join(table, bob)
    clock.shift(60 * 24 * MINUTE)
    check_refused(lambda: bob.post(f"tables/{table['id']}/start"), 403, "not_host")


def test_of_two_present_persons_the_next_round_the_table_becomes_host(
    clock: time_machine.Traveller, alice: Caller, bob: Caller, cleo: Caller
) -> None:
    table = open_table(alice, seats=3, host_seat=1)
    join(table, bob, cleo)
    clock.shift(16 * MINUTE)
    here(bob, cleo)
    check_refused(lambda: bob.post(f"tables/{table['id']}/start"), 403, "not_host")
    assert started(table, cleo) == 200


def test_an_absent_person_is_passed_over(
    clock: time_machine.Traveller, alice: Caller, bob: Caller, cleo: Caller
) -> None:
    table = open_table(alice, seats=3)
    join(table, bob, cleo)
    clock.shift(16 * MINUTE)
    assert started(table, cleo) == 200


def test_a_host_who_leaves_hands_on_to_a_present_person(
    clock: time_machine.Traveller, alice: Caller, bob: Caller, cleo: Caller
) -> None:
    table = open_table(alice, seats=3)
    join(table, bob, cleo)
    clock.shift(4 * MINUTE)
    here(cleo)
    alice.delete(f"tables/{table['id']}/seats/0")
    assert host_of(table, cleo) == id_of(cleo)


def test_a_host_who_left_a_match_hands_on_to_a_person_who_comes_back(
    playing: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    bob.delete(f"tables/{playing['id']}/seats/1")
    alice.delete(f"tables/{playing['id']}/seats/0")
    check_refused(lambda: bob.post(f"tables/{playing['id']}/cancel"), 403, "not_host")
    bob.post(f"tables/{playing['id']}/seats")
    assert bob.post(f"tables/{playing['id']}/cancel").status == 200


def test_a_host_who_is_away_because_of_timeouts_stays_host(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, turn_seconds=60, on_timeout="bot")
    row = Table.objects.get()
    row.seats.filter(number=0).update(stand_in="easy", stand_in_until="return", timeouts=3)
    assert absence.next_host(row, timezone.now()) is None
    assert bob.post(f"tables/{table['id']}/cancel").status == 403


def test_a_host_who_is_away_at_an_open_table_has_not_left_it(
    clock: time_machine.Traveller, alice: Caller, bob: Caller, cleo: Caller
) -> None:
    """Bob left the match before, and became host of its rematch while Alice and Cleo were absent."""
    table = begin(alice, bob, cleo)
    bob.delete(f"tables/{table['id']}/seats/1")
    play_match(table)
    following = alice.post(f"tables/{table['id']}/rematch").body
    clock.shift(16 * MINUTE)
    assert bob.post(f"tables/{following['id']}/invite").status == 200
    here(cleo)
    check_refused(lambda: cleo.post(f"tables/{following['id']}/start"), 403, "not_host")


def test_a_match_that_is_over_keeps_its_host(clock: time_machine.Traveller, alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    play_match(table)
    clock.shift(16 * MINUTE)
    check_refused(lambda: bob.post(f"tables/{table['id']}/cancel"), 403, "not_host")
    leaving.hand_tables_on(timezone.now())
    assert host_of(table, bob) == id_of(alice)


# The sweep


def test_the_sweep_hands_on_a_table_without_any_request(
    clock: time_machine.Traveller, two_seats: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    clock.shift(16 * MINUTE)
    leaving.hand_tables_on(timezone.now())
    assert host_of(two_seats, bob) == id_of(alice)  # Bob has not been here either
    leaving.hand_tables_on(timezone.now())
    assert host_of(two_seats, bob) == id_of(bob)
    version = Table.objects.get().version
    leaving.hand_tables_on(timezone.now())
    assert Table.objects.get().version == version


def test_the_sweep_selects_only_tables_with_an_absent_host(
    clock: time_machine.Traveller, playing: dict[str, Any], alice: Caller, bob: Caller, django_assert_num_queries: Any
) -> None:
    clock.shift(16 * MINUTE)
    here(alice, bob)
    with django_assert_num_queries(2):  # one for the outages
        leaving.hand_tables_on(timezone.now())


def test_the_sweep_finds_hosts_who_are_deleted(playing: dict[str, Any], bob: Caller, alice: Caller) -> None:
    Table.objects.update(stall_minutes=None)
    assert alice.player is not None
    Player.objects.filter(pk=alice.player.pk).update(is_active=False)
    leaving.hand_tables_on(timezone.now())
    assert host_of(playing, bob) == id_of(bob)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_first", [True, False])
def test_handing_on_against_starting(*, is_first: bool) -> None:
    """The table is started once, by either host."""
    alice, bob = guest("Alice"), guest("Bob")
    table = open_table(alice, seats=2)
    join(table, bob)
    with time_machine.travel(timezone.now() + 16 * MINUTE):
        here(bob)
        calls = [lambda: leaving.hand_tables_on(timezone.now()), lambda: started(table, bob)]
        at_once(table, *(calls if is_first else calls[::-1]))
    row = Table.objects.get()
    assert (row.status, row.host) == ("playing", bob.player)
    assert row.moves.count() == 0
    assert row.rounds.filter(dealt_at__isnull=False).count() == 1


def test_a_former_host_who_is_back_is_not_host_again(
    clock: time_machine.Traveller, two_seats: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    clock.shift(16 * MINUTE)
    assert bob.post(f"tables/{two_seats['id']}/start").status == 200
    check_refused(lambda: alice.post(f"tables/{two_seats['id']}/cancel"), 403, "not_host")
