"""Converts JSON to the frozen dataclasses of this package. Unknown fields stay in ``raw``; errors name the field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from functools import cache
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")
PLAIN: dict[Any, tuple[type, ...]] = {str: (str,), int: (int,), bool: (bool,), float: (int, float)}


class Unreadable(ValueError):
    """A value is not what this client expects there."""


def one(kind: type[T]) -> Callable[[Any], T]:
    """Return a function that reads one object of this kind."""

    def read(value: Any) -> T:
        answer: T = made(kind, value)
        return answer

    return read


def many(kind: type[T]) -> Callable[[Any], tuple[T, ...]]:
    """Return a function that reads a list of objects of this kind."""

    def read(value: Any) -> tuple[T, ...]:
        answers: tuple[T, ...] = shaped(tuple[kind, ...], value, kind.__name__)  # type: ignore[valid-type]
        return answers

    return read


def made(kind: Any, value: Any) -> Any:
    if not isinstance(value, Mapping):
        raise Unreadable(f"{kind.__name__} is not an object")
    hints = hints_of(kind)
    given: dict[str, Any] = {}
    for field in fields(kind):
        if field.name in value:
            given[field.name] = shaped(hints[field.name], value[field.name], f"{kind.__name__}.{field.name}")
        elif field.default is MISSING and field.default_factory is MISSING:
            raise Unreadable(f"{kind.__name__} has no {field.name}")
    if "raw" in hints:
        given["raw"] = value
    return kind(**given)


@cache
def hints_of(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def shaped(hint: Any, value: Any, where: str) -> Any:
    """Convert a value to its annotated type. A ``Literal`` does not restrict it: a newer server may have new words."""
    if get_origin(hint) in {Union, UnionType}:
        return None if value is None else shaped(get_args(hint)[0], value, where)
    if get_origin(hint) is tuple:
        return tuple(shaped(get_args(hint)[0], inner, where) for inner in listed(value, where))
    if is_dataclass(hint):
        return made(hint, value)
    if hint is datetime:
        return moment(value, where)
    expected = PLAIN.get(hint)
    if expected and (not isinstance(value, expected) or (isinstance(value, bool) and hint is not bool)):
        raise Unreadable(f"{where} is not of type {hint.__name__}")
    return value


def listed(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise Unreadable(f"{where} is not a list")
    return value


def moment(value: Any, where: str) -> datetime:
    try:
        return datetime.fromisoformat(str(value).replace("Z", "+00:00"))  # Python 3.10 cannot parse Z
    except ValueError as error:
        raise Unreadable(f"{where} is not a time") from error
