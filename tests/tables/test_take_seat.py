"""``POST tables/{id}/seats``."""

from typing import Any
from uuid import uuid4

import pytest

from tables.models import Seat, StandIn
from tests.at_once import at_once
from tests.cast import Caller, guest, join, open_table, play, position
from tests.rest.checks import check_refused
from tests.tables.nudges import nudges


def test_it_works(alice: Caller, bob: Caller) -> None:
    table = open_table(alice, visibility="public")
    answer = bob.post(f"tables/{table['id']}/seats", {})
    assert (answer.status, answer.body["seat"]) == (201, 1)
    assert answer.body["table"] == bob.get(f"tables/{table['id']}").body
    assert answer.body["table"]["seats"][1]["player"]["name"] == "Bob"


def test_a_player_may_choose_the_seat(alice: Caller, bob: Caller) -> None:
    table = open_table(alice, visibility="public")
    answer = bob.post(f"tables/{table['id']}/seats", {"seat": 2})
    assert (answer.status, answer.body["seat"]) == (201, 2)


@pytest.mark.parametrize("seat", [{}, {"seat": 3}])
def test_a_repeated_call_returns_the_same_seat(alice: Caller, bob: Caller, seat: dict[str, int]) -> None:
    table = open_table(alice, visibility="public")
    first = bob.post(f"tables/{table['id']}/seats", {})
    again = bob.post(f"tables/{table['id']}/seats", seat)
    assert (again.status, again.body) == (200, first.body)


def test_a_private_table_accepts_its_invite(alice: Caller, bob: Caller) -> None:
    table = open_table(alice, spectators="none")
    answer = bob.post(f"tables/{table['id']}/seats", {"invite": table["invite"]["code"].lower()})
    assert (answer.status, answer.body["seat"]) == (201, 1)


def test_the_host_needs_no_invite(alice: Caller) -> None:
    table = open_table(alice, host_seat=None)
    assert alice.post(f"tables/{table['id']}/seats", {"seat": 2}).status == 201


def test_a_player_may_come_back_to_a_match(playing: dict[str, Any], alice: Caller, bob: Caller) -> None:
    bob.delete(f"tables/{playing['id']}/seats/1")
    assert position(playing, alice)["seats"][1]["away"]
    answer = bob.post(f"tables/{playing['id']}/seats", {})
    assert (answer.status, answer.body["seat"]) == (200, 1)
    assert not position(playing, alice)["seats"][1]["away"]


def test_a_player_who_comes_back_in_their_turn_plays_it(
    playing: dict[str, Any], alice: Caller, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        alice.delete(f"tables/{playing['id']}/seats/0")
        alice.post(f"tables/{playing['id']}/seats", {})
    assert nudges(playing) == [1]
    assert play(playing, alice).status == 201


def test_a_spectator_cannot_sit_down(alice: Caller, spectator: Caller) -> None:
    table = open_table(alice, visibility="public")
    check_refused(lambda: spectator.post(f"tables/{table['id']}/seats", {}), 401, "not_authenticated")


@pytest.mark.parametrize("body", [{}, {"invite": "NOSUCHCODE"}, {"seat": 1}])
def test_a_private_table_needs_its_invite(alice: Caller, bob: Caller, body: dict[str, Any]) -> None:
    table = open_table(alice)
    check_refused(lambda: bob.post(f"tables/{table['id']}/seats", body), 403, "invite_needed")


def test_another_tables_invite_is_refused(alice: Caller, bob: Caller) -> None:
    table, other = open_table(alice), open_table(alice)
    body = {"invite": other["invite"]["code"]}
    check_refused(lambda: bob.post(f"tables/{table['id']}/seats", body), 403, "invite_needed")


def test_an_unknown_table(bob: Caller) -> None:
    check_refused(lambda: bob.post(f"tables/{uuid4()}/seats", {}), 404, "not_found")


@pytest.mark.parametrize(
    ("seat", "status", "code"), [(0, 409, "seat_taken"), (1, 409, "seat_taken"), (4, 404, "no_such_seat")]
)
def test_a_seat_that_is_not_free_is_refused(alice: Caller, bob: Caller, seat: int, status: int, code: str) -> None:
    table = open_table(alice, visibility="public", bots=[{"seat": 1, "level": "easy"}])
    check_refused(lambda: bob.post(f"tables/{table['id']}/seats", {"seat": seat}), status, code)


def test_a_full_table_is_refused(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = open_table(alice, visibility="public", seats=2)
    join(table, bob)
    check_refused(lambda: cleo.post(f"tables/{table['id']}/seats", {}), 409, "table_full")


def test_a_running_match_is_refused(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = open_table(alice, visibility="public", seats=2)
    join(table, bob)
    alice.post(f"tables/{table['id']}/start")
    check_refused(lambda: cleo.post(f"tables/{table['id']}/seats", {}), 409, "table_playing")


def test_a_forfeited_seat_is_not_given_back(playing: dict[str, Any], bob: Caller) -> None:
    Seat.objects.filter(number=1).update(stand_in="easy", stand_in_until=StandIn.END)
    check_refused(lambda: bob.post(f"tables/{playing['id']}/seats", {}), 409, "seat_forfeited")


@pytest.mark.parametrize(
    ("body", "field"),
    [({"seat": -1}, "seat"), ({"seat": 99}, "seat"), ({"seat": "window"}, "seat"), ({"invite": None}, "invite")],
)
def test_a_wrong_field_is_named(alice: Caller, bob: Caller, body: dict[str, Any], field: str) -> None:
    table = open_table(alice, visibility="public")
    check_refused(lambda: bob.post(f"tables/{table['id']}/seats", body), 400, "invalid", field)


@pytest.mark.django_db(transaction=True)
def test_one_player_sits_down_twice_at_once() -> None:
    alice, bob = guest("Alice"), guest("Bob")
    table = open_table(alice, visibility="public")
    first, again = at_once(table, *[lambda: bob.post(f"tables/{table['id']}/seats", {})] * 2)
    assert (first.status, again.status) == (201, 200)
    assert first.body == again.body
