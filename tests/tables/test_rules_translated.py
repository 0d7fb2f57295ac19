"""Texts of the rules in Dutch and Hungarian: presets, options, refusals, reasons, hints."""

import inspect
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from rest.problems import Problem
from rules.mexican_train.bots.choice import Choice, Grounds, Why
from rules.mexican_train.bots.words import sentence
from rules.mexican_train.notation import parse_move
from rules.mexican_train.option_schema import DESCRIPTION, TITLE
from rules.mexican_train.options import OPTIONS
from rules.mexican_train.presets import PRESETS
from rules.mexican_train.reasons import Reason
from rules.mexican_train.view import view_for
from rules.tiles import parse_tile
from tables import refusals
from tables.translating import translated
from tests.cases import for_each
from tests.cast import Caller, open_table, position
from tests.rules.drawing import drawn
from tests.tables.test_rules_api import FIXED, WRONG_OPTIONS

OTHERS = ["nl", "hu"]
TEXTS = {"title", "description"}
POSITION = "engine 12-12; turn 0; open 1/1; boneyard 3-2\n0: 12-5 | 5-1 9-2\n1: 12-9 9-9 | 8-7 7-6 6-2\nmexican:"
REFUSALS = [each for _, each in inspect.getmembers(refusals, inspect.isclass) if each.__module__ == refusals.__name__]


def texts(shown: Any) -> list[str]:
    """Every title and description of an answer, at any depth."""
    if isinstance(shown, list):
        return [text for each in shown for text in texts(each)]
    if not isinstance(shown, dict):
        return []
    own = [text for name, text in shown.items() if name in TEXTS and isinstance(text, str)]
    return own + [text for each in shown.values() for text in texts(each)]


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("path", FIXED)
def test_presets_and_options_contain_no_english(spectator: Caller, path: str, language: str) -> None:
    english, other = spectator.get(path), spectator.get(path, Accept_Language=language)
    assert other.headers["Content-Language"] == language
    assert len(texts(other.body)) == len(texts(english.body)) > 0
    assert not set(texts(other.body)) & set(texts(english.body))


def test_every_option_and_value_is_collected_for_translation(spectator: Caller) -> None:
    of_options = sum(1 + len(option.choices) for option in OPTIONS.values())
    assert len(texts(spectator.get("rules/options").body)) == len([TITLE, DESCRIPTION]) + of_options
    assert len(texts(spectator.get("rules/presets").body)) == len(PRESETS)


@pytest.mark.parametrize("path", FIXED)
def test_each_language_has_an_etag_of_its_own(spectator: Caller, path: str) -> None:
    english, dutch = spectator.get(path), spectator.get(path, Accept_Language="nl")
    assert english.headers["ETag"] != dutch.headers["ETag"]
    assert "Accept-Language" in english.headers["Vary"]
    again = spectator.get(path, Accept_Language="nl", If_None_Match=dutch.headers["ETag"])
    assert (again.status, again.headers["ETag"]) == (304, dutch.headers["ETag"])
    assert "Accept-Language" in again.headers["Vary"]
    assert spectator.get(path, Accept_Language="hu", If_None_Match=dutch.headers["ETag"]).status == 200


@for_each("language", OTHERS)
@for_each(("given", "field"), WRONG_OPTIONS)
def test_refusals_of_options_contain_no_english(
    spectator: Caller, given: dict[str, Any], field: str, language: str
) -> None:
    english = spectator.post("rules/check", given).body
    other = spectator.post("rules/check", given, Accept_Language=language).body
    assert [each["field"] for each in other["errors"]] == [each["field"] for each in english["errors"]]
    for one, two in zip(other["errors"], english["errors"], strict=True):
        assert one["detail"] != two["detail"]


DEALT = "4 spelers kunnen elk {} tot en met {} van de 91 stenen krijgen"
MORE: list[tuple[dict[str, Any], str]] = [
    ({"rounds": "x"}, '"x" is geen geheel getal van minstens 1.'),
    ({"own_train_required_for": "x"}, '"x" is geen lijst.'),
    ({"hand_sizes": 7}, "7 is geen object dat bij elk aantal spelers een aantal stenen geeft."),
    ({"hand_sizes": {"1": 7}}, '"1" is geen aantal spelers van 2 tot en met 12.'),
    ({"hand_sizes": {"2": "x"}}, '"x" is geen aantal stenen om aan 2 spelers te delen.'),
    ({"hand_sizes": {"4": 23}}, f"{DEALT.format(1, 22)}, niet 23."),
    (
        {"hand_sizes": {"4": 1}, "engine_selection": "highest_held"},
        f"{DEALT.format(2, 22)}, niet 1, want wie de locomotief legt, houdt minstens één steen over.",
    ),
    ({"rounds": 14}, "een wedstrijd met 12 als eerste locomotief heeft hoogstens 13 rondes."),
    ({"drawn_tile": "x"}, '"x" is geen van deze: must, may.'),
]


