"""Whether somebody in between may keep an answer."""

from typing import Any

import pytest

from tests.cast import Caller

OWN = ["players/me", "players/me/tables", "tables", "tables/{}", "tables/{}/moves", "tables/{}/position", "nowhere"]


@pytest.mark.parametrize("path", OWN)
def test_what_is_for_one_caller_is_kept_for_no_other(playing: dict[str, Any], alice: Caller, path: str) -> None:
    answer = alice.get(path.format(playing["id"]))
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert "Authorization" in answer.headers["Vary"].split(", ")


def test_so_it_is_for_what_is_sent(playing: dict[str, Any], alice: Caller, bob: Caller) -> None:
    for caller in (alice, bob):
        answer = caller.post(f"tables/{playing['id']}/moves", {"move": "pass", "number": 1})
        assert answer.headers["Cache-Control"] == "private, no-cache"


def test_rules_are_for_everybody(spectator: Caller) -> None:
    assert "public" in spectator.get("rules/presets").headers["Cache-Control"]
