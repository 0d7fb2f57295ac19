"""Whether shared caches may store an answer."""

from typing import Any

import pytest

from tests.cast import Caller

OWN = ["players/me", "players/me/tables", "tables", "tables/{}", "tables/{}/moves", "tables/{}/position", "nowhere"]


@pytest.mark.parametrize("path", OWN)
def test_an_answer_for_one_caller_is_private(playing: dict[str, Any], alice: Caller, path: str) -> None:
    answer = alice.get(path.format(playing["id"]))
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert "Authorization" in answer.headers["Vary"].split(", ")


def test_an_answer_to_a_post_is_private(playing: dict[str, Any], alice: Caller, bob: Caller) -> None:
    for caller in (alice, bob):
        answer = caller.post(f"tables/{playing['id']}/moves", {"move": "pass", "number": 1})
        assert answer.headers["Cache-Control"] == "private, no-cache"


def test_answers_about_the_rules_are_public(spectator: Caller) -> None:
    assert "public" in spectator.get("rules/presets").headers["Cache-Control"]
