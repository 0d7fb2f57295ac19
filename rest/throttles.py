"""How often one caller may ask. A caller is a token, or an address without one; no lookup of the player is needed.

Tokens cost nothing, so what is dear is counted by address too.
"""

import hashlib
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import TYPE_CHECKING

from django.http import HttpRequest
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from rest import counts

AnyRequest = Request | HttpRequest
"""A request of the API, or of a page."""
OF_ONE_ADDRESS = 3
"""How many callers' worth of what is dear an address may ask for: a family or a club shares one."""

LEASES = counts.Leases("nobody is throttled")
"""This process's own."""

if TYPE_CHECKING:
    from rest_framework.views import APIView


class CallerThrottle(SimpleRateThrottle):
    """DRF's rates, counted in windows by the clock. With Redis away, requests pass.

    A process takes a handful of requests at a time from a large rate, so that Redis is not asked for each.
    """

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
        window = self.window()
        return all(self.is_within(f"{key}:{window}", most) for key, most in self.counted(request, view))

    def get_ident(self, request: Request) -> str:
        return network_of(str(super().get_ident(request) or ""))

    def window(self) -> int:
        """The number of the window that the clock is in."""
        return int(self.timer() // self.duration)

    def counted(self, request: Request, view: "APIView | None") -> list[tuple[str, int]]:
        """What this request counts for, and how many each of these may ask."""
        return [(self.get_cache_key(request, view), self.num_requests)]

    def is_within(self, key: str, most: int) -> bool:
        return LEASES.take(key, most, int(self.duration))

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


class ExportThrottle(CallerThrottle):
    """An export reads all that is kept about a player."""

    scope = "export"


class AddressThrottle(CallerThrottle):
    """The same by address alone: for what is asked before there is a token, or to guess one."""

    def get_cache_key(self, request: Request, view: "APIView | None") -> str:
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}


class TableThrottle(AddressThrottle):
    """Tables stay for days, so an address opens only so many of them, however many guests it makes."""

    scope = "table"


class GuestThrottle(AddressThrottle):
    scope = "guest"


def address_of(request: AnyRequest) -> str:
    """The caller's address, for IPv6 the network."""
    return AddressThrottle().get_ident(request)  # type: ignore[arg-type]  # it reads ``META`` alone


def count_bad_token(request: Request) -> None:
    """A made-up token is no caller of its own: it counts as a request of its address. Raises ``Throttled``."""
    throttle = AddressThrottle()
    if not throttle.allow_request(request, None):
        raise Throttled(throttle.wait())


def network_of(address: str) -> str:
    """An IPv4 address, or the network of an IPv6 address: its owner has as many of those as they like."""
    try:
        number = ip_address(address)
    except ValueError:
        return address
    if isinstance(number, IPv6Address) and number.ipv4_mapped:
        return str(number.ipv4_mapped)
    return str(IPv6Network((number, 64), strict=False)) if isinstance(number, IPv6Address) else str(number)
