"""``/join/{code}``: what an invite's link shows to a person."""

from typing import Any

import pytest
from django.test import Client

from tests.cast import Caller, open_table


def page(code: str) -> tuple[int, str]:
    response = Client().get(f"/join/{code}")
    assert response.headers["Content-Type"].startswith("text/html")
    return response.status_code, response.content.decode()


def test_it_works(alice: Caller) -> None:
    table = open_table(alice, name="Friday")
    path = table["invite"]["url"].removeprefix("http://testserver/join/")
    status, text = page(path)
    assert status == 200
    assert "Friday" in text
    assert "Alice invites you" in text
    assert "3 seats free" in text
    assert table["invite"]["code"] in text


def test_in_small_letters(alice: Caller) -> None:
    assert page(open_table(alice)["invite"]["code"].lower())[0] == 200


@pytest.mark.parametrize("stage", ["playing", "cancelled"])
def test_a_table_that_is_no_longer_open(two_seats: dict[str, Any], alice: Caller, stage: str) -> None:
    alice.post(f"tables/{two_seats['id']}/{'start' if stage == 'playing' else 'cancel'}")
    status, text = page(two_seats["invite"]["code"])
    assert status == 200
    assert stage in text
    assert "seats are no longer given out" in text


def test_names_are_escaped(bob: Caller) -> None:
    table = open_table(bob, name="<script>alert(1)</script>")
    bob.patch("players/me", {"name": "<b>Bob</b>"})
    text = page(table["invite"]["code"])[1]
    assert "<script>" not in text
    assert "<b>Bob" not in text


@pytest.mark.parametrize("code", ["NOSUCHCODE", "%00", "x%00y", "%F0%9F%90%89", "x" * 3000, "%ff"])
def test_an_unknown_code(db: None, code: str) -> None:
    status, text = page(code)
    assert status == 404
    assert "No table has this invite" in text


def test_the_front_door_leads_to_the_documentation(db: None) -> None:
    assert Client().get("/").headers["Location"] == "/api/v1/docs"
