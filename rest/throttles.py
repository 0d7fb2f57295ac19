"""How often one caller may ask. A caller is a token, or an address without one; no lookup of the player is needed."""

import hashlib
import logging
from typing import TYPE_CHECKING

from redis.exceptions import RedisError
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

if TYPE_CHECKING:
    from rest_framework.views import APIView

log = logging.getLogger(__name__)


class CallerThrottle(SimpleRateThrottle):
    """DRF's rate limit for one caller and scope; with the cache down, requests pass."""

    scope = "caller"

    def get_cache_key(self, request: Request, view: "APIView") -> str:
        token = request.META.get("HTTP_AUTHORIZATION", "")
        who = hashlib.sha256(token.encode(errors="replace")).hexdigest() if token else self.get_ident(request)
        return self.cache_format % {"scope": self.scope, "ident": who}

    def allow_request(self, request: Request, view: "APIView") -> bool:
        try:
            return super().allow_request(request, view)
        except RedisError as error:
            log.warning("The cache does not answer, so nobody is throttled: %s", error)
            return True


class AddressThrottle(CallerThrottle):
    """The same by address alone: for what is asked before there is a token, or to guess one."""

    def get_cache_key(self, request: Request, view: "APIView") -> str:
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}


class GuestThrottle(AddressThrottle):
    scope = "guest"


class LoginThrottle(AddressThrottle):
    scope = "login"
