"""Presents the rule sheet of a table, and the differences between presets."""

from collections.abc import Iterable, Sequence
from typing import Annotated, TypedDict

from django.utils.translation import gettext

from rest.answers import Anything, Id
from rest.texts import described
from rules.mexican_train.options import OPTIONS, Options, hand_size
from rules.mexican_train.presets import PRESETS, Preset, rules_of
from rules.mexican_train.sheet import boneyard, sheet
from rules.mexican_train.wording import Difference, differences_between, first_sentence
from tables.translating import translated


@described("The value of an option.")
class ValueTold(TypedDict):
    value: Annotated[Anything, "The value, as JSON."]
    words: Annotated[str, "What the value means, in the language of the request."]


@described("An option that differs: what it decides, both values with their meaning, and all of it in one text.")
class DifferenceAnswer(TypedDict):
    option: Annotated[str, "The name of the option."]
    meaning: Annotated[str, "What the option decides, in the language of the request."]
    a: Annotated[ValueTold, "The value in the first preset."]
    b: Annotated[ValueTold, "The value in the second preset."]
    sentence: Annotated[str, "The difference as one text, in the language of the request."]


@described("The differences between two presets.")
class PresetDifferencesAnswer(TypedDict):
    a: Annotated[str, "The name of the first preset."]
    b: Annotated[str, "The name of the second preset."]
    differences: Annotated[list[DifferenceAnswer], "The options that differ."]


@described("A section of a rule sheet.")
class SheetSection(TypedDict):
    title: Annotated[str, "The title, in the language of the request."]
    sentences: Annotated[list[str], "The rules, one sentence each, in the language of the request."]


@described("An option that differs from the preset: its value, and in words what it decides and what the value means.")
class OwnRule(TypedDict):
    option: Annotated[str, "The name of the option."]
    value: Annotated[Anything, "The value at this table, as JSON."]
    sentence: Annotated[str, "What the option decides and what the value means, in the language of the request."]


class Sheet(TypedDict):
    preset: Annotated[str, "The name of the rule set."]
    title: Annotated[str, "The title of the preset."]
    seats: Annotated[int, "The number of seats."]
    hand_size: Annotated[int, "Tiles dealt to each seat."]
    boneyard: Annotated[int, "Tiles left after the deal."]
    rounds: Annotated[int, "The number of rounds in the match."]
    sections: Annotated[list[SheetSection], "The sections, in reading order."]
    differs_from_preset: Annotated[list[OwnRule], "The options that differ from the preset."]
    differs_from_classic: Annotated[list[OwnRule], "The options that differ from *classic*."]


@described("The rules of a table in whole sentences.")
class SheetAnswer(Sheet):
    table: Annotated[Id, "The table's id."]
    name: Annotated[str, "The table's name; empty if it has none."]


def present_differences(preset: Preset, other: Preset) -> PresetDifferencesAnswer:
    both = rules_of(preset.name, {}), rules_of(other.name, {})
    titles = translated(preset.title), translated(other.title)
    return {
        "a": preset.name,
        "b": other.name,
        "differences": [present_difference(each, *titles) for each in differences_between(*both)],
    }


def present_difference(difference: Difference, title: str, other_title: str) -> DifferenceAnswer:
    meaning = translated(OPTIONS[difference.option].question)
    words, other_words = map(translated, difference.words)
    value, other_value = difference.values
    return {
        "option": difference.option,
        "meaning": meaning,
        "a": {"value": value, "words": words},
        "b": {"value": other_value, "words": other_words},
        "sentence": gettext("{question} {a}: {words_a} {b}: {words_b}").format(
            question=first_sentence(meaning), a=title, words_a=words, b=other_title, words_b=other_words
        ),
    }


def present_sheet(preset: str, options: Options, names: Sequence[str | None]) -> Sheet:
    """Return the rule sheet of a table: all its rules in reading order, and those that differ from the usual ones."""
    seats = len(names)
    usual = {name: rules_of(name, {}) for name in ("classic", preset)}
    return {
        "preset": preset,
        "title": translated(PRESETS[preset].title),
        "seats": seats,
        "hand_size": hand_size(options, seats),
        "boneyard": boneyard(options, seats),
        "rounds": options.round_count,
        "sections": [
            {"title": translated(title), "sentences": [translated(each) for each in sentences]}
            for title, sentences in sheet(options, seats, names)
        ],
        "differs_from_preset": own_rules(differences_between(options, usual[preset])),
        "differs_from_classic": own_rules(differences_between(options, usual["classic"])),
    }


def own_rules(differences: Iterable[Difference]) -> list[OwnRule]:
    """Return what each option that differs from the usual decides, and its value here."""
    return [
        {
            "option": each.option,
            "value": each.values[0],
            "sentence": f"{first_sentence(translated(OPTIONS[each.option].question))} {translated(each.words[0])}",
        }
        for each in differences
    ]
