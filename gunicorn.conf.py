"""The settings of the web server, which gunicorn reads by itself.

It runs threads, because a request mostly waits: a moment for the database, or a minute for a table to change. A waiting
request keeps its thread and nothing else; the connections to the database are for requests that work. docs/waiting.md
has the figures.
"""

import fcntl
import json
import logging
import os
import resource
import shutil
import signal
import socket
import struct
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from gunicorn import util

from config.environment import environment

worker_class = "config.worker.Worker"
workers = 2
preload_app = True  # the program is loaded once, and not by each worker, so a new server answers sooner
threads = environment.WATCHERS + 64  # made when they are needed
worker_connections = 2 * threads
keepalive = 30
limit_request_line = 8190  # the most that gunicorn allows; it refuses longer ones itself
graceful_timeout = 3
control_socket_disable = True
os.environ["SHARE_CONNECTIONS"] = "yes"

# Each connection is an open file, and many systems allow 1,024 by default.
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

# The folder in which the processes count their requests, so that each can answer ``/metrics`` for all. It is set before
# they start, and a SIGHUP, after which this file is read again, does not change it.
COUNTED_IN = "PROMETHEUS_MULTIPROC_DIR"
OURS = "mexican-train-counts-"


def lock(folder: Path) -> int | None:
    """Lock a folder, and return the open descriptor that holds the lock; ``None`` if another server has it.

    The workers inherit the descriptor. When a server and its workers have ended, however they ended, the lock ends.
    """
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:  # deleted meanwhile, or of another user
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def delete_leftovers() -> None:
    """Delete the folders of servers that were killed, which nobody locks any more."""
    for folder in Path(tempfile.gettempdir()).glob(f"{OURS}*"):
        descriptor = lock(folder)
        if descriptor is not None:
            shutil.rmtree(folder, ignore_errors=True)
            os.close(descriptor)


def make_locked_folder() -> str:
    """Make a folder and lock it. If another server takes it for a leftover just before, make another one."""
    folder = Path(tempfile.mkdtemp(prefix=OURS))
    while lock(folder) is None or not folder.exists():
        folder = Path(tempfile.mkdtemp(prefix=OURS))
    return str(folder)


if not environment.PROMETHEUS_MULTIPROC_DIR:
    delete_leftovers()
    os.environ[COUNTED_IN] = make_locked_folder()


LONG_BODY = 64 * 1024
"""If a request is refused before its body is read, gunicorn reads and drops the rest, up to so many bytes."""


def pre_request(worker: Any, request: Any) -> None:
    """Close the connection after a long body, and say so in the answer.

    If a request is refused before its body is read, gunicorn closes the connection, but does not say so in the answer.
    Then a client would lose its next request. ``force_close`` adds the header; this is the only hook that can call it.
    """
    if outages := sys.modules.get("tables.outages"):
        outages.WATCH.keep()  # starts its thread again if that has ended
    headers = dict(request.headers)
    if "TRANSFER-ENCODING" in headers or int(headers.get("CONTENT-LENGTH", 0)) >= LONG_BODY:
        request.force_close()


LONGEST_SILENCE = 10
"""Seconds for which a thread waits for the next part of a request, as long as the proxy of the compose file does."""


def pre_fork(server: Any, worker: Any) -> None:
    """Limit the wait for each part of a request; gunicorn itself would keep a thread for as long as the sender likes.

    Accepted connections inherit the limit. Idle connections wait elsewhere, for ``keepalive`` seconds.
    """
    for listener in server.LISTENERS:
        listener.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", LONGEST_SILENCE, 0))


def is_worth_logging(record: logging.LogRecord) -> bool:
    """Whether gunicorn's log gets this record. A sender that fell silent is no error, and would add a traceback."""
    return not (record.exc_info and isinstance(record.exc_info[1], BlockingIOError))


logging.getLogger("gunicorn.error").addFilter(is_worth_logging)

FIRST_BEAT = 2
"""Seconds that a new worker waits for its first beat; while the database is away it starts without one."""


def end_with_parent(worker: Any) -> None:
    """End a worker whose master has died, as the master would: with SIGTERM, and by force after the grace period.

    If the master is killed, gunicorn's own loop ends, but the process lives on as long as a stream does. It would keep
    connections that nothing reads any more.
    """
    while os.getppid() == worker.ppid:
        time.sleep(ORPHAN_CHECK)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(graceful_timeout + ORPHAN_CHECK)
    os._exit(1)


ORPHAN_CHECK = 0.25
"""Seconds between two checks whether the master is still there."""


def post_worker_init(worker: Any) -> None:
    """Start the thread that records each second that this worker accepts moves. It ends with the worker."""
    if outages := sys.modules.get("tables.outages"):
        outages.WATCH.is_closing = lambda: not worker.alive
        outages.WATCH.keep()
        outages.WATCH.await_first(FIRST_BEAT)
    if watching := sys.modules.get("tables.watching"):
        watching.TOWER.is_closing = lambda: not worker.alive
    threading.Thread(target=end_with_parent, args=(worker,), name="parent", daemon=True).start()


def on_exit(server: Any) -> None:
    if Path(os.environ[COUNTED_IN]).name.startswith(OURS):
        shutil.rmtree(os.environ[COUNTED_IN], ignore_errors=True)


CODES = {400: "bad_request", 403: "forbidden", 414: "uri_too_long", 417: "expectation_failed", 431: "headers_too_large"}
DETAILS = {
    417: "The server cannot do what the header Expect asks for.",
    414: f"The first line of a request may have at most {limit_request_line} bytes.",
    431: "A request may have at most 100 headers of 8190 bytes each.",
}


def write_problem(sock: Any, status_int: int, reason: str, mesg: str) -> None:
    """Send gunicorn's own refusals as problem documents; gunicorn itself would send HTML.

    They are in English: a request that cannot be read does not reach the application and its languages.
    """
    code = CODES.get(status_int, "bad_request" if status_int < 500 else "server_error")
    detail = DETAILS.get(status_int, "This request cannot be read.")
    members = {"type": f"urn:mexican-train:problem:{code}", "title": reason, "status": status_int}
    body = json.dumps(members | {"detail": detail, "code": code})
    head = f"HTTP/1.1 {status_int} {reason}\r\nConnection: close\r\nContent-Type: application/problem+json\r\n"
    length = f"Content-Length: {len(body)}\r\nContent-Language: en\r\nCache-Control: no-store\r\n\r\n"
    util.write_nonblock(sock, f"{head}{length}{body}".encode())


util.write_error = write_problem
