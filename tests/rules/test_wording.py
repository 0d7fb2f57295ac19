"""Rules and their differences in words."""

from itertools import product

import pytest

from rules.mexican_train.options import OPTIONS
from rules.mexican_train.presets import PRESETS, rules_of
from rules.mexican_train.wording import differences_between, first_sentence, in_words
from tests.cases import for_each

RULES = {name: rules_of(name, {}) for name in PRESETS}


@for_each(("name", "other"), list(product(PRESETS, repeat=2)))
def test_every_difference_of_two_presets_is_described_in_both_directions(name: str, other: str) -> None:
    found = {each.option: each for each in differences_between(RULES[name], RULES[other])}
    here, there = RULES[name].as_dict(), RULES[other].as_dict()
    assert set(found) == {option for option in OPTIONS if here[option] != there[option]}
    for option, each in found.items():
        assert each.values == (here[option], there[option])
        assert each.words[0] != each.words[1]
        assert all(words.endswith(".") for words in each.words)


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("draw_rule", "one", "One."),
        ("rounds", 1, "A match has 1 round."),
        ("rounds", 7, "A match has 7 rounds."),
        ("engine_first", 9, "The first round's double is 9-9."),
        ("hand_sizes", {"2": 15, "3": 15, "4": 15, "5": 12}, "15 tiles each for 2 to 4 seats, 12 for 5."),
        ("hand_sizes", {"2": 1}, "1 tile each for 2 seats."),
        ("own_train_required_for", [], "It may do everything."),
        (
            "own_train_required_for",
            ["mexican", "open_trains"],
            "Lay on the Mexican Train. Lay on another seat's train.",
        ),
    ],
)
def test_a_value_in_words(option: str, value: object, words: str) -> None:
    assert in_words(option, value) == words


def test_an_option_asks_one_question() -> None:
    assert first_sentence("What counts. And why.") == "What counts."
    assert first_sentence("What counts.") == "What counts."
    assert first_sentence("Mennyit ér? Kis összeget.") == "Mennyit ér?"
