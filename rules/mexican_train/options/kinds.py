"""How an option is declared: what it decides, the values that it accepts, their meanings, and its *classic* value."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from rules.errors import BadOption
from rules.sentences import Counted, Sentence, as_sentence, joined, shortened

Schema: TypeAlias = dict[str, object]
Say: TypeAlias = Callable[[str], str]
"""Translates a text."""

FIRST = object()


@dataclass(frozen=True, slots=True)
class Value:
    """A value of an option, its meaning, and what it adds to the rule sheet of a table.

    ``sheet`` is a sentence. An option with several lines in ``sheet_lines`` has a sentence for each, by the name of the
    line. An empty sentence adds nothing.
    """

    value: object
    meaning: str
    sheet: str | Mapping[str, str] = field(kw_only=True)

    def sentence(self, line: str) -> str:
        """What the value adds in this line of the sheet."""
        return self.sheet if isinstance(self.sheet, str) else self.sheet[line]


@dataclass(frozen=True, kw_only=True)
class Option(ABC):
    """The question that an option answers, its listed values, and the *classic* value."""

    question: str
    choices: tuple[Value, ...]
    default: object

    @cached_property
    def values(self) -> tuple[Any, ...]:
        return tuple(each.value for each in self.choices)

    @cached_property
    def meanings(self) -> Mapping[Any, str]:
        """The meaning of each listed value, in plain words."""
        return {each.value: each.meaning for each in self.choices}

    @abstractmethod
    def read(self, name: str, value: object) -> object:
        """The validated value, in the form that the rules keep. Raises ``BadOption`` with the name of the option."""

    @abstractmethod
    def schema(self, say: Say) -> Schema:
        """The accepted values as JSON Schema, as far as they do not depend on other options."""

    @abstractmethod
    def in_words(self, value: Any) -> Sentence:
        """The meaning of a value, which is as JSON has it."""

    @property
    def default_as_json(self) -> object:
        return self.default

    def described(self, say: Say, **more: object) -> Schema:
        return {"description": say(self.question), "default": self.default_as_json, **more}

    def choices_described(self, say: Say) -> list[Schema]:
        """Each listed value with its meaning."""
        return [{"const": each.value, "description": say(each.meaning)} for each in self.choices]


@dataclass(frozen=True, kw_only=True)
class OneOf(Option):
    """One value of a list."""

    def read(self, name: str, value: object) -> object:
        return read_one(name, value, self.values)

    def schema(self, say: Say) -> Schema:
        return self.described(say, oneOf=self.choices_described(say))

    def in_words(self, value: Any) -> Sentence:
        return as_sentence(self.meanings[value])


@dataclass(frozen=True, kw_only=True)
class SubsetOf(Option):
    """Any values of a list, each once. ``nothing`` is the meaning of an empty list."""

    default: tuple[str, ...]
    nothing: str

    @property
    def default_as_json(self) -> object:
        return list(self.default)

    @cached_property
    def meanings(self) -> Mapping[Any, str]:
        return {(): self.nothing} | {each.value: each.meaning for each in self.choices}

    def read(self, name: str, value: object) -> object:
        if not isinstance(value, list | tuple):
            raise BadOption(name, Sentence("{value} is not a list.", value=shortened(value)))
        for each in value:
            read_one(name, each, self.values)
        return tuple(each for each in self.values if each in value)

    def schema(self, say: Say) -> Schema:
        members = {"type": "array", "uniqueItems": True, "items": {"oneOf": self.choices_described(say)}}
        return self.described(say, **members)

    def in_words(self, value: Any) -> Sentence:
        return joined([as_sentence(self.meanings[each]) for each in value or [()]], between=" ")


@dataclass(frozen=True, kw_only=True)
class WholeNumber(Option):
    """An integer from ``low`` on, or ``None``, the only listed value.

    The highest value and the meaning of ``None`` depend on other options. ``many`` says what an integer means, with
    ``{count}`` in its place, and ``one`` what the integer 1 means.
    """

    low: int
    one: str
    many: str

    def read(self, name: str, value: object) -> object:
        if value is None or (type(value) is int and value >= self.low):
            return value
        raise BadOption(
            name, Sentence("{value} is not an integer of at least {low}.", value=shortened(value), low=self.low)
        )

    def schema(self, say: Say) -> Schema:
        return self.described(say, oneOf=[{"type": "integer", "minimum": self.low}, *self.choices_described(say)])

    def in_words(self, value: Any) -> Sentence:
        return Counted(self.one, self.many, value)


def listed(values: tuple[object, ...]) -> str:
    return ", ".join("null" if value is None else str(value).lower() for value in values)


def is_among(value: object, values: tuple[object, ...]) -> bool:
    """Whether ``value`` is one of ``values``. Types count: ``1`` is not ``True``, and ``12.0`` is not ``12``."""
    return any(type(value) is type(each) and value == each for each in values)


def read_one(name: str, value: object, values: tuple[object, ...]) -> object:
    if not is_among(value, values):
        raise BadOption(
            name, Sentence("{value} is not one of {values}.", value=shortened(value), values=listed(values))
        )
    return value


def declared(option: Option) -> Any:
    """A field of the record of options, with its declaration."""
    return field(metadata={"option": option})


def one_of(question: str, *values: Value, default: object = FIRST) -> Any:
    """A field with one of these values. The first is the default unless another is named."""
    return declared(OneOf(question=question, choices=values, default=values[0].value if default is FIRST else default))
