"""Rules and differences between rules in words, as sentences that can be translated."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from rules.mexican_train.meanings import MEANINGS
from rules.mexican_train.options import Options
from rules.sentences import Counted, Sentence, joined


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
    """The meaning of a value. For a list, the meanings of its members follow one another."""
    meaning = MEANINGS[option]
    if isinstance(value, Mapping):
        return Sentence("{tiles}.", tiles=tiles_in_words(value))
    if meaning.number:
        return Counted(meaning.one, meaning.number, value)
    chosen = (value or [()]) if isinstance(value, list) else [value]
    return joined([Sentence(meaning.values[each]) for each in chosen], between=" ")


def tiles_in_words(sizes: Mapping[str, int]) -> Sentence:
    """How many tiles each seat is dealt: ``15 tiles each for 2 to 4 seats, 12 for 5 and 6``."""
    told = list[Sentence]()
    for tiles, group in groupby(sizes, key=lambda seats: sizes[seats]):
        seats = run_in_words(list(group))
        if told:
            told.append(Sentence("{tiles} for {seats}", tiles=tiles, seats=seats))
        else:
            told.append(
                Counted(
                    "{count} tile each for {seats} seats", "{count} tiles each for {seats} seats", tiles, seats=seats
                )
            )
    return joined(told, between=", ")


def run_in_words(seats: Sequence[str]) -> Sentence:
    """Numbers of seats: ``2``, ``2 and 3``, ``2 to 4``."""
    first, last = seats[0], seats[-1]
    if len(seats) > 2:
        return Sentence("{first} to {last}", first=first, last=last)
    return Sentence("{first} and {last}", first=first, last=last) if len(seats) > 1 else Sentence(first)


def first_sentence(text: str) -> str:
    """The first sentence of a text, which is the question that an option answers."""
    return re.split(r"(?<=[.?]) ", text, maxsplit=1)[0]
