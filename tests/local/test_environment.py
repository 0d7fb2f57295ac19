"""Creating the environment: what is refused, and with which message."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from local import ROOT, registries


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """As much of a fresh clone as the script looks at."""
    shutil.copytree(ROOT / "requirements", tmp_path / "requirements")
    (tmp_path / "local").mkdir()
    shutil.copy(ROOT / "local" / "environment.sh", tmp_path / "local")
    return tmp_path


def make_environment(clone: Path, python: str) -> subprocess.CompletedProcess[str]:
    command = ["sh", "local/environment.sh", "local"]
    environment = {**os.environ, "PYTHON": python}
    return subprocess.run(command, check=False, cwd=clone, env=environment, capture_output=True, text=True)


def program(path: Path, script: str) -> str:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def test_a_missing_python_is_named(clone: Path) -> None:
    result = make_environment(clone, "no-such-python")
    assert result.returncode == 1
    assert result.stderr == (
        "Python 3.11 or newer is needed and no-such-python is not that; "
        "install it, or name it: make run PYTHON=/path/to/python3.\n"
    )
    assert not (clone / ".venv").exists()


def test_a_python_that_is_too_old_is_refused(clone: Path) -> None:
    result = make_environment(clone, program(clone / "old", "exit 1"))
    assert "Python 3.11 or newer is needed" in result.stderr


def test_a_python_without_venv_gets_a_hint_where_to_get_it(clone: Path) -> None:
    result = make_environment(clone, program(clone / "bare", 'case "$2" in *ensurepip*) exit 1;; esac'))
    assert result.returncode == 1
    assert "comes without venv" in result.stderr
    assert "apt install python3-venv" in result.stderr


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("ERROR: No matching distribution found for chess==1", "There is no ready-made wheel of chess==1 for "),
        ("WARNING: Retrying after connection broken by ...", "The packages cannot be downloaded; check the network"),
        ("ERROR: disk full", "The packages could not be installed: ERROR: disk full"),
    ],
)
def test_an_error_of_pip_becomes_one_sentence(clone: Path, said: str, sentence: str) -> None:
    binaries = clone / ".venv" / "bin"
    binaries.mkdir(parents=True)
    program(binaries / "python", f'case "$*" in *install*) echo "{said}" >&2; exit 1;; *--version*) echo Python;; esac')
    result = make_environment(clone, "python3")
    assert result.returncode == 1
    assert result.stderr.startswith(sentence)
    assert not (clone / ".venv" / "local.installed").exists()


NO_WHEEL = """case "$*" in
*install*) echo "ERROR: No matching distribution found for chess==1" >&2; exit 1;;
*--version*) echo Python;;
*"3, 14"*) exit {code};;
esac"""


@pytest.mark.parametrize(
    ("code", "advice"),
    [
        (1, "use a Python from 3.11 to 3.14: make clean run PYTHON=python3.14.\n"),
        (0, "elsewhere use containers, see docs/production.md.\n"),
    ],
)
def test_another_python_is_suggested_only_if_that_would_help(clone: Path, code: int, advice: str) -> None:
    binaries = clone / ".venv" / "bin"
    binaries.mkdir(parents=True)
    program(binaries / "python", NO_WHEEL.format(code=code))
    assert make_environment(clone, "python3").stderr.endswith(advice)


@pytest.mark.parametrize("python", ["python3.11", "python3.12", "python3.13", "python3.14", "python3"])
def test_every_supported_python_is_found_by_its_usual_name(clone: Path, python: str) -> None:
    found = clone / "found"
    found.mkdir()
    program(found / python, f'case "$*" in *venv*) echo "{python} is asked" >&2; exit 1;; esac')
    for name in ("sh", "dirname", "cmp"):
        (found / name).symlink_to(str(shutil.which(name)))
    environment = {"PATH": str(found)}
    result = subprocess.run(
        ["sh", "local/environment.sh", "local"], check=False, cwd=clone, env=environment, capture_output=True, text=True
    )
    assert result.stderr.startswith(f"{python} comes without venv")


def test_installed_packages_are_not_installed_again(clone: Path) -> None:
    binaries = clone / ".venv" / "bin"
    binaries.mkdir(parents=True)
    program(binaries / "python", 'case "$*" in *install*) echo "Installing collected packages";; esac')
    assert "Installing the packages" in make_environment(clone, "python3").stdout
    assert make_environment(clone, "python3").stdout == ""
    (clone / "requirements" / "local.txt").write_text("# changed\n")
    assert "Installing the packages" in make_environment(clone, "python3").stdout


@pytest.mark.slow
def test_the_registries_of_this_machine_are_found_in_its_settings() -> None:
    assert registries.hosts()
    source = (ROOT / "local" / "registries.py").read_text()
    assert not any(host in source for host in registries.hosts())
