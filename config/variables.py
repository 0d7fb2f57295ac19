"""How a variable of the environment is declared, and the kinds of values that variables have.

A kind is a function. It takes the text of a variable and returns the value. If the text is wrong, it raises a
``ValueError`` that says what the text must be.
"""

import logging
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

TRUE_WORDS = {"1", "true", "yes", "on"}
FALSE_WORDS = {"0", "false", "no", "off", ""}
SHORTEST_SECRET = 32

Value = TypeVar("Value")


@dataclass
class Variable(Generic[Value]):
    """A variable, declared as an attribute of a class; the attribute has its name.

    Reading the attribute reads the environment and checks the value. ``default`` is written as in the environment; a
    variable without a default is required. ``meaning`` is for the table in ``docs/production.md``. The text of a
    variable that ``is_secret`` does not appear in an error.
    """

    kind: Callable[[str], Value]
    default: str | None
    meaning: str
    is_secret: bool = field(default=False, kw_only=True)
    name: str = field(default="", init=False)

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: object, owner: type) -> Value:
        text = os.environ.get(self.name, self.default)
        if text is None:
            raise ImproperlyConfigured(f"Set the environment variable {self.name}.")
        try:
            return self.kind(text)
        except ValueError as wrong:
            found = "" if self.is_secret else f", not {text!r}"
            raise ImproperlyConfigured(f"{self.name} {wrong}{found}.") from None


def flag(text: str) -> bool:
    word = text.strip().lower()
    if word not in TRUE_WORDS | FALSE_WORDS:
        raise ValueError("must be yes or no")
    return word in TRUE_WORDS


def whole_number(text: str) -> int:
    if not text.strip().isdecimal():
        raise ValueError("must be a whole number")
    return int(text)


def positive_number(text: str) -> int:
    if not (number := whole_number(text)):
        raise ValueError("must be at least 1")
    return number


def rate(text: str) -> str:
    """A number of requests per period. DRF reads only the first letter of the period."""
    if not re.fullmatch(r"[1-9]\d*/[smhd][a-z]*", text):
        raise ValueError("must be a number of requests and a period, such as 60/min")
    return text


def log_level(text: str) -> str:
    level = text.strip().upper()
    if level not in logging.getLevelNamesMapping():
        raise ValueError("must be DEBUG, INFO, WARNING, ERROR or CRITICAL")
    return level


def words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def folder(text: str) -> Path:
    return Path(text).expanduser().resolve()


def base_url(text: str) -> str:
    return text.rstrip("/")


def invite_url(text: str) -> str:
    """A URL with a place for the code. An empty text means that there is none."""
    if text and ("{code}" not in text or set("{}") & set(text.replace("{code}", ""))):
        raise ValueError("must be an address with {code} in it and no other braces")
    return text


def redis_url(text: str) -> str:
    if urlsplit(text).scheme not in {"redis", "rediss", "unix"}:
        raise ValueError("must start with redis://, rediss:// or unix://")
    return text


def secret_key(text: str) -> str:
    if len(text) < SHORTEST_SECRET:
        raise ValueError(f"must have at least {SHORTEST_SECRET} characters")
    return text
