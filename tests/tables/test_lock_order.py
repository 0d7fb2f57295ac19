"""Locks are taken in one order: a table before the table of its rematch, and both before a player."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import transaction
from django.utils import timezone

from players.accounts import forget
from players.models import Player
from tables.lobby import leaving
from tables.models import Seat, Table
from tests.at_once import await_blocked, held, threads
from tests.cast import Caller, guest, open_table, start
from tests.matches import begin, play_match

pytestmark = pytest.mark.django_db(transaction=True)


def wait_for(table: dict[str, Any], call: Callable[[], Any], free: Callable[[], Any]) -> Any:
    """What comes of a call that has to wait for a table, while ``free`` locks what the call may not hold by then."""
    with threads() as begun:
        with held(table):
            running = begun(call)
            await_blocked(1)
            with transaction.atomic():
                free()
        return running.result(20)


def rematch(match: dict[str, Any], caller: Caller) -> dict[str, Any]:
    """A new one: that of before, if there was one, is cancelled."""
    answer = caller.post(f"tables/{match['id']}/rematch")
    if answer.status == 200:
        assert caller.post(f"tables/{answer.body['id']}/cancel").status == 200
        answer = caller.post(f"tables/{match['id']}/rematch")
    return dict(answer.body)


def player_of(caller: Caller) -> Player:
    assert caller.player is not None
    return caller.player


def lock_now(table: dict[str, Any]) -> Table:
    return Table.objects.select_for_update(nowait=True).get(pk=table["id"])


def test_a_guest_who_registers_with_a_key_holds_no_lock_while_waiting_for_tables() -> None:
    alice = guest("Alice")
    table = open_table(alice)
    body = {"username": "zoe", "password": "tiles-and-trains", "name": "Zoe"}
    registers = lambda: alice.post("players/register", body, Idempotency_Key="lost-answer").status  # noqa: E731
    assert wait_for(table, registers, lambda: Player.objects.select_for_update(nowait=True).get(name="Zoe")) == 201
    assert Table.objects.get().seats.get(number=0).shown_name == "Zoe"


def test_a_late_turn_of_a_rematch() -> None:
    alice, bob = guest("Alice"), guest("Bob")
    match = begin(alice, bob, turn_seconds=60)
    play_match(match)
    following = rematch(match, alice)
    start(following, alice)
    Table.objects.filter(pk=following["id"]).update(deadline=timezone.now() - timedelta(seconds=5))
    leaves = lambda: leaving.vacate(UUID(following["id"]), player_of(alice))  # noqa: E731
    wait_for(match, leaves, lambda: lock_now(following))
    assert Table.objects.get(pk=following["id"]).host == player_of(bob)


def test_names_at_a_match_and_its_rematch_that_are_over() -> None:
    """The ids of tables are of no order: here the later table has the lower one."""
    alice = guest("Alice")
    match = begin(alice, guest("Bob"))
    play_match(match)
    following = rematch(match, alice)
    while following["id"] > match["id"]:
        following = rematch(match, alice)
    assert alice.post(f"tables/{following['id']}/cancel").status == 200
    wait_for(match, lambda: forget(player_of(alice)), lambda: lock_now(following))
    assert not Seat.objects.filter(shown_name="Alice").exists()