@pytest.mark.parametrize(("options", "words"), MORE)
def test_values_stand_where_the_translation_puts_them(spectator: Caller, options: dict[str, Any], words: str) -> None:
    answer = spectator.post("rules/check", {"options": options}, Accept_Language="nl")
    assert answer.body["errors"][0]["detail"] == words


@for_each("language", OTHERS)
@for_each("reason", Reason)
def test_every_reason_is_translated(reason: Reason, language: str) -> None:
    with translation.override(language):
        assert translated(reason.sentence) != reason.sentence


@for_each("language", OTHERS)
@for_each("refusal", REFUSALS)
def test_every_refusal_is_translated(refusal: type[Problem], language: str) -> None:
    with translation.override(language):
        assert translation.gettext(refusal.detail) != refusal.detail
    assert len(REFUSALS) > 20


@for_each("language", OTHERS)
@for_each("why", Why)
def test_every_reason_for_a_hint_is_translated(why: Why, language: str) -> None:
    view = view_for(drawn(POSITION), 0)
    for train in (0, 1, 3):
        for gain in (0.0, 1.0, 2.5):
            grounds = Grounds(why, train, parse_tile("9-2"), seat=1, left=2, worlds=20, gain=gain)
            said = sentence(view, Choice(parse_move("9-2>1"), grounds))
            with translation.override(language):
                other = translated(said)
            assert other != said
            assert "{" not in other
            assert not set(other.split()) & {"your", "with", "train", "one", "two", "three", "pips", "tiles", "covers"}


@pytest.mark.parametrize(("language", "gain"), [("en", "2.5 points"), ("nl", "2,5 punten"), ("hu", "2,5 pont")])
def test_parts_of_a_sentence_are_translated(language: str, gain: str) -> None:
    grounds = Grounds(Why.SEARCHED, worlds=1312, gain=2.5)
    said = sentence(view_for(drawn(POSITION), 0), Choice(parse_move("9-2>1"), grounds))
    with translation.override(language):
        assert gain in translated(said)
        assert "1312" in translated(said)


def test_hints_and_explanations_are_translated(playing: dict[str, Any], alice: Caller) -> None:
    at = f"tables/{playing['id']}"
    for call, field in [("hint", "why"), ("explain", "detail")]:
        english, dutch = alice.get(f"{at}/{call}"), alice.get(f"{at}/{call}", Accept_Language="nl")
        assert dutch.headers["Content-Language"] == "nl"
        said, other = (
            {each.get(field) for each in answer.body.get("moves", [answer.body])} - {None}
            for answer in (english, dutch)
        )
        assert said
        assert len(other) == len(said)
        assert not said & other


def test_a_refused_move_is_translated(playing: dict[str, Any], alice: Caller, bob: Caller) -> None:
    number = position(playing, alice)["next_number"]

    def detail(caller: Caller, **body: Any) -> str:
        answer = caller.post(f"tables/{playing['id']}/moves", {"number": number} | body, Accept_Language="hu")
        text: str = answer.body["detail"]
        return text

    assert detail(bob, move="draw") == "Most más van soron."
    assert detail(alice, move="12-12>0") == "Ez a kő nincs a játékos kezében."
    assert detail(alice, move="fly") == ('"fly" nem lépés; egy lépést így írj: 12-5>0, 12-5>mexican, draw vagy pass.')
    assert detail(alice, move="20-1>0") == '"20-1" nem dominókő; egy követ így írj: 12-5.'
    assert detail(alice, move="draw", number=99).startswith("A naplóban most ez a szám következik: 1. ")


def test_levels_of_bots_are_translated(spectator: Caller) -> None:
    likes = [[bot["likes"] for bot in spectator.get("bots", Accept_Language=each).body] for each in ("en", "nl", "hu")]
    assert len({text for each in likes for text in each}) == 15


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("nl", ["Alice nodigt je uit", "3 plaatsen vrij", "Vul deze code in", '<html lang="nl">', "Je naam"]),
        ("hu", ["Alice meghív", "3 szabad hely van", "Írd be ezt a kódot", '<html lang="hu">', "A neved"]),
    ],
)
def test_an_invitation_is_translated(alice: Caller, language: str, words: list[str]) -> None:
    code = open_table(alice, name="Friday")["invite"]["code"]
    page = Client().get(f"/join/{code}", HTTP_ACCEPT_LANGUAGE=language)
    assert page.headers["Content-Language"] == language
    assert "Accept-Language" in page.headers["Vary"]
    for each in words:
        assert each in page.content.decode()
