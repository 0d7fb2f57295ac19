"""What browsers are told to believe for a year: that this name speaks https, and of other names nothing unasked."""

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
def test_only_what_its_owner_says_is_told_of_other_names(variables: dict[str, str], told: list[bool]) -> None:
    known = {"SECRET_KEY": "x" * 32, "DATABASE_URL": "postgresql://nobody@nowhere/nothing"}
    answer = subprocess.run(
        [sys.executable, "-c", ASK], cwd=ROOT, env=os.environ | known | variables, capture_output=True, check=True
    )
    assert json.loads(answer.stdout) == told
