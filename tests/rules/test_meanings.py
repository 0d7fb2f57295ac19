"""Every option and every value in plain words."""

import re

from rules.mexican_train.options import OPTIONS
from rules.mexican_train.options.hand_sizes import HandSizes
from rules.mexican_train.options.kinds import OneOf, SubsetOf, WholeNumber
from tests.cases import for_each

NUMBERS = {name: option for name, option in OPTIONS.items() if isinstance(option, WholeNumber)}
SENTENCES = [
    *(sentence for option in OPTIONS.values() for sentence in (option.question, *option.meanings.values())),
    *(sentence for number in NUMBERS.values() for sentence in (number.one, number.many)),
]
NOT_OUR_WORDS = re.compile(r"\b(player|stock|pool|pile|hub|station|spinner|domino|knock)", re.IGNORECASE)


def test_every_kind_of_option_lists_its_values() -> None:
    listed = {type(option): list(option.meanings) for option in OPTIONS.values()}
    assert listed[WholeNumber] == [None]
    assert listed[HandSizes] == []
    assert listed[SubsetOf] == [(), "mexican", "open_trains", "covering"]
    assert all(len(option.meanings) > 1 for option in OPTIONS.values() if isinstance(option, OneOf))


@for_each("option", OPTIONS)
def test_no_two_values_mean_the_same(option: str) -> None:
    meant = OPTIONS[option].meanings.values()
    assert len(set(meant)) == len(meant)


def test_the_meaning_of_an_integer_contains_the_integer() -> None:
    sevens = {name: number.in_words(7) for name, number in NUMBERS.items()}
    assert sevens == {"engine_first": "The first round's double is 7-7.", "rounds": "A match has 7 rounds."}


@for_each("sentence", SENTENCES)
def test_meanings_are_sentences_in_our_words(sentence: str) -> None:
    assert re.fullmatch(r"[A-Z0-9][^\n]*\.", sentence)
    assert "  " not in sentence
    assert not NOT_OUR_WORDS.search(sentence)


@for_each("sentence", SENTENCES)
def test_every_reference_in_a_meaning_exists(sentence: str) -> None:
    known = set(OPTIONS) | {str(value) for option in OPTIONS.values() for value in option.meanings}
    assert set(re.findall(r"`(.*?)`", sentence)) <= known
