"""``/join/{code}``: the page of an invite."""

import re
from typing import Any

import pytest
from django.test import Client

from tables.models import Table
from tests.cast import Caller, open_table
from tests.matches import begin, bots, play_match
from words import OTHERS


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


def test_a_code_in_lower_case_is_accepted(alice: Caller) -> None:
    assert page(open_table(alice)["invite"]["code"].lower())[0] == 200


@pytest.mark.parametrize("stage", ["playing", "cancelled"])
def test_the_page_of_a_table_that_is_no_longer_open(two_seats: dict[str, Any], alice: Caller, stage: str) -> None:
    alice.post(f"tables/{two_seats['id']}/{'start' if stage == 'playing' else 'cancel'}")
    status, text = page(two_seats["invite"]["code"])
    assert status == 200
    assert stage in text
    assert "you can no longer take a seat" in text


@pytest.mark.parametrize("stage", ["playing", "finished", "cancelled", "expired"])
def test_only_the_page_of_an_open_table_says_who_invites(alice: Caller, bob: Caller, stage: str) -> None:
    table = begin(alice, bob)
    status = "cancelled" if stage == "expired" else stage
    turn = {} if stage == "playing" else {"turn": None}
    Table.objects.update(status=status, ended_reason="expired" if stage == "expired" else "", **turn)
    text = page(table["invite"]["code"])[1]
    assert "invite" not in re.sub("This invite has expired", "", text.split("<main>")[1])
    assert ("This invite has expired" in text) == (stage == "expired")
    assert 'og:description" content="This' in text


def test_the_page_of_a_full_table_says_that_it_is_full(alice: Caller) -> None:
    """It offers no code, which would be refused with ``table_full``."""
    table = open_table(alice, seats=2, bots=bots(1))
    code, text = table["invite"]["code"], page(table["invite"]["code"])[1]
    assert "Every seat of this table is taken." in text
    assert 'og:description" content="Every seat of this table is taken.' in text
    assert "invites you" not in text
    assert code not in text


@pytest.mark.parametrize("spelt", ["{0}/", "{0}-{1}", "{0}%20{1}", "{0}-{1}/", "Come!%20{0}%20{1}%20Hurry"])
def test_a_code_may_be_spelt_in_halves_and_end_in_a_slash(alice: Caller, spelt: str) -> None:
    code = open_table(alice)["invite"]["code"].lower()
    parts = (code, "") if "{1}" not in spelt else (code[:5], code[5:])
    assert page(spelt.format(*parts))[0] == 200


def test_names_are_escaped(bob: Caller) -> None:
    table = open_table(bob, name="<script>alert(1)</script>")
    bob.patch("players/me", {"name": "<b>Bob</b>"})
    text = page(table["invite"]["code"])[1]
    assert "<script>" not in text
    assert "<b>Bob" not in text


@pytest.mark.parametrize("code", ["NOSUCHCODE", "%00", "x%00y", "%F0%9F%90%89", "x" * 3000, "%ff"])
def test_an_unknown_code_is_404(db: None, code: str) -> None:
    status, text = page(code)
    assert status == 404
    assert "No table has this invite" in text
    assert '<a href="/">Go to the start page</a>' in text


@pytest.mark.parametrize("stage", ["playing", "finished"])
def test_the_page_of_a_match_shows_the_board(alice: Caller, bob: Caller, stage: str) -> None:
    table = begin(alice, bob)
    if stage == "finished":
        play_match(table)
    text = page(table["invite"]["code"])[1]
    (board,) = re.findall('<img class="board" src="([^"]+)"', text)
    assert Client().get(board).status_code == 200
    assert f"This table is {stage}" in text
    assert ("The winner" in text) == (stage == "finished")


def test_the_page_of_a_hidden_match_shows_no_board_and_no_winner(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, spectators="none")
    play_match(table)
    text = page(table["invite"]["code"])[1]
    assert "This table is finished" in text
    assert "<img" not in text
    assert table["id"] not in text
    assert "The winner" not in text


def test_the_page_has_a_description_for_messengers(alice: Caller) -> None:
    table = open_table(alice, name='Friday "night"')
    text = page(table["invite"]["code"])[1]
    assert '<meta property="og:title" content="Friday &quot;night&quot;">' in text
    said = "Alice invites you to a game of Mexican Train. 3 seats free."
    assert re.search(f'<meta property="og:description" content="{said}\\s*">', text)


def test_the_start_page_links_all_documents(db: None) -> None:
    response = Client().get("/")
    text = response.content.decode()
    assert response.status_code == 200
    links = re.findall('<a href="([^"]+)"', text)
    assert links[:2] == ["/api/v1/docs", "/api/v1/schema"]
    assert {link: Client().get(link).status_code for link in links} == dict.fromkeys(links, 200)
    assert 'rel="icon"' in text


@pytest.mark.parametrize("language", OTHERS)
def test_the_page_is_translated(db: None, language: str) -> None:
    english, other = (Client().get("/", headers={"Accept-Language": each}) for each in ("en", language))
    assert other.headers["Content-Language"] == language
    headings = [re.findall("<h2>(.*?)</h2>", each.content.decode()) for each in (english, other)]
    assert len(headings[0]) == len(headings[1]) == 3
    assert not set(headings[0]) & set(headings[1])


def test_a_typed_invite_leads_to_its_page(alice: Caller) -> None:
    invite = open_table(alice)["invite"]
    message = f"Come! {invite['url']}?utm_campaign=basketball We meet at the restaurant."
    for typed in (invite["code"].lower(), f" {invite['url']} ", message):
        answer = Client().get("/join", {"invite": typed})
        assert (answer.status_code, answer.headers["Location"]) == (302, f"/join/{invite['code']}")


@pytest.mark.parametrize("typed", [None, "", "nonsense", "https://example.org/", "\0"])
def test_an_invalid_invite_can_be_typed_again(db: None, typed: str | None) -> None:
    answer = Client().get("/join", {} if typed is None else {"invite": typed})
    assert answer.status_code == 404
    assert "<form" in answer.content.decode()


@pytest.mark.parametrize("name", ["openapi", "no-such-text", "verify", "translating"])
def test_only_listed_documents_are_served(db: None, name: str) -> None:
    assert Client().get(f"/docs/{name}.md").status_code == 404
