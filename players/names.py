"""Names of players and tables: their normal form, the characters they may not contain, and how to compare them."""

import re
from collections.abc import Collection
from itertools import count
from typing import NamedTuple
from unicodedata import category, normalize

from django.conf import settings
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as N_

NAME_LENGTH = 40
FORGOTTEN = "Deleted player"
"""The name of a player who has been deleted. Nobody can choose it."""

BIDIRECTIONAL = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Marks that change the writing direction of the text around a name."""
BLANK = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U00013441\U00013442\U00016fe4\U0001d159"
"""Characters that Unicode calls letters or signs, but that are invisible."""
JOINERS = "\u200c\u200d"
"""Zero-width joiner and non-joiner. Persian, Indian languages and emoji need them between two characters."""
SELECTORS = "\u180b\u180c\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
"""Variation selectors: they choose the shape of the letter or emoji before them."""
FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f")
"""A black flag, and the tag characters that make it the flag of England, Scotland or Wales."""
SELECTED = re.compile(f"(?<=[^\\s{SELECTORS}{JOINERS}])[{SELECTORS}]")
JOINED = re.compile(f"(?<=[^\\s{JOINERS}])[{JOINERS}](?=[^\\s{JOINERS}])")
SELECTOR = re.compile(f"[{SELECTORS}]")
VISIBLE = "LNPS"
"""The categories of letters, numbers, punctuation and symbols."""


class Fault(NamedTuple):
    """One thing that can be wrong with a name. ``{letter}`` in the ``detail`` stands for the invalid character."""

    code: str
    detail: str


CONTROL, BIDI, INVISIBLE, UNASSIGNED, EMPTY, RESERVED = (
    Fault("control_character", N_("A name cannot contain control characters or line breaks; remove {letter}.")),
    Fault(
        "bidirectional_mark",
        N_("A name cannot contain characters that change the direction of writing; remove {letter}."),
    ),
    Fault("invisible_character", N_("A name cannot contain invisible characters; remove {letter}.")),
    Fault("unassigned_character", N_("A name can contain only characters that Unicode defines; remove {letter}.")),
    Fault("invisible", N_("A name must contain at least one visible letter.")),
    Fault("name_reserved", N_("This name is reserved.")),
)
BY_CATEGORY = {"Cc": CONTROL, "Zl": CONTROL, "Zp": CONTROL, "Cf": INVISIBLE, "Cn": UNASSIGNED, "Co": UNASSIGNED}


class BadName(Exception):
    """A text that cannot be a name. ``code`` is stable; the message is in the language of the request."""

    def __init__(self, fault: Fault, letter: str = "") -> None:
        super().__init__(gettext(fault.detail).format(letter=f"U+{ord(letter):04X}" if letter else ""))
        self.code = fault.code


def in_one_form(text: str) -> str:
    """Return a name in the form that is stored: NFKC, with one space between words. Raises ``BadName``."""
    for letter in FLAG.sub("", JOINED.sub("", SELECTED.sub("", text))):
        if fault := fault_of(letter):
            raise BadName(fault, letter)
    name = " ".join(normalize("NFKC", text).split())
    if not any(category(letter)[0] in VISIBLE for letter in name):
        raise BadName(EMPTY)
    return name


def fault_of(letter: str) -> Fault | None:
    """Return what is wrong with one character of a name; ``None`` if nothing is."""
    if letter in BIDIRECTIONAL:
        return BIDI
    if letter in BLANK or SELECTOR.match(letter):
        return INVISIBLE
    return BY_CATEGORY.get(category(letter))


def folded(name: str) -> str:
    """Return a form for comparing names, never for display. Names that look the same to a reader have the same form."""
    letters = normalize("NFKC", normalize("NFKC", name).casefold())
    return " ".join("".join(each for each in letters if not is_invisible(each)).split())


def is_invisible(letter: str) -> bool:
    return letter in BLANK or category(letter) in {"Cf", "Cc"} or SELECTOR.match(letter) is not None


def is_reserved(name: str) -> bool:
    """Whether no player may choose this name."""
    return folded(name) in {folded(each) for each in (FORGOTTEN, *settings.RESERVED_NAMES)}


def must_be_free(name: str) -> None:
    """Raise ``BadName`` if the name is reserved."""
    if is_reserved(name):
        raise BadName(RESERVED)


def with_number(name: str, number: int) -> str:
    """Return the name with its number after it. Number 1 gives the plain name.

    A long name is cut, so that the result is no longer than a name may be.
    """
    tail = "" if number == 1 else f" {number}"
    return name[: NAME_LENGTH - len(tail)].rstrip(f" {JOINERS}") + tail


def number_in(written: str, name: str) -> int | None:
    """Return the number in ``written`` if ``with_number`` made it from ``name``, else ``None``. A plain name has 1."""
    if folded(written) == folded(name):
        return 1
    ending = re.search(r" ([1-9]\d*)\Z", written)
    number = int(ending[1]) if ending else 1
    return number if folded(written) == folded(with_number(name, number)) else None


def free_number(name: str, taken: Collection[str]) -> int:
    """Return the lowest number that makes a name differ from all names in ``taken``, which are ``folded``."""
    return next(number for number in count(1) if folded(with_number(name, number)) not in taken)
