"""Checks that every package has a wheel for each platform and Python in the README, without downloading them."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import product

from local import ROOT
from local.console import say

PLATFORMS = {
    "Linux x86-64": "x86_64-manylinux_2_28",
    "Linux arm64": "aarch64-manylinux_2_28",
    "macOS arm64": "aarch64-apple-darwin",
}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
REQUIREMENTS = "requirements/dev.txt"
PATIENCE = 300
"""Seconds for one platform and Python version. ``uv`` itself retries on network errors."""
LOOK_UP = ("-m", "uv", "pip", "compile", "--quiet", "--no-deps", "--only-binary", ":all:", "--output-file", "/dev/null")


def complaint(platform: str, python: str) -> str:
    """Return what is missing for this platform and Python version; an empty string if nothing is."""
    where = ("--python-platform", PLATFORMS[platform], "--python-version", python)
    command = [sys.executable, *LOOK_UP, *where, REQUIREMENTS]
    try:
        result = subprocess.run(
            command, check=False, cwd=ROOT, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        return f"{platform}, Python {python}: no answer in {PATIENCE} seconds"
    return f"{platform}, Python {python}: {result.stderr.strip()}" if result.returncode else ""


def main() -> int:
    with ThreadPoolExecutor(4) as pool:  # the threads mostly wait for the network
        complaints = list(filter(None, pool.map(lambda where: complaint(*where), product(PLATFORMS, PYTHONS))))
    for each in complaints:
        say(each)
    if not complaints:
        say(f"Every package has wheels for Python {', '.join(PYTHONS)} on {', '.join(PLATFORMS)}.")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
