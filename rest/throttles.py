"""How often one caller may ask. A caller is a token, or an address without one; no lookup of the player is needed."""

import hashlib
import logging
import time
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from redis import Redis
from redis.exceptions import RedisError
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

if TYPE_CHECKING:
    from rest_framework.views import APIView

PATIENCE = 0.5
"""Seconds to wait for Redis."""
LEFT_ALONE = 5
"""Seconds to do without it once it has not answered."""

log = logging.getLogger(__name__)


@cache
def counters() -> Redis:
    """Where requests are counted. Kept, for Django's cache makes a new client for every command."""
    return Redis.from_url(settings.REDIS_URL, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE)


class CallerThrottle(SimpleRateThrottle):
    """DRF's rates, counted in windows by the clock with one command a request. With Redis away, requests pass."""

    cache_format = "mexican-train:throttle:%(scope)s:%(ident)s"
    scope = "caller"
    num_requests: int
    duration: int
    passes_until: ClassVar[float] = 0

    def get_cache_key(self, request: Request, view: "APIView") -> str:
        token = "".join(request.META.get("HTTP_AUTHORIZATION", "").split()[-1:])  # however the header is spelt
        who = hashlib.sha256(token.encode(errors="replace")).hexdigest() if token else self.get_ident(request)
        return self.cache_format % {"scope": self.scope, "ident": who}

    def allow_request(self, request: Request, view: "APIView") -> bool:
        if self.rate is None or time.monotonic() < CallerThrottle.passes_until:
            return True
        window = int(self.timer() // self.duration)
        try:
            return self.count(f"{self.get_cache_key(request, view)}:{window}") <= self.num_requests
        except RedisError as error:
            CallerThrottle.passes_until = time.monotonic() + LEFT_ALONE
            log.warning("Redis does not answer, so nobody is throttled: %s", error)
            return True

    def count(self, key: str) -> int:
        """Count one more in this window, and how many that makes."""
        counted = int(counters().incr(key))
        if counted == 1:
            counters().expire(key, int(self.duration) + 1)
        return counted

    def wait(self) -> float:
        """Seconds until the next window."""
        return float(self.duration - self.timer() % self.duration)


class HintThrottle(CallerThrottle):
    """A hint may cost a bot's time to think, in the process that serves everybody."""

    scope = "hint"


class WebhookThrottle(CallerThrottle):
    """An address is looked up, and a test is sent to it: not as often as somebody might like who means it ill."""

    scope = "webhook"


class AddressThrottle(CallerThrottle):
    """The same by address alone: for what is asked before there is a token, or to guess one."""

    def get_cache_key(self, request: Request, view: "APIView") -> str:
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}


class GuestThrottle(AddressThrottle):
    scope = "guest"


class LoginThrottle(AddressThrottle):
    scope = "login"
