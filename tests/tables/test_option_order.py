"""Every answer lists options in the order of the rule book, whatever the order in the database."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from players.models import Player
from rules.games import in_rule_order
from rules.mexican_train.options import OPTIONS
from tables.models import Table
from tests.cast import Answer, Caller, join, open_table, start
from tests.matches import SMALL, play_match

HOUSE_RULES = SMALL | {"own_train_required_for": ["covering", "mexican"], "double_blank_points": 50, "rounds": 1}
ORDER = list(OPTIONS)


def option_lists(value: Any) -> Iterator[list[str]]:
    """The names of every map of options in an answer, and of every list of differences, in the answer's order."""
    if isinstance(value, dict):
        if len(value) > 1 and value.keys() <= OPTIONS.keys():
            yield list(value)
        for each in value.values():
            yield from option_lists(each)
    elif isinstance(value, list):
        named = [each["option"] for each in value if isinstance(each, dict) and each.get("option") in OPTIONS]
        if len(named) > 1 and len(set(named)) == len(named):
            yield named
        for each in value:
            yield from option_lists(each)


def check_in_order(answer: Answer, least: int = 1) -> None:
    assert answer.status < 300, answer.text
    found = list(option_lists(json.loads(answer.text)))
    assert len(found) >= least
    for names in found:
        assert names == [each for each in ORDER if each in names]


@pytest.fixture
def played(alice: Caller, bob: Caller) -> dict[str, Any]:
    """A finished match, which everybody may look at."""
    table = open_table(alice, seats=2, options=HOUSE_RULES, preset="tournament", visibility="public")
    join(table, bob)
    start(table, alice)
    play_match(table)
    return table


def test_the_database_has_another_order(played: dict[str, Any]) -> None:
    """Or this file would show nothing."""
    stored = Table.objects.extra(select={"text": "options::text"}).get().text  # type: ignore[attr-defined]
    assert list(json.loads(stored)) != ORDER
    assert list(Table.objects.get().options) == ORDER
    assert list(Table.objects.values_list("options", flat=True).get()) == ORDER


def test_answers_about_a_table(played: dict[str, Any], alice: Caller, bob: Caller) -> None:
    path = f"tables/{played['id']}"
    for address in (path, "tables?status=finished", "players/me/tables", f"{path}/record", f"{path}/rules"):
        check_in_order(alice.get(address))
    check_in_order(alice.post("records/check", alice.get(f"{path}/record").body), least=0)
    for address in (f"{path}/rounds", f"{path}/rounds/1", f"{path}/rounds/1/deal", f"{path}/moves", f"{path}/position"):
        check_in_order(alice.get(address), least=0)
    check_in_order(bob.get("players/me/export"), least=0)
    check_in_order(bob.post(f"{path}/rematch"))


def test_answers_of_a_table_that_is_changed(alice: Caller, bob: Caller) -> None:
    backwards = dict(reversed(HOUSE_RULES.items()))
    opened = alice.post("tables", {"seats": 2, "options": backwards, "visibility": "public"})
    check_in_order(opened)
    path = f"tables/{opened.body['id']}"
    check_in_order(alice.patch(path, {"options": {"double_blank_points": 25, "announce": "automatic"}}))
    check_in_order(bob.get(f"invites/{opened.body['invite']['code']}"))
    check_in_order(bob.post("tables/join", {"invite": opened.body["invite"]["code"]}))
    check_in_order(alice.post(f"{path}/start"), least=0)
    check_in_order(alice.get(path))


@pytest.mark.parametrize("path", ["rules/presets", "rules/presets/tapper", "rules/presets/family/diff/chain"])
def test_answers_about_rule_sets(spectator: Caller, path: str) -> None:
    check_in_order(spectator.get(path))


def test_the_schema_and_the_check_of_options(spectator: Caller) -> None:
    assert list(spectator.get("rules/options").body["properties"]) == ORDER
    check_in_order(spectator.post("rules/check", {"options": dict(reversed(HOUSE_RULES.items())), "seats": 2}), least=2)


def test_the_text_of_a_record(played: dict[str, Any], spectator: Caller) -> None:
    lines = spectator.get(f"tables/{played['id']}/record", Accept="text/plain").text.splitlines()
    names = [line.split()[1] for line in lines if line.startswith("option ")]
    assert len(names) > 3
    assert names == [each for each in ORDER if each in names]
    assert 'option own_train_required_for ["mexican", "covering"]' in lines


def test_the_admin(played: dict[str, Any], client: Client) -> None:
    client.force_login(Player.objects.create_superuser("root", "a long password", name="Root"))
    page = client.get(f"/admin/tables/table/{UUID(played['id'])}/change/").content.decode()
    places = [page.index(f"&quot;{option}&quot;") for option in ORDER]
    assert places == sorted(places)


def test_options_that_the_rules_do_not_know_come_last() -> None:
    assert list(in_rule_order({"a later one": 1, "rounds": 2, "set_max_pip": 6})) == [
        "set_max_pip",
        "rounds",
        "a later one",
    ]
