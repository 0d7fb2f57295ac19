"""``manage.py`` itself: an empty or missing database is reported in one sentence, whatever the command."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from local import ROOT
from tests.rules.test_record_format import BY_HAND

COMMANDS = [
    ["changepassword", "nobody"],
    ["check_logs"],
    ["clearsessions"],
    ["createsuperuser", "--no-input", "--username=ann"],
    ["dumpdata"],
    ["first_admin"],
    ["flush", "--no-input"],
    ["import_record", "RECORD"],
    ["inspectdb"],
    ["open_demonstration"],
    ["remove_stale_contenttypes", "--no-input"],
    ["showmigrations"],
    ["simulate", "--deals=1", "--seats=2", "--workers=1", "--verbosity=0", "easy", "random"],
    ["sqlsequencereset", "tables"],
]
"""Each command that opens a database, and ours: what else Django has only writes or reads files."""
TRY_ALL = """
import contextlib, io, json, sys
import manage

def output_of(words):
    heard = io.StringIO()
    try:
        with contextlib.redirect_stdout(heard), contextlib.redirect_stderr(heard):
            manage.main(["manage.py", *words])
    except SystemExit as end:
        return end.code
    except Exception as fault:
        return ["a traceback", repr(fault)]
    return 0

print(json.dumps([output_of(words) for words in json.loads(sys.argv[1])]))
"""


def tried(database_url: str, folder: Path) -> dict[str, object]:
    """By command its exit status, or the sentence that it ended with."""
    environment = {
        **os.environ,
        "DATABASE_URL": database_url,
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "DATA_DIR": str(folder),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DJANGO_SUPERUSER_PASSWORD": "a long enough one",
    }
    (folder / "match.txt").write_text(BY_HAND)
    command = [sys.executable, "-c", TRY_ALL, json.dumps(COMMANDS).replace("RECORD", str(folder / "match.txt"))]
    output = subprocess.check_output(command, cwd=ROOT, env=environment, text=True)
    return dict(zip([words[0] for words in COMMANDS], json.loads(output.splitlines()[-1]), strict=True))


@pytest.fixture
def empty_database(tmp_path: Path) -> Iterator[str]:
    """The address of a database without tables."""
    url = os.environ["DATABASE_URL"]
    name = f"empty_{os.getpid()}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"create database {name}")
        yield urlsplit(url)._replace(path=f"/{name}").geturl()
        connection.execute(f"drop database {name} with (force)")


@pytest.mark.slow
def test_a_database_without_tables_gets_a_hint_to_migrate(empty_database: str, tmp_path: Path) -> None:
    said = tried(empty_database, tmp_path)
    fine = {name for name, end in said.items() if end == 0}
    assert fine == {"flush", "inspectdb", "showmigrations", "simulate", "sqlsequencereset"}
    assert said.pop("dumpdata") == 1  # Django's own sentence
    for name in said.keys() - fine:
        assert re.fullmatch(r"The database lacks tables .*\. Run manage\.py migrate first\.", str(said[name])), name


@pytest.mark.slow
def test_a_database_that_is_away_is_named(tmp_path: Path) -> None:
    said = tried("postgresql://127.0.0.1:1/none", tmp_path)
    fine = {name for name, end in said.items() if end == 0}
    assert fine == {"simulate", "sqlsequencereset"}
    assert said.pop("dumpdata") == 1
    for name in said.keys() - fine:
        assert re.fullmatch(r"The database does not answer \(.*\)\. Start it, or .*", str(said[name])), name


def test_a_missing_setting_is_named() -> None:
    command = [sys.executable, "manage.py", "check_logs"]
    environment = {name: os.environ[name] for name in ("PATH", "DATABASE_URL")}
    ran = subprocess.run(command, check=False, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (1, "Set the environment variable SECRET_KEY.\n")
