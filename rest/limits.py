"""Limits that also hold while Redis is away: then each process counts for itself."""

import hashlib
from collections.abc import Iterable

from rest_framework.exceptions import Throttled

from rest.throttles import AddressThrottle
from runtime import counts


class Limit(AddressThrottle):
    """A limit that other code counts, not the view's throttles. ``scope`` names its rate in the settings."""

    def __init__(self, scope: str) -> None:
        self.scope = scope
        super().__init__()

    def count(self, whose: str, tries: int = 1) -> None:
        """Count tries for an address, an account, a player or a host. Raises ``Throttled``."""
        if self.rate is None:
            return
        if counts.add_always(self.key_of(whose), tries, int(self.duration)) > self.num_requests:
            raise Throttled(self.wait())

    def take_back(self, whose: Iterable[str], tries: int = 1) -> None:
        """Subtract tries that were correct."""
        if self.rate is None:
            return
        for each in whose:
            counts.add_always(self.key_of(each), -tries, int(self.duration))

    def key_of(self, whose: str) -> str:
        return self.cache_format % {"scope": self.scope, "ident": digest(whose)} + f":{self.window()}"


def digest(*parts: str) -> str:
    """Return a hash that stands for a name in Redis, so that all keys have one length and nobody can read the name."""
    return hashlib.sha256("\n".join(parts).encode(errors="replace")).hexdigest()[:32]
