"""Invites as people pass them on: a code, or a text that contains it, such as a link."""

import re

from tables.models import INVITE_ALPHABET, INVITE_LENGTH, Table

LONGEST_INVITE = 500
HALF = rf"[{INVITE_ALPHABET}]{{{INVITE_LENGTH // 2}}}"
SEPARATOR = "[ \t\N{NO-BREAK SPACE}._\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{EN DASH}\N{EM DASH}-]"
CODE = re.compile(rf"(?<![A-Z0-9])(?=({HALF})({SEPARATOR}?)({HALF})(?![A-Z0-9]))")  # a lookahead: two may share a half

MOST_CODES = 5
"""The most codes that are read from one text."""


def codes_in(invite: str) -> list[str]:
    """Return what could be the code in a text, in upper case.

    The text may be a link or a whole message, in either case.

    A code may be written in two halves, as people read it out: ``3KL9Q-4Y9SU``. If there are more than five candidates,
    the likeliest are returned: a code has a digit, while a word, or two words that look like two halves, has none.

    The first release also gave codes of letters alone. Written in two halves, such a code is found only if the text has
    nothing else.
    """
    text = invite.upper()
    halves = [(first + second, separator) for first, separator, second in CODE.findall(text)]
    alone = len(text.strip()) <= INVITE_LENGTH + 1
    likely = [(code, separator) for code, separator in halves if alone or not (separator and code.isalpha())]
    likely.sort(key=lambda each: (each[0].isalpha(), bool(each[1])))
    return list(dict.fromkeys(code for code, _ in likely))[:MOST_CODES]


def invited_to(invite: str) -> Table | None:
    """Return the table of this invite with its host loaded; ``None`` for an unknown invite."""
    return Table.objects.select_related("host").filter(invite_code__in=codes_in(invite)).first()
