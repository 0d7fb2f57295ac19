"""Which recorded processes a new run ends as leftovers, and which it leaves alone."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from local import records


@pytest.fixture
def sleeper() -> Iterator[psutil.Process]:
    with subprocess.Popen(["sleep", "60"]) as process:
        yield psutil.Process(process.pid)
        process.kill()


def test_a_recorded_process_is_ended(tmp_path: Path, sleeper: psutil.Process) -> None:
    records.write(tmp_path, "web", sleeper.pid)
    assert records.end_all(tmp_path) == ["web"]
    assert not records.is_alive(sleeper)
    assert list(tmp_path.iterdir()) == []


def test_another_process_with_the_same_id_is_left_alone(tmp_path: Path, sleeper: psutil.Process) -> None:
    records.write(tmp_path, "web", sleeper.pid)
    os.utime(records.path_of(tmp_path, "web"), (0, sleeper.create_time() - 60))
    assert records.end_all(tmp_path) == []
    assert records.is_alive(sleeper)


@pytest.mark.parametrize("content", ["", "garbage", "999999999", "0"])
def test_a_record_without_a_process_is_deleted(tmp_path: Path, content: str) -> None:
    records.path_of(tmp_path, "redis").write_text(content)
    assert records.end_all(tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_the_record_of_our_own_guard_is_kept(tmp_path: Path, sleeper: psutil.Process) -> None:
    records.write(tmp_path, "guard", sleeper.pid)
    assert records.end_all(tmp_path, but="guard") == []
    assert records.is_alive(sleeper)
    assert records.find(tmp_path, "guard") == sleeper
