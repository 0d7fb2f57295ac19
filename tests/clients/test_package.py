"""The Python client as it is published: a wheel with its types, for Python 3.10 too."""

import ast
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent / "clients" / "python"
SOURCES = sorted((ROOT / "mexican_train").glob("*.py"))
BOT = ROOT / "examples" / "bot.py"


def test_the_wheel_holds_the_package_and_says_that_it_is_typed(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)], cwd=ROOT, check=True
    )
    (wheel,) = tmp_path.glob("mexican_train_client-*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"mexican_train/{source.name}" for source in SOURCES} | {"mexican_train/py.typed"} <= names


@pytest.mark.parametrize("source", [*SOURCES, BOT], ids=lambda source: source.name)
def test_it_imports_nothing_of_the_server_and_reads_with_python_3_10(source: Path) -> None:
    tree = ast.parse(source.read_text(), feature_version=(3, 10))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    ours = {name.partition(".")[0] for name in imported} - set(sys.stdlib_module_names)
    assert ours <= {"httpx", "httpx_sse", "mexican_train", "typing_extensions"}  # the last is for type checkers


def test_the_bot_takes_forty_lines_at_most() -> None:
    assert len(BOT.read_text().splitlines()) <= 40
