"""Every option and every value in plain words."""

import re

import pytest

from rules.mexican_train.meanings import MEANINGS
from rules.mexican_train.option_kinds import KINDS
from rules.mexican_train.option_values import HandSizes, OneOf, SubsetOf, WholeNumber

SENTENCES = [
    sentence for each in MEANINGS.values() for sentence in (each.option, each.number, *each.values.values()) if sentence
]
NOT_OUR_WORDS = re.compile(r"\b(player|stock|pool|pile|hub|station|spinner|domino|knock)", re.IGNORECASE)


def test_every_option_has_its_meaning_in_the_order_of_the_rules() -> None:
    assert list(MEANINGS) == list(KINDS)


@pytest.mark.parametrize("option", KINDS)
def test_every_value_has_its_meaning_and_nothing_else_has(option: str) -> None:
    meant = list(MEANINGS[option].values)
    match KINDS[option]:
        case OneOf(values):
            assert meant == list(values)
        case SubsetOf(values, default):
            assert meant == [default, *values]
        case WholeNumber():
            assert meant == [None]
        case HandSizes():
            assert meant == []


@pytest.mark.parametrize("option", KINDS)
def test_no_two_values_mean_the_same(option: str) -> None:
    meant = MEANINGS[option].values.values()
    assert len(set(meant)) == len(meant)


def test_what_a_whole_number_means_names_it() -> None:
    numbers = {option: each.number.format(count=7) for option, each in MEANINGS.items() if each.number}
    assert numbers == {"engine_first": "The first round's double is 7-7.", "rounds": "A match has 7 rounds."}


@pytest.mark.parametrize("sentence", SENTENCES)
def test_meanings_are_sentences_in_our_words(sentence: str) -> None:
    assert re.fullmatch(r"[A-Z0-9][^\n]*\.", sentence)
    assert "  " not in sentence
    assert not NOT_OUR_WORDS.search(sentence)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_what_a_meaning_refers_to_is_there(sentence: str) -> None:
    known = set(KINDS) | {str(value) for each in MEANINGS.values() for value in each.values}
    assert set(re.findall(r"`(.*?)`", sentence)) <= known
