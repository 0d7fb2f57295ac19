"""The values an option may have: how each kind is read, and what a wrong value is told."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from rules.errors import BadOption

LONGEST_SHOWN = 60


class Kind(Protocol):
    """What an option accepts, and what it is unless a table says otherwise: the rule of *classic*."""

    @property
    def default(self) -> object: ...

    def read(self, option: str, value: object) -> object:
        """The value as the rules keep it. Raises ``BadOption`` naming the option."""


def listed(values: tuple[object, ...]) -> str:
    return ", ".join("null" if value is None else str(value).lower() for value in values)


def shown(value: object) -> str:
    """A wrong value as a refusal repeats it: not at any length."""
    text = repr(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def is_among(value: object, values: tuple[object, ...]) -> bool:
    """Whether ``value`` is one of ``values``; ``1`` is not ``True`` here, nor ``12.0`` twelve."""
    return any(type(value) is type(each) and value == each for each in values)


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a list. ``played`` are the values that this version of the rules plays."""

    values: tuple[object, ...]
    played: tuple[object, ...]
    default: object

    def read(self, option: str, value: object) -> object:
        if not is_among(value, self.values):
            raise BadOption(option, f"{shown(value)} is not one of {listed(self.values)}.")
        if not is_among(value, self.played):
            played = listed(self.played) or "none of the list"
            raise BadOption(option, f"{shown(value)} is not played by this server; it plays {played}.")
        return value


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """A whole number from ``low`` on. What it may be at most, and what ``None`` means, depends on other options."""

    low: int
    default: None = None

    def read(self, option: str, value: object) -> object:
        if value is None or (type(value) is int and value >= self.low):
            return value
        raise BadOption(option, f"{shown(value)} is not a whole number of at least {self.low}.")


@dataclass(frozen=True, slots=True)
class SubsetOf:
    """Any of a list, each once. ``played`` as in ``OneOf``."""

    values: tuple[str, ...]
    played: tuple[str, ...]
    default: tuple[str, ...] = ()

    def read(self, option: str, value: object) -> object:
        if not isinstance(value, list | tuple):
            raise BadOption(option, f"{shown(value)} is not a list.")
        for each in value:
            OneOf(self.values, self.played, None).read(option, each)
        return tuple(sorted(set(value)))


@dataclass(frozen=True, slots=True)
class HandSizes:
    """A map from the number of seats to the tiles that each is dealt; keys may be text, as in JSON."""

    most_seats: int
    default: Mapping[int, int]

    def read(self, option: str, value: object) -> object:
        if not isinstance(value, Mapping) or not value:
            raise BadOption(option, f"{shown(value)} is not a map from numbers of seats to numbers of tiles.")
        sizes = {self.number_of_seats(option, seats): tiles for seats, tiles in value.items()}
        for seats, tiles in sizes.items():
            if type(tiles) is not int or tiles < 1:
                raise BadOption(option, f"{shown(tiles)} is not a number of tiles to deal to {seats} seats.")
        return dict(sorted(sizes.items()))

    def number_of_seats(self, option: str, seats: object) -> int:
        if str(seats) in map(str, range(2, self.most_seats + 1)):
            return int(str(seats))
        raise BadOption(option, f"{shown(seats)} is not a number of seats from 2 to {self.most_seats}.")
