"""Rules and differences between rules in words, as sentences that can be translated."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rules.mexican_train.options import OPTIONS, Options
from rules.sentences import Sentence


@dataclass(frozen=True, slots=True)
class Difference:
    """An option that differs between two sets of rules: both values as JSON has them, and in words."""

    option: str
    values: tuple[Any, Any]
    words: tuple[Sentence, Sentence]


def differences_between(rules: Options, others: Options) -> Iterator[Difference]:
    """The options that differ between two sets of rules, in the order of the options."""
    there = others.as_dict()
    for option, value in rules.as_dict().items():
        if value != there[option]:
            both = in_words(option, value), in_words(option, there[option])
            yield Difference(option, (value, there[option]), both)


def in_words(option: str, value: Any) -> Sentence:
    """The meaning of a value, which is as JSON has it."""
    return OPTIONS[option].in_words(value)


def first_sentence(text: str) -> str:
    """The first sentence of a text, which is the question that an option answers."""
    return re.split(r"(?<=[.?]) ", text, maxsplit=1)[0]
