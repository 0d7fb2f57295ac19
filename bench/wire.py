"""HTTP over one persistent connection. It takes little time of its own, so that the server's time is measured."""

import json
import socket
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self

HOST = "127.0.0.1"


def request(method: str, path: str, token: str, body: object = None, headers: str = "") -> bytes:
    """The bytes of a request. ``headers`` are further lines, each with its line end."""
    content = b"" if body is None else json.dumps(body).encode()
    length = f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n" if content else ""
    head = f"{method} {path} HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {token}\r\n{length}{headers}\r\n"
    return head.encode() + content


class Connection:
    """One persistent connection."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection((HOST, port), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.socket.close()

    def ask(self, request: bytes) -> tuple[int, bytes, bytes]:
        """Status, headers and body of the answer."""
        self.socket.sendall(request)
        received = self.socket.recv(65536)
        while b"\r\n\r\n" not in received:
            received += self.more()
        head, _, body = received.partition(b"\r\n\r\n")
        missing = content_length(head) - len(body)
        while missing > 0:
            body += self.more()
            missing = content_length(head) - len(body)
        return int(head[9:12]), head, body

    def more(self) -> bytes:
        received = self.socket.recv(65536)
        if not received:
            raise ConnectionError("The server has closed the connection.")
        return received

    def ask_all(self, requests: Iterable[bytes], expected: int) -> list[float]:
        """The seconds of each request. Every answer must have the expected status."""
        times = []
        for each in requests:
            began = time.perf_counter()
            status, _, body = self.ask(each)
            times.append(time.perf_counter() - began)
            assert status == expected, f"{status} {body.decode()[:300]}"
        return times


def content_length(head: bytes) -> int:
    lower = head.lower()
    at = lower.find(b"content-length:")
    return 0 if at < 0 else int(lower[at + 15 :].partition(b"\r\n")[0])


def rate(port: int, batches: Sequence[Sequence[bytes]], expected: int) -> float:
    """Answers a second, with one connection for each batch, all at once."""
    connections = [Connection(port) for _ in batches]
    with ThreadPoolExecutor(len(batches)) as crowd:
        began = time.perf_counter()
        asked = [crowd.submit(each.ask_all, batch, expected) for each, batch in zip(connections, batches, strict=True)]
        answered = sum(len(each.result()) for each in asked)
        duration = time.perf_counter() - began
    for each in connections:
        each.socket.close()
    return answered / duration
