"""Sentences that hold values: English as they stand, with what they were made of, for whoever tells them otherwise."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Self

LONGEST_SHOWN = 60


class Sentence(str):
    """A text in English, the template that it was made from, and the values; a value may be a sentence itself."""

    __slots__ = ("template", "values")

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> Self:
        made = super().__new__(cls, template.format_map(values))
        made.template, made.values = template, values
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, object]]:
        """What a copy is made of; of a text alone, its braces would be taken for places of values."""
        return (self.template,), dict(self.values)


class Counted(Sentence):
    """A sentence that is another for one than for more; ``{count}`` in it is how many."""

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
    """Several as one; the parts can still be told in another language."""
    parts = {f"part{at}": each for at, each in enumerate(sentences)}
    template = between.join(f"{{{name}}}" for name in parts)
    return Sentence(template, **parts)


def quoted(text: str) -> str:
    """A text in quotes, on one line in any editor, and with nothing in it that could not be seen or sent."""
    letters = (each if each.isprintable() and each not in '"\\' else json.dumps(each)[1:-1] for each in text)
    return f'"{"".join(letters)}"'


def shown(value: object, longest: int = LONGEST_SHOWN) -> str:
    """A value that is refused, as JSON writes it, for so it came; not at any length."""
    text = quoted(value[: longest + 1]) if isinstance(value, str) else json.dumps(value, default=str)
    return text if len(text) <= longest else f"{text[:longest]}…"
