"""The account PostgreSQL runs under: it refuses to be root, so root lends it an unprivileged one."""

import os
import pwd
import stat
from pathlib import Path
from typing import TypedDict

from local.console import say


class Identity(TypedDict, total=False):
    """What ``subprocess`` is told to change to; nothing for an ordinary user."""

    user: int
    group: int
    extra_groups: list[int]


def identity_for(folder: Path) -> Identity:
    """Root acts as the owner of the data that is already there, and otherwise as ``nobody``."""
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
    """Other accounts may go through the folders above this one; what lies in them stays as closed as it was."""
    for parent in folder.resolve().parents:
        mode = parent.stat().st_mode
        if not mode & stat.S_IXOTH:
            say(f"Opening {parent} for passing through (chmod o+x): PostgreSQL does not run as root.")
            parent.chmod(mode | stat.S_IXOTH)


def let_read(folder: Path) -> None:
    """Other accounts may read and run what lies in this folder: an installation made under a strict umask is closed."""
    for path in (folder, *folder.rglob("*")):
        mode = path.stat().st_mode
        wanted = mode | stat.S_IROTH | (stat.S_IXOTH if mode & stat.S_IXUSR else 0)
        if wanted != mode:
            path.chmod(wanted)
