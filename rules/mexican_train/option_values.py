"""The kinds of values that an option may have: validation, the refusal of a wrong value, and JSON Schema."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from rules.errors import BadOption
from rules.mexican_train.meanings import Meaning
from rules.sentences import Sentence, shown

Schema: TypeAlias = dict[str, object]


class Kind(Protocol):
    """What an option accepts, and its *classic* default."""

    @property
    def default(self) -> object: ...

    def read(self, option: str, value: object) -> object:
        """The validated value, in the form that the rules keep. Raises ``BadOption`` naming the option."""

    def schema(self, meaning: Meaning) -> Schema:
        """The accepted values as JSON Schema, as far as they do not depend on other options."""


def listed(values: tuple[object, ...]) -> str:
    return ", ".join("null" if value is None else str(value).lower() for value in values)


def choices(values: tuple[object, ...], meaning: Meaning) -> list[Schema]:
    """Each value with its meaning."""
    return [{"const": value, "description": meaning.values[value]} for value in values]


def is_among(value: object, values: tuple[object, ...]) -> bool:
    """Whether ``value`` is one of ``values``. Types count: ``1`` is not ``True``, and ``12.0`` is not ``12``."""
    return any(type(value) is type(each) and value == each for each in values)


@dataclass(frozen=True, slots=True)
class OneOf:
    """One value of a list."""

    values: tuple[object, ...]
    default: object

    def read(self, option: str, value: object) -> object:
        if not is_among(value, self.values):
            raise BadOption(
                option, Sentence("{value} is not one of {values}.", value=shown(value), values=listed(self.values))
            )
        return value

    def schema(self, meaning: Meaning) -> Schema:
        return {"description": meaning.option, "default": self.default, "oneOf": choices(self.values, meaning)}


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """An integer from ``low`` on, or ``None``.

    The highest value and the meaning of ``None`` depend on other options.
    """

    low: int
    default: None = None

    def read(self, option: str, value: object) -> object:
        if value is None or (type(value) is int and value >= self.low):
            return value
        raise BadOption(
            option, Sentence("{value} is not an integer of at least {low}.", value=shown(value), low=self.low)
        )

    def schema(self, meaning: Meaning) -> Schema:
        number: Schema = {"type": "integer", "minimum": self.low}
        either = [number, *choices((self.default,), meaning)]
        return {"description": meaning.option, "default": self.default, "oneOf": either}


@dataclass(frozen=True, slots=True)
class SubsetOf:
    """Any values of a list, each once."""

    values: tuple[str, ...]
    default: tuple[str, ...] = ()

    def read(self, option: str, value: object) -> object:
        if not isinstance(value, list | tuple):
            raise BadOption(option, Sentence("{value} is not a list.", value=shown(value)))
        for each in value:
            OneOf(self.values, None).read(option, each)
        return tuple(each for each in self.values if each in value)

    def schema(self, meaning: Meaning) -> Schema:
        items: Schema = {"oneOf": choices(self.values, meaning)}
        members: Schema = {"type": "array", "uniqueItems": True, "items": items}
        return {"description": meaning.option, "default": list(self.default), **members}


@dataclass(frozen=True, slots=True)
class HandSizes:
    """A map from the number of seats to the tiles that each seat is dealt. Keys may be texts, as in JSON."""

    most_seats: int
    default: Mapping[int, int]

    def read(self, option: str, value: object) -> object:
        if not isinstance(value, Mapping) or not value:
            no_map = Sentence(
                "{value} is not an object that gives a number of tiles for each number of seats.", value=shown(value)
            )
            raise BadOption(option, no_map)
        sizes = {self.number_of_seats(option, seats): tiles for seats, tiles in value.items()}
        for seats, tiles in sizes.items():
            if type(tiles) is not int or tiles < 1:
                no_hand = Sentence(
                    "{value} is not a number of tiles to deal to {seats} seats.", value=shown(tiles), seats=seats
                )
                raise BadOption(option, no_hand)
        return dict(sorted(sizes.items()))

    def schema(self, meaning: Meaning) -> Schema:
        return {
            "description": meaning.option,
            "default": {str(seats): tiles for seats, tiles in self.default.items()},
            "type": "object",
            "minProperties": 1,
            "propertyNames": {"enum": [str(seats) for seats in range(2, self.most_seats + 1)]},
            "additionalProperties": {"type": "integer", "minimum": 1},
        }

    def number_of_seats(self, option: str, seats: object) -> int:
        if str(seats) in map(str, range(2, self.most_seats + 1)):
            return int(str(seats))
        raise BadOption(
            option,
            Sentence("{value} is not a number of seats from 2 to {most}.", value=shown(seats), most=self.most_seats),
        )
