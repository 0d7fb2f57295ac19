"""Where a webhook may lead: to https on the public internet, and nowhere inside.

A name is looked up once and connected to as looked up: one that means something else a moment later leads nowhere
else. All that it means has to be public, not only what is tried first.
"""

import socket
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils.translation import gettext

HTTPS = 443
FIRST_FREE_PORT = 1024
"""Below it other services than the web have their ports."""
PATIENCE = 2.0
"""Seconds for a look-up."""
Resolve = Callable[[str, int], Sequence[str]]

GLOBAL_UNICAST = ip_network("2000::/3")
NAT64 = IPv6Network("64:ff9b::/96")
TUNNELS = (ip_network("2001::/23"), ip_network("2002::/16"))
"""Teredo and its neighbours, and 6to4: where these end is written inside them."""
SPECIAL = (ip_network("192.0.0.0/24"), ip_network("192.88.99.0/24"), ip_network("3fff::/20"))
"""What ``ipaddress`` of some of our Pythons takes for public."""


class BadAddress(Exception):
    """This address cannot be told anything."""

    code = "bad_address"

    def __init__(self) -> None:
        super().__init__(gettext(str(type(self).__doc__)))


class UnreadableAddress(BadAddress):
    """Write an address as https://host/path, in ASCII, without a user, a password or a fragment."""


class NotHttps(BadAddress):
    """A webhook's address begins with https://."""

    code = "not_https"


class WrongPort(BadAddress):
    """A webhook's port is 443, or 1024 and above."""

    code = "wrong_port"


class Unresolved(BadAddress):
    """This name leads to no address, or its name servers take too long to tell."""

    code = "unresolved"


class NotPublic(BadAddress):
    """This name leads to an address that is not on the public internet."""

    code = "not_public"


@dataclass(frozen=True, slots=True)
class Target:
    """Where to connect, and what to ask for there."""

    host: str
    port: int
    path: str
    addresses: tuple[str, ...]

    @property
    def authority(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == HTTPS else f"{host}:{self.port}"


lookups = ThreadPoolExecutor(8, "look-up")
"""Threads, because a look-up cannot be told when to give up."""


def look_up(host: str, port: int) -> list[str]:
    """Every address of a name. Raises ``OSError``."""
    asked = lookups.submit(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    try:
        return [str(found[4][0]) for found in asked.result(PATIENCE)]
    finally:
        asked.cancel()  # one that had not even begun is not made for nobody


def target_of(url: str, resolve: Resolve = look_up) -> Target:
    """Look an address up, and make sure that it may be told. Raises ``BadAddress`` in one of its kinds."""
    parts = split(url)
    host, port = parts.hostname or "", port_of(parts)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    is_test = f"{host}:{port}" in settings.WEBHOOK_TEST_RECEIVERS
    if not is_test and port != HTTPS and port < FIRST_FREE_PORT:
        raise WrongPort
    try:
        addresses = tuple(dict.fromkeys(resolve(host, port)))
    except (OSError, TimeoutError, UnicodeError) as unknown:
        raise Unresolved from unknown
    if not addresses:
        raise Unresolved
    if not is_test and not all(map(is_public, addresses)):
        raise NotPublic
    return Target(host, port, path, addresses)


def split(url: str) -> SplitResult:
    if not all("!" <= letter <= "~" for letter in url) or "\\" in url:
        raise UnreadableAddress
    try:
        parts = urlsplit(url)
    except ValueError as unreadable:
        raise UnreadableAddress from unreadable
    if parts.scheme != "https":
        raise NotHttps
    if not parts.hostname or "@" in parts.netloc or "#" in url or "%" in parts.netloc:
        raise UnreadableAddress
    return parts


def port_of(parts: SplitResult) -> int:
    try:
        port = parts.port
    except ValueError as unreadable:
        raise UnreadableAddress from unreadable
    return HTTPS if port is None else port


def is_public(text: str) -> bool:
    """Whether this is one machine on the public internet, as far as the number tells."""
    try:
        address = ip_address(text)
    except ValueError:
        return False
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or behind_nat64(address) or address
    if isinstance(address, IPv6Address) and (address not in GLOBAL_UNICAST or in_any(address, TUNNELS)):
        return False
    return address.is_global and not address.is_multicast and not in_any(address, SPECIAL)


def behind_nat64(address: IPv6Address) -> IPv4Address | None:
    """The old address that a translator would connect to."""
    return IPv4Address(int(address) & 0xFFFFFFFF) if address in NAT64 else None


def in_any(address: IPv4Address | IPv6Address, networks: Sequence[IPv4Network | IPv6Network]) -> bool:
    return any(address in network for network in networks)
