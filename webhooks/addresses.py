"""Validation of webhook URLs: https on the public internet only, never an internal network.

A name is resolved once for each message, and the connection uses the resolved address. So a name that resolves to
another address a moment later has no effect. All addresses of a name must be public, not only the first.
"""

import re
import socket
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from threading import Lock, Thread
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils.translation import gettext_noop as N_

from rest.problems import Invalid

HTTPS = 443
FIRST_FREE_PORT = 1024
"""Ports below it, other than 443, belong to other services than the web."""
PATIENCE = 2.0
"""Seconds for a look-up."""
MOST_LOOK_UPS = 256
"""More than can hang at once: eight threads wait 2 seconds each, and the system gives up after about 30 seconds."""
Resolve = Callable[[str, int], Sequence[str]]

GLOBAL_UNICAST = ip_network("2000::/3")
NAT64 = IPv6Network("64:ff9b::/96")
TUNNELS = (ip_network("2001::/23"), ip_network("2002::/16"))
"""Teredo and other special ranges, and 6to4: these addresses contain the IPv4 address that the packets go to."""
SPECIAL = (ip_network("192.0.0.0/24"), ip_network("192.88.99.0/24"), ip_network("3fff::/20"))
"""Ranges that are not public, but that ``ipaddress`` calls public in some of our Python versions."""

NAME = re.compile(r"([a-z0-9_-]{1,63}\.)+[a-z0-9-]{2,63}\.?", re.IGNORECASE)
INSIDE = ("localhost", "local", "internal")
"""Top-level names that do not exist on the public internet."""


class BadAddress(Invalid):
    detail = N_("This address cannot receive messages.")
    field, field_code = "url", "bad_address"


class UnreadableAddress(BadAddress):
    detail = N_("Write an address as https://host/path, in ASCII, without a user, a password or a fragment.")


class NotHttps(BadAddress):
    detail = N_("The address of a webhook must begin with https://.")
    field_code = "not_https"


class WrongPort(BadAddress):
    detail = N_("The port of a webhook must be 443, or 1024 or higher.")
    field_code = "wrong_port"


class Unresolved(BadAddress):
    detail = N_("This host name has no address, or its name servers take too long to answer.")
    field_code = "unresolved"


class NotPublic(BadAddress):
    detail = N_("This host name has an address outside the public internet.")
    field_code = "not_public"


@dataclass(frozen=True, slots=True)
class Target:
    """Host, port and path of a URL. ``addresses`` are the host's resolved IP addresses, once they are known."""

    host: str
    port: int
    path: str
    addresses: tuple[str, ...] = ()

    @property
    def is_test(self) -> bool:
        return f"{self.host}:{self.port}" in settings.WEBHOOK_TEST_RECEIVERS

    @property
    def authority(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == HTTPS else f"{host}:{self.port}"


class LookUps:
    """DNS look-ups. Each runs in its own thread, because the system's look-up has no time-out.

    A look-up that hangs delays no other name. It is not started a second time while it hangs.
    """

    def __init__(self) -> None:
        self.running: dict[tuple[str, int], Future[list[str]]] = {}
        self.lock = Lock()

    def ask(self, host: str, port: int) -> "Future[list[str]]":
        """Return the running look-up of a name, or start one. Raises ``OSError`` if too many are running."""
        with self.lock:
            asked = self.running.get((host, port))
            if asked is None:
                if len(self.running) >= MOST_LOOK_UPS:
                    raise OSError(f"{MOST_LOOK_UPS} look-ups hang")
                asked = self.running[host, port] = Future()
                Thread(target=self.run, args=(host, port, asked), name=f"look-up of {host}", daemon=True).start()
        return asked

    def run(self, host: str, port: int, asked: "Future[list[str]]") -> None:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            addresses = [str(each[4][0]) for each in found]
        except Exception as failure:  # noqa: BLE001 - ``result`` raises it again in the waiting thread
            self.end(host, port)
            asked.set_exception(failure)
        else:
            self.end(host, port)
            asked.set_result(addresses)

    def end(self, host: str, port: int) -> None:
        """Remove a look-up. Call it before the result is set, so that a later ``ask`` starts a new look-up."""
        with self.lock:
            del self.running[host, port]


LOOK_UPS = LookUps()


def look_up(host: str, port: int) -> list[str]:
    """Return every address of a name. Raises ``OSError``, ``TimeoutError`` or ``UnicodeError``."""
    return LOOK_UPS.ask(host, port).result(PATIENCE)


def target_of(url: str, resolve: Resolve = look_up) -> Target:
    """Resolve a URL's host, and check that all its addresses are public. Raises a subclass of ``BadAddress``."""
    target = read(url)
    try:
        addresses = tuple(dict.fromkeys(resolve(target.host, target.port)))
    except (OSError, TimeoutError, UnicodeError) as unknown:
        raise Unresolved from unknown
    if not addresses:
        raise Unresolved
    if not target.is_test and not all(map(is_public, addresses)):
        raise NotPublic
    return replace(target, addresses=addresses)


def must_be_fit(url: str) -> None:
    """Check a URL as far as possible without a DNS look-up. Raises ``BadAddress``."""
    target = read(url)
    if target.is_test:
        return
    try:
        numbers = look_up_number(target.host, target.port)
    except (OSError, UnicodeError):
        must_be_name(target.host)
    else:
        if not all(map(is_public, numbers)):
            raise NotPublic


def look_up_number(host: str, port: int) -> list[str]:
    """Return the address of a host that is written as a number, in any notation. Raises ``OSError`` for a name."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    return [str(each[4][0]) for each in found]


def must_be_name(host: str) -> None:
    if host.rstrip(".").rpartition(".")[2].lower() in INSIDE:
        raise NotPublic
    if not NAME.fullmatch(host):
        raise Unresolved


def place_of(url: str) -> tuple[str, int, str]:
    """Return host, port and path of a URL, to compare URLs that are spelt differently. Raises ``BadAddress``."""
    target = read(url)
    return target.host.rstrip("."), target.port, target.path


def read(url: str) -> Target:
    """Parse a URL without resolving its host. Raises ``BadAddress``."""
    parts = split(url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    target = Target(parts.hostname or "", port_of(parts), path)
    if not target.is_test and target.port != HTTPS and target.port < FIRST_FREE_PORT:
        raise WrongPort
    return target


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
    """Whether this IP address is a public unicast address."""
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
    """Return the IPv4 address that a NAT64 gateway connects to for this address; ``None`` for other addresses."""
    return IPv4Address(int(address) & 0xFFFFFFFF) if address in NAT64 else None


def in_any(address: IPv4Address | IPv6Address, networks: Sequence[IPv4Network | IPv6Network]) -> bool:
    return any(address in network for network in networks)
