"""Sentences are English texts that know what they were made of."""

import pytest

from rules.sentences import Counted, Sentence


def test_a_sentence_is_a_text() -> None:
    said = Sentence("{value} is not a list.", value="7")
    assert said == "7 is not a list."
    assert (said.template, said.values) == ("{value} is not a list.", {"value": "7"})


def test_a_value_may_be_a_sentence() -> None:
    said = Sentence("{why}; more", why=Sentence("{n} left", n=2))
    assert said == "2 left; more"
    assert isinstance(said.values["why"], Sentence)


@pytest.mark.parametrize(("amount", "words"), [(0, "0 tiles"), (1, "1 tile"), (1.5, "1.5 tiles"), (2, "2 tiles")])
def test_one_is_said_otherwise_than_more(amount: float, words: str) -> None:
    assert Counted("{count} tile", "{count} tiles", amount) == words
