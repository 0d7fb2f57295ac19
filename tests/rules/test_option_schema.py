"""The options as JSON Schema: it accepts the same options as the rules."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from rules.errors import BadOption
from rules.mexican_train.option_schema import option_schema
from rules.mexican_train.options import OPTIONS, resolve
from rules.mexican_train.options.kinds import OneOf
from rules.mexican_train.presets import ALL_PRESETS, rules_of
from tests.cases import for_each
from tests.rules.test_options import (
    NO_LISTS,
    NO_OPTIONS,
    NO_WHOLE_NUMBERS,
    NOT_OF_THE_LIST,
    OUTSIDE_THE_LIST,
    WRONG_HAND_SIZES,
)

ONE_OF = {name: option for name, option in OPTIONS.items() if isinstance(option, OneOf)}
SCHEMA: dict[str, Any] = option_schema()
VALIDATOR = Draft202012Validator(SCHEMA)
WRONG: list[tuple[str, object]] = [
    *OUTSIDE_THE_LIST,
    *((option, value) for option in ("rounds", "engine_first") for value in NO_WHOLE_NUMBERS),
    *(("hand_sizes", value) for value, _ in WRONG_HAND_SIZES),
    *(("own_train_required_for", value) for value in [*NO_LISTS, *NOT_OF_THE_LIST]),
    *((option, 1) for option in NO_OPTIONS),
    ("rounds", 0),
]
ALIKE = (1.0, 2.0, 7.0, 12.0, {"2": 15.0})
"""JSON has one kind of number, so to JSON Schema 12.0 is 12; the rules ask for the whole number."""

near_misses = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-11, 51),
    st.sampled_from([value for option in ONE_OF.values() for value in option.values]),
    st.lists(st.sampled_from(["mexican", "open_trains", "covering", "all"]), max_size=3, unique=True),
    st.dictionaries(st.integers(0, 14).map(str), st.integers(0, 20), max_size=3),
)


def as_json(value: object) -> Any:
    """What arrives of a value that is sent."""
    return json.loads(json.dumps(value))


def is_taken(options: dict[str, object]) -> bool:
    try:
        resolve(options)
    except BadOption:
        return False
    return True


def test_it_is_a_schema_of_the_dialect_that_it_names() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"] == Draft202012Validator.META_SCHEMA["$id"]
    assert as_json(SCHEMA) == SCHEMA


def test_it_has_every_option_and_no_other() -> None:
    assert list(SCHEMA["properties"]) == list(OPTIONS)
    assert SCHEMA["additionalProperties"] is False


@for_each("option", OPTIONS)
def test_every_option_has_a_description(option: str) -> None:
    assert SCHEMA["properties"][option]["description"] == OPTIONS[option].question


@for_each("option", ONE_OF)
def test_every_listed_value_has_a_description(option: str) -> None:
    choices = SCHEMA["properties"][option]["oneOf"]
    assert {choice["const"]: choice["description"] for choice in choices} == OPTIONS[option].meanings


def test_the_members_of_a_subset_have_descriptions() -> None:
    members = SCHEMA["properties"]["own_train_required_for"]
    assert (members["type"], members["uniqueItems"]) == ("array", True)
    assert [each["const"] for each in members["items"]["oneOf"]] == ["mexican", "open_trains", "covering"]
    assert all(each["description"] for each in members["items"]["oneOf"])


def test_the_defaults_are_the_classic_rules() -> None:
    defaults = {option: each["default"] for option, each in SCHEMA["properties"].items()}
    assert VALIDATOR.is_valid(defaults)
    assert resolve(defaults) == resolve({})


@for_each("option", ONE_OF)
def test_every_value_of_a_list_is_valid(option: str) -> None:
    for value in ONE_OF[option].values:
        VALIDATOR.validate({option: value})


@pytest.mark.parametrize("preset", [preset.name for preset in ALL_PRESETS])
def test_the_rules_of_every_preset_are_valid(preset: str) -> None:
    VALIDATOR.validate(rules_of(preset, {}).as_dict())


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"rounds": 1, "engine_first": 0},
        {"rounds": None, "engine_first": None},
        {"set_max_pip": 18, "engine_first": 18, "rounds": 19},
        {"hand_sizes": {str(seats): 1 for seats in range(2, 13)}},
        {"own_train_required_for": []},
        {"own_train_required_for": ["covering", "open_trains", "mexican"]},
    ],
)
def test_options_that_the_rules_accept_are_valid(options: dict[str, object]) -> None:
    resolve(options)
    VALIDATOR.validate(options)


@for_each(("option", "value"), [(option, value) for option, value in WRONG if value not in ALIKE])
def test_options_that_the_rules_refuse_are_not_valid(option: str, value: object) -> None:
    assert not VALIDATOR.is_valid({option: as_json(value)})


def test_limits_that_depend_on_other_options_are_described() -> None:
    for options in ({"engine_first": 13}, {"rounds": 14}, {"set_max_pip": 9, "engine_first": 10}):
        assert VALIDATOR.is_valid(options)
        assert not is_taken(dict(options))
    assert "`set_max_pip`" in SCHEMA["properties"]["engine_first"]["description"]
    assert "`engine_first`" in SCHEMA["properties"]["rounds"]["description"]


@given(option=st.sampled_from(list(OPTIONS)), value=near_misses)
def test_random_options_are_valid_exactly_if_the_rules_accept_them(option: str, value: object) -> None:
    is_too_high = option in {"engine_first", "rounds"} and isinstance(value, int) and value > 12
    assert VALIDATOR.is_valid({option: value}) == (is_taken({option: value}) or is_too_high)
