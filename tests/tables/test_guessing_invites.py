"""One limit for invite codes, shared by all endpoints that accept them; every code in a text counts."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tables.invites import MOST_CODES, codes_in
from tests.cast import Answer, Caller, guest, open_table
from tests.rates import limit
from tests.rest.checks import check_problem
from tests.rest.wsgi import environ_of, through_wsgi

WRONG = "NQSUCHCQDE"
Door = Callable[[Caller, dict[str, Any], str], Answer]


def look_up(caller: Caller, table: dict[str, Any], code: str) -> Answer:
    return caller.get(f"invites/{code}")


def join(caller: Caller, table: dict[str, Any], code: str) -> Answer:
    return caller.post("tables/join", {"invite": code})


def take_seat(caller: Caller, table: dict[str, Any], code: str) -> Answer:
    return caller.post(f"tables/{table['id']}/seats", {"invite": code})


def page(path: str) -> Answer:
    response = Client().get(path)
    return Answer(response.status_code, None, response.headers, response.content.decode())


def open_page(caller: Caller, table: dict[str, Any], code: str) -> Answer:
    return page(f"/join/{code}")


def type_in(caller: Caller, table: dict[str, Any], code: str) -> Answer:
    return page(f"/join?invite={code}")


DOORS: dict[str, Door] = {"look up": look_up, "join": join, "seats": take_seat, "page": open_page, "form": type_in}
each_door = pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)


@each_door
def test_too_many_wrong_codes_at_one_endpoint_block_all_endpoints(
    alice: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch, door: Door
) -> None:
    limit(monkeypatch, invite="2/min")
    table = open_table(alice)
    assert [look_up(guest("Mallory"), table, WRONG).status for _ in range(2)] == [404, 404]
    answer = door(bob, table, table["invite"]["code"])
    assert answer.status == 429, answer.text
    assert int(answer.headers["Retry-After"]) > 0
    if answer.body is None:
        assert "<title>Too many tries" in answer.text
        assert '<a href="/">Go to the start page</a>' in answer.text


@each_door
def test_a_wrong_code_counts_at_every_endpoint(
    alice: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch, door: Door
) -> None:
    limit(monkeypatch, invite="1/min")
    table = open_table(alice)
    assert door(bob, table, WRONG).status in {403, 404}
    assert look_up(bob, table, table["invite"]["code"]).status == 429


@each_door
def test_a_correct_code_is_not_counted(alice: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch, door: Door) -> None:
    limit(monkeypatch, invite="1/min")
    table = open_table(alice)
    assert all(door(bob, table, table["invite"]["code"]).status < 400 for _ in range(3))


def test_a_correct_code_that_is_refused_is_not_counted(
    alice: Caller, bob: Caller, cleo: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit(monkeypatch, invite="1/min")
    table = open_table(alice, seats=2)
    assert join(bob, table, table["invite"]["code"]).status == 200
    for _ in range(2):
        check_problem(join(cleo, table, table["invite"]["code"]), 409, "table_full")


def test_every_code_in_a_text_counts(alice: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch, invite="6/min")
    texts = [f"{WRONG} NQSUCHCQD2 NQSUCHCQD3", f"{WRONG} NQSUCHCQD4 NQSUCHCQD5", WRONG]
    assert [bob.post("tables/join", {"invite": text}).status for text in texts] == [404, 404, 429]


def test_one_request_tries_a_limited_number_of_codes() -> None:
    many = " ".join(f"NQSUCHCQ{at:02}".replace("0", "Z").replace("1", "Y") for at in range(45))
    assert len(codes_in(many)) == MOST_CODES
    assert codes_in("ABCDEFGHJK abcdefghjk") == ["ABCDEFGHJK"]


def test_a_code_is_found_among_words_that_look_like_codes(alice: Caller, bob: Caller) -> None:
    words = "BASKETBALL BLACKBERRY STRAWBERRY UNDERSTAND THREATENED JUMPEDDOWN"
    assert codes_in(f"{words} 23456789AB")[0] == "23456789AB"


def test_many_addresses_of_a_player_share_one_count(alice: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch, invite="2/min")

    def ask(address: str) -> Answer:
        environ = environ_of("GET", f"/api/v1/invites/{WRONG}") | {"REMOTE_ADDR": address}
        return through_wsgi(environ | {"HTTP_AUTHORIZATION": f"Bearer {alice.token}"})

    assert [ask(f"192.0.2.{at}").status for at in range(3)] == [404, 404, 429]


def test_sitting_down_without_an_invite_is_not_counted(
    alice: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit(monkeypatch, invite="1/min")
    table = open_table(alice)
    for _ in range(2):
        check_problem(bob.post(f"tables/{table['id']}/seats", {}), 403, "invite_needed")
