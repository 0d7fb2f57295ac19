"""How long ``make run`` takes from a clean clone to a ready server: without an environment, and with one.

Run ``python -m bench.startup`` with nothing started beforehand. It measures the committed code, in a temporary folder.
The first run installs packages, so its time depends on the network as well.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from bench.measure import Measure, conclude
from bench.wire import HOST

ROOT = Path(__file__).parent.parent
PATIENCE = 300
PORT = 18_731
CHOSEN_BY_THE_CALLER = {"DATABASE_URL", "REDIS_URL", "DATA_DIR", "SECRET_KEY", "PORT", "VIRTUAL_ENV"}


def seconds_to_ready(folder: Path) -> float:
    """Seconds from ``make run`` to the first 200 of ``/readyz``. The server has stopped when this returns."""
    environment = {name: value for name, value in os.environ.items() if name not in CHOSEN_BY_THE_CALLER}
    log = folder.with_suffix(".log")
    began = time.monotonic()
    with log.open("a") as output:
        process = subprocess.Popen(
            ["make", "run", f"PORT={PORT}"], cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT
        )
    try:
        while not is_ready():
            if process.poll() is not None or time.monotonic() - began > PATIENCE:
                raise SystemExit(f"make run did not become ready:\n{log.read_text()[-2000:]}")
            time.sleep(0.1)
        return time.monotonic() - began
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


def is_ready() -> bool:
    try:
        with urllib.request.urlopen(f"http://{HOST}:{PORT}/readyz", timeout=5) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def measure() -> list[Measure]:
    with tempfile.TemporaryDirectory() as temporary:
        clone = Path(temporary) / "clone"
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        first, second = seconds_to_ready(clone), seconds_to_ready(clone)
    return [
        Measure("make run without an environment, s", f"{first:.1f} s", "", first, floor=90),
        Measure("make run in a made environment, s", f"{second:.1f} s", "", second, floor=3, goal=2),
    ]


if __name__ == "__main__":
    sys.exit(conclude(measure()))
