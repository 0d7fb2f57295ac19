"""Every variable of the environment has one declaration, and every document and program agrees with it."""

import json
import os
import re
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from subprocess import PIPE
from typing import Any

from config.environment import VARIABLES
from local import ROOT
from local.options import read_options
from tests.cases import for_each
from tests.config.page import PAGE, defaults_in, renewed

SERVER = ("config", "players", "rest", "rules", "runtime", "tables", "webhooks", "words")
NEEDED = {"SECRET_KEY": "0123456789" * 4, "DATABASE_URL": "postgresql://localhost/postgres"}
TOLD_BY_GUNICORN = """
import json, runpy
conf = runpy.run_path("gunicorn.conf.py")
from config import settings
database = settings.DATABASES["default"]
pool = database["OPTIONS"].get("pool")
print(json.dumps({"threads": conf["threads"], "watchers": settings.WATCHERS, "pool": pool and pool["max_size"]}))
"""
TOLD_BY_OTHERS = """
import json
from config import settings
print(json.dumps("pool" in settings.DATABASES["default"]["OPTIONS"]))
"""


@for_each("name", VARIABLES)
def test_every_variable_is_read(name: str) -> None:
    readers = (ROOT / "config/settings.py").read_text() + (ROOT / "gunicorn.conf.py").read_text()
    assert name.startswith("RATE_") or re.search(rf"\benvironment\.{name}\b", readers)


def test_no_other_module_reads_the_environment() -> None:
    modules = [path for package in SERVER for path in (ROOT / package).rglob("*.py")]
    readers = [path for path in modules if re.search(r"os\.environ(\.get|\[)|getenv", path.read_text())]
    assert readers == [ROOT / "config/variables.py"]


def test_the_table_for_production_is_written_from_the_declarations() -> None:
    assert renewed(PAGE.read_text()) == PAGE.read_text(), "Run `python -m tests.config.page`."


def test_the_readme_has_the_variables_of_one_machine() -> None:
    told = defaults_in(ROOT / "README.md")
    options = read_options({})
    assert (told["PORT"], told["HOST"]) == (str(options.port), options.host)
    assert told["DATA_DIR"] == VARIABLES["DATA_DIR"].default
    assert Path(told["DATA_DIR"]).resolve() == options.data_dir


def test_the_page_about_waiting_has_the_numbers_of_watchers() -> None:
    assert f"`WATCHERS` ({default_number('WATCHERS'):,})" in (ROOT / "docs/waiting.md").read_text()


def test_the_web_server_takes_the_defaults_of_the_settings() -> None:
    watchers, pool = default_number("WATCHERS"), default_number("DATABASE_POOL")
    assert json_output_of(TOLD_BY_GUNICORN) == {"threads": watchers + 64, "watchers": watchers, "pool": pool}


def test_the_web_server_takes_the_values_of_the_environment() -> None:
    told = json_output_of(TOLD_BY_GUNICORN, WATCHERS="7", DATABASE_POOL="0")
    assert told == {"threads": 71, "watchers": 7, "pool": None}


ACCEPTED = """
import json, runpy, socket, struct
from types import SimpleNamespace
conf = runpy.run_path("gunicorn.conf.py")
with socket.create_server(("127.0.0.1", 0)) as listener:
    conf["pre_fork"](SimpleNamespace(LISTENERS=[SimpleNamespace(sock=listener)]), None)
    with socket.create_connection(listener.getsockname()):
        accepted, _ = listener.accept()
        limit = accepted.getsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.calcsize("ll"))
        print(json.dumps([*struct.unpack("ll", limit), conf["LONGEST_SILENCE"]]))
"""


def test_an_accepted_connection_has_a_limit_for_the_silence_of_its_sender() -> None:
    seconds, _, longest = json_output_of(ACCEPTED)
    assert seconds == longest > 0


FALLEN_SILENT = """
import json, logging, runpy
runpy.run_path("gunicorn.conf.py")
lines = []
log = logging.getLogger("gunicorn.error")
log.handlers = [logging.Handler()]
log.handlers[0].emit = lines.append
for error in (BlockingIOError, ConnectionError):
    try:
        raise error
    except OSError:
        log.exception("Socket error processing request.")
print(json.dumps([line.exc_info[0].__name__ for line in lines]))
"""


def test_that_a_sender_fell_silent_is_not_logged_as_an_error() -> None:
    assert json_output_of(FALLEN_SILENT) == ["ConnectionError"]


MAKES_A_FOLDER = """
import json, os, runpy, sys
runpy.run_path("gunicorn.conf.py")
print(json.dumps(os.environ["PROMETHEUS_MULTIPROC_DIR"]), flush=True)
sys.stdin.read()
"""


def test_a_killed_web_server_leaves_no_folder_of_counts_for_long(tmp_path: Path) -> None:
    environment = {"TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", MAKES_A_FOLDER]
    surroundings = environment_with(**environment)

    def folders() -> set[str]:
        return set(map(str, tmp_path.iterdir()))

    with ExitStack() as servers:
        started = []
        for _ in range(2):
            server = servers.enter_context(
                subprocess.Popen(command, cwd=ROOT, env=surroundings, stdin=PIPE, stdout=PIPE, text=True)
            )
            assert server.stdout
            started.append((server, json.loads(server.stdout.readline())))
        (killed, leftover), (_, used) = started
        assert folders() == {leftover, used}
        killed.kill()
        killed.wait()
        new = json_output_of(MAKES_A_FOLDER, **environment)
        assert folders() == {used, new}


def test_other_processes_share_no_connections() -> None:
    assert json_output_of(TOLD_BY_OTHERS) is False


def default_number(name: str) -> int:
    default = VARIABLES[name].default
    assert default
    return int(default)


def json_output_of(program: str, **given: str) -> Any:
    """The output in an environment with only these variables."""
    command = [sys.executable, "-c", program]
    return json.loads(
        subprocess.check_output(command, cwd=ROOT, env=environment_with(**given), text=True, stdin=subprocess.DEVNULL)
    )


def environment_with(**given: str) -> dict[str, str]:
    others = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    return {**others, **NEEDED, **given}
