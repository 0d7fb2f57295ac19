"""Invites as people pass them on: a code, or a link that has it in it."""

import re

from tables.models import INVITE_ALPHABET, INVITE_LENGTH, Table

LONGEST_INVITE = 500
CODE = re.compile(rf"(?<![A-Z0-9])[{INVITE_ALPHABET}]{{{INVITE_LENGTH}}}(?![A-Z0-9])")


def code_in(invite: str) -> str | None:
    """The code, in either case; of a link, whatever page it leads to, the last that could be one."""
    found = CODE.findall(invite.upper())
    return found[-1] if found else None


def invited_to(invite: str) -> Table | None:
    """The table of this invite, its host with it."""
    return Table.objects.select_related("host").filter(invite_code=code_in(invite)).first()
