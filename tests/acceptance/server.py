"""A whole server of its own for the acceptance tests, started as programs and ended by pid."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import requests

from local.redis_server import BINARY
from local.servers import throwaway_servers
from tests.ports import free_port

ROOT = Path(__file__).resolve().parent.parent.parent
PYTHON = (sys.executable, "-W", "ignore", "-m")
CELERY = ("celery", "-A", "config", "-q")
COMMANDS = {
    "web": ("gunicorn", "config.wsgi:application", "--workers", "1"),
    "worker": (*CELERY, "worker", "-Q", "celery", "--pool", "threads", "-c", "4", "--without-mingle"),
    "bots": (*CELERY, "worker", "-Q", "bots", "-n", "bots@%h", "--pool", "prefork", "-c", "2", "--without-mingle"),
    "webhooks": (
        *CELERY,
        "worker",
        "-Q",
        "webhooks",
        "-n",
        "webhooks@%h",
        "--pool",
        "threads",
        "-c",
        "4",
        "--without-mingle",
    ),
    "beat": (*CELERY, "beat", "--pidfile="),
}


@dataclass
class Server:
    """Addresses, environment and processes of one running server."""

    url: str
    environment: Mapping[str, str]
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def start(self, name: str) -> None:
        command = [*PYTHON, *COMMANDS[name], *self.arguments(name)]
        self.processes[name] = subprocess.Popen(command, cwd=ROOT, env=self.environment)

    def arguments(self, name: str) -> list[str]:
        folder = self.environment["DATA_DIR"]
        return {"web": ["--bind", self.url.removeprefix("http://")], "beat": ["--schedule", f"{folder}/beat"]}.get(
            name, []
        )

    def kill(self, name: str) -> None:
        """End a process as a crash would."""
        process = self.processes.pop(name)
        process.kill()
        process.wait()

    def stop(self) -> None:
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            process.wait(30)

    def wait_until_ready(self) -> None:
        until(self.is_ready, "the server is ready", seconds=60)

    def readiness(self) -> dict[str, str]:
        parts: dict[str, str] = requests.get(f"{self.url}/readyz", timeout=5).json()
        return parts

    def is_ready(self) -> bool:
        try:
            return requests.get(f"{self.url}/readyz", timeout=5).ok
        except requests.RequestException:
            return False


@dataclass
class Broker:
    """A Valkey of our own on loopback, to be killed and started again."""

    folder: Path
    port: int = field(default_factory=free_port)

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        where = ["--bind", "127.0.0.1", "--port", str(self.port), "--dir", str(self.folder), "--save", ""]
        command = [str(BINARY), *where, "--logfile", "redis.log"]
        self.process = subprocess.Popen(command)
        until(self.answers, "Valkey answers", seconds=10)

    def answers(self) -> bool:
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


UNTHROTTLED = ("CALLER", "GUEST", "HANDOVER", "HINT", "INVITE", "LOGIN", "PASSWORD", "RECEIVER", "TABLE", "WEBHOOK")


@contextmanager
def running_server(**own: str) -> Iterator[Server]:
    """Servers, those in ``own`` excepted, migrated, with web, worker, bots, webhooks and beat."""
    given = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}} | own
    with throwaway_servers(given) as addresses:
        url = f"http://127.0.0.1:{free_port()}"
        rates = {f"RATE_{scope}": "1000000/min" for scope in UNTHROTTLED}
        environment = given | addresses | rates | {"DJANGO_SETTINGS_MODULE": "config.settings", "PUBLIC_URL": url}
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=environment, check=True)
        server = Server(url, environment)
        try:
            for name in COMMANDS:
                server.start(name)
            server.wait_until_ready()
            yield server
        finally:
            server.stop()


def until(is_true: Callable[[], bool], what: str, seconds: float) -> None:
    """Ask again and again; fail when the time is over."""
    deadline = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < deadline, f"Not within {seconds} s: {what}."
        time.sleep(0.05)


@dataclass
class Client:
    """Somebody who calls over HTTP, on one kept connection."""

    server: Server
    name: str

    def __post_init__(self) -> None:
        self.session = requests.Session()
        self.session.headers["Authorization"] = f"Bearer {self.guest_token()}"
        self.seen: dict[str, tuple[str, dict[str, Any]]] = {}

    def guest_token(self) -> str:
        answer = requests.post(f"{self.server.url}/api/v1/players/guest", json={"name": self.name}, timeout=30)
        token: str = answer.json()["token"]
        return token

    def call(self, method: str, path: str, body: Any = None) -> requests.Response:
        return self.session.request(method, f"{self.server.url}/api/v1/{path}", json=body, timeout=30)

    def done(self, method: str, path: str, body: Any = None) -> Any:
        answer = self.call(method, path, body)
        assert answer.ok, answer.text
        return answer.json()

    def position(self, table: str) -> dict[str, Any]:
        """The position, asked for as a client polls: with the ETag of the last one."""
        tag, known = self.seen.get(table, ("", {}))
        path = f"{self.server.url}/api/v1/tables/{table}/position"
        answer = self.session.get(path, headers={"If-None-Match": tag}, timeout=30)
        if answer.status_code == 304:
            return known
        assert answer.ok, answer.text
        shown: dict[str, Any] = answer.json()
        self.seen[table] = (answer.headers["ETag"], shown)
        return shown

    def open_and_start(self, **fields: Any) -> str:
        table: str = self.done("POST", "tables", fields)["id"]
        self.done("POST", f"tables/{table}/start")
        return table

    def play_to_the_end(self, table: str, seconds: float) -> dict[str, Any]:
        """Make the first legal move in every turn of the player, until the match is over."""

        def is_over() -> bool:
            while (now := self.position(table))["you"] and now["you"]["legal_moves"]:
                move = {"move": now["you"]["legal_moves"][0]["move"], "number": now["next_number"]}
                assert self.call("POST", f"tables/{table}/moves", move).status_code == 201
            return bool(now["status"] == "finished")

        until(is_over, "the match is over", seconds)
        return self.position(table)
