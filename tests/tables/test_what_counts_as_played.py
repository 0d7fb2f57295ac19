"""What counts as a player's own match: at least two thirds of the turns made by the player, and not cancelled."""

from importlib import import_module
from typing import Any
from uuid import UUID

import pytest
from django.apps import apps
from django.db import connection

from rules.mexican_train.versions import VERSIONS
from tables import audit, play, schedule
from tables.lobby import ending
from tables.models import By, Seat, Table
from tables.outcome import MoveFacts, seats_left
from tables.presenters.records import present_record
from tests.cast import Caller
from tests.matches import SMALL, begin, bots, play_match, play_round, snapshot, step

MIGRATION = import_module("tables.migrations.0013_count_turns")
COUNTS = ("matches", "played", "left", "forfeited", "wins")


def counts(caller: Caller) -> tuple[int, ...]:
    assert caller.player is not None
    record = caller.get(f"players/{caller.player.pk}").body
    return tuple(record[name] for name in COUNTS)


def check_stored() -> None:
    """The logs give what the seats say, and so does the migration that looks at the matches of the first release."""
    told = dict(Seat.objects.values_list("pk", "has_left"))
    for table in Table.objects.values_list("pk", flat=True):
        rows = audit.read(table)
        assert rows is not None
        assert audit.first_difference(rows) is None
    Seat.objects.update(has_left=False)
    with connection.schema_editor() as editor:
        MIGRATION.count_turns(apps, editor)
    assert dict(Seat.objects.values_list("pk", "has_left")) == told


def leave(table: dict[str, Any], caller: Caller, seat: int) -> None:
    assert caller.delete(f"tables/{table['id']}/seats/{seat}").status == 204


@pytest.mark.slow
def test_six_matches_left_before_the_first_move_give_no_win(alice: Caller) -> None:
    for _ in range(6):
        table = begin(alice, bots=bots(1, level="random"), on_leave="hard", options=SMALL | {"rounds": 1})
        leave(table, alice, 0)
        play_match(table)
    assert Table.objects.filter(winners__contains=[0]).exists()
    assert counts(alice) == (6, 0, 6, 0, 0)
    assert alice.player is not None
    assert alice.get(f"players/{alice.player.pk}").body["average_points_a_round"] is None
    check_stored()


