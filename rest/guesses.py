"""Limits for secrets that somebody may guess: one count for each, whichever door the secret is tried at.

A try is counted before the secret is compared; a password is not even hashed for a caller who has tried too often. A
try that was right is taken back, so that only wrong ones use up a limit. While Redis is away each process counts for
itself: guessing is never free.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from django.http import HttpRequest
from rest_framework.request import Request

from rest import redis
from rest.limits import Limit, digest
from rest.throttles import AddressThrottle

KNOWN_FOR = 30 * 24 * 3600
"""Seconds for which an address is remembered at which somebody has known a secret."""
Asked = Request | HttpRequest
"""A request of the API, or of a page."""


def address_of(request: Asked) -> str:
    """The caller's address; of IPv6 the network, of which anybody has as many addresses as they like."""
    return AddressThrottle().get_ident(request)  # type: ignore[arg-type]  # it reads ``META`` alone


@contextmanager
def tried(
    scope: str, whose: Iterable[str], tries: int = 1, wrong: tuple[type[Exception], ...] = (Exception,)
) -> Iterator[None]:
    """Compare a secret inside: an exception of the ``wrong`` kinds leaves the tries counted, anything else does not.

    Raises ``Throttled`` before.
    """
    limit, counted = Limit(scope), list(whose)
    for each in counted:
        limit.count(each, tries)
    try:
        yield
    except wrong:
        raise
    except Exception:
        limit.take_back(counted, tries)
        raise
    limit.take_back(counted, tries)


def is_known(secret: str, address: str) -> bool:
    """Whether this secret has been known at this address lately; no while Redis is away."""
    name = known_key(secret, address)
    return bool(redis.ask(lambda counters: counters.exists(name), "no address is known"))


def remember(secret: str, address: str) -> None:
    name = known_key(secret, address)
    redis.ask(lambda counters: counters.set(name, 1, ex=KNOWN_FOR), "no address is remembered")


def known_key(secret: str, address: str) -> str:
    return f"mexican-train:known:{digest(secret, address)}"
