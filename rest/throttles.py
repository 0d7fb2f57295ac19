"""How often one caller may ask. A caller is a token, or an address without one; no lookup of the player is needed."""

import hashlib
from typing import TYPE_CHECKING

from redis import Redis
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from rest import redis

if TYPE_CHECKING:
    from rest_framework.views import APIView


class CallerThrottle(SimpleRateThrottle):
    """DRF's rates, counted in windows by the clock with one command a request. With Redis away, requests pass."""

    cache_format = "mexican-train:throttle:%(scope)s:%(ident)s"
    scope = "caller"
    num_requests: int
    duration: int

    def get_cache_key(self, request: Request, view: "APIView") -> str:
        token = "".join(request.META.get("HTTP_AUTHORIZATION", "").split()[-1:])  # however the header is spelt
        who = hashlib.sha256(token.encode(errors="replace")).hexdigest() if token else self.get_ident(request)
        return self.cache_format % {"scope": self.scope, "ident": who}

    def allow_request(self, request: Request, view: "APIView") -> bool:
        if self.rate is None:
            return True
        window = int(self.timer() // self.duration)
        key = f"{self.get_cache_key(request, view)}:{window}"
        counted = redis.ask(lambda counters: self.count(counters, key), "nobody is throttled")
        return counted is None or counted <= self.num_requests

    def count(self, counters: Redis, key: str) -> int:
        """Count one more in this window, and how many that makes."""
        counted = int(counters.incr(key))
        if counted == 1:
            counters.expire(key, int(self.duration) + 1)
        return counted

    def wait(self) -> float:
        """Seconds until the next window."""
        return float(self.duration - self.timer() % self.duration)


class HintThrottle(CallerThrottle):
    """A hint may cost a bot's time to think, in the process that serves everybody."""

    scope = "hint"


class CheckThrottle(CallerThrottle):
    """Checking a record plays a whole match again."""

    scope = "check"


class WebhookThrottle(CallerThrottle):
    """An address is looked up, and a test is sent to it: not as often as somebody might like who means it ill."""

    scope = "webhook"


class AddressThrottle(CallerThrottle):
    """The same by address alone: for what is asked before there is a token, or to guess one."""

    def get_cache_key(self, request: Request, view: "APIView") -> str:
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}


class GuestThrottle(AddressThrottle):
    scope = "guest"


class InviteThrottle(AddressThrottle):
    scope = "invite"


class LoginThrottle(AddressThrottle):
    scope = "login"
