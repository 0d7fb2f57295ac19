"""How the web server runs; gunicorn reads this by itself.

Threads, because a request mostly waits: for the database a moment, for a table to change a minute. Whoever waits keeps
a thread and nothing else; the few connections to the database are for those that work. docs/waiting.md has the figures.
"""

import os
import resource
import sys
from typing import Any

WATCHERS = int(os.environ.setdefault("WATCHERS", "2000"))

worker_class = "gthread"
workers = 2
threads = WATCHERS + 64  # made when they are needed
worker_connections = 2 * threads
keepalive = 30
graceful_timeout = 3
control_socket_disable = True
os.environ.setdefault("DATABASE_POOL", "8")

# A connection is a file, and many systems allow 1,024 of them unless asked.
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def post_worker_init(worker: Any) -> None:
    """Whoever waits in this worker is told when it is about to stop."""
    if watching := sys.modules.get("tables.watching"):
        watching.TOWER.is_closing = lambda: not worker.alive
