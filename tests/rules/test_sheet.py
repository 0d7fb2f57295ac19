"""The rule sheet states every rule of a table and no other."""

import random
from typing import Any

import pytest

from rules.errors import BadOption
from rules.mexican_train.options import OPTIONS
from rules.mexican_train.options.kinds import OneOf, SubsetOf
from rules.mexican_train.presets import PRESETS, rules_of
from rules.mexican_train.sheet import boneyard, sheet
from rules.mexican_train.sheet_lines import SECTIONS, Line
from tests.cases import for_each
from tests.rules.random_rules import random_rules

LINES = [line for section in SECTIONS for line in section.lines if isinstance(line, Line)]
TOLD_OTHERWISE = {"set_max_pip", "hand_sizes", "engine_first", "rounds"}
"""Numbers that stand in sentences of their own."""


def sentences_of(preset: str = "classic", seats: int = 4, /, **options: Any) -> list[str]:
    return [said for part in sheet(rules_of(preset, options), seats) for said in part.sentences]


def values_of(option: str) -> set[Any]:
    kind = OPTIONS[option]
    assert isinstance(kind, OneOf | SubsetOf)
    return set(kind.values)


def test_every_option_has_its_line_for_every_value() -> None:
    assert {line.option for line in LINES} == set(OPTIONS) - TOLD_OTHERWISE
    for line in LINES:
        assert set(line.texts) == values_of(line.option)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_has_a_sheet_for_all_its_seats(preset: str) -> None:
    options = rules_of(preset, {})
    for seats in options.hand_sizes:
        parts = sheet(options, seats)
        assert [part.title for part in parts] == [section.title for section in SECTIONS]
        assert all(part.sentences for part in parts)
        said = [each for part in parts for each in part.sentences]
        assert len(set(said)) == len(said)
        assert all(each[0].isupper() or each[0].isdigit() for each in said)
        assert all(each.endswith(".") and "{" not in each for each in said)


def is_silent(option: str, usual: list[str]) -> bool:
    """Whether no value of an option changes the sheet of *classic*."""
    is_list = isinstance(OPTIONS[option], SubsetOf)
    changed: list[dict[str, Any]] = [{option: [value] if is_list else value} for value in values_of(option)]
    return all(sentences_of(**each) == usual for each in changed)


def test_each_option_changes_the_sheet() -> None:
    usual = sentences_of()
    silent = {option for option in set(OPTIONS) - TOLD_OTHERWISE if is_silent(option, usual)}
    needs_others = {
        "chain_follow_up",
        "round_starter",
        "double_close_order",
        "cover_continues",
        "announce_penalty_tiles",
    }
    assert silent <= needs_others


def test_sentences_that_depend_on_another_option_follow_it() -> None:
    assert sentences_of(doubles_per_turn=None, chain_follow_up="last_double") != sentences_of(doubles_per_turn=None)
    assert sentences_of(doubles_per_turn=2, double_close_order="reverse") != sentences_of(doubles_per_turn=2)
    assert sentences_of(doubles_per_turn=2, cover_continues=True) != sentences_of(doubles_per_turn=2)
    assert sentences_of(announce="penalty", announce_penalty_tiles=1) != sentences_of(announce="penalty")
    held: dict[str, Any] = {"engine_selection": "holder_all_draw"}
    assert sentences_of(**held, round_starter="engine_holder") != sentences_of(**held)


@pytest.mark.parametrize(
    ("options", "never"),
    [
        ({"mexican_start": "never", "first_turn_trains": "own_or_mexican"}, "the Mexican Train only"),
        ({"mexican_start": "never", "own_train_required_for": ["mexican"]}, "lay on the Mexican Train before"),
        ({"double_follow_up": "none", "double_obligation": "none"}, "open double"),
        ({"double_follow_up": "none", "dead_double": "blocks"}, "can cover"),
        ({"doubles_per_turn": 1, "chain_follow_up": "anywhere"}, "after several doubles"),
        ({"announce": "off", "announce_penalty_tiles": 1}, "called"),
        ({"must_play": False, "drawn_tile": "must"}, "drawn tile that can be laid"),
        ({"first_turn_length": "unlimited", "double_obligation": "none"}, "are open doubles when it ends"),
        ({"round_starter": "engine_holder"}, "that lays the engine"),
    ],
)
def test_sentences_about_other_rules_are_left_out(options: dict[str, Any], never: str) -> None:
    assert never not in " ".join(sentences_of(**options))


def test_if_the_engine_comes_from_a_hand_the_first_turn_follows_its_seat() -> None:
    assert "lays the engine" not in " ".join(sentences_of())
    for starter, words in [
        ("rotate", "The seat that lays the engine has the first turn."),
        ("lowest_total", "The seat that lays the engine has the first turn."),
        ("left_of_engine_holder", "Laying the engine is that seat's turn; the seat after it goes on."),
    ]:
        assert words in sentences_of("galt", round_starter=starter)


@pytest.mark.parametrize("selection", sorted(values_of("engine_selection")))
def test_the_first_seat_is_named_if_a_round_begins_with_it(selection: str) -> None:
    def of(**options: str) -> list[str]:
        return sentences_of(engine_selection=selection, **options)

    assert of(first_round_starter="random") != of(first_round_starter="seat_0")
    assert of(round_starter="lowest_total") != of(round_starter="rotate")


def test_a_first_turn_is_bound_by_what_others_have_left_open_only() -> None:
    bound = "An open double that binds it comes first all the same."
    assert bound in sentences_of(first_turn_trains="own_only")
    assert bound in sentences_of(first_turn_trains="own_only", double_obligation="one_lap")
    assert bound not in sentences_of(first_turn_trains="own_only", double_obligation="layer_only")


def test_numbers_are_those_of_the_table() -> None:
    said = sentences_of("official_d9", 3, rounds=4, engine_first=7)
    assert "The set is double-9: 55 tiles." in said
    assert "Each of the 3 seats is dealt 13 tiles; 15 are left face down: the boneyard." in said
    assert "In the first round the engine is 7-7; each round it is one lower." in said
    assert "A match has 4 rounds." in said
    assert boneyard(rules_of("official_d9", {}), 3) == 15


def test_seats_that_cannot_be_dealt_have_no_sheet() -> None:
    with pytest.raises(BadOption):
        sheet(rules_of("classic", {}), 9)


@for_each("seed", range(100))
def test_any_rules_have_a_sheet(seed: int) -> None:
    options, seats = random_rules(random.Random(seed))
    said = [each for part in sheet(options, seats) for each in part.sentences]
    assert len(set(said)) == len(said) > 15
