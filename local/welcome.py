"""The process that waits until the server answers, prints its URLs, and then watches PostgreSQL and Valkey."""

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from local import ROOT, records
from local.console import last_line, say
from local.place import Place

READY_PATHS = ("/readyz", "/healthz")
READY_DEADLINE = 60
GLANCE = 0.2
SERVER_NAMES = {"postgres": "PostgreSQL", "redis": "Valkey"}


def status_of(url: str) -> int:
    """Return the status of the answer; 0 if there is none."""
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:  # noqa: S310
            return int(answer.status)
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code
    except OSError:
        return 0


def is_ready(url: str) -> bool:
    statuses = (status_of(url + path) for path in READY_PATHS)
    return next((status == 200 for status in statuses if status != 404), False)


def becomes_ready(url: str) -> bool:
    deadline = time.monotonic() + READY_DEADLINE
    while time.monotonic() < deadline:
        if is_ready(url):
            return True
        time.sleep(GLANCE)
    return False


def ask_django(command: str) -> list[str]:
    """Return the output lines of a management command. If it fails, return one line that says so."""
    result = subprocess.run(
        [sys.executable, "manage.py", command], cwd=ROOT, check=False, capture_output=True, text=True
    )
    if result.returncode:
        return [f"(manage.py {command} failed: {last_line(result.stderr)})"]
    return [line for line in result.stdout.splitlines() if line.strip()]


def welcome(url: str) -> None:
    admin, table = ask_django("first_admin"), ask_django("open_demonstration")
    lines = ["The server is ready.", f"  API docs  {url}/api/v1/docs", f"  Admin     {url}/admin/"]
    lines += [f"            {line}" for line in admin]
    lines += ["  A table where bots play:", *(f"            {line}" for line in table), "Ctrl-C stops everything."]
    for line in lines:
        say(line)


def watch(place: Place) -> str:
    """Wait until a server that was started here ends, and return its name."""
    processes = {name: records.find(place.run, name) for name in SERVER_NAMES}
    watched = {name: process for name, process in processes.items() if process}
    while True:
        for name, process in watched.items():
            if not records.is_alive(process):
                return name
        time.sleep(1)


def main(url: str, place: Place) -> int:
    if not becomes_ready(url):
        say(f"The server did not answer at {url}{READY_PATHS[0]} within {READY_DEADLINE} seconds.")
        return 1
    welcome(url)
    fallen = watch(place)
    say(f"{SERVER_NAMES[fallen]} has stopped by itself; its log is {place.log(fallen)}.")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Place(Path(os.environ["DATA_DIR"]))))
