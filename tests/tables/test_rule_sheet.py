"""``GET tables/{id}/rules``: the rules of one table in sentences."""

from typing import Any
from uuid import uuid4

import pytest

from rules.mexican_train.presets import PRESETS, rules_of
from tests.cases import slow_after
from tests.cast import Caller, open_table
from tests.rest.checks import check_refused, nothing_changes

TITLES = {
    "en": ["Setting up", "Who begins, and first turns", "A turn", "Doubles", "Markers"],
    "nl": ["Klaarzetten", "Wie begint, en de eerste beurten", "Een beurt", "Dubbels", "Markers"],
    "hu": ["Előkészítés", "Ki kezd, és az első körök", "Egy kör", "Duplák", "Jelölők"],
}


def rules(table: dict[str, Any], caller: Caller, **headers: str) -> Any:
    answer = caller.get(f"tables/{table['id']}/rules", **headers)
    assert answer.status == 200, answer.text
    return answer.body


def test_it_works(two_seats: dict[str, Any], alice: Caller) -> None:
    with nothing_changes():
        shown = rules(two_seats, alice)
    facts = {name: value for name, value in shown.items() if name != "sections"}
    assert facts == {
        "table": two_seats["id"],
        "name": two_seats["name"],
        "preset": "classic",
        "title": "Classic Mexican Train, double twelve",
        "seats": 2,
        "hand_size": 15,
        "boneyard": 60,
        "rounds": 13,
        "differs_from_preset": [],
        "differs_from_classic": [],
    }
    assert [section["title"] for section in shown["sections"]][:5] == TITLES["en"]
    assert "Each of the 2 seats is dealt 15 tiles; 60 are left face down: the boneyard." in str(shown["sections"])


@pytest.mark.parametrize("language", ["nl", "hu"])
@pytest.mark.parametrize("preset", slow_after(2, PRESETS))
def test_translated_sheets_contain_no_english(alice: Caller, preset: str, language: str) -> None:
    table = open_table(alice, preset=preset, seats=next(iter(rules_of(preset, {}).hand_sizes)), options={"rounds": 2})
    english, told = rules(table, alice), rules(table, alice, Accept_Language=language)
    assert told["title"] != english["title"]
    assert [section["title"] for section in told["sections"]][:5] == TITLES[language]
    for section, other in zip(told["sections"], english["sections"], strict=True):
        assert len(section["sentences"]) == len(other["sentences"])
        assert not set(section["sentences"]) & set(other["sentences"])
    for part in ("differs_from_preset", "differs_from_classic"):
        assert [each["option"] for each in told[part]] == [each["option"] for each in english[part]]
        assert not {each["sentence"] for each in told[part]} & {each["sentence"] for each in english[part]}


def test_house_rules_are_listed_separately(alice: Caller) -> None:
    shown = rules(open_table(alice, preset="own_first", options={"draw_rule": "until_playable"}), alice)
    own = {
        "option": "draw_rule",
        "value": "until_playable",
        "sentence": "How many tiles a seat draws if it cannot lay any. One after another, until it can lay a tile or "
        "the boneyard is empty.",
    }
    assert shown["differs_from_preset"] == [own]
    assert [each["option"] for each in shown["differs_from_classic"]] == ["own_train_required_for", "draw_rule"]
    said = [said for section in shown["sections"] for said in section["sentences"]]
    assert "A seat may not lay on the Mexican Train before its own train holds a tile." in said


def test_the_sheet_as_text(alice: Caller) -> None:
    table = open_table(alice, name="Friday", options={"draw_rule": "until_playable"})
    answer = alice.get(f"tables/{table['id']}/rules", Accept="text/plain", Accept_Language="hu")
    assert (answer.status, answer.headers["Content-Type"]) == (200, "text/plain; charset=utf-8")
    assert answer.headers["Content-Language"] == "hu"
    assert {"Accept", "Accept-Language"} <= set(answer.headers["Vary"].split(", "))
    heading, title, *lines = answer.text.splitlines()
    assert (heading, title) == ("Friday", "Klasszikus Mexican Train, dupla tizenkettes")
    assert "- Akinek elfogytak a kövei, kimegy, és a forduló véget ér." in lines
    assert "Házi szabályok: eltérések ettől: „Klasszikus Mexican Train, dupla tizenkettes”" in lines


def test_a_table_without_a_name_begins_with_its_rules(alice: Caller) -> None:
    table = open_table(alice)
    text = alice.get(f"tables/{table['id']}/rules", Accept="text/plain").text
    assert text.startswith("Classic Mexican Train, double twelve\n\nSetting up\n- The set is double-12: 91 tiles.\n")
    assert "House rules" not in text


def test_a_refusal_is_a_problem_whatever_is_accepted(spectator: Caller) -> None:
    path = f"tables/{uuid4()}/rules"
    assert spectator.get(path, Accept="text/plain").headers["Content-Type"] == "application/problem+json"


def test_every_caller_who_may_see_the_table_may_see_its_rules(alice: Caller, bob: Caller, spectator: Caller) -> None:
    public = open_table(alice, visibility="public", spectators="open")
    assert rules(public, spectator)["preset"] == "classic"
    hidden = open_table(alice, visibility="private", spectators="none")
    for caller in (bob, spectator):
        check_refused(lambda caller=caller: caller.get(f"tables/{hidden['id']}/rules"), 404, "not_found")  # type: ignore[misc]
    check_refused(lambda: alice.post(f"tables/{public['id']}/rules", {}), 405, "method_not_allowed")


def test_the_seat_that_begins_is_named_or_counted_from_1(alice: Caller) -> None:
    """Texts for people never mention a seat 0."""
    table = open_table(alice, seats=3)
    text = alice.get(f"tables/{table['id']}/rules", Accept="text/plain").text
    assert "In the first round Alice has the first turn." in text
    alice.patch(f"tables/{table['id']}", {"options": {"first_round_starter": "seat_2"}})
    told = {
        language: alice.get(f"tables/{table['id']}/rules", Accept="text/plain", Accept_Language=language).text
        for language in ("en", "nl", "hu")
    }
    assert "In the first round seat 3 has the first turn." in told["en"]
    assert "In de eerste ronde heeft plaats 3 de eerste beurt." in told["nl"]
    assert "Az első fordulóban ő kezd: 3. hely." in told["hu"]
