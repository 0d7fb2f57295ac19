"""Throttles: how often one caller may call. A caller is a token, or an address if there is none.

The player is not looked up. Anyone can get new tokens at no cost, so expensive calls also count for the address.
"""

import hashlib
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import TYPE_CHECKING

from django.http import HttpRequest
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from runtime import counts

AnyRequest = Request | HttpRequest
"""A request to the API, or to a page."""
OF_ONE_ADDRESS = 3
"""An address may make as many expensive calls as three callers, because a family or a club shares one address."""

LEASES = counts.Leases("nobody is throttled")
"""The reservations of this process."""

if TYPE_CHECKING:
    from rest_framework.views import APIView


class CallerThrottle(SimpleRateThrottle):
    """DRF's rates, counted in fixed windows of clock time. While Redis is away, all requests pass.

    A process reserves several requests of a large rate at a time, so that it does not ask Redis for each request.
    """

    cache_format = "mexican-train:throttle:%(scope)s:%(ident)s"
    scope = "caller"
    num_requests: int
    duration: int

    def get_cache_key(self, request: Request, view: "APIView | None") -> str:
        token = "".join(request.META.get("HTTP_AUTHORIZATION", "").split()[-1:])  # with or without a valid scheme
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
        """Return the number of the current window."""
        return int(self.timer() // self.duration)

    def counted(self, request: Request, view: "APIView | None") -> list[tuple[str, int]]:
        """Return the keys that this request counts for, each with its limit."""
        return [(self.get_cache_key(request, view), self.num_requests)]

    def is_within(self, key: str, most: int) -> bool:
        return LEASES.take(key, most, int(self.duration))

    def wait(self) -> float:
        """Return the seconds until the next window."""
        return float(self.duration - self.timer() % self.duration)


class ExpensiveThrottle(CallerThrottle):
    """Counts for the token and for the address. A caller who gets a new token does not start a new count."""

    def counted(self, request: Request, view: "APIView | None") -> list[tuple[str, int]]:
        address = self.cache_format % {"scope": f"{self.scope}-address", "ident": self.get_ident(request)}
        return [*super().counted(request, view), (address, OF_ONE_ADDRESS * self.num_requests)]


class HintThrottle(ExpensiveThrottle):
    """A bot may need computing time for a hint, in the process that serves all callers."""

    scope = "hint"


class CheckThrottle(ExpensiveThrottle):
    """To check a record, the server replays a whole match."""

    scope = "check"


class WebhookThrottle(ExpensiveThrottle):
    """A webhook makes the server send requests to an address, so an attacker must not cause many of them."""

    scope = "webhook"


class ExportThrottle(CallerThrottle):
    """An export reads everything that is stored about a player."""

    scope = "export"


class AddressThrottle(CallerThrottle):
    """Counts for the address only: for calls without a token, or with a guessed one."""

    def get_cache_key(self, request: Request, view: "APIView | None") -> str:
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}


class TableThrottle(AddressThrottle):
    """Tables stay for days, so an address may open a limited number of them, even with many guests."""

    scope = "table"


class GuestThrottle(AddressThrottle):
    scope = "guest"


def address_of(request: AnyRequest) -> str:
    """Return the caller's IPv4 address, or the network of its IPv6 address."""
    return AddressThrottle().get_ident(request)  # type: ignore[arg-type]  # it reads only ``META``


def count_bad_token(request: Request) -> None:
    """Count a request with an invalid token for its address, because anyone can invent tokens. Raises ``Throttled``."""
    throttle = AddressThrottle()
    if not throttle.allow_request(request, None):
        raise Throttled(throttle.wait())


def network_of(address: str) -> str:
    """Return an IPv4 address, or the /64 network of an IPv6 address, because its owner can use every address in it."""
    try:
        number = ip_address(address)
    except ValueError:
        return address
    if isinstance(number, IPv6Address) and number.ipv4_mapped:
        return str(number.ipv4_mapped)
    return str(IPv6Network((number, 64), strict=False)) if isinstance(number, IPv6Address) else str(number)
