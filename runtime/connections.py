"""Database connections: many requests share few of them, so a request that only waits returns its connection."""

from django.db import close_old_connections, connection


def release_connection() -> None:
    """Return this thread's connection to the pool. Call it before a long computation or a wait.

    Without a pool the connection stays open. Inside a transaction nothing happens.
    """
    if not connection.in_atomic_block:
        close_old_connections()
