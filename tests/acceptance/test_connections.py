"""Connections that are reused, and how much of the server one caller can occupy."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from rest.bodies import MOST_ANYWHERE, MOST_BYTES
from tests.acceptance.server import Client, Server
from tests.rules.test_record_format import BY_HAND


@pytest.fixture
def connection(server: Server) -> Iterator[HTTPConnection]:
    connection = HTTPConnection(urlsplit(server.url).netloc, timeout=30)
    yield connection
    connection.close()


def ask(connection: HTTPConnection, path: str, body: bytes = b"", **headers: str) -> tuple[int, str]:
    """The status, and whether the answer keeps the connection open.

    A server that refuses a body need not read it to its end; its answer has arrived then.
    """
    headers = {"Content-Type": "application/json", **headers}
    with suppress(BrokenPipeError, ConnectionResetError):
        connection.request("POST", f"/api/v1/{path}", body, headers)
    answer = connection.getresponse()
    answer.read()
    return answer.status, answer.getheader("Connection", "")


@pytest.mark.parametrize("size", [MOST_BYTES + 1, 2 * MOST_BYTES, MOST_ANYWHERE + 1])
def test_refusing_a_body_unread_closes_the_connection_and_says_so(connection: HTTPConnection, size: int) -> None:
    assert ask(connection, "rules/check", b" " * size) == (413, "close")
    assert connection.sock is None
    assert ask(connection, "rules/check", b"{}") == (200, "keep-alive")


def test_refusing_a_chunked_body_closes_the_connection_and_says_so(connection: HTTPConnection) -> None:
    """Only what the server reads is sent: with more on its way when the server closes, its answer might be lost."""
    connection.putrequest("POST", "/api/v1/rules/check")
    connection.putheader("Content-Type", "application/json")
    connection.putheader("Transfer-Encoding", "chunked")
    read = MOST_ANYWHERE + 1024  # gunicorn reads so many bytes at a time
    connection.endheaders(b"%x\r\n%s" % (read, b" " * read))
    answer = connection.getresponse()
    answer.read()
    assert (answer.status, answer.getheader("Connection")) == (413, "close")
    assert ask(connection, "rules/check", b"{}") == (200, "keep-alive")


@pytest.mark.parametrize(
    ("path", "kind", "status"),
    [("nowhere", "application/json", 404), ("tables", "application/json", 401), ("rules/check", "text/html", 415)],
)
def test_any_other_refusal_keeps_the_connection(connection: HTTPConnection, path: str, kind: str, status: int) -> None:
    for size in (1, MOST_BYTES - 1):
        headers = {"Content-Type": kind, "Authorization": "Bearer x" if status == 401 else ""}
        assert ask(connection, path, b" " * size, **{k: v for k, v in headers.items() if v}) == (status, "keep-alive")
        first = connection.sock
        assert ask(connection, "rules/check", b"{}") == (200, "keep-alive")
        assert connection.sock is first


def test_a_long_record_is_read_completely(connection: HTTPConnection) -> None:
    for body in (BY_HAND.encode(), BY_HAND.ljust(MOST_ANYWHERE).encode()):
        assert ask(connection, "records/check", body, **{"Content-Type": "text/plain"})[0] == 200


def test_clients_that_do_not_close_do_not_block_others(server: Server) -> None:
    """gunicorn would wait two seconds for each of them before it answers the next."""
    address = (urlsplit(server.url).hostname, urlsplit(server.url).port)
    with ExitStack() as clients:
        opened = [clients.enter_context(socket.create_connection(address, timeout=30)) for _ in range(25)]
        for each in opened:
            each.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        for each in reversed(opened):  # the last would wait longer than its patience
            assert each.recv(12) == b"HTTP/1.1 200"


def test_slow_senders_do_not_block_other_requests(server: Server, alice: Client) -> None:
    """More of them than the server has connections to its database."""
    table = alice.open_and_start(seats=2, bots=[{"seat": 1, "level": "easy"}])
    senders = [HTTPConnection(urlsplit(server.url).netloc, timeout=30) for _ in range(20)]
    for sender in senders:
        sender.putrequest("POST", "/api/v1/tables")
        sender.putheader("Authorization", str(alice.session.headers["Authorization"]))
        sender.putheader("Content-Type", "application/json")
        sender.putheader("Content-Length", "2")
        sender.endheaders(b"{")
    try:
        for _ in range(50):
            assert alice.call("GET", f"tables/{table}").status_code == 200
        for sender in senders:
            sender.send(b"}")
            assert sender.getresponse().status == 201
    finally:
        for sender in senders:
            sender.close()
