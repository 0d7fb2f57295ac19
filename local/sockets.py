"""Where a server puts its unix socket: next to its data, or in a short temporary folder where that cannot be."""

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

# The longest of the two names: PostgreSQL also writes a lock file next to its socket.
LONGEST_NAME = ".s.PGSQL.5432"
# Such paths need no quoting, neither in an address nor in PostgreSQL's list of folders.
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
    """The same one in every run, so that a killed run leaves no more than one."""
    digest = hashlib.sha256(str(data).encode()).hexdigest()[:12]
    short = Path(tempfile.gettempdir()) / f"mexican-train-{digest}"
    short.mkdir(mode=0o700, exist_ok=True)
    if short.stat().st_uid not in {os.geteuid(), data.stat().st_uid}:
        raise LocalError(f"{short} belongs to somebody else; delete it or set TMPDIR to another folder.")
    return short


def can_hold_socket(folder: Path) -> bool:
    """Tried rather than computed: paths may be too long, and some mounted folders take no sockets."""
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
