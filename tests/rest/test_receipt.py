"""When a request was received, according to the kernel or a trusted proxy's header, and never according to a client."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from time import monotonic, sleep
from typing import Any

import pytest
import time_machine
from django.test import RequestFactory
from django.utils import timezone

from rest.receipt import LONGEST, received_at, since_arrival

TOLD = "X-Request-Start"
SOON = timedelta(seconds=2)


@contextmanager
def connected() -> Iterator[tuple[socket.socket, socket.socket]]:
    """A client's end of a connection, and the server's."""
    with socket.create_server(("127.0.0.1", 0)) as listener, socket.create_connection(listener.getsockname()) as client:
        server, _ = listener.accept()
        with server:
            yield client, server


def request(**headers: str) -> Any:
    return RequestFactory().post("/api/v1/tables", headers=headers)


@pytest.fixture
def trusted(settings: Any) -> None:
    settings.REQUEST_START_HEADER = TOLD


def test_without_a_connection_it_is_the_current_time() -> None:
    with time_machine.travel(timezone.now(), tick=False):
        assert received_at(request()) == timezone.now()


@pytest.mark.skipif(not hasattr(socket, "TCP_INFO"), reason="This system does not tell.")
def test_the_time_that_a_request_waited_to_be_read_is_not_counted() -> None:
    with connected() as (client, server):
        client.sendall(b"POST")
        sent = monotonic()
        sleep(0.2)
        assert timedelta(seconds=0.1) < since_arrival(server) <= timedelta(seconds=monotonic() - sent + 0.1)
        server.recv(4)
        asked = request()
        asked.META["gunicorn.socket"] = server
        assert received_at(asked) < timezone.now() - timedelta(seconds=0.1)


@pytest.mark.skipif(not hasattr(socket, "TCP_INFO"), reason="This system does not tell.")
def test_the_last_byte_counts() -> None:
    with connected() as (client, server):
        client.sendall(b"PO")
        sleep(0.2)
        client.sendall(b"ST")
        before = monotonic()
        assert server.recv(4, socket.MSG_WAITALL) == b"POST"
        assert since_arrival(server) <= timedelta(seconds=monotonic() - before + 0.1)


def test_a_unix_socket_or_a_closed_connection_gives_no_time() -> None:
    one, other = socket.socketpair()
    with one, other:
        one.sendall(b"POST")
        assert since_arrival(other) == timedelta()
    with connected() as (_, server):
        server.close()
        assert since_arrival(server) == timedelta()


@pytest.mark.parametrize("form", ["{}", "t={}"])
def test_a_trusted_proxy_is_believed(trusted: None, form: str) -> None:
    with time_machine.travel(timezone.now(), tick=False):
        then = timezone.now() - SOON
        asked = received_at(request(**{TOLD: form.format(then.timestamp())}))
        assert abs(asked - then) < timedelta(milliseconds=1)


def test_a_header_is_ignored_without_the_setting(settings: Any) -> None:
    with time_machine.travel(timezone.now(), tick=False):
        then = timezone.now() - SOON
        for header in ("", "X-Queue-Start"):
            settings.REQUEST_START_HEADER = header
            assert received_at(request(**{TOLD: str(then.timestamp())})) == timezone.now()


@pytest.mark.parametrize("told", ["", "x", "nan", "inf", "1e400", "-1", "1700000000123", "t=", "9" * 400])
def test_an_invalid_header_is_ignored(trusted: None, told: str) -> None:
    with time_machine.travel(timezone.now(), tick=False):
        assert received_at(request(**{TOLD: told})) == timezone.now()


@pytest.mark.parametrize("off", [SOON, -LONGEST])
def test_a_time_that_cannot_be_right_is_ignored(trusted: None, off: timedelta) -> None:
    with time_machine.travel(timezone.now(), tick=False):
        assert received_at(request(**{TOLD: str((timezone.now() + off).timestamp())})) == timezone.now()
