"""The folder for a server's unix socket: its data folder, or a temporary folder if that path cannot hold a socket."""

import hashlib
import os
import re
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from local.errors import LocalError

# The name of PostgreSQL's socket, which is longer than Valkey's. PostgreSQL also writes a lock file next to it.
LONGEST_NAME = ".s.PGSQL.5432"
# Such paths need no quoting, neither in a URL nor in PostgreSQL's list of folders.
PLAIN_PATH = re.compile(r"[\w/.-]+", re.ASCII)


@contextmanager
def socket_folder(data: Path) -> Iterator[Path]:
    if can_hold_socket(data):
        yield data
        return
    short = short_folder(data)
    if not can_hold_socket(short):
        raise LocalError(f"No unix socket can be made in {short.parent}; set TMPDIR to a folder with a short path.")
    try:
        yield short
    finally:
        shutil.rmtree(short, ignore_errors=True)


def short_folder(data: Path) -> Path:
    """Return a temporary folder that is the same in every run, so that killed runs leave only one behind."""
    digest = hashlib.sha256(str(data).encode()).hexdigest()[:12]
    short = Path(tempfile.gettempdir()) / f"mexican-train-{digest}"
    short.mkdir(mode=0o700, exist_ok=True)
    if short.stat().st_uid not in {os.geteuid(), data.stat().st_uid}:
        raise LocalError(f"{short} belongs to somebody else; delete it or set TMPDIR to another folder.")
    return short


def can_hold_socket(folder: Path) -> bool:
    """Create a socket to find out: paths may be too long, and some mounted folders do not support sockets."""
    probe = folder / f"{LONGEST_NAME}.try"
    if not PLAIN_PATH.fullmatch(str(probe)):
        return False
    probe.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as candidate:
        try:
            candidate.bind(str(probe))
        except OSError:
            return False
    probe.unlink()
    return True
