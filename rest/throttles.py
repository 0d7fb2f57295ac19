"""How often one caller may ask. A caller is a token, or an address without one; no lookup of the player is needed.

Tokens cost nothing, so what is dear is counted by address too.
"""

import hashlib
from typing import TYPE_CHECKING

from redis import Redis
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from rest import redis

OF_ONE_ADDRESS = 3
"""How many callers' worth of what is dear an address may ask for: a family or a club shares one."""

if TYPE_CHECKING:
    from rest_framework.views import APIView


class CallerThrottle(SimpleRateThrottle):
    """DRF's rates, counted in windows by the clock with one command a request. With Redis away, requests pass."""

    cache_format = "mexican-train:throttle:%(scope)s:%(ident)s"
    scope = "caller"
    num_requests: int
    duration: int

    def get_cache_key(self, request: Request, view: "APIView | None") -> str:
        token = "".join(request.META.get("HTTP_AUTHORIZATION", "").split()[-1:])  # however the header is spelt
        who = hashlib.sha256(token.encode(errors="replace")).hexdigest() if token else self.get_ident(request)
        return self.cache_format % {"scope": self.scope, "ident": who}

    def allow_request(self, request: Request, view: "APIView | None") -> bool:
        if self.rate is None:
            return True
        window = int(self.timer() // self.duration)
        return all(self.is_within(f"{key}:{window}", most) for key, most in self.counted(request, view))

    def counted(self, request: Request, view: "APIView | None") -> list[tuple[str, int]]:
        """What this request counts for, and how many each of these may ask."""
        return [(self.get_cache_key(request, view), self.num_requests)]

    def is_within(self, key: str, most: int) -> bool:
        counted = redis.ask(lambda counters: self.count(counters, key), "nobody is throttled")
        return counted is None or counted <= most

    def count(self, counters: Redis, key: str) -> int:
        """Count one more in this window, and how many that makes."""
        counted = int(counters.incr(key))
        if counted == 1:
            counters.expire(key, int(self.duration) + 1)
        return counted

    def wait(self) -> float:
        """Seconds until the next window."""
        return float(self.duration - self.timer() % self.duration)


class DearThrottle(CallerThrottle):
    """Counted by the token, and by the address whatever the token: whoever has another one made starts no new count."""

    def counted(self, request: Request, view: "APIView | None") -> list[tuple[str, int]]:
        address = self.cache_format % {"scope": f"{self.scope}-address", "ident": self.get_ident(request)}
        return [*super().counted(request, view), (address, OF_ONE_ADDRESS * self.num_requests)]


class HintThrottle(DearThrottle):
    """A hint may cost a bot's time to think, in the process that serves everybody."""

    scope = "hint"


class CheckThrottle(DearThrottle):
    """Checking a record plays a whole match again."""

    scope = "check"


class WebhookThrottle(DearThrottle):
    """A test is sent to somebody's address: not as often as one might like who means it ill."""

    scope = "webhook"


class AddressThrottle(CallerThrottle):
    """The same by address alone: for what is asked before there is a token, or to guess one."""

    def get_cache_key(self, request: Request, view: "APIView | None") -> str:
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}


class GuestThrottle(AddressThrottle):
    scope = "guest"


class InviteThrottle(AddressThrottle):
    scope = "invite"


class LoginThrottle(AddressThrottle):
    scope = "login"


def count_bad_token(request: Request) -> None:
    """A made-up token is no caller of its own: it counts as a request of its address. Raises ``Throttled``."""
    throttle = AddressThrottle()
    if not throttle.allow_request(request, None):
        raise Throttled(throttle.wait())
