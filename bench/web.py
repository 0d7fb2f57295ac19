"""A real web server as a child process, and the CPU that it has used."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from types import MappingProxyType

import psutil

from bench.wire import HOST, Connection, request

PATIENCE = 30
BACKLOG = 1024
OURS = "config.wsgi:application"
BARE = "bench.bare:application"
GUNICORN = ("-m", "gunicorn", "--keep-alive", "120", "--no-control-socket")  # and gunicorn.conf.py


@dataclass(frozen=True)
class Web:
    port: int
    process: psutil.Process

    def cpu_seconds(self) -> float:
        """User and system seconds of the server and its workers so far."""
        times = [each.cpu_times() for each in (self.process, *self.process.children(recursive=True))]
        return sum(each.user + each.system for each in times)


@contextmanager
def serving(
    application: str,
    workers: int = 1,
    threads: int | None = 4,
    listening: socket.socket | None = None,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Web]:
    """While this is open, the server answers on loopback.

    It inherits the listening socket, so no free port is guessed. Without ``threads`` it has as many as
    ``gunicorn.conf.py`` says. A socket that is given stays open.
    """
    with ExitStack() as stack:
        listening = listening or stack.enter_context(socket.create_server((HOST, 0), backlog=BACKLOG))
        command = [sys.executable, *GUNICORN, "--workers", str(workers)]
        command += [] if threads is None else ["--threads", str(threads)]
        command += ["--log-level", "warning", "--bind", f"fd://{listening.fileno()}", application]
        # As in the image, a start does not compile the code again.
        inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        process = subprocess.Popen(command, pass_fds=[listening.fileno()], env={**inherited, **environment})
        try:
            port: int = listening.getsockname()[1]
            wait_for(port, process)
            yield Web(port, psutil.Process(process.pid))
        finally:
            process.terminate()
            process.wait(PATIENCE)


def wait_for(port: int, process: "subprocess.Popen[bytes]") -> None:
    """Wait for any answer.

    A connection alone proves nothing, because the socket has accepted them from the beginning.
    """
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < deadline:
        try:
            with Connection(port) as connection:
                connection.ask(request("GET", "/healthz", "none"))
                return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("The web server did not start.")