def test_a_match_that_the_player_played_counts(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    play_match(table)
    won = [int(seat in (snapshot(table).winners or ())) for seat in (0, 1)]
    assert [counts(alice), counts(bob)] == [(1, 1, 0, 0, won[0]), (1, 1, 0, 0, won[1])]
    check_stored()


def test_a_player_who_is_back_soon_enough_has_played(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, options=SMALL | {"rounds": 5})
    leave(table, alice, 0)
    while snapshot(table).turn == 0:
        step(table)
    assert alice.post(f"tables/{table['id']}/seats").status == 200
    play_match(table)
    assert counts(alice)[:4] == (1, 1, 0, 0)
    check_stored()


def test_a_stand_in_from_the_second_round_of_two_has_too_many_turns(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, options=SMALL | {"rounds": 4})
    play_round(table)
    leave(table, bob, 1)
    play_match(table)
    assert [counts(alice)[:4], counts(bob)] == [(1, 1, 0, 0), (1, 0, 1, 0, 0)]
    check_stored()


def test_a_forfeit_is_counted_separately(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, turn_seconds=60, on_timeout="forfeit")
    now = snapshot(table)
    assert now.deadline is not None
    play.time_out(now.id, 1, now.deadline + schedule.GRACE)
    play_match(table)
    assert [counts(alice), counts(bob)] == [(1, 0, 0, 1, 0), (1, 1, 0, 0, 1)]
    check_stored()


def test_turns_of_the_clock_are_not_the_players_own(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, turn_seconds=60, on_timeout="auto", options=SMALL | {"rounds": 1})
    while (now := snapshot(table)).is_playing:
        if now.turn == 0:
            assert now.deadline is not None
            play.time_out(now.id, now.next_number, now.deadline + schedule.GRACE)
        else:
            step(table)
    assert [counts(alice), counts(bob)[:4]] == [(1, 0, 1, 0, 0), (1, 1, 0, 0)]
    check_stored()


@pytest.mark.slow
def test_all_turns_of_a_bot_are_its_own(alice: Caller) -> None:
    table = begin(alice, bots=bots(1))
    play_match(table)
    bot = alice.get(f"players/{table['seats'][1]['player']['id']}").body
    assert [bot[name] for name in COUNTS[:4]] == [1, 1, 0, 0]


# Cancelling


@pytest.mark.parametrize("is_away", [False, True])
def test_a_host_who_cancels_a_match_with_another_person_has_left_it(is_away: bool, alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    if is_away:
        leave(table, bob, 1)
    alice.post(f"tables/{table['id']}/cancel")
    assert [counts(alice), counts(bob)] == [(0, 0, 1, 0, 0), (0, 0, 0, 0, 0)]
    check_stored()


@pytest.mark.parametrize("others", ["bots", "open"])
def test_a_host_who_cancels_a_match_among_bots_has_not_left_it(others: str, alice: Caller, bob: Caller) -> None:
    is_open = others == "open"
    table = alice.post("tables", {"seats": 2}).body if is_open else begin(alice, bots=bots(1))
    alice.post(f"tables/{table['id']}/cancel")
    assert [counts(alice), counts(bob)] == [(0,) * 5] * 2
    check_stored()


def test_a_match_cancelled_by_an_admin_counts_for_nobody(alice: Caller, bob: Caller) -> None:
    ending.cancel_as_admin(UUID(begin(alice, bob)["id"]))
    assert [counts(alice), counts(bob)] == [(0,) * 5] * 2
    check_stored()


# Counting turns


def made(text: str) -> list[MoveFacts]:
    """``0p`` is a move by the person in seat 0; ``b`` a bot's, ``t`` the clock's, ``h`` the table's, ``c`` a call."""
    kinds = {"p": By.PERSON, "b": By.BOT, "t": By.TIMEOUT, "h": By.HOST, "c": By.PERSON}
    return [
        MoveFacts(round_, int(word[0]), "call 1" if word[1] == "c" else "draw", kinds[word[1]])
        for round_, moves in enumerate(text.split("|"))
        for word in moves.split()
    ]


@pytest.mark.parametrize(
    ("log", "is_left"),
    [
        ("", False),
        ("1p 1p", False),
        ("0p 1p 0p 1p 0b", False),  # two of three
        ("0p 1p 0b 1p 0b", True),  # one of three
        ("0p 1p 0p 1p 0p 1p 0b 1p 0b", True),  # three of five
        ("0p 0b 1p 0p 1p", True),  # a turn that others ended is not own
        ("0p 0h 1p 0h 1p", False),
        ("0t 1p 0t 1p 0p", True),
        ("0b 0b 0b 1p 0p 1p 0p", False),  # one long turn is one turn
        ("0b 1p 0c 0b", True),  # a call is no turn
        ("0b 1p 0c 1p 0c 1p 0c", True),  # nor are three
        ("0p 1p 0c 1p 0p 1p 0b", False),
        ("1p 0b | 0p 1p | 0p", False),  # a turn ends with its round
        ("1p 0b | 0b", True),
    ],
)
def test_two_thirds_of_the_turns_must_be_the_players_own(log: str, is_left: bool) -> None:
    assert seats_left(VERSIONS[2], made(log), [0]) == ({0} if is_left else set())


def test_check_logs_checks_who_has_left(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    play_match(table)
    Seat.objects.filter(number=1).update(has_left=True)
    rows = audit.read(UUID(table["id"]))
    assert rows is not None
    assert audit.first_difference(rows) == f"table {table['id']}: the seats that were left is [1], expected []"


def test_the_results_of_a_player_take_two_queries(alice: Caller, django_assert_num_queries: Any) -> None:
    assert alice.player is not None
    with django_assert_num_queries(2):
        present_record(alice.player)
