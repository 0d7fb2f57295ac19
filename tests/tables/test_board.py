"""``GET tables/{id}/board.svg``: a picture of the position as the caller sees it."""

from collections import Counter
from typing import Any
from uuid import uuid4
from xml.etree import ElementTree as ET

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tables.presenters.mexican_train import drawing
from tables.presenters.mexican_train.drawing.scene import present_scene
from tables.presenters.mexican_train.drawing.words import BOLD, description, headline, news
from tests.cast import Answer, Caller, guest, open_table, position
from tests.matches import SMALL, arrange, begin, bots, play_match, play_round, send, step
from tests.rest.checks import check_refused

SVG = "{http://www.w3.org/2000/svg}"
IMG = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"


@pytest.fixture
def table(alice: Caller, bob: Caller) -> dict[str, Any]:
    """Alice may lay two of her three tiles."""
    begun = begin(alice, bob, options=SMALL)
    arrange(begun, "6-5 6-4 3-1", "6-2 4-3 5-5")
    return begun


def look(table: dict[str, Any], caller: Caller, query: str = "", **headers: str) -> Answer:
    return caller.get(f"tables/{table['id']}/board.svg{query}", **headers)


def picture(table: dict[str, Any], caller: Caller, query: str = "") -> ET.Element:
    answer = look(table, caller, query)
    assert answer.status == 200, answer.text
    return ET.fromstring(answer.text)


def tiles_drawn(root: ET.Element) -> Counter[str]:
    """The names of its tiles; the picture's own title has no hyphen between two numbers."""
    return Counter(each.text for group in root.iter(f"{SVG}g") for each in group.findall(f"{SVG}title") if each.text)


def words(root: ET.Element) -> list[str]:
    return [each.text or "" for each in root.iter(f"{SVG}text")]


def test_it_works(table: dict[str, Any], alice: Caller) -> None:
    send(table, alice, "6-5>0", 1)
    root = picture(table, alice)
    assert root.tag == f"{SVG}svg"
    assert tiles_drawn(root) == Counter(["6-6", "6-5", "6-4", "3-1"])
    assert {"Round 1 of 2", "Alice", "Bob", "Mexican Train", "Your hand"} <= set(words(root))
    assert any("Bob" in text and "to move" in text for text in words(root))


