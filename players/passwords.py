"""Limits on guessing passwords: log-in, registration, change of a password and the admin share the same counts.

Each try counts for its address and for its account. An address where the account's password was right lately is exempt
from the account's count: a stranger who uses that up does not lock out the owner. Tokens stay valid in any case.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from players.models import Player
from rest import guesses
from rest.limits import Limit
from rest.throttles import AnyRequest, address_of

OF_ADDRESS, OF_ACCOUNT = "login", "password"


@contextmanager
def password_tried(request: AnyRequest, username: str, passwords: int = 1) -> Iterator[None]:
    """Compare passwords in this context, and raise in it if they are wrong. ``passwords`` is how many are compared.

    Raises ``Throttled`` before any password is hashed.
    """
    address = address_of(request)
    Limit(OF_ADDRESS).count(address, passwords)
    account = account_of(username)
    with ExitStack() as counted:
        if not guesses.is_known(account, address):
            counted.enter_context(guesses.tried(OF_ACCOUNT, [account], passwords))
        yield
    guesses.remember(account, address)


def account_of(username: str) -> str:
    """The key of an account's count: its id, however the username is spelt; without an account the username itself."""
    username = username.replace("\0", "")  # the admin's form has not been validated yet, and PostgreSQL refuses NUL
    found = Player.objects.of_username(username).values_list("pk", flat=True).first()
    return str(found or Player.normalize_username(username).casefold())


def username_tried(request: AnyRequest) -> None:
    """Count a caller who has learned that a username is taken. Raises ``Throttled``."""
    Limit(OF_ADDRESS).count(address_of(request))
