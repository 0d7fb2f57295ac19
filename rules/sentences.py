"""Sentences that contain values. They are in English, and keep their template and values for translation."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Self

LONGEST_SHOWN = 60


class Sentence(str):
    """A text in English with its template and its values. A value may itself be a sentence."""

    __slots__ = ("template", "values")

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> Self:
        made = super().__new__(cls, template.format_map(values))
        made.template, made.values = template, values
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, object]]:
        """The arguments for a copy. In the finished text alone, braces would be taken for placeholders."""
        return (self.template,), dict(self.values)


def as_sentence(text: str, **values: object) -> Sentence:
    """A text as a sentence with these values, unless it is one already."""
    return text if isinstance(text, Sentence) else Sentence(text, **values)


class Counted(Sentence):
    """A sentence with a singular and a plural form. ``{count}`` stands for the number."""

    __slots__ = ("amount", "many", "one")

    one: str
    many: str
    amount: float

    def __new__(cls, one: str, many: str, amount: float, /, **values: object) -> Self:
        made = super().__new__(cls, one if amount == 1 else many, count=amount, **values)
        made.one, made.many, made.amount = one, many, amount
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, object]]:
        values = {name: value for name, value in self.values.items() if name != "count"}
        return (self.one, self.many, self.amount), values


def joined(sentences: Sequence[Sentence], between: str) -> Sentence:
    """Several sentences as one. The parts can still be translated."""
    parts = {f"part{at}": each for at, each in enumerate(sentences)}
    template = between.join(f"{{{name}}}" for name in parts)
    return Sentence(template, **parts)


def quoted(text: str) -> str:
    """A text in double quotes on one line. Characters that are not printable are escaped."""
    letters = (each if each.isprintable() and each not in '"\\' else json.dumps(each)[1:-1] for each in text)
    return f'"{"".join(letters)}"'


def shortened(value: object, longest: int = LONGEST_SHOWN) -> str:
    """A refused value as JSON writes it, shortened to a maximum length."""
    text = quoted(value[: longest + 1]) if isinstance(value, str) else json.dumps(value, default=str)
    return text if len(text) <= longest else f"{text[:longest]}…"
