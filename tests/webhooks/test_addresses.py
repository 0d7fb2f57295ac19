"""Which IP addresses are public, and how a name is looked up."""

import socket
import time
from collections.abc import Iterator
from threading import Event
from typing import Any

import pytest

from tests.cases import for_each
from tests.receiver import Receiver
from webhooks import addresses
from webhooks.addresses import NotPublic, Target, Unresolved, is_public, target_of

INSIDE = """
0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1 127.255.255.254
169.254.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1 192.168.0.1
198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 :: ::1
::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 64:ff9b::127.0.0.1
64:ff9b::10.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b:1::8.8.8.8 100::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2
2001:db8::1 2002:7f00:1:: 2002:0808:0808::1 3fff::1 4000::1 fc00::1 fd00:ec2::254 fe80::1 fec0::1 ff02::1
ff0e::1 fe80::1%eth0 127.1 localhost 1.2.3 8.8.8.8/32 nonsense
"""
OUTSIDE = """
1.1.1.1 8.8.8.8 93.184.216.34 100.63.255.255 100.128.0.0 172.15.255.255 172.32.0.0 192.0.1.1 192.169.0.1
223.255.255.254 2606:4700:4700::1111 2a00:1450:4001:81b::200e ::ffff:8.8.8.8 64:ff9b::8.8.8.8
"""


@for_each("address", INSIDE.split())
def test_addresses_outside_the_public_internet_are_refused(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", OUTSIDE.split())
def test_addresses_on_the_public_internet_are_accepted(address: str) -> None:
    assert is_public(address)


def test_the_target_has_the_addresses_of_the_look_up() -> None:
    asked: list[tuple[str, int]] = []

    def resolve(host: str, port: int) -> list[str]:
        asked.append((host, port))
        return ["93.184.216.34", "2606:4700::1", "93.184.216.34"]

    target = target_of("https://Example.org:8443/a/b?c=d", resolve)
    assert target == Target("example.org", 8443, "/a/b?c=d", ("93.184.216.34", "2606:4700::1"))
    assert target.authority == "example.org:8443"
    assert asked == [("example.org", 8443)]


def test_the_host_header_omits_the_default_port() -> None:
    assert target_of("https://example.org", lambda *_: ["1.1.1.1"]).authority == "example.org"
    assert target_of("https://[2606:4700::1]/", lambda *_: ["2606:4700::1"]).authority == "[2606:4700::1]"


@pytest.mark.parametrize("inside", ["127.0.0.1", "::1", "10.1.2.3"])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_name_with_one_private_address_is_refused(inside: str, place: int) -> None:
    found = ["1.1.1.1", "8.8.8.8"]
    found.insert(place, inside)
    with pytest.raises(NotPublic):
        target_of("https://example.org/", lambda *_: found)


def test_a_name_without_addresses_is_unresolved() -> None:
    with pytest.raises(Unresolved):
        target_of("https://example.org/", lambda *_: [])


def test_a_slow_look_up_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "PATIENCE", 0.0)
    begun = time.monotonic()
    with pytest.raises(Unresolved):
        target_of("https://no-such-name.invalid/")
    assert time.monotonic() - begun < 1


@pytest.fixture
def name_servers(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The system's look-ups: a name under ``hangs.example`` is not answered before the test is over.

    One under ``fails.example`` has no address.
    """
    over, asked = Event(), list[str]()

    def answer(host: str, port: int, **how: Any) -> list[Any]:
        asked.append(host)
        if host.endswith("hangs.example"):
            over.wait(20)
            raise socket.gaierror("too late")
        if host.endswith("fails.example"):
            raise socket.gaierror("no such name")
        return [(socket.AF_INET, socket.SOCK_STREAM, 0, "", ("1.1.1.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    monkeypatch.setattr(addresses, "LOOK_UPS", addresses.LookUps())
    yield asked
    over.set()


def test_a_look_up_that_hangs_delays_no_other_name(name_servers: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "PATIENCE", 0.0)
    for at in range(20):
        with pytest.raises(Unresolved):
            target_of(f"https://{at}.hangs.example/")
    monkeypatch.setattr(addresses, "PATIENCE", 10.0)
    assert target_of("https://good.example/").addresses == ("1.1.1.1",)


def test_a_look_up_that_hangs_is_not_started_twice(name_servers: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "PATIENCE", 0.0)
    for _ in range(5):
        with pytest.raises(Unresolved):
            target_of("https://hangs.example/")
    assert len(addresses.LOOK_UPS.running) == 1


def test_the_number_of_threads_for_look_ups_is_limited(
    name_servers: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "PATIENCE", 0.0)
    monkeypatch.setattr(addresses, "MOST_LOOK_UPS", 3)
    for at in range(5):
        with pytest.raises(Unresolved):
            target_of(f"https://{at}.hangs.example/")
    assert len(addresses.LOOK_UPS.running) == 3


def test_each_look_up_asks_again(name_servers: list[str]) -> None:
    for _ in range(2):
        target_of("https://good.example/")
    assert name_servers == ["good.example"] * 2
    assert addresses.LOOK_UPS.running == {}


def test_a_look_up_that_fails_is_over_at_once_and_may_succeed_later(
    name_servers: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "PATIENCE", 10.0)
    begun = time.monotonic()
    for _ in range(2):
        with pytest.raises(Unresolved):
            target_of("https://fails.example/")
    assert time.monotonic() - begun < 5
    assert name_servers == ["fails.example"] * 2
    assert addresses.LOOK_UPS.running == {}


def test_no_test_receiver_is_allowed_by_default(settings: Any) -> None:
    from config import settings as served

    assert served.WEBHOOK_TEST_RECEIVERS == []


def test_a_test_receiver_may_have_any_address(receiver: Receiver) -> None:
    assert set(target_of(receiver.url).addresses) <= {"127.0.0.1", "::1"}
