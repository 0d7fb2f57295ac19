"""The language of answers that differ from most: records, webhooks, streams and pictures."""

from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.test import Client
from django.utils import translation

from tables.presenters.mexican_train.drawing.layout import PAGES
from tables.presenters.mexican_train.drawing.markup import PILL, TEXT
from tables.presenters.mexican_train.drawing.scene import Seat
from tables.presenters.mexican_train.drawing.words import fitted, standing_of
from tables.watching import Crowded, TooManyOfOne
from tests.cases import for_each
from tests.cast import Answer, Caller, read
from tests.rules.test_record_format import BY_HAND

OTHERS = ["nl", "hu"]
WEBHOOKS = "players/me/webhooks"
URL = "https://1.1.1.1/"
NO_WEBHOOK = f"{WEBHOOKS}/00000000-0000-4000-8000-000000000001"
WRONG_WEBHOOKS: list[dict[str, Any]] = [
    {},
    {"url": "", "events": ["your_turn"]},
    {"url": "http://example.org/", "events": ["your_turn"]},
    {"url": "https://a b/", "events": ["your_turn"]},
    {"url": "https://1.1.1.1:80/", "events": ["your_turn"]},
    {"url": "https://no..name/", "events": ["your_turn"]},
    {"url": "https://127.0.0.1/", "events": ["your_turn"]},
    {"url": "https://" + "x" * 500, "events": ["your_turn"]},
    {"url": URL, "events": []},
    {"url": URL, "events": "your_turn"},
    {"url": URL, "events": ["tea"]},
    {"url": URL, "events": ["your_turn"] * 11},
    {"url": URL, "events": ["your_turn"], "enabled": True},
]


def check_told(english: Answer, other: Answer, language: str) -> None:
    """The same refusal, in other words, and both say in which."""
    assert (other.status, other.body["code"]) == (english.status, english.body["code"])
    assert other.body["title"] != english.body["title"]
    assert other.body["detail"] != english.body["detail"]
    errors = zip(english.body.get("errors", ()), other.body.get("errors", ()), strict=True)
    assert all(each["detail"] != as_english["detail"] for as_english, each in errors)
    for answer, spoken in ((english, "en"), (other, language)):
        assert answer.headers["Content-Language"] == spoken
        assert "Accept-Language" in answer.headers["Vary"]


@for_each("language", OTHERS)
@for_each("body", WRONG_WEBHOOKS)
def test_a_webhook_that_is_refused(alice: Caller, body: dict[str, Any], language: str) -> None:
    english = alice.post(WEBHOOKS, body)
    assert english.status == 400
    check_told(english, alice.post(WEBHOOKS, body, Accept_Language=language), language)


@pytest.mark.parametrize("language", OTHERS)
def test_an_unknown_webhook_and_one_too_many_are_refused(alice: Caller, language: str) -> None:
    def both(ask: Any) -> None:
        check_told(ask({}), ask({"Accept_Language": language}), language)

    made = [alice.post(WEBHOOKS, {"url": f"{URL}?{at}", "events": ["your_turn"]}) for at in range(5)]
    assert {each.status for each in made} == {201}
    both(lambda header: alice.get(NO_WEBHOOK, **header))
    both(lambda header: alice.patch(NO_WEBHOOK, {}, **header))
    both(lambda header: alice.ask("DELETE", NO_WEBHOOK, **header))
    both(lambda header: alice.post(WEBHOOKS, {"url": URL, "events": ["your_turn"]}, **header))
    both(lambda header: alice.post(WEBHOOKS, {"url": f"{URL}?1", "events": ["your_turn"]}, **header))
    assert alice.patch(f"{WEBHOOKS}/{made[0].body['id']}", {"enabled": False}).status == 200
    both(lambda header: alice.post(f"{WEBHOOKS}/{made[0].body['id']}/test", **header))


def check_record(text: str | bytes, language: str) -> Answer:
    header = {"Accept-Language": language}
    return read(Client().generic("POST", "/api/v1/records/check", text, "text/plain", headers=header))


