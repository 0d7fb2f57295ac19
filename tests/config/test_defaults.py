"""Every variable of the environment has one default, and every document and program agrees on it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from local import ROOT
from local.options import read_options
from tests.config.declared import declared, documented

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


def test_each_is_declared_once() -> None:
    assert [name for name, defaults in declared().items() if len(defaults) > 1] == []


def test_the_page_for_production_tells_each_with_its_default() -> None:
    assert documented() == {name: default for name, (default,) in declared().items()}


def test_the_readme_tells_those_of_one_machine() -> None:
    told = documented("README.md")
    options = read_options({})
    assert (told["PORT"], told["HOST"]) == (str(options.port), options.host)
    assert [told["DATA_DIR"]] == declared()["DATA_DIR"]
    assert Path(told["DATA_DIR"]).resolve() == options.data_dir


def test_the_page_about_waiting_tells_how_many_may_wait() -> None:
    (default,) = declared()["WATCHERS"]
    assert f"`WATCHERS` ({int(default):,})" in (ROOT / "docs/waiting.md").read_text()


def test_the_web_server_takes_the_defaults_of_the_settings() -> None:
    defaults = {name: default for name, (default,) in declared().items()}
    watchers, pool = int(defaults["WATCHERS"]), int(defaults["DATABASE_POOL"])
    assert asked(TOLD_BY_GUNICORN) == {"threads": watchers + 64, "watchers": watchers, "pool": pool}


def test_the_web_server_takes_what_is_set() -> None:
    told = asked(TOLD_BY_GUNICORN, WATCHERS="7", DATABASE_POOL="0")
    assert told == {"threads": 71, "watchers": 7, "pool": None}


def test_other_processes_share_no_connections() -> None:
    assert asked(TOLD_BY_OTHERS) is False


def asked(program: str, **given: str) -> Any:
    """What it prints in an environment with these variables of ours, and no others."""
    others = {name: value for name, value in os.environ.items() if name not in declared()}
    environment = {**others, **NEEDED, **given}
    output = subprocess.check_output([sys.executable, "-c", program], cwd=ROOT, env=environment, text=True)
    return json.loads(output)
