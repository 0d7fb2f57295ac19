"""Records of the processes that a run has started, so that the next run can end those of a killed run."""

import signal
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import psutil

# The order of ending: clients end before servers, so that no process loses its database while it works.
GROUPS = (("guard",), ("welcome", "web", "worker", "bots", "webhooks", "beat"), ("redis", "postgres"))
# On SIGTERM, PostgreSQL waits until every client has disconnected.
STOP_SIGNALS = {"postgres": signal.SIGINT}
PATIENCE = 5
CLOCK_TOLERANCE = 1


def path_of(folder: Path, name: str) -> Path:
    return folder / f"{name}.pid"


def write(folder: Path, name: str, pid: int) -> None:
    path_of(folder, name).write_text(f"{pid}\n")


def erase(folder: Path, name: str) -> None:
    path_of(folder, name).unlink(missing_ok=True)


def find(folder: Path, name: str) -> psutil.Process | None:
    """Return the recorded process, unless it has ended. A process that is younger than its record is another one."""
    record = path_of(folder, name)
    try:
        process = psutil.Process(int(record.read_text()))
        is_same = process.create_time() <= record.stat().st_mtime + CLOCK_TOLERANCE
    except (OSError, ValueError, psutil.Error):
        return None
    return process if is_same and is_alive(process) else None


def is_alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def end_all(folder: Path, *, but: str = "") -> list[str]:
    """End the recorded processes that are still running, and return their names."""
    ended: list[str] = []
    for group in GROUPS:
        found = {name: process for name in group if name != but and (process := find(folder, name))}
        end(found)
        ended += found
        for name in group:
            if name != but:
                erase(folder, name)
    return ended


def end(processes: Mapping[str, psutil.Process]) -> None:
    """Send a stop signal to all processes at once. Kill those that have not ended in time, and their children."""
    family = [relative for process in processes.values() for relative in (process, *children_of(process))]
    carriers = [carrier for process in processes.values() for carrier in carrier_of(process)]
    for name, process in processes.items():
        with suppress(psutil.NoSuchProcess):
            process.send_signal(STOP_SIGNALS.get(name, signal.SIGTERM))
    stubborn = psutil.wait_procs(family, timeout=PATIENCE)[1]
    for process in (*stubborn, *carriers):
        with suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(stubborn, timeout=PATIENCE)


def children_of(process: psutil.Process) -> list[psutil.Process]:
    try:
        return process.children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def carrier_of(process: psutil.Process) -> list[psutil.Process]:
    """Return Honcho's intermediate process, which passes a process's output to the run; it can survive a killed run."""
    try:
        parent = process.parent()
        return [parent] if parent and parent.cmdline()[-3:] == ["-m", "local", "run"] else []
    except psutil.Error:
        return []
