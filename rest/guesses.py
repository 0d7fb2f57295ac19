"""Limits for secrets that can be guessed: each secret has one count, which all endpoints that compare it share.

A try is counted before the secret is compared, so no password is hashed for a caller who has tried too often. A correct
try is subtracted again, so only wrong tries use up a limit. While Redis is away, each process counts for itself.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from rest.limits import Limit, digest
from runtime import redis_commands

KNOWN_FOR = 30 * 24 * 3600
"""Seconds for which an address is remembered after it sent the correct secret."""


@contextmanager
def tried(
    scope: str, whose: Iterable[str], tries: int = 1, wrong: tuple[type[Exception], ...] = (Exception,)
) -> Iterator[None]:
    """Compare a secret inside this context. The tries stay counted only if it raises one of the ``wrong`` exceptions.

    Raises ``Throttled`` before the comparison if there were too many tries.
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
    """Whether a correct try for this secret came from this address in the last 30 days. False while Redis is away.

    ``secret`` is the secret's name, such as an account's id.
    """
    name = known_key(secret, address)
    return bool(redis_commands.ask(lambda counters: counters.exists(name), "no address is known"))


def remember(secret: str, address: str) -> None:
    name = known_key(secret, address)
    redis_commands.ask(lambda counters: counters.set(name, 1, ex=KNOWN_FOR), "no address is remembered")


def known_key(secret: str, address: str) -> str:
    return f"mexican-train:known:{digest(secret, address)}"
