"""Tables that nobody uses end with a reason."""

from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from tables import play, tasks
from tables.lobby import expiry
from tables.models import By, Move, Table
from tests.at_once import at_once
from tests.cast import Caller, guest, join, open_table
from tests.matches import SMALL, begin, bots, play_match, snapshot, step
from tests.rest.checks import nothing_changes

WEEK, TWO_MONTHS = timedelta(days=7), timedelta(days=60)
MINUTE = timedelta(minutes=1)


def ending(table: dict[str, Any], caller: Caller) -> tuple[str, str | None]:
    shown = caller.get(f"tables/{table['id']}").body
    return shown["status"], shown["ended_reason"]


def test_an_unused_open_table_ends_after_a_week(two_seats: dict[str, Any], alice: Caller) -> None:
    with nothing_changes():
        assert expiry.end_idle_tables(timezone.now() + WEEK - MINUTE) == 0
    assert expiry.end_idle_tables(timezone.now() + WEEK + MINUTE) == 1
    assert ending(two_seats, alice) == ("cancelled", "expired")
    assert expiry.end_idle_tables(timezone.now() + 2 * WEEK) == 0


def test_the_tidying_ends_unused_tables(two_seats: dict[str, Any], alice: Caller) -> None:
    Table.objects.update(changed_at=timezone.now() - WEEK - MINUTE)
    tasks.tidy()
    assert ending(two_seats, alice) == ("cancelled", "expired")


@pytest.mark.parametrize("what", ["join", "leave", "change", "seat a bot"])
def test_every_change_starts_the_time_again(alice: Caller, bob: Caller, what: str) -> None:
    table = open_table(alice)
    if what == "leave":
        join(table, bob)
    Table.objects.update(changed_at=timezone.now() - WEEK - MINUTE)
    path = f"tables/{table['id']}"
    match what:
        case "join":
            join(table, bob)
        case "leave":
            bob.delete(f"{path}/seats/1")
        case "change":
            alice.patch(path, {"name": "Kitchen"})
        case _:
            alice.put(f"{path}/seats/1/bot", {"level": "easy"})
    assert expiry.end_idle_tables(timezone.now()) == 0
    assert ending(table, alice) == ("open", None)


def test_reading_a_table_does_not_start_the_time_again(two_seats: dict[str, Any], alice: Caller) -> None:
    Table.objects.update(changed_at=timezone.now() - WEEK - MINUTE)
    alice.get(f"tables/{two_seats['id']}/position")
    assert expiry.end_idle_tables(timezone.now()) == 1


def test_a_match_without_a_clock_ends_two_months_after_its_start(playing: dict[str, Any], alice: Caller) -> None:
    assert expiry.end_idle_tables(timezone.now() + TWO_MONTHS - MINUTE) == 0
    assert expiry.end_idle_tables(timezone.now() + TWO_MONTHS + MINUTE) == 1
    assert ending(playing, alice) == ("cancelled", "abandoned")
    row = Table.objects.get(pk=playing["id"])
    assert (row.turn, row.deadline, row.due_at) == (None, None, None)