@pytest.mark.parametrize("language", OTHERS)
def test_a_record_with_a_fault(db: None, language: str) -> None:
    english, other = (check_record(BY_HAND.replace("6-2>1", "6-4>1"), each) for each in ("en", language))
    assert other.body["fault"]["detail"] != english.body["fault"]["detail"]
    assert other.body["fault"] | {"detail": ""} == english.body["fault"] | {"detail": ""}
    assert (english.headers["Content-Language"], other.headers["Content-Language"]) == ("en", language)
    assert "Accept-Language" in other.headers["Vary"]


@for_each("language", OTHERS)
@for_each("text", ["nonsense", "", "{", BY_HAND.replace("2. 1:", "2. x:"), b"\xff"])
def test_a_text_that_is_no_record(db: None, text: str | bytes, language: str) -> None:
    check_told(check_record(text, "en"), check_record(text, language), language)


def test_a_correct_record_contains_no_words(db: None) -> None:
    assert "Content-Language" not in check_record(BY_HAND, "hu").headers


@for_each("language", OTHERS)
@for_each(
    ("path", "header"),
    [
        ("events", {"Last_Event_ID": "99999"}),
        ("events?last_event_id=x", {}),
        ("events", {"Accept": "text/html"}),
        ("position?wait=61", {}),
        ("board.svg?shape=round", {}),
        ("board.svg", {"If_Match": '"x"'}),
        ("positions/9/board.svg", {}),
        ("record", {"If_Match": '"x"'}),
        ("record", {"Accept": "text/html"}),
    ],
)
def test_streams_pictures_and_records_that_are_refused(
    playing: dict[str, Any], alice: Caller, path: str, header: dict[str, str], language: str
) -> None:
    address = f"tables/{playing['id']}/{path}"
    english, other = alice.get(address, **header), alice.get(address, **header, Accept_Language=language)
    assert english.status >= 400
    check_told(english, other, language)


@for_each("path", ["events", "board.svg", "record", "positions/1/board.svg"])
def test_the_refusal_of_a_hidden_table_is_translated(alice: Caller, path: str) -> None:
    address = f"tables/00000000-0000-4000-8000-000000000001/{path}"
    check_told(alice.get(address), alice.get(address, Accept_Language="nl"), "nl")


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("kind", [Crowded, TooManyOfOne])
def test_the_refusal_of_a_full_process_is_translated(kind: type[Crowded], language: str) -> None:
    with translation.override(language):
        assert kind().detail != kind.detail


# Pictures


def test_a_picture_says_which_language_it_is_in(playing: dict[str, Any], alice: Caller) -> None:
    path = f"tables/{playing['id']}/board.svg"
    pictures = {each: alice.get(path, Accept_Language=each) for each in ("en", *OTHERS)}
    for language, picture in pictures.items():
        assert picture.headers["Content-Language"] == language
        assert "Accept-Language" in picture.headers["Vary"]
        assert ET.fromstring(picture.text).get("lang") == language
    assert len({picture.headers["ETag"] for picture in pictures.values()}) == 3
    tag = pictures["nl"].headers["ETag"]
    assert alice.get(path, Accept_Language="nl", If_None_Match=tag).status == 304
    assert alice.get(path, Accept_Language="hu", If_None_Match=tag).status == 200
    assert "Mexikói vonat" in pictures["hu"].text
    assert "Mexican Train: Forduló: 1/" in pictures["hu"].text


@pytest.mark.parametrize("language", ["en", *OTHERS])
def test_short_labels_have_room_in_every_language(language: str) -> None:
    """Of the narrowest page; by the estimate that would cut them off."""
    run = PAGES["tall"].run
    with translation.override(language):
        labels = [
            (translation.gettext("Mexican Train"), run - TEXT, 20),
            (translation.gettext("Free seat"), run - TEXT, 20),
        ]
        labels += [
            (translation.gettext("away"), run - TEXT - PILL - 6, 15),
            (translation.gettext("Marker"), PILL - 33, 14),
        ]
        for tiles, has_announced in ((25, False), (1, True)):
            seat = Seat(0, "Alice", tiles, total=456, has_announced=has_announced)
            labels.append((standing_of(seat), run - TEXT, 15))
        assert [text for text, width, size in labels if fitted(text, width, size) != text] == []
