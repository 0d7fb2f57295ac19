"""The page about bots: its programs, run as they are printed, and its ladder, which has every level."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import pytest

from rules.mexican_train.bots import BOTS
from tests.acceptance.server import ROOT, Client, Server, until
from tests.acceptance.test_matches import MATCH_SECONDS, bots

PAGE = (ROOT / "docs" / "bots.md").read_text()
PROGRAMS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
WITH_RULES, OVER_HTTP = PROGRAMS
SEAT = 2
"""Where the program sits at the tables of these tests."""


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_bot_takes_thirty_lines_at_most(program: str) -> None:
    assert len(program.splitlines()) <= 30


def test_every_level_is_described_from_the_weakest_on() -> None:
    described = re.findall(r"^- \*\*(\w+)\*\* ", PAGE, re.MULTILINE)
    assert [level for level in described if level in BOTS] == list(BOTS)


def test_the_ladder_has_every_level_and_its_step_from_the_one_below() -> None:
    steps = re.findall(r"^\| (\w+) v (\w+) \|", PAGE, re.MULTILINE)
    assert {level for step in steps for level in step} == set(BOTS)
    assert set(steps) >= {(stronger, weaker) for weaker, stronger in pairwise(BOTS)}


def test_the_bot_with_the_rules_plays_a_round_against_hard() -> None:
    told = subprocess.run(
        [sys.executable, "-W", "error", "-c", WITH_RULES], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert re.fullmatch(r"Pips left: mine \d+, hard \d+\.\n", told.stdout)


@contextmanager
def joined(server: Server, host: Client, table: dict[str, Any]) -> Iterator["subprocess.Popen[str]"]:
    """The bot over HTTP, started as a program: it sits in the free seat of a table, which has been started."""
    words = [sys.executable, "-W", "error", "-c", OVER_HTTP, server.url, table["invite"]["code"]]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as program:
        try:
            until(lambda: host.done("GET", f"tables/{table['id']}")["seats"][SEAT]["player"], "it sits", seconds=20)
            host.done("POST", f"tables/{table['id']}/start")
            yield program
        finally:
            program.kill()


def test_the_bot_over_http_plays_a_match_to_its_end(server: Server, alice: Client) -> None:
    seated = bots("easy", "hard")
    table = alice.done("POST", "tables", {"seats": 3, "host_seat": None, "bots": seated, "options": {"rounds": 1}})
    with joined(server, alice, table) as program:
        said, _ = program.communicate(timeout=MATCH_SECONDS)
    assert said == f"finished winners: {alice.position(table['id'])['winners']}\n"
    log = alice.done("GET", f"tables/{table['id']}/moves?limit=500")
    assert {move["by"] for move in log if move["seat"] == SEAT} == {"person"}


def test_the_bot_over_http_calls_while_it_is_not_its_turn(server: Server, alice: Client) -> None:
    """Alice and Bob never announce, and whenever she may be called, Bob waits for the bot to do it."""
    bob = Client(server, "Bob")
    options = {"announce": "penalty", "hand_sizes": {"3": 2}}
    table = alice.done("POST", "tables", {"seats": 3, "options": options})
    bob.done("POST", "tables/join", {"invite": table["invite"]["code"]})
    with joined(server, alice, table) as program:
        until(lambda: has_called(alice, bob, table["id"]), "the bot calls", seconds=MATCH_SECONDS)
        alice.done("POST", f"tables/{table['id']}/cancel")
        assert program.communicate(timeout=20)[0] == "cancelled winners: None\n"


def has_called(alice: Client, bob: Client, table: str) -> bool:
    """Whether the bot has called Alice in Bob's turn. Otherwise neither of the two announces anything."""
    log = bob.done("GET", f"tables/{table}/moves?limit=500")
    if any((move["move"], move["seat"]) == ("call 0", SEAT) for move in log):
        return True
    now = bob.position(table)
    if now["may_be_called"] != 0 and now["turn"]["seat"] != SEAT:
        say_nothing([alice, bob][now["turn"]["seat"]], table)
    return False


def say_nothing(mover: Client, table: str) -> None:
    """The first legal move, which is never to say something; a bot that called meanwhile has taken its place."""
    now = mover.position(table)
    move = {"move": now["you"]["legal_moves"][0]["move"], "number": now["next_number"]}
    assert mover.call("POST", f"tables/{table}/moves", move).status_code in {201, 409}
