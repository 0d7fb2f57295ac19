"""Sentences are English texts that keep their template and their values."""

import pickle
from copy import copy, deepcopy

import pytest

from rules.sentences import Counted, Sentence, joined, shortened


def test_a_sentence_is_a_text() -> None:
    said = Sentence("{value} is not a list.", value="7")
    assert said == "7 is not a list."
    assert (said.template, said.values) == ("{value} is not a list.", {"value": "7"})


def test_a_value_may_be_a_sentence() -> None:
    said = Sentence("{why}; more", why=Sentence("{n} left", n=2))
    assert said == "2 left; more"
    assert isinstance(said.values["why"], Sentence)


@pytest.mark.parametrize(("amount", "words"), [(0, "0 tiles"), (1, "1 tile"), (1.5, "1.5 tiles"), (2, "2 tiles")])
def test_singular_and_plural_have_different_texts(amount: float, words: str) -> None:
    assert Counted("{count} tile", "{count} tiles", amount) == words


SAID = [
    Sentence("Nothing in it."),
    Sentence("{value} is not a list.", value="{braces}"),
    Sentence("{why}; more", why=Counted("{count} tile of {size}", "{count} tiles of {size}", 2, size=9)),
    Counted("{count} tile", "{count} tiles", 1),
    joined([Sentence("{n}", n="{n}"), Sentence("{n}", n=2)], ", "),
]


@pytest.mark.parametrize("said", SAID)
def test_a_copy_keeps_the_text_the_template_and_the_values(said: Sentence) -> None:
    for again in (copy(said), deepcopy(said), pickle.loads(pickle.dumps(said))):
        assert (again, type(again), again.template, again.values) == (said, type(said), said.template, said.values)
        assert all(type(value) is type(said.values[name]) for name, value in again.values.items())
        assert getattr(again, "many", "") == getattr(said, "many", "")


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, "null"),
        (True, "true"),
        (-1, "-1"),
        ("two", '"two"'),
        ('"\n\ud800\u202e', '"\\"\\n\\ud800\\u202e"'),
        ({"2": [None, "é"]}, '{"2": [null, "\\u00e9"]}'),
        ("x" * 99, '"' + "x" * 59 + "…"),
        ([0] * 99, "[" + "0, " * 19 + "0,…"),
    ],
)
def test_a_refused_value_is_repeated_as_json(value: object, written: str) -> None:
    assert shortened(value) == written
