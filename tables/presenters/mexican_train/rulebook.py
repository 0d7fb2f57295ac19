"""Presents the rule sheet of a table, and the differences between presets."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.translation import gettext

from rules.mexican_train.options import OPTIONS, Options, hand_size
from rules.mexican_train.presets import PRESETS, Preset, rules_of
from rules.mexican_train.sheet import boneyard, sheet
from rules.mexican_train.wording import Difference, differences_between, first_sentence
from tables.translating import translated


def present_differences(preset: Preset, other: Preset) -> dict[str, Any]:
    both = rules_of(preset.name, {}), rules_of(other.name, {})
    titles = translated(preset.title), translated(other.title)
    return {
        "a": preset.name,
        "b": other.name,
        "differences": [present_difference(each, *titles) for each in differences_between(*both)],
    }


def present_difference(difference: Difference, title: str, other_title: str) -> dict[str, Any]:
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


def present_sheet(preset: str, options: Options, names: Sequence[str | None]) -> dict[str, Any]:
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


def own_rules(differences: Iterable[Difference]) -> list[dict[str, Any]]:
    """Return what each option that differs from the usual decides, and its value here."""
    return [
        {
            "option": each.option,
            "value": each.values[0],
            "sentence": f"{first_sentence(translated(OPTIONS[each.option].question))} {translated(each.words[0])}",
        }
        for each in differences
    ]


def sheet_text(shown: dict[str, Any]) -> str:
    """Return a rule sheet as text, to print or to read aloud."""
    heading = shown["name"] + "\n" if shown["name"] else ""
    sections = [
        f"{each['title']}\n" + "\n".join(f"- {said}" for said in each["sentences"]) for each in shown["sections"]
    ]
    own = [each["sentence"] for each in shown["differs_from_preset"]]
    if own:
        house = gettext("House rules: differences from “{title}”").format(title=shown["title"])
        sections.append(f"{house}\n" + "\n".join(f"- {said}" for said in own))
    return "\n\n".join([heading + shown["title"], *sections]) + "\n"
