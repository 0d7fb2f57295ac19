"""A server on loopback that sends scripted answers byte by byte, and stores the requests."""

import json
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

Piece = bytes | float
"""Bytes to send, or seconds to wait before the next."""
LOST: list[Piece] = []
"""The connection breaks before a byte of the answer."""


@dataclass(frozen=True)
class Asked:
    method: str
    path: str
    headers: dict[str, str]
    body: Any


class Scripted(ThreadingHTTPServer):
    """Answers its script in order; what is asked beyond it breaks the connection.

    ``lost`` counts what could not be told, for whoever had asked was gone; when a client goes is its own business.
    """

    daemon_threads = False
    block_on_close = True

    def __init__(self, script: list[list[Piece]]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script = list(script)
        self.asked: list[Asked] = []
        self.lost = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Scripted

    def answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.asked.append(Asked(self.command, self.path, headers, json.loads(body) if body else None))
        self.close_connection = True
        pieces = self.server.script.pop(0) if self.server.script else LOST
        if not pieces:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        for piece in pieces:
            self.tell(piece)

    def tell(self, piece: Piece) -> None:
        if isinstance(piece, float):
            time.sleep(piece)
            return
        try:
            self.wfile.write(piece)
        except OSError:
            self.server.lost += 1

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer  # noqa: N815  # what http.server looks for

    def log_message(self, format: str, *args: Any) -> None:
        """Quietly."""


@contextmanager
def scripted(*script: list[Piece]) -> Iterator[Scripted]:
    with Scripted(list(script)) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def head(status: int, **headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status} Said", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode()


def reply(status: int, body: Any = None, **headers: str) -> list[Piece]:
    content = b"" if body is None else json.dumps(body).encode()
    return [head(status, Content_Length=str(len(content)), Content_Type="application/json", **headers) + content]


def refuse(status: int, code: str, **headers: str) -> list[Piece]:
    return reply(status, {"type": "x", "title": "x", "status": status, "detail": "No.", "code": code}, **headers)


def chunk(text: str | bytes) -> bytes:
    content = text.encode() if isinstance(text, str) else text
    return b"%x\r\n%s\r\n" % (len(content), content)


def stream(*pieces: str | bytes | float, is_cut: bool = False) -> list[Piece]:
    """Server-sent events, each piece a chunk of its own; one that is cut breaks in the middle of a chunk."""
    opening = head(200, Content_Type="text/event-stream; charset=utf-8", Transfer_Encoding="chunked")
    sent = [piece if isinstance(piece, float) else chunk(piece) for piece in pieces]
    return [opening, *sent, b"ff\r\nid: 99" if is_cut else b"0\r\n\r\n"]
