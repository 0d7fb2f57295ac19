"""gunicorn's worker with threads, except that a slow client does not stop it."""

from concurrent.futures import Future
from contextlib import suppress
from typing import Any

from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]

CLOSED = -1
"""The descriptor of a closed socket."""


class Worker(ThreadWorker):  # type: ignore[misc]
    """Closes a connection in the thread that has answered.

    gunicorn (27) does it in the loop that accepts connections and hands requests to threads. Closing takes up to two
    seconds if the client does not close its side, and a few such clients would keep all others waiting.
    """

    def handle(self, conn: Any) -> Any:
        is_kept = super().handle(conn)
        if not is_kept:
            with suppress(OSError):  # it is closed already
                conn.close(graceful=True)
        return is_kept

    def finish_request(self, conn: Any, answered: "Future[Any]") -> None:
        """Do what is left in the loop: count the closed connection, or wait for the next request of an open one."""
        if conn.sock.fileno() == CLOSED:
            self.nr_conns -= 1
        else:
            super().finish_request(conn, answered)
