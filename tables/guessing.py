"""One limit for guessed invite codes, shared by everything that accepts a code."""

from collections.abc import Iterator
from contextlib import contextmanager

from players.models import Player
from rest.guesses import tried
from rest.throttles import AnyRequest, address_of
from tables.invites import codes_in


@contextmanager
def codes_tried(
    request: AnyRequest, player: Player | None, invite: str | None, wrong: tuple[type[Exception], ...]
) -> Iterator[None]:
    """Limit wrong attempts with an invite. The block looks the invite up, and raises one of ``wrong`` for a wrong one.

    Raises ``Throttled`` before the block runs.

    Every code in the text counts as one attempt, for the address and for the player. There is no count for a table: at
    this rate nobody can guess its code, and such a count could lock out invited players.
    """
    if invite is None:
        yield
        return
    whose = [address_of(request), *([str(player.pk)] if player else [])]
    with tried("invite", whose, max(1, len(codes_in(invite))), wrong):
        yield
