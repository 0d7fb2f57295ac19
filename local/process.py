"""Runs one server as a child process: starts it in its own session, records it, waits for it, and stops it."""

import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from local import records
from local.account import Identity
from local.errors import LocalError
from local.place import Place

START_DEADLINE = 60
STOP_DEADLINE = 8
GLANCE = 0.02

Server = subprocess.Popen[bytes]


@contextmanager
def running(
    place: Place,
    name: str,
    command: Sequence[str],
    *,
    identity: Identity,
    is_ready: Callable[[Server], bool],
    complain: Callable[[str], str],
) -> Iterator[None]:
    """Run a server inside this context, in which it is ready. If it cannot start, raise a ``LocalError``.

    ``complain`` makes the message of that error from the server's output.
    """
    log = place.log(name)
    size_before = log.stat().st_size if log.exists() else 0
    server = start(place, name, command, identity)
    try:
        if not becomes_ready(server, is_ready):
            said = log.read_bytes()[size_before:].decode(errors="replace")
            raise LocalError(f"{complain(said)} Its log is {log}.")
        yield
    finally:
        stop(server, records.STOP_SIGNALS.get(name, signal.SIGTERM))
        records.erase(place.run, name)


def start(place: Place, name: str, command: Sequence[str], identity: Identity) -> Server:
    """Start and record the server. It gets its own session, so that a Ctrl-C in the terminal does not reach it."""
    with place.log(name).open("ab") as output:
        server = subprocess.Popen(
            command,
            cwd=place.data(name),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            **identity,
        )
    records.write(place.run, name, server.pid)
    return server


def becomes_ready(server: Server, is_ready: Callable[[Server], bool]) -> bool:
    deadline = time.monotonic() + START_DEADLINE
    while server.poll() is None and time.monotonic() < deadline:
        if is_ready(server):
            return True
        time.sleep(GLANCE)
    return False


def stop(server: Server, stop_signal: int) -> None:
    server.send_signal(stop_signal)
    try:
        server.wait(STOP_DEADLINE)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
