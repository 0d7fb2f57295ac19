"""Invites as people pass them on: a code, or a link that has it in it."""

import re

from tables.models import INVITE_ALPHABET, INVITE_LENGTH, Table

LONGEST_INVITE = 500
HALF = rf"[{INVITE_ALPHABET}]{{{INVITE_LENGTH // 2}}}"
SEPARATOR = "[ \t\N{NO-BREAK SPACE}._\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{EN DASH}\N{EM DASH}-]"
CODE = re.compile(rf"(?<![A-Z0-9])(?=({HALF})({SEPARATOR}?)({HALF})(?![A-Z0-9]))")  # looks ahead: two may share a half

MOST_CODES = 5
"""How many codes one text is searched for."""


def codes_in(invite: str) -> list[str]:
    """Whatever of a text could be the code, in either case: of a link, or of the message that it came in.

    A code may be written in two halves, as it is read out: ``3KL9Q-4Y9SU``. Of more than five the likeliest: a code
    has a digit, and a word that looks like a code has none; nor do two words that look like its halves. The first
    release also gave codes of letters alone: written in halves, such a code is found where nothing else stands.
    """
    text = invite.upper()
    halves = [(first + second, separator) for first, separator, second in CODE.findall(text)]
    alone = len(text.strip()) <= INVITE_LENGTH + 1
    likely = [(code, separator) for code, separator in halves if alone or not (separator and code.isalpha())]
    likely.sort(key=lambda each: (each[0].isalpha(), bool(each[1])))
    return list(dict.fromkeys(code for code, _ in likely))[:MOST_CODES]


def invited_to(invite: str) -> Table | None:
    """The table of this invite, its host with it."""
    return Table.objects.select_related("host").filter(invite_code__in=codes_in(invite)).first()
