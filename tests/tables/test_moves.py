"""``POST tables/{id}/moves``."""

from typing import Any

from tests.cast import Caller, play, position


def test_it_works(playing: dict[str, Any], alice: Caller) -> None:
    answer = play(playing, alice)
    assert answer.status == 201
    assert answer.body["number"] == 1
    assert answer.body["position"]["next_number"] == 2


def test_a_retry_is_safe(playing: dict[str, Any], alice: Caller) -> None:
    first = play(playing, alice)
    again = alice.post(f"tables/{playing['id']}/moves", {"move": first.body["move"], "number": 1})
    assert again.status == 200
    assert (again.body["number"], again.body["move"]) == (1, first.body["move"])


def test_it_is_not_bobs_turn(playing: dict[str, Any], bob: Caller) -> None:
    answer = bob.post(f"tables/{playing['id']}/moves", {"move": "draw", "number": 1})
    assert (answer.status, answer.body["code"]) == (409, "not_your_turn")
    assert answer.body["position"] == position(playing, bob) | {"turn": answer.body["position"]["turn"]}
