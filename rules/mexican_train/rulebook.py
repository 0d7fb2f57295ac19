"""The generated part of the rules for readers: ``python -m rules.mexican_train.rulebook docs/rules.md``."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import Any, TypeAlias

from rules.mexican_train.options import OPTIONS, resolve
from rules.mexican_train.options.hand_sizes import tiles_in_words
from rules.mexican_train.options.kinds import OneOf, SubsetOf
from rules.mexican_train.presets import ALL_PRESETS, Preset, differences_of
from rules.mexican_train.wording import first_sentence, in_words

BEGIN = "<!-- What follows is written by `python -m rules.mexican_train.rulebook docs/rules.md`. -->"
END = "<!-- Written so far. -->"
WIDTH = 120

Played: TypeAlias = Mapping[str, Mapping[str, Any]]
"""Every option of every preset, as JSON has it, by the preset's name."""


@dataclass(frozen=True, slots=True)
class Way:
    """A value of an option as the page presents it. ``is_played`` tests whether a preset has this value."""

    label: str
    meaning: str
    is_played: Callable[[Any], bool]


def rulebook(presets: Sequence[Preset] = ALL_PRESETS) -> str:
    """Every option with the presets that use each value, then every preset with its differences, as Markdown."""
    played = {preset.name: resolve(preset.differences).as_dict() for preset in presets}
    parts = [
        "## Every option",
        *(option_part(option, played) for option in OPTIONS),
        "## Every preset",
        *(preset_part(preset) for preset in presets),
    ]
    return "\n\n".join(parts)


def option_part(option: str, played: Played) -> str:
    ways = "\n".join(way_item(option, way, played) for way in ways_of(option, played))
    return f"### `{option}`\n\n{filled(OPTIONS[option].question)}\n\n{ways}"


def way_item(option: str, way: Way, played: Played) -> str:
    """A value with its meaning and the presets that use it. The *classic* value is in bold."""
    names = [name for name, values in played.items() if way.is_played(values[option])]
    is_classic = way.is_played(resolve({}).as_dict()[option])
    label = f"**{way.label}** (classic)" if is_classic else way.label
    return item(f"{label}{way.meaning} *Played by {names_in_words(names, among=played)}.*")


def ways_of(option: str, played: Played) -> list[Way]:
    """The listed values of an option. If it has no list, the values that the presets have."""
    match OPTIONS[option]:
        case OneOf(values=values):
            return [equal_way(option, value) for value in values]
        case SubsetOf(values=values):
            return [equal_way(option, []), *(member_way(option, value) for value in values)]
        case _:
            found = [values[option] for values in played.values()]
            return [equal_way(option, value) for at, value in enumerate(found) if value not in found[:at]]


def equal_way(option: str, value: Any) -> Way:
    if isinstance(value, dict):
        return Way(tiles_in_words(value), ".", lambda other: bool(other == value))
    return Way(code(value), f": {in_words(option, value)}", lambda other: bool(other == value))


def member_way(option: str, value: str) -> Way:
    return Way(code(value), f": {in_words(option, [value])}", lambda others: value in others)


def preset_part(preset: Preset) -> str:
    """A preset's title and name, its numbers of seats, and its differences from *classic*."""
    options = resolve(preset.differences)
    differences = differences_of(options)
    is_dealt_so = "" if differences.pop("hand_sizes", None) else ", as in *classic*"
    heading = f"### `{preset.name}`: {preset.title}"
    tiles = f"{tiles_in_words(options.as_dict()['hand_sizes'])}{is_dealt_so}."
    if not differences:
        return f"{heading}\n\n{filled(f'{tiles} No difference from the rules in bold above.')}"
    items = "\n".join(difference_item(option, value) for option, value in differences.items())
    return f"{heading}\n\n{filled(f'{tiles} What differs from *classic*:')}\n\n{items}"


def difference_item(option: str, value: object) -> str:
    return item(f"`{option}` {code(value)}: {first_sentence(OPTIONS[option].question)} *{in_words(option, value)}*")


def names_in_words(names: list[str], among: Iterable[str]) -> str:
    """These presets in words. If they are the majority, the other presets are named as exceptions."""
    others = [name for name in among if name not in names]
    if len(names) <= len(others):
        return series(names) if names else "no preset"
    return f"every preset but {series(others)}" if others else "every preset"


def series(names: list[str]) -> str:
    *first, last = map(code, names)
    return f"{', '.join(first)} and {last}" if first else last


def code(value: object) -> str:
    """A value or a name as JSON writes it, but a text has no quotes."""
    return f"`{value if isinstance(value, str) else json.dumps(value)}`"


def item(text: str) -> str:
    return filled(f"- {text}", indent="  ")


def filled(text: str, indent: str = "") -> str:
    return fill(text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def renewed(page: str, written: str) -> str:
    """The page with the part between the two markers replaced. Raises ``ValueError`` if a marker is missing."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"the page has no line {BEGIN!r}, or after it none {END!r}")
    return f"{before}{BEGIN}\n\n{written}\n\n{END}{after}"


def main(arguments: Sequence[str]) -> None:
    """Bring each of these pages up to date, and print whether it was current."""
    parser = ArgumentParser(
        prog="python -m rules.mexican_train.rulebook", description="Make the rules for readers current."
    )
    parser.add_argument("pages", nargs="+", type=Path)
    for path in parser.parse_args(arguments).pages:
        page = path.read_text(encoding="utf-8")
        current = renewed(page, rulebook())
        path.write_text(current, encoding="utf-8")
        sys.stdout.write(f"{path} {'was' if current == page else 'is now'} current.\n")


if __name__ == "__main__":
    main(sys.argv[1:])
