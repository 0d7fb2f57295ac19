"""How the web server runs; gunicorn reads this by itself. Threads, because a request mostly waits for the database."""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

worker_class = "gthread"
workers = 2
threads = 4
keepalive = 30
graceful_timeout = 3
control_socket_disable = True

# Where the processes count the requests that they serve, so that each answers ``/metrics`` for all. Set before they
# start; when this is read again after a SIGHUP, it stays what it was.
COUNTED_IN = "PROMETHEUS_MULTIPROC_DIR"
OURS = "mexican-train-metrics-"
if COUNTED_IN not in os.environ:
    os.environ[COUNTED_IN] = tempfile.mkdtemp(prefix=OURS)


def on_exit(server: Any) -> None:
    if Path(os.environ[COUNTED_IN]).name.startswith(OURS):
        shutil.rmtree(os.environ[COUNTED_IN], ignore_errors=True)
