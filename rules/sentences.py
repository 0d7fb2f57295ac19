"""Sentences that hold values: English as they stand, with what they were made of, for whoever tells them otherwise."""

from collections.abc import Mapping, Sequence
from typing import Self


class Sentence(str):
    """A text in English, the template that it was made from, and the values; a value may be a sentence itself."""

    __slots__ = ("template", "values")

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> Self:
        made = super().__new__(cls, template.format_map(values))
        made.template, made.values = template, values
        return made


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


def joined(sentences: Sequence[Sentence], between: str) -> Sentence:
    """Several as one; the parts can still be told in another language."""
    parts = {f"part{at}": each for at, each in enumerate(sentences)}
    template = between.join(f"{{{name}}}" for name in parts)
    return Sentence(template, **parts)
