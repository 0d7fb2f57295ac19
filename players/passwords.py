"""Comparing passwords, with one limit for an account's password at every door: log-in, register, change, admin.

Counted by the address, and by the account. The second count is for addresses where the account's password has not been
right lately: so a stranger who uses it up does not keep the owner out at home, and nobody guesses one password from
many addresses. Tokens stay valid in any case.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from players.models import Player
from rest import guesses
from rest.guesses import Asked, address_of
from rest.limits import Limit

OF_ADDRESS, OF_ACCOUNT = "login", "password"


@contextmanager
def password_tried(request: Asked, username: str, passwords: int = 1) -> Iterator[None]:
    """Compare so many passwords inside, and raise if they are wrong. Raises ``Throttled`` before anything is hashed."""
    address, account = address_of(request), Player.normalize_username(username).casefold()
    Limit(OF_ADDRESS).count(address, passwords)
    with ExitStack() as counted:
        if not guesses.is_known(account, address):
            counted.enter_context(guesses.tried(OF_ACCOUNT, [account], passwords))
        yield
    guesses.remember(account, address)


def username_tried(request: Asked) -> None:
    """Count somebody who asks whether a username is taken. Raises ``Throttled``."""
    Limit(OF_ADDRESS).count(address_of(request))
