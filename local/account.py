"""The operating system account for PostgreSQL. It refuses to run as root, so root starts it as another account."""

import os
import pwd
import stat
from pathlib import Path
from typing import TypedDict

from local.console import say


class Identity(TypedDict, total=False):
    """The arguments for ``subprocess`` that change the account; empty for an ordinary user."""

    user: int
    group: int
    extra_groups: list[int]


def identity_for(folder: Path) -> Identity:
    """Return the account to use if this is root: the owner of existing data, else ``nobody``."""
    if os.geteuid() != 0:
        return {}
    owner = folder.stat()
    if owner.st_uid != 0:
        return {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def give(folder: Path, identity: Identity) -> None:
    if identity:
        os.chown(folder, identity["user"], identity["group"])


def let_pass(folder: Path) -> None:
    """Let other accounts pass through the folders above this one. They still cannot list those folders."""
    for parent in folder.resolve().parents:
        mode = parent.stat().st_mode
        if not mode & stat.S_IXOTH:
            say(f"Opening {parent} for passing through (chmod o+x): PostgreSQL does not run as root.")
            parent.chmod(mode | stat.S_IXOTH)


def let_read(folder: Path) -> None:
    """Let other accounts read and execute the files in this folder, which a strict umask would prevent."""
    for path in (folder, *folder.rglob("*")):
        mode = path.stat().st_mode
        wanted = mode | stat.S_IROTH | (stat.S_IXOTH if mode & stat.S_IXUSR else 0)
        if wanted != mode:
            path.chmod(wanted)
