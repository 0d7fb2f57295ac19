"""Which processes a run has started, written down so that the next run can end what a killed one left behind."""

import signal
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import psutil

# Who asks ends before who answers, so that nothing loses its database while it is still working.
GROUPS = (("guard",), ("welcome", "web", "worker", "bots", "webhooks", "beat"), ("redis", "postgres"))
# PostgreSQL takes SIGTERM as "wait until every client has gone".
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
    """The recorded process, unless it has ended; a process younger than its record only inherited the number."""
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
    """Ends what is recorded here and still there, and tells which that was."""
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
    """All at once and politely; who has not gone in time is killed, with what it has started."""
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
    """Honcho's go-between that carries a process's output to a run; it can outlive a killed run."""
    try:
        parent = process.parent()
        return [parent] if parent and parent.cmdline()[-3:] == ["-m", "local", "run"] else []
    except psutil.Error:
        return []
