"""The TypeScript client in the tests: installed, generated, compiled, run with Node.js, bundled for a page."""

import json
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

from tests.acceptance.server import ROOT
from tests.acceptance.test_matches import MATCH_SECONDS

FOLDER = ROOT / "clients" / "typescript"
PACKAGE = FOLDER / "package.json"
BUILT = FOLDER / "dist"
INSTALLED = FOLDER / "node_modules" / "installed.json"
"""A copy of what was installed, written last: an interrupted or outdated installation never looks complete."""
INSTALL = ("npm", "install", "--no-audit", "--no-fund", "--loglevel=error")


def run(*words: str, seconds: int = MATCH_SECONDS, folder: Path = FOLDER) -> str:
    done = subprocess.run(
        words, cwd=folder, env=environment(), capture_output=True, text=True, check=False, timeout=seconds
    )
    assert done.returncode == 0, f"{' '.join(words)[:200]}\n{done.stdout}{done.stderr}"
    return done.stdout


@cache
def environment() -> dict[str, str]:
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    is_old = version.startswith("v18.")
    return dict(os.environ) | ({"NODE_OPTIONS": "--experimental-global-webcrypto"} if is_old else {})


def install() -> None:
    """Once for a package.json, so that a second run asks no registry."""
    assert shutil.which("npm"), "The TypeScript client needs Node.js 18 or newer with npm; install them and try again."
    if not INSTALLED.exists() or INSTALLED.read_text() != PACKAGE.read_text():
        shutil.rmtree(INSTALLED.parent, ignore_errors=True)  # npm does not repair an incomplete installation
        run(*INSTALL, "--ignore-scripts", seconds=600)
        INSTALLED.write_text(PACKAGE.read_text())


def clone(folder: Path) -> Path:
    """The client in a fresh clone of the repository, as far as it is needed: nothing is installed or built there."""
    names = ("node_modules", "dist", "schema.ts")
    client = folder / FOLDER.relative_to(ROOT)
    shutil.copytree(FOLDER, client, ignore=shutil.ignore_patterns(*names))
    (folder / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "openapi.json", folder / "docs")
    return client


def build(schema: str) -> None:
    install()
    shutil.rmtree(BUILT, ignore_errors=True)
    run("npm", "run", "--silent", "generate", "--", schema)
    run("npm", "run", "--silent", "build")


def printed(program: str) -> str:
    """What a program that has the client prints."""
    imported = f'import {{ createClient, the }} from "{(BUILT / "src" / "index.js").as_uri()}";'
    return run("node", "--input-type=module", "--eval", f"{imported}\n{program}")


def json_output(program: str) -> Any:
    """The same, as JSON."""
    return json.loads(printed(program))


def compiles(folder: Path, program: str) -> str:
    """The compiler's messages about a program that uses the client: none if it is correct."""
    source = folder / "program.ts"
    source.write_text(program.replace('"mexican-train-client"', f'"{BUILT.as_posix()}/src/index.js"'))
    options = "--noEmit --strict --skipLibCheck --module NodeNext --target ES2022 --lib ES2022,DOM,DOM.Iterable"
    (folder / "package.json").write_text('{"type": "module"}')
    words = ["node", "node_modules/typescript/bin/tsc", *options.split(), str(source)]
    return subprocess.run(words, cwd=FOLDER, capture_output=True, text=True, check=False, timeout=120).stdout


def bundled(folder: Path, program: str) -> Path:
    """A script for a page, of a program and the client that it imports."""
    source, script = folder / "source.js", folder / "page.js"
    source.write_text(program)
    alias = f"--alias:mexican-train-client={BUILT.as_posix()}/src/index.js"
    kind = ["--bundle", "--platform=browser", "--format=iife", "--log-level=warning"]
    run("node_modules/.bin/esbuild", str(source), *kind, alias, f"--outfile={script}")
    return script
