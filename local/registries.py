"""Fails if a committed file names a package registry that the author's machine uses.

The hosts come from this machine's pip and npm, so that no file, including this one, has to name them.
"""

import importlib
import os
import re
import shutil
import subprocess
import sys
from urllib.parse import urlsplit

from local import ROOT
from local.console import say
from local.errors import LocalError

ADDRESS = re.compile(r"https?://[^\s'\",]+")
VARIABLES = re.compile(r"^(PIP|UV|NPM_CONFIG)_", re.IGNORECASE)


def addresses() -> set[str]:
    """Return every URL in the settings of this machine's package tools, and pip's default index."""
    settings = [value for name, value in os.environ.items() if VARIABLES.match(name)]
    settings.append(output_of([sys.executable, "-m", "pip", "config", "list"]))
    if shutil.which("npm"):
        settings.append(output_of(["npm", "config", "get", "registry"]))
    index = importlib.import_module("pip._internal.models.index").PyPI
    return {index.url, f"https://{index.file_storage_domain}", *ADDRESS.findall("\n".join(settings))}


def output_of(command: list[str]) -> str:
    return subprocess.run(command, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout


def hosts() -> list[str]:
    return sorted({host for address in addresses() if (host := urlsplit(address).hostname)})


def naming_lines() -> str:
    patterns = [word for host in hosts() for word in ("-e", host)]
    command = ["git", "grep", "--line-number", "-I", "--fixed-strings", "--ignore-case", *patterns]
    result = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True)
    if result.returncode > 1:
        raise LocalError(f"The committed files cannot be searched: {result.stderr.strip()}")
    return result.stdout


def main() -> int:
    lines = naming_lines()
    if lines:
        say(f"Committed files name a package registry; name the package only:\n{lines}")
        return 1
    say("No committed file names a package registry.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
