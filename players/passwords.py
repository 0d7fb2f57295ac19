"""Limits on guessing passwords. Log-in, registration, password change and the admin share the same counts.

Each try counts for its address and for its account. An address that has sent the account's correct password in the last
30 days is exempt from the account's count. So a stranger who uses up that count does not lock out the owner. Tokens
stay valid in any case.
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
    """Compare passwords inside this context. If they are wrong, raise an exception inside it.

    ``passwords`` is how many are compared. Raises ``Throttled`` before any password is hashed.
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
    """Return the key of an account's count: its id, or the username in lower case if there is no such account."""
    username = username.replace("\0", "")  # the admin's form is not validated yet, and PostgreSQL refuses NUL
    found = Player.objects.of_username(username).values_list("pk", flat=True).first()
    return str(found or Player.normalize_username(username).casefold())


def username_tried(request: AnyRequest) -> None:
    """Count a caller who has learned that a username is taken. Raises ``Throttled``."""
    Limit(OF_ADDRESS).count(address_of(request))
