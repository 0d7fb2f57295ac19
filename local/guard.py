"""A second process that survives if a run is killed, and then ends everything that the run started."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from local import ROOT, records

GLANCE = 0.2


@contextmanager
def guarded(folder: Path, *, remove: Path | None = None) -> Iterator[None]:
    """Inside this context: if this process dies, end the processes recorded in ``folder``, and delete ``remove``."""
    command = [sys.executable, "-m", "local.guard", str(folder), str(os.getpid()), str(make_above()), str(remove or "")]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, cwd=ROOT, start_new_session=True, stdin=quiet, stdout=quiet, stderr=quiet) as guard:
        records.write(folder, "guard", guard.pid)
        try:
            yield
        finally:
            guard.terminate()
            records.erase(folder, "guard")


def make_above() -> int:
    """Return the process id of the make that started this process, or 0.

    A run ends when its make ends. If a shell started it, it does not end with the shell.
    """
    parent = psutil.Process().parent() if "MAKELEVEL" in os.environ else None
    return parent.pid if parent and "make" in parent.name() else 0


def watch(owner: int, make: int) -> None:
    """Wait until the owner has died, and stop the owner if its make has died.

    When the owner dies, this process gets another parent, even if the owner remains as a zombie.
    """
    while os.getppid() == owner:
        if make and parent_of(owner) != make:
            os.kill(owner, signal.SIGTERM)
            make = 0
        time.sleep(GLANCE)


def parent_of(pid: int) -> int:
    try:
        return psutil.Process(pid).ppid()
    except psutil.NoSuchProcess:
        return 0


def main(folder: Path, owner: int, make: int, remove: str) -> None:
    watch(owner, make)
    records.end_all(folder, but="guard")
    if remove:
        shutil.rmtree(remove, ignore_errors=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
