"""HSTS: browsers remember for a year that this host uses https. Subdomains are included only if the owner says so."""

import json
import os
import subprocess
import sys

import pytest

from local import ROOT
from tests.cases import slow_after

ASK = """
import json
from config import settings as s
print(json.dumps([s.SECURE_HSTS_SECONDS > 0, s.SECURE_HSTS_INCLUDE_SUBDOMAINS, s.SECURE_HSTS_PRELOAD]))
"""


@pytest.mark.parametrize(
    ("variables", "told"),
    slow_after(
        1,
        [
            ({"PUBLIC_URL": "https://play.example.org"}, [True, False, False]),
            ({"PUBLIC_URL": "https://play.example.org", "HSTS_SUBDOMAINS": "yes"}, [True, True, False]),
            (
                {"PUBLIC_URL": "https://play.example.org", "HSTS_SUBDOMAINS": "1", "HSTS_PRELOAD": "1"},
                [True, True, True],
            ),
            (
                {"PUBLIC_URL": "http://127.0.0.1", "HSTS_SUBDOMAINS": "yes", "HSTS_PRELOAD": "yes"},
                [False, False, False],
            ),
        ],
    ),
)
def test_subdomains_are_included_only_if_the_settings_say_so(variables: dict[str, str], told: list[bool]) -> None:
    known = {"SECRET_KEY": "x" * 32, "DATABASE_URL": "postgresql://nobody@nowhere/nothing"}
    answer = subprocess.run(
        [sys.executable, "-c", ASK], cwd=ROOT, env=os.environ | known | variables, capture_output=True, check=True
    )
    assert json.loads(answer.stdout) == told
