"""A lock that allows one run at a time in a data folder."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from local.errors import LocalError

# Seconds to wait for the lock, because an earlier run may be about to stop.
PATIENCE = 3
GLANCE = 0.1


@contextmanager
def only_one(path: Path, url: str) -> Iterator[None]:
    """Hold the lock inside this context. Raises ``LocalError`` if another run holds it.

    A ``lockf`` lock ends with this process, even after kill -9, because children do not inherit it.
    """
    with path.open("r+") as lock:
        if not becomes_ours(lock):
            holder = " ".join(lock.read().split())
            raise LocalError(
                f"A server is already running on {path.parent.parent} ({holder}). "
                "Stop that one, or give this one a folder and a port of its own: make run DATA_DIR=… PORT=…."
            )
        lock.truncate()
        lock.write(f"process {os.getpid()} at {url}")
        lock.flush()
        yield


def is_held(path: Path) -> bool:
    """Whether a server is running in this folder now."""
    with path.open("r+") as lock:
        try:
            fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


def becomes_ours(lock: TextIO) -> bool:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if time.monotonic() > deadline:
                return False
            time.sleep(GLANCE)
        else:
            return True