def test_the_picture_has_headers_for_security_and_caching(table: dict[str, Any], alice: Caller) -> None:
    headers = look(table, alice).headers
    assert headers["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert headers["Cache-Control"] == "private, no-cache"
    assert {"Authorization", "Accept-Language"} <= set(headers["Vary"].split(", "))
    assert headers["Content-Security-Policy"] == "default-src 'none'; style-src 'unsafe-inline'"
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_an_unchanged_picture_is_304(table: dict[str, Any], alice: Caller) -> None:
    first = look(table, alice)
    again = look(table, alice, If_None_Match=first.headers["ETag"])
    assert (again.status, again.text, again.headers["ETag"]) == (304, "", first.headers["ETag"])
    assert not first.headers["ETag"].startswith("W/")
    assert again.headers["Cache-Control"] == "private, no-cache"
    send(table, alice, "6-5>0", 1)
    later = look(table, alice, If_None_Match=first.headers["ETag"])
    assert later.status == 200
    assert alice.ask("HEAD", f"tables/{table['id']}/board.svg").headers["ETag"] == later.headers["ETag"]
    assert later.headers["ETag"] != first.headers["ETag"]


def test_callers_who_see_the_same_get_the_same_bytes(
    table: dict[str, Any], alice: Caller, cleo: Caller, spectator: Caller
) -> None:
    one, other, own = (look(table, caller) for caller in (cleo, spectator, alice))
    assert (one.text, one.headers["ETag"]) == (other.text, other.headers["ETag"])
    assert own.headers["ETag"] != one.headers["ETag"]


def test_a_running_clock_does_not_change_the_picture(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, turn_seconds=60)
    assert position(table, alice)["turn"]["server_time"] != position(table, alice)["turn"]["server_time"]
    assert look(table, alice).text == look(table, alice).text


def test_the_picture_takes_two_queries(table: dict[str, Any], alice: Caller) -> None:
    with CaptureQueriesContext(connection) as statements:
        assert look(table, alice).status == 200
    assert len(statements) == 2


@pytest.mark.parametrize("accept", [IMG, "image/png", "text/html", "application/json", "*/*", "", ";;;"])
def test_every_accept_header_gets_the_picture(table: dict[str, Any], alice: Caller, accept: str) -> None:
    answer = look(table, alice, Accept=accept)
    assert (answer.status, answer.headers["Content-Type"]) == (200, "image/svg+xml; charset=utf-8")


def test_the_picture_contains_only_the_callers_hand(
    table: dict[str, Any], alice: Caller, bob: Caller, spectator: Caller
) -> None:
    assert tiles_drawn(picture(table, alice)) == Counter(["6-6", "6-5", "6-4", "3-1"])
    assert tiles_drawn(picture(table, bob)) == Counter(["6-6", "6-2", "4-3", "5-5"])
    assert tiles_drawn(picture(table, spectator)) == Counter(["6-6"])
    assert "Your hand" not in words(picture(table, spectator))


def test_tiles_that_fit_are_marked_for_the_seat_to_move(table: dict[str, Any], alice: Caller, bob: Caller) -> None:
    def marked(caller: Caller) -> int:
        return len([each for each in picture(table, caller).iter() if each.get("class") == "pick"])

    assert (marked(alice), marked(bob)) == (2, 0)
    assert "Raised tiles fit" in words(picture(table, alice))


def test_open_hands_are_drawn_with_their_seats(alice: Caller, bob: Caller, spectator: Caller) -> None:
    table = begin(alice, bob, options=SMALL | {"hands_visible": True})
    arrange(table, "6-5 6-4 3-1", "6-2 4-3 5-5")
    everything = Counter(["6-6", "6-5", "6-4", "3-1", "6-2", "4-3", "5-5"])
    for caller in (alice, bob, spectator):
        assert tiles_drawn(picture(table, caller)) == everything


def test_a_marker_and_an_open_double_are_drawn(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, options=SMALL)
    arrange(table, "6-5 5-5 3-1", "4-3 2-1 1-0", boneyard="3-2 2-2")
    assert "Marker" not in words(picture(table, alice))
    send(table, alice, "6-5>0", 1)
    send(table, bob, "draw", 2)
    send(table, bob, "pass", 3)
    assert words(picture(table, alice)).count("Marker") == 1
    assert halos(picture(table, alice)) == 0
    send(table, alice, "5-5>0", 4)
    assert position(table, alice)["open_doubles"] == ["0"]
    assert halos(picture(table, alice)) == 1


def halos(root: ET.Element) -> int:
    return len([each for each in root.iter(f"{SVG}use") if each.get("href") == "#halo"])


def test_a_table_that_has_not_begun_shows_who_sits(alice: Caller) -> None:
    table = open_table(alice, seats=3, bots=bots(2), visibility="public")
    for caller in (alice, Caller()):
        root = picture(table, caller)
        assert tiles_drawn(root) == Counter()
        assert {"Alice", "Free seat", "Waiting for the start"} <= set(words(root))


def test_a_finished_match_names_who_has_won(table: dict[str, Any], alice: Caller, spectator: Caller) -> None:
    play_match(table)
    winners = position(table, alice)["winners"]
    root = picture(table, spectator)
    news = next(text for text in words(root) if " win" in text)
    assert [name in news for name in ("Alice", "Bob")] == [seat in winners for seat in (0, 1)]
    stars = [each for each in root.iter() if each.get("class") == "gold" and each.find(f"{SVG}path") is not None]
    assert len(stars) == len(winners)


def test_winners_without_room_for_their_names_are_counted(alice: Caller) -> None:
    shown = position(begin(alice, bots=bots(*range(1, 8)), options=SMALL | {"hand_sizes": {"8": 2}}), alice)
    names = {seat["seat"]: seat["name"] for seat in shown["seats"]}
    many, few = (
        present_scene(shown | {"status": "finished", "winners": winners}, names) for winners in ([*range(1, 8)], [1, 2])
    )
    assert headline(many, 400, 19 * BOLD) == "7 players win"
    assert headline(few, 400, 19 * BOLD) == news(few)
    assert "Otto" in description(many)


@pytest.mark.parametrize("language", ["en", "nl", "hu"])
def test_the_mexican_train_is_named_in_full(table: dict[str, Any], alice: Caller, language: str) -> None:
    texts = [each.text or "" for each in ET.fromstring(look(table, alice, Accept_Language=language).text).iter()]
    assert not [each for each in texts if each.startswith("Mex") and "…" in each]


def test_seats_are_counted_from_1(table: dict[str, Any], alice: Caller) -> None:
    badges = [each.text or "" for each in picture(table, alice).iter() if (each.get("class") or "").startswith("badge")]
    assert sorted(badges) == ["1", "2", "M"]


@pytest.mark.parametrize(("boneyard", "aside"), [(0, 0), (1, 40)])
def test_an_empty_boneyard_is_drawn_with_its_count(
    table: dict[str, Any], alice: Caller, boneyard: int, aside: int
) -> None:
    shown = position(table, alice) | {"boneyard": boneyard}
    texts = list(ET.fromstring(drawing.board(shown, {}, "tall")).iter(f"{SVG}text"))
    count, word = (next(each for each in texts if each.text == text) for text in (str(boneyard), "Boneyard"))
    assert int(word.get("x", "")) - int(count.get("x", "")) == aside


def test_a_cancelled_table_says_so(table: dict[str, Any], alice: Caller) -> None:
    alice.post(f"tables/{table['id']}/cancel")
    assert "The host cancelled this table" in words(picture(table, alice))


def test_the_picture_for_a_desk_is_wide(table: dict[str, Any], alice: Caller) -> None:
    tall, wide = (picture(table, alice, f"?shape={shape}") for shape in ("tall", "wide"))
    assert picture(table, alice).attrib == tall.attrib
    assert float(wide.attrib["viewBox"].split()[2]) > float(tall.attrib["viewBox"].split()[2])
    assert tiles_drawn(wide) == tiles_drawn(tall)
    check_refused(lambda: look(table, alice, "?shape=round"), 400, "invalid", "shape")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name", ["<script>", "A & B", "\"'>", "אבג דה", "مرحبا", "👩‍👩‍👧‍👦 x", "x" * 40, "李小龍" * 13]
)
def test_any_name_can_be_drawn(name: str) -> None:
    table = begin(guest(name), bots=bots(1))
    assert any(text and name.startswith(text.rstrip("…")) for text in words(picture(table, Caller())))