def test_a_match_without_a_clock_ends_two_months_after_its_last_move(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    moved: list[datetime] = []
    for days in (30, 80):
        with time_machine.travel(timezone.now() + timedelta(days=days), tick=False):
            moved.append(timezone.now())
            step(table)
    assert Move.objects.count() == 2
    assert expiry.end_idle_tables(moved[-1] + TWO_MONTHS - MINUTE) == 0
    assert expiry.end_idle_tables(moved[-1] + TWO_MONTHS + MINUTE) == 1
    assert ending(table, alice) == ("cancelled", "abandoned")


ONE_STEP_A_FORTNIGHT: dict[str, Any] = {"turn_seconds": 1_209_600, "on_timeout": "auto"}


def test_a_match_with_a_clock_ends_once_everybody_has_been_gone_for_two_months(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, options={**SMALL, "rounds": 7}, **ONE_STEP_A_FORTNIGHT)
    begun = timezone.now()
    for _ in range(3):
        now = snapshot(table)
        assert now.deadline is not None
        with time_machine.travel(now.deadline + MINUTE, tick=False):
            assert play.time_out(now.id, now.next_number, timezone.now())
    assert {move.by for move in Move.objects.all()} == {By.TIMEOUT}
    assert expiry.end_idle_tables(begun + TWO_MONTHS - MINUTE) == 0
    assert expiry.end_idle_tables(begun + TWO_MONTHS + MINUTE) == 1
    assert ending(table, alice) == ("cancelled", "abandoned")


@pytest.mark.parametrize("sign", ["a request", "a move"])
def test_a_match_with_a_clock_goes_on_while_a_person_is_present(alice: Caller, bob: Caller, sign: str) -> None:
    table = begin(alice, bob, **ONE_STEP_A_FORTNIGHT)
    begun = timezone.now()
    with time_machine.travel(begun + timedelta(days=10), tick=False):
        if sign == "a move":
            step(table)
        else:
            bob.get("players/me")
    assert expiry.end_idle_tables(begun + TWO_MONTHS + MINUTE) == 0
    assert expiry.end_idle_tables(begun + TWO_MONTHS + timedelta(days=11)) == 1


def test_tables_that_are_over_are_not_changed(alice: Caller, bob: Caller) -> None:
    play_match(begin(alice, bob))
    alice.post(f"tables/{open_table(alice)['id']}/cancel")
    with nothing_changes():
        assert expiry.end_idle_tables(timezone.now() + 10 * TWO_MONTHS) == 0


def test_with_0_days_nothing_ends(two_seats: dict[str, Any], alice: Caller, bob: Caller, settings: Any) -> None:
    begin(alice, bob)
    settings.OPEN_TABLE_DAYS = settings.IDLE_MATCH_DAYS = 0
    assert expiry.end_idle_tables(timezone.now() + 10 * TWO_MONTHS) == 0
    settings.IDLE_MATCH_DAYS = 1
    assert expiry.end_idle_tables(timezone.now() + 10 * TWO_MONTHS) == 1
    settings.OPEN_TABLE_DAYS = 1
    assert expiry.end_idle_tables(timezone.now() + 10 * TWO_MONTHS) == 1


def test_a_limited_number_of_tables_ends_at_once_the_oldest_first(
    alice: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(expiry, "AT_ONCE", 2)
    tables = [open_table(alice) for _ in range(3)]
    for days, table in enumerate(tables):
        Table.objects.filter(pk=table["id"]).update(changed_at=timezone.now() - WEEK - timedelta(days=1 + days))
    assert expiry.end_idle_tables(timezone.now()) == 2
    assert [ending(table, alice)[0] for table in tables] == ["open", "cancelled", "cancelled"]
    assert expiry.end_idle_tables(timezone.now()) == 1


@pytest.mark.django_db(transaction=True)
def test_a_change_at_the_last_moment_keeps_the_table() -> None:
    alice, bob = guest("Alice"), guest("Bob")
    table = open_table(alice, options=SMALL, seats=2)
    at = timezone.now() + WEEK - MINUTE
    Table.objects.update(changed_at=timezone.now() - 2 * MINUTE)
    invite = {"invite": table["invite"]["code"]}
    joined, ended = at_once(table, lambda: bob.post("tables/join", invite).status, lambda: expiry.end_idle_tables(at))
    assert (joined, ended) == (200, 0)
    assert ending(table, alice) == ("open", None)


def test_a_rematch_that_nobody_starts_ends_too(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, bots=bots(2))
    play_match(table)
    following = alice.post(f"tables/{table['id']}/rematch").body
    assert expiry.end_idle_tables(timezone.now() + WEEK + MINUTE) == 1
    assert ending(following, bob) == ("cancelled", "expired")
    assert ending(table, bob) == ("finished", "played")
