"""Runs of ``python -m local`` in a process, a folder and a port of their own, as a person would start them."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

from local import ROOT, postgres, records
from local.place import Place, make_place
from tests.ports import free_port

DEADLINE = 120
# What would make a run use the servers of this very test run, or behave as if make had started it.
FOREIGN = {
    "DATABASE_URL",
    "REDIS_URL",
    "DATA_DIR",
    "PORT",
    "HOST",
    "MAKELEVEL",
    "SECRET_KEY",
    "PUBLIC_URL",
    "ALLOWED_HOSTS",
}


def eventually(is_so: Callable[[], object], deadline: float = DEADLINE) -> bool:
    end = time.monotonic() + deadline
    while not is_so():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


@dataclass(frozen=True)
class Machine:
    """One data folder, one port, and what a person types there."""

    folder: Path
    port: int
    extra: dict[str, str] = field(default_factory=dict)

    @property
    def place(self) -> Place:
        return make_place(self.folder)

    @property
    def environment(self) -> dict[str, str]:
        inherited = {name: value for name, value in os.environ.items() if name not in FOREIGN}
        return {**inherited, "DATA_DIR": str(self.folder), "PORT": str(self.port), **self.extra}

    def type(self, *words: str) -> subprocess.CompletedProcess[str]:
        """``python -m local WORDS``, to its end."""
        command = [sys.executable, "-m", "local", *words]
        return subprocess.run(
            command, check=False, cwd=ROOT, env=self.environment, capture_output=True, text=True, timeout=DEADLINE
        )

    @contextmanager
    def started(self, *words: str) -> Iterator[subprocess.Popen[bytes]]:
        """The same, still running; its output is ``said``."""
        command = [sys.executable, "-m", "local", *words]
        with (
            self.output.open("wb") as output,
            subprocess.Popen(
                command, cwd=ROOT, env=self.environment, stdout=output, stderr=output, start_new_session=True
            ) as process,
        ):
            try:
                yield process
            finally:
                process.terminate()

    @property
    def output(self) -> Path:
        return self.folder.with_name("output")

    def said(self) -> str:
        return self.output.read_text()

    def recorded(self, name: str) -> psutil.Process | None:
        return records.find(self.folder / "run", name)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "data", free_port())


@pytest.fixture
def session_servers() -> dict[str, str]:
    """The addresses of the servers this test run has already."""
    return {name: os.environ[name] for name in ("DATABASE_URL", "REDIS_URL")}


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder PostgreSQL could be started on; a test that damages it takes a copy."""
    data = make_place(tmp_path_factory.mktemp("cluster")).data("postgres")
    postgres.make_cluster(data, durable=False)
    return data


def copy_cluster(cluster: Path, data: Path) -> None:
    """With its owner, which is another one than ours where root runs the tests."""
    shutil.copytree(cluster, data)
    owner = cluster.stat()
    for path in (data, *data.rglob("*")):
        os.chown(path, owner.st_uid, owner.st_gid)


def check_refused(machine: Machine, *parts: str) -> None:
    """A run that cannot begin prints one sentence with these parts, besides its progress."""
    result = machine.type("run")
    assert result.returncode == 1
    assert "Traceback" not in result.stdout + result.stderr
    assert len(result.stderr.splitlines()) == 1
    for part in parts:
        assert part in result.stderr
