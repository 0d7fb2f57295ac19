"""``Accept-Language`` decides the language of an answer, and the answer names its language."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import translation

from rest.bodies import MOST_BYTES
from rest.languages import spoken
from rest.problem_documents import TITLES
from rest.throttles import CallerThrottle
from tests.cast import Answer, Caller, read

UNKNOWN = "bots/none"
NOTHING_HERE = {
    "en": "There is nothing at this address.",
    "nl": "Op dit adres is niets te vinden.",
    "hu": "Ezen a címen nincs semmi.",
}


@pytest.mark.parametrize(
    ("wanted", "language"),
    [
        ("", "en"),
        ("nl", "nl"),
        ("hu", "hu"),
        ("en", "en"),
        ("NL-be", "nl"),
        ("hu-HU,hu;q=0.9,en;q=0.5", "hu"),
        ("en-GB,nl;q=0.8", "en"),
        ("nl;q=0.3,hu;q=0.7", "hu"),
        ("de,fr;q=0.9,nl;q=0.1", "nl"),
        ("de", "en"),
        ("*", "en"),
        ("de,*;q=0.5,nl;q=0.1", "en"),
        ("nl;q=0", "en"),
        ("nonsense;;;q=nl", "en"),
        ("\x00", "en"),
        ("x" * 9999, "en"),
        ("hu," + "x" * 9999, "hu"),
        ("nl_NL", "en"),
        ("🚂", "en"),
    ],
)
def test_the_first_supported_language_is_used(db: None, wanted: str, language: str) -> None:
    answer = Caller().get(UNKNOWN, Accept_Language=wanted)
    assert (answer.status, answer.body["detail"]) == (404, NOTHING_HERE[language])
    assert answer.headers["Content-Language"] == language


def test_without_the_header_it_is_english(spectator: Caller) -> None:
    answer = spectator.get(UNKNOWN)
    assert answer.body["detail"] == NOTHING_HERE["en"]
    assert answer.headers["Content-Language"] == "en"
    assert "Accept-Language" in answer.headers["Vary"]


def test_cookies_and_urls_do_not_affect_the_language(db: None) -> None:
    client = Client()
    client.cookies["django_language"] = "nl"
    assert read(client.get("/api/v1/bots/none")).body["detail"] == NOTHING_HERE["en"]
    assert client.get("/nl/api/v1/bots").status_code == 404


def test_the_next_request_is_not_answered_in_the_language_of_the_last(spectator: Caller) -> None:
    assert spectator.get("rules/presets/none", Accept_Language="hu").headers["Content-Language"] == "hu"
    assert translation.get_language() == "en"
    assert spectator.get("rules/presets/none").headers["Content-Language"] == "en"


def test_the_cache_of_parsed_headers_is_bounded() -> None:
    assert spoken.cache_info().maxsize == 1000


def refused(language: str) -> list[Answer]:
    """Refusals from every part of the server that has texts of its own."""
    caller, header = Caller(), {"Accept_Language": language}
    client = Client()

    def sent(body: bytes, kind: str = "application/json") -> Answer:
        return read(client.post("/api/v1/players/guest", body, kind, headers={"Accept-Language": language}))

    return [
        caller.get("nothing/here", **header),
        caller.get("players/me", **header),
        Caller("wrong").get("rules/presets", **header),
        caller.get("rules/presets", Authorization="Basic x", **header),
        caller.ask("DELETE", "rules/presets", **header),
        caller.get("rules/presets", Accept="text/csv", **header),
        caller.get("tables?cursor=x", **header),
        caller.post("players/login", {"username": "nobody", "password": "nothing"}, **header),
        caller.post("players/guest", {"name": "x"}, Idempotency_Key="x" * 300, **header),
        sent(b"{"),
        sent(b'{"name": NaN}'),
        sent(b'{"name": 1e999}'),
        sent(b'{"name": "\\ud800"}'),
        sent(b"[" * 40 + b"]" * 40),
        sent(b'{"name": "\xff"}'),
        sent(b"name", "text/csv"),
        sent(b"x" * (MOST_BYTES + 1)),
    ]


@pytest.mark.parametrize("language", ["nl", "hu"])
def test_refusals_contain_no_english(db: None, language: str) -> None:
    for english, answer in zip(refused("en"), refused(language), strict=True):
        assert (answer.status, answer.body["code"]) == (english.status, english.body["code"])
        assert answer.headers["Content-Language"] == language, answer.text
        assert "Accept-Language" in answer.headers["Vary"]
        assert answer.body["title"] != english.body["title"]
        assert answer.body["detail"] != english.body["detail"]
    assert len({answer.body["detail"] for answer in refused(language)}) > 14


BODIES: list[tuple[str, dict[str, Any]]] = [
    ("players/guest", {}),
    ("players/guest", {"name": None}),
    ("players/guest", {"name": ""}),
    ("players/guest", {"name": []}),
    ("players/guest", {"name": "x" * 500}),
    ("players/guest", {"name": "\u2800"}),
    ("players/guest", {"name": "a\x07"}),
    ("players/guest", {"name": "a\x00"}),
    ("players/guest", {"name": "x", "colour": "red"}),
    ("players/register", {"username": "a b", "password": "short"}),
    ("players/register", {"username": "alice", "password": "password"}),
    ("players/register", {"username": "alice", "password": "8310297541"}),
    ("rules/check", {"seats": "many"}),
    ("rules/check", {"seats": 0}),
    ("rules/check", {"seats": 100}),
    ("rules/check", {"seats": "9" * 2000}),
    ("rules/check", {"options": []}),
]
TABLES: list[dict[str, Any]] = [
    {"auto_pass": "perhaps"},
    {"visibility": "nobody"},
    {"host_seat": 4},
    {"bots": {}},
    {"bots": ["easy"]},
    {"bots": [{"seat": 0, "level": "easy"}]},
    {"bots": [{"seat": 9, "level": "easy"}]},
    {"bots": [{"seat": 1, "level": "genius"}]},
]


def details(answer: Answer) -> list[str]:
    assert answer.status == 400, answer.text
    return [each["detail"] for each in answer.body["errors"]]


@pytest.mark.parametrize("language", ["nl", "hu"])
@pytest.mark.parametrize(("path", "body"), BODIES)
def test_validation_errors_contain_no_english(db: None, language: str, path: str, body: dict[str, Any]) -> None:
    english = details(Caller().post(path, body))
    told = details(Caller().post(path, body, Accept_Language=language))
    assert len(told) == len(english)
    assert not set(told) & set(english)


@pytest.mark.parametrize("language", ["nl", "hu"])
@pytest.mark.parametrize("body", TABLES)
def test_validation_errors_about_tables_contain_no_english(alice: Caller, language: str, body: dict[str, Any]) -> None:
    english = details(alice.post("tables", body))
    told = details(alice.post("tables", body, Accept_Language=language))
    assert not set(told) & set(english)


def test_a_repeated_answer_keeps_its_first_language(alice: Caller) -> None:
    first = alice.post("tables", {}, Idempotency_Key="k", Accept_Language="hu")
    assert alice.post("tables", {}, Idempotency_Key="k", Accept_Language="nl").text == first.text


@pytest.mark.parametrize("language", ["nl", "hu"])
def test_every_title_is_translated(language: str) -> None:
    with translation.override(language):
        assert all(translation.gettext(title) != title for title in TITLES.values())
    assert set(TITLES) >= {400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 429, 500, 503}


def test_the_admin_is_translated(db: None) -> None:
    page = Client().get("/admin/login/", HTTP_ACCEPT_LANGUAGE="hu")
    assert page.headers["Content-Language"] == "hu"
    assert "Jelszó" in page.content.decode()


def test_texts_for_programmers_are_english(db: None) -> None:
    english, other = (Client().get("/api/v1/schema", headers={"Accept-Language": each}) for each in ("en", "hu"))
    assert other.content == english.content
    for page in (other, Client().get("/api/v1/docs", headers={"Accept-Language": "hu"})):
        assert page.headers["Content-Language"] == "en"


def test_a_position_contains_no_words_and_is_the_same_in_every_language(playing: dict[str, Any], alice: Caller) -> None:
    path = f"tables/{playing['id']}/position"
    first = alice.get(path)
    assert "Content-Language" not in first.headers
    assert alice.get(path, Accept_Language="hu", If_None_Match=first.headers["ETag"]).status == 304
    assert connection.is_usable()


def test_a_refusal_for_too_many_requests_is_translated(monkeypatch: pytest.MonkeyPatch, alice: Caller) -> None:
    monkeypatch.setitem(CallerThrottle.THROTTLE_RATES, "caller", "1/min")
    answers = [alice.get("players/me", Accept_Language=language) for language in ("nl", "nl", "hu")]
    assert answers[1].body["detail"].startswith("Te veel verzoeken; probeer het over ")
    assert answers[2].body["detail"].startswith("Túl sok kérés; próbáld újra ")
