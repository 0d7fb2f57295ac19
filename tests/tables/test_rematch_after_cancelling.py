"""``POST tables/{id}/rematch`` after the next table has ended, so that one person cannot prevent the rematch."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from players.models import Player
from tables import play, schedule
from tables.lobby import ending, expiry, leaving, rematch, seating
from tables.models import Event, Seat, StandIn, Table
from tests.at_once import at_once
from tests.cases import slow_after
from tests.cast import Answer, Caller, guest, position
from tests.matches import SMALL, arrange, begin, bots, play_match, send, snapshot
from tests.rest.checks import check_refused, nothing_changes
from tests.streams import listening
from tests.tables.settings import OTHERS

ONE = SMALL | {"rounds": 1}


@pytest.fixture
def finished(alice: Caller, bob: Caller) -> dict[str, Any]:
    table = begin(alice, bob, options=ONE)
    play_match(table)
    return table


def again(table: dict[str, Any], caller: Caller) -> Answer:
    return caller.post(f"tables/{table['id']}/rematch")


def cancelled(table: dict[str, Any], host: Caller) -> None:
    assert host.post(f"tables/{table['id']}/cancel").status == 200


def expired(table: dict[str, Any], host: Caller) -> None:
    Table.objects.filter(pk=table["id"]).update(changed_at=timezone.now() - timedelta(days=1000))
    assert expiry.end_idle_tables(timezone.now()) == 1


def left_by_all(table: dict[str, Any], host: Caller) -> None:
    for seat in Seat.objects.filter(table=table["id"]).order_by("-number").select_related("player"):
        assert seat.player is not None
        seating.leave_seat(UUID(table["id"]), seat.player, seat.number)
    assert host.get(f"tables/{table['id']}").body["ended_reason"] == "host_left"


def cancelled_by_admin(table: dict[str, Any], host: Caller) -> None:
    ending.cancel_as_admin(UUID(table["id"]))


def cancelled_in_the_match(table: dict[str, Any], host: Caller) -> None:
    assert host.post(f"tables/{table['id']}/start").status == 200
    cancelled(table, host)


@pytest.mark.parametrize(
    "end", slow_after(2, [cancelled, expired, left_by_all, cancelled_by_admin, cancelled_in_the_match])
)
def test_the_next_call_opens_a_new_table(end: Any, finished: dict[str, Any], alice: Caller, bob: Caller) -> None:
    dead = again(finished, alice).body
    assert bob.get(f"tables/{finished['id']}").body["next_table"] == dead["id"]
    before = bob.get(f"tables/{finished['id']}").body["version"]
    end(dead, alice)
    shown = bob.get(f"tables/{finished['id']}").body
    assert (shown["next_table"], shown["version"]) == (None, before + 1)
    answer = again(finished, bob)
    assert (answer.status, answer.body["status"]) == (201, "open")
    assert answer.body["id"] != dead["id"]
    assert [seat["player"]["name"] for seat in answer.body["seats"]] == ["Alice", "Bob"]
    assert bob.player is not None
    assert answer.body["host"] == str(bob.player.pk)
    assert alice.get(f"tables/{finished['id']}").body["next_table"] == answer.body["id"]
    with nothing_changes():
        assert again(finished, alice).body == answer.body | {"invite": again(finished, alice).body["invite"]}


def test_the_end_of_the_next_table_is_an_event(finished: dict[str, Any], alice: Caller) -> None:
    cancelled(again(finished, alice).body, alice)
    with listening(finished, alice, after=snapshot(finished).version - 2) as stream:
        opened, ended = [event.data for event in stream.rest() if event.kind == "table"]
    assert opened["changed"] == ended["changed"] == ["next_table"]
    assert "next_table" in opened
    assert "next_table" not in ended


def test_next_table_names_the_table_that_counts(finished: dict[str, Any], alice: Caller) -> None:
    cancelled(again(finished, alice).body, alice)
    following = again(finished, alice).body["id"]
    for path in ("tables", "players/me/tables"):
        listed = {each["id"]: each["next_table"] for each in alice.get(path).body["results"]}
        assert listed[finished["id"]] == following


def test_a_next_table_that_was_played_stays_the_next_table(
    finished: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    following = again(finished, alice).body
    alice.post(f"tables/{following['id']}/start")
    play_match(following)
    assert (again(finished, bob).status, again(finished, bob).body["id"]) == (200, following["id"])


# Players who were away


def test_a_player_who_had_left_starts_away_with_the_same_bot(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, options=ONE, on_leave="hard")
    bob.delete(f"tables/{table['id']}/seats/1")
    play_match(table)
    following = again(table, alice).body
    assert [seat["away"] for seat in following["seats"]] == [False, True]
    seat = Seat.objects.get(table=following["id"], number=1)
    assert (seat.player, seat.stand_in, seat.stand_in_until) == (bob.player, "hard", StandIn.RETURN)
    alice.post(f"tables/{following['id']}/start")
    play_match(following)


def test_a_forfeited_player_may_win_the_rematch(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, options=ONE, turn_seconds=60, on_timeout="forfeit")
    now = snapshot(table)
    assert now.deadline is not None
    play.time_out(now.id, 1, now.deadline + schedule.GRACE)
    play_match(table)
    following = again(table, bob).body
    assert [(seat["away"], seat["forfeited"]) for seat in following["seats"]] == [(True, False), (False, False)]


@pytest.mark.parametrize("is_started", [False, True])
@pytest.mark.parametrize("way", ["rematch", "seats", "join"])
def test_asking_for_the_rematch_brings_the_player_back(
    way: str, alice: Caller, bob: Caller, *, is_started: bool
) -> None:
    table = begin(alice, bob, options=ONE)
    bob.delete(f"tables/{table['id']}/seats/1")
    play_match(table)
    following = again(table, alice).body
    if is_started:
        alice.post(f"tables/{following['id']}/start")
    ways = {
        "rematch": lambda: again(table, bob),
        "seats": lambda: bob.post(f"tables/{following['id']}/seats"),
        "join": lambda: bob.post("tables/join", {"invite": following["invite"]["code"]}),
    }
    assert ways[way]().status == 200
    assert not bob.get(f"tables/{following['id']}").body["seats"][1]["away"]
    last = Event.objects.filter(table=following["id"]).latest("version")
    assert (last.kind, last.data["away"]) == ("seat", False)


def test_a_player_who_forfeited_in_the_next_match_gets_that_table(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, options=ONE, turn_seconds=60, on_timeout="forfeit")
    play_match(table)
    following = again(table, alice).body
    alice.post(f"tables/{following['id']}/start")
    now = snapshot(following)
    assert now.deadline is not None
    play.time_out(now.id, 1, now.deadline + schedule.GRACE)
    late = (alice, bob)[now.turn or 0]
    with nothing_changes():
        assert again(table, late).body["seats"][now.turn or 0]["forfeited"]


def test_a_move_brings_the_player_back(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, options=ONE)
    bob.delete(f"tables/{table['id']}/seats/1")
    play_match(table)
    following = again(table, alice).body
    alice.post(f"tables/{following['id']}/start")
    arrange(following, "6-5 5-4 3-1", "6-4 4-2 1-1")
    send(following, alice, "6-5>0", 1)
    assert position(following, bob)["seats"][1]["away"]
    assert send(following, bob, "6-4>1", 2).status == 201
    assert not position(following, bob)["seats"][1]["away"]


def test_the_caller_of_the_rematch_does_not_start_away(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, options=ONE)
    bob.delete(f"tables/{table['id']}/seats/1")
    play_match(table)
    assert [seat["away"] for seat in again(table, bob).body["seats"]] == [False, False]


def test_the_host_may_empty_the_seat_of_a_player_who_is_away(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = begin(alice, bob, options=ONE)
    bob.delete(f"tables/{table['id']}/seats/1")
    play_match(table)
    following = again(table, alice).body
    assert alice.delete(f"tables/{following['id']}/seats/1").status == 204
    assert cleo.post("tables/join", {"invite": following["invite"]["code"]}).status == 200
    seat = Seat.objects.get(table=following["id"], number=1)
    assert (seat.player, seat.stand_in, seat.is_away) == (cleo.player, "", False)


def test_a_player_who_is_deleted_while_away_leaves_the_seat(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, options=ONE)
    bob.delete(f"tables/{table['id']}/seats/1")
    play_match(table)
    following = again(table, alice).body
    assert bob.player is not None
    Player.objects.filter(pk=bob.player.pk).update(is_active=False)  # as if the server had stopped in between
    leaving.vacate_all_gone()
    seat = Seat.objects.get(table=following["id"], number=1)
    assert (seat.player, seat.is_away) == (None, False)


# Who gets in


def test_a_player_who_left_the_next_table_needs_no_invite(
    finished: dict[str, Any], alice: Caller, bob: Caller, cleo: Caller
) -> None:
    following = again(finished, alice).body
    bob.delete(f"tables/{following['id']}/seats/1")
    check_refused(lambda: cleo.post(f"tables/{following['id']}/seats"), 403, "invite_needed")
    assert bob.post(f"tables/{following['id']}/seats").status == 201


def test_a_player_who_left_gets_the_same_seat_again_if_it_is_free(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = begin(alice, bob, cleo, options=ONE)
    play_match(table)
    following = again(table, cleo).body
    for seat, caller in enumerate((alice, bob)):
        caller.delete(f"tables/{following['id']}/seats/{seat}")
    names = [seat["player"] and seat["player"]["name"] for seat in again(table, bob).body["seats"]]
    assert names == [None, "Bob", "Cleo"]


def test_a_player_who_left_gets_any_free_seat(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = begin(alice, bob, options=ONE, bots=bots(2))
    play_match(table)
    following = again(table, alice).body
    bob.delete(f"tables/{following['id']}/seats/1")
    cleo.post("tables/join", {"invite": following["invite"]["code"], "seat": 1})
    alice.delete(f"tables/{following['id']}/seats/2")
    answer = again(table, bob)
    assert (answer.status, answer.body["seats"][2]["player"]["name"]) == (200, "Bob")


@pytest.mark.parametrize("way", ["rematch", "seats", "join"])
def test_a_player_whom_the_host_removed_is_not_seated_again(
    way: str, finished: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    following = again(finished, alice).body
    assert alice.delete(f"tables/{following['id']}/seats/1").status == 204
    ways = {
        "rematch": lambda: again(finished, bob),
        "seats": lambda: bob.post(f"tables/{following['id']}/seats"),
        "join": lambda: bob.post("tables/join", {"invite": following["invite"]["code"]}),
    }
    check_refused(ways[way], 403, "removed_by_host")


def test_a_removal_ends_with_its_table(finished: dict[str, Any], alice: Caller, bob: Caller) -> None:
    following = again(finished, alice).body
    alice.delete(f"tables/{following['id']}/seats/1")
    cancelled(following, alice)
    answer = again(finished, bob)
    assert (answer.status, answer.body["seats"][1]["player"]["name"]) == (201, "Bob")


def test_at_other_tables_a_removed_player_may_sit_down_again(
    two_seats: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    alice.delete(f"tables/{two_seats['id']}/seats/1")
    assert bob.post("tables/join", {"invite": two_seats["invite"]["code"]}).status == 200


def test_a_host_without_a_seat_may_ask_for_a_rematch(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = begin(cleo, alice, bob, host_seat=None, seats=2, options=ONE)
    play_match(table)
    answer = again(table, cleo)
    assert cleo.player is not None
    assert (answer.status, answer.body["host"]) == (201, str(cleo.player.pk))
    assert [seat["player"]["name"] for seat in answer.body["seats"]] == ["Alice", "Bob"]
    assert again(table, alice).body["id"] == again(table, cleo).body["id"] == answer.body["id"]


# Copied fields


def test_every_field_of_a_table_is_either_copied_or_reset() -> None:
    names = {field.name for field in Table._meta.concrete_fields}
    assert set(rematch.KEEPS) | set(rematch.BEGINS_ANEW) == names
    assert not set(rematch.KEEPS) & set(rematch.BEGINS_ANEW)


def test_the_copied_fields_are_copied(finished: dict[str, Any], alice: Caller) -> None:
    assert set(OTHERS) == set(rematch.KEEPS) - {"game", "preset", "options"}
    Table.objects.filter(pk=finished["id"]).update(**OTHERS)
    following = Table.objects.get(pk=again(finished, alice).body["id"])
    assert {name: getattr(following, name) for name in OTHERS} == OTHERS
    assert following.options == Table.objects.get(pk=finished["id"]).options


# Two at once


@pytest.fixture
def dead(transactional_db: None) -> tuple[dict[str, Any], dict[str, Any], Caller, Caller]:
    """A finished match with a next table that is still open, its host, and the other player."""
    alice, bob = guest("Alice"), guest("Bob")
    table = begin(alice, bob, options=ONE)
    play_match(table)
    return table, again(table, alice).body, alice, bob


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("end_first", [True, False])
@pytest.mark.parametrize("end", [cancelled, expired, cancelled_by_admin])
def test_a_rematch_while_the_next_table_ends(
    end: Any, end_first: bool, dead: tuple[dict[str, Any], dict[str, Any], Caller, Caller]
) -> None:
    table, following, alice, bob = dead
    calls: list[Any] = [lambda: end(following, alice), lambda: again(table, bob)]
    answers = at_once(table, *(calls if end_first else reversed(calls)))
    (answer,) = [each for each in answers if each is not None]
    assert answer.status == (201 if end_first else 200)
    living = Table.objects.filter(previous_table=table["id"]).exclude(status="cancelled")
    assert living.count() == int(end_first)
    assert Table.objects.filter(status="cancelled").count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_calls_after_a_cancelled_table_open_one(
    dead: tuple[dict[str, Any], dict[str, Any], Caller, Caller],
) -> None:
    table, following, alice, bob = dead
    cancelled(following, alice)
    answers = at_once(table, lambda: again(table, alice), lambda: again(table, bob))
    assert [answer.status for answer in answers] == [201, 200]
    assert answers[0].body == answers[1].body
    assert Table.objects.count() == 3


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("removed_first", [True, False])
def test_a_rematch_while_its_host_removes_the_caller(
    removed_first: bool, dead: tuple[dict[str, Any], dict[str, Any], Caller, Caller]
) -> None:
    table, following, alice, bob = dead
    calls = [lambda: alice.delete(f"tables/{following['id']}/seats/1"), lambda: again(table, bob)]
    answers = at_once(table, *(calls if removed_first else reversed(calls)))
    assert sorted(answer.status for answer in answers) == ([204, 403] if removed_first else [200, 204])
    assert Seat.objects.get(table=following["id"], number=1).player is None


@pytest.mark.django_db(transaction=True)
def test_a_rematch_while_the_last_person_leaves(dead: tuple[dict[str, Any], dict[str, Any], Caller, Caller]) -> None:
    table, following, alice, bob = dead
    bob.delete(f"tables/{following['id']}/seats/1")
    left, answer = at_once(table, lambda: alice.delete(f"tables/{following['id']}/seats/0"), lambda: again(table, bob))
    assert (left.status, answer.status) == (204, 201)
