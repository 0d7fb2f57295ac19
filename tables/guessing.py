"""One limit for invite codes, whichever door they are tried at."""

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
    """Count the tries of an invite that the block looks up. The block raises one of ``wrong`` for a wrong invite.

    Raises ``Throttled`` before the block runs.

    Every code in the text is a try, counted for the address and for the player. No count is kept for a table: its codes
    cannot be guessed at this pace, and such a count could keep out those who are invited.
    """
    if invite is None:
        yield
        return
    whose = [address_of(request), *([str(player.pk)] if player else [])]
    with tried("invite", whose, max(1, len(codes_in(invite))), wrong):
        yield
