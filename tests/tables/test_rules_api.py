"""``GET rules/presets``, ``rules/presets/{name}``, ``rules/options``, and ``POST rules/check``."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from rules.mexican_train.options import OPTIONS
from rules.mexican_train.presets import ALL_PRESETS, PRESETS, differences_of, rules_of
from tests.cases import for_each
from tests.cast import Caller, open_table
from tests.rest.checks import check_refused, nothing_changes

FIXED = ["rules/presets", "rules/presets/galt", "rules/options"]
WRONG_OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({"options": {"draw_rule": "x"}}, "options.draw_rule"),
    ({"options": {"colour": "red"}}, "options.colour"),
    ({"options": {"rounds": 14}}, "options.rounds"),
    ({"preset": "official_d9", "options": {"engine_first": 10}, "seats": 2}, "options.engine_first"),
    ({"options": {"hand_sizes": {"4": 23}}}, "options.hand_sizes"),
    ({"options": {"hand_sizes": {"4": 1}, "engine_selection": "highest_held"}}, "options.hand_sizes"),
    ({"preset": "official_d9", "seats": 5}, "seats"),
    ({"preset": "official_d18"}, "seats"),
    ({"seats": 1}, "seats"),
    ({"seats": 12}, "seats"),
    ({"preset": "Classic"}, "preset"),
    ({"preset": ""}, "preset"),
    ({"preset": "x" * 41}, "preset"),
    ({"preset": None}, "preset"),
    ({"options": []}, "options"),
    ({"seats": 0}, "seats"),
    ({"seats": 100}, "seats"),
    ({"seats": "many"}, "seats"),
    ({"colour": "red"}, "colour"),
]
ALLOWED = [(preset.name, int(seats)) for preset in ALL_PRESETS for seats in rules_of(preset.name, {}).hand_sizes]


def test_it_works(spectator: Caller) -> None:
    answer = spectator.get("rules/presets")
    assert answer.status == 200
    assert [preset["name"] for preset in answer.body] == list(PRESETS)
    assert answer.body[0]["title"] == "Classic Mexican Train, double twelve"


@for_each("name", PRESETS)
def test_every_preset_is_found_by_its_name(spectator: Caller, name: str) -> None:
    options = rules_of(name, {})
    answer = spectator.get(f"rules/presets/{name}")
    assert answer.status == 200
    assert answer.body == {
        "name": name,
        "title": PRESETS[name].title,
        "seats": list(options.hand_sizes),
        "options": options.as_dict(),
        "differences": differences_of(options),
    }
    assert answer.body in spectator.get("rules/presets").body


@pytest.mark.parametrize("name", ["no_such_preset", "Classic", "classic%20", "%00", "%FF", "x" * 2000])
def test_an_unknown_preset_is_not_found(spectator: Caller, name: str) -> None:
    check_refused(lambda: spectator.get(f"rules/presets/{name}"), 404, "not_found")


def test_the_schema_of_options_accepts_every_preset(spectator: Caller) -> None:
    schema = spectator.get("rules/options").body
    Draft202012Validator.check_schema(schema)
    assert list(schema["properties"]) == list(OPTIONS)
    for preset in spectator.get("rules/presets").body:
        Draft202012Validator(schema).validate(preset["options"])
        Draft202012Validator(schema).validate(preset["differences"])


@pytest.mark.parametrize("path", FIXED)
def test_answers_that_do_not_change_may_be_cached(spectator: Caller, alice: Caller, path: str) -> None:
    first = spectator.get(path)
    assert first.headers["Cache-Control"] == "public, max-age=300"
    again = alice.get(path, If_None_Match=first.headers["ETag"])
    assert (again.status, again.text, again.headers["ETag"]) == (304, "", first.headers["ETag"])
    assert spectator.get(path, If_None_Match='"another"').status == 200


def test_a_refusal_may_not_be_cached(spectator: Caller) -> None:
    assert spectator.get("rules/presets/none").headers["Cache-Control"] == "private, no-cache"


@pytest.mark.parametrize("path", FIXED)
def test_other_methods_are_refused(alice: Caller, path: str) -> None:
    check_refused(lambda: alice.post(path, {}), 405, "method_not_allowed")


def test_checking_rules_requires_post(spectator: Caller) -> None:
    check_refused(lambda: spectator.get("rules/check"), 405, "method_not_allowed")


def test_a_wrong_token_is_refused_here_too(db: None) -> None:
    check_refused(lambda: Caller("wrong").get("rules/presets"), 401, "bad_token")


def test_without_fields_the_classic_rules_for_four_seats_are_checked(spectator: Caller) -> None:
    with nothing_changes():
        answer = spectator.post("rules/check", {})
    assert answer.status == 200
    assert answer.body == {
        "preset": "classic",
        "seats": 4,
        "options": rules_of("classic", {}).as_dict(),
        "hand_size": 15,
        "boneyard": 30,
        "differences": {},
    }


@for_each(("name", "seats"), ALLOWED)
def test_every_preset_can_be_opened_for_its_seats(spectator: Caller, name: str, seats: int) -> None:
    answer = spectator.post("rules/check", {"preset": name, "seats": seats})
    options = rules_of(name, {})
    assert (answer.status, answer.body["hand_size"]) == (200, options.hand_sizes[seats])
    assert (answer.body["options"], answer.body["differences"]) == (options.as_dict(), differences_of(options))
    assert answer.body["boneyard"] > 0


@pytest.mark.parametrize(
    ("given", "hand_size", "boneyard"),
    [
        ({"preset": "official_d9", "seats": 2}, 15, 55 - 1 - 30),
        ({"preset": "official_d18", "seats": 12}, 11, 190 - 1 - 132),
        ({"preset": "galt", "seats": 8}, 11, 91 - 88),
        ({"preset": "rv_club", "seats": 2}, 16, 91 - 32),
        ({"seats": 2, "options": {"set_max_pip": 6, "hand_sizes": {"2": 13}}}, 13, 28 - 1 - 26),
        (
            {"seats": 2, "options": {"set_max_pip": 6, "hand_sizes": {"2": 14}, "engine_selection": "highest_held"}},
            14,
            0,
        ),
    ],
)
def test_the_boneyard_is_the_rest_of_the_set(
    spectator: Caller, given: dict[str, Any], hand_size: int, boneyard: int
) -> None:
    answer = spectator.post("rules/check", given)
    assert (answer.status, answer.body["hand_size"], answer.body["boneyard"]) == (200, hand_size, boneyard)


def test_differences_from_classic_are_listed_whatever_the_preset(spectator: Caller) -> None:
    options = {"draw_rule": "one", "own_train_required_for": ["open_trains", "mexican"], "rounds": 7}
    answer = spectator.post("rules/check", {"preset": "draw_until", "options": options})
    assert answer.body["differences"] == {"rounds": 7, "own_train_required_for": ["mexican", "open_trains"]}


@pytest.mark.parametrize(("given", "field"), WRONG_OPTIONS)
def test_every_mistake_is_named(spectator: Caller, given: dict[str, Any], field: str) -> None:
    check_refused(lambda: spectator.post("rules/check", given), 400, "invalid", field)


@pytest.mark.parametrize(("given", "field"), WRONG_OPTIONS)
def test_a_check_refuses_like_opening_a_table(alice: Caller, given: dict[str, Any], field: str) -> None:
    checked = alice.post("rules/check", given)
    opened = alice.post("tables", {"host_seat": None} | given)
    assert (checked.status, checked.body["errors"]) == (opened.status, opened.body["errors"])


@for_each("name", PRESETS)
def test_a_table_keeps_the_rules_that_were_checked(alice: Caller, name: str) -> None:
    given = {"preset": name, "seats": next(iter(rules_of(name, {}).hand_sizes)), "options": {"rounds": 2}}
    checked = alice.post("rules/check", given).body
    table = open_table(alice, **given)
    assert (table["preset"], table["options"]) == (name, checked["options"])
    assert checked["differences"]["rounds"] == 2


def test_a_refusal_names_the_possible_values(spectator: Caller) -> None:
    def detail(**given: Any) -> str:
        text: str = spectator.post("rules/check", given).body["errors"][0]["detail"]
        return text

    assert detail(seats=9) == "these rules are for 2, 3, 4, 5, 6, 7, 8 seats, not 9."
    assert detail(options={"hand_sizes": {"4": 23}}) == "each of 4 seats can get 1 to 22 of the 91 tiles, not 23."
    assert "is not one of classic, official_d12" in detail(preset="house")
