"""A player's own https server: it stores the messages, and answers as the test says."""

import json
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import trustme
from standardwebhooks import Webhook as Verifier

Answering = Callable[[BaseHTTPRequestHandler], None]


@dataclass(frozen=True)
class Told:
    """One request as it arrived."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def message(self) -> dict[str, Any]:
        said: dict[str, Any] = json.loads(self.body)
        return said

    def verified(self, secret: str) -> dict[str, Any]:
        """The message, if it is signed with this secret, as any receiver would find out."""
        said: dict[str, Any] = Verifier(secret).verify(self.body, self.headers)
        return said


def status(code: int, **headers: str) -> Answering:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(code)
        for name, value in headers.items():
            request.send_header(name, value)
        request.send_header("Content-Length", "2")
        request.end_headers()
        request.wfile.write(b"ok")

    return answer


@dataclass
class Receiver:
    """``answers`` are used up one by one; then every request is answered 204."""

    authority: Path
    port: int
    told: list[Told] = field(default_factory=list)
    answers: list[Answering] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)

    @property
    def host(self) -> str:
        return f"localhost:{self.port}"

    @property
    def url(self) -> str:
        return f"https://{self.host}/turns?of=alice"

    def keep(self, request: BaseHTTPRequestHandler) -> None:
        body = request.rfile.read(int(request.headers.get("Content-Length", 0)))
        self.told.append(Told(request.path, {name.lower(): value for name, value in request.headers.items()}, body))
        answer = self.answers.pop(0) if self.answers else status(204)
        answer(request)


@contextmanager
def receiving(folder: Path, name: str = "localhost") -> Iterator[Receiver]:
    """A receiver on this machine, whose certificate an authority of its own has signed for this name."""
    authority = trustme.CA()
    path = folder / "authority.pem"
    authority.cert_pem.write_to_path(str(path))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name).configure_cert(context)

    class Handler(BaseHTTPRequestHandler):
        timeout = 10  # for a client that connects and says nothing: leaving the server waits for all threads

        def do_POST(self) -> None:
            receiver.keep(self)

        def log_message(self, *args: Any) -> None:
            """Says nothing."""

    class Quiet(ThreadingHTTPServer):
        daemon_threads = False

        def handle_error(self, *args: Any) -> None:
            """A connection closed by the sender is not an error of the receiver."""

    with Quiet(("127.0.0.1", 0), Handler) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        receiver = Receiver(path, server.server_address[1])
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield receiver
        finally:
            receiver.ended.set()
            server.shutdown()
            thread.join()