def test_a_hidden_table_has_no_picture_for_outsiders(
    alice: Caller, bob: Caller, cleo: Caller, spectator: Caller
) -> None:
    table = begin(alice, bob, spectators="none")
    assert [look(table, caller).status for caller in (alice, bob)] == [200, 200]
    for caller in (cleo, spectator):
        check_refused(lambda: look(table, caller, Accept=IMG), 404, "not_found")  # noqa: B023


def test_invalid_parameters_are_refused(table: dict[str, Any], alice: Caller) -> None:
    check_refused(lambda: look({"id": uuid4()}, alice, Accept="image/svg+xml"), 404, "not_found")
    check_refused(lambda: look(table, Caller("unknown"), Accept="image/svg+xml"), 401, "bad_token")
    check_refused(lambda: alice.post(f"tables/{table['id']}/board.svg", {}), 405, "method_not_allowed")


def test_a_past_position_is_drawn_with_every_hand(table: dict[str, Any], alice: Caller, spectator: Caller) -> None:
    play_round(table)
    for number in (1, 2):
        shown = alice.get(f"tables/{table['id']}/positions/{number}").body
        answer = spectator.get(f"tables/{table['id']}/positions/{number}/board.svg")
        assert (answer.status, answer.headers["Content-Type"]) == (200, "image/svg+xml; charset=utf-8")
        assert answer.text == alice.get(f"tables/{table['id']}/positions/{number}/board.svg").text
        tiles = [tile for each in (*shown["hands"], *(train["tiles"] for train in shown["trains"])) for tile in each]
        assert tiles_drawn(ET.fromstring(answer.text)) == Counter([*tiles, "6-6"])


def test_a_past_position_before_anything_was_laid_has_its_engine(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, options=SMALL)
    arrange(table, "5-4 3-3 3-1", "6-2 4-3 5-5", boneyard="3-2 2-2")
    send(table, alice, "draw", 1)
    play_round(table)
    answer = alice.get(f"tables/{table['id']}/positions/1/board.svg")
    assert tiles_drawn(ET.fromstring(answer.text))["6-6"] == 1


def test_a_round_that_is_running_has_no_past_pictures(table: dict[str, Any], alice: Caller) -> None:
    path = f"tables/{table['id']}/positions/1/board.svg"
    check_refused(lambda: alice.get(path, Accept=IMG), 404, "not_found")
    step(table)
    check_refused(lambda: alice.get(path, Accept=IMG), 409, "round_not_over")
