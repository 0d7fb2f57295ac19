"""Invites as people pass them on: a code, or a link that has it in it."""

import re

from tables.models import INVITE_ALPHABET, INVITE_LENGTH, Table

LONGEST_INVITE = 500
CODE = re.compile(rf"(?<![A-Z0-9])[{INVITE_ALPHABET}]{{{INVITE_LENGTH}}}(?![A-Z0-9])")


MOST_CODES = 5
"""How many codes one text is searched for."""


def codes_in(invite: str) -> list[str]:
    """Whatever of a text could be the code, in either case: of a link, or of the message that it came in.

    Of more than five the likeliest: nearly every code has a digit, and a word that looks like a code has none.
    """
    found = list(dict.fromkeys(CODE.findall(invite.upper())))
    found.sort(key=str.isalpha)
    return found[:MOST_CODES]


def invited_to(invite: str) -> Table | None:
    """The table of this invite, its host with it."""
    return Table.objects.select_related("host").filter(invite_code__in=codes_in(invite)).first()
