"""The requests that the verbs of the client send."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from mexican_train import LegalMove, verbs
from mexican_train.calls import Call

UUID = "0b9ad7ac-1f7f-4f5b-9b37-6b8d0a3d2c11"


def test_a_legal_move_is_sent_with_its_marker() -> None:
    move = LegalMove(move="12-7>0", type="play", keep_marker=True)
    assert verbs.play(UUID, move, 3).body == {"move": "12-7>0", "number": 3, "keep_marker": True}
    assert verbs.play(UUID, "draw", 3).body == {"move": "draw", "number": 3}


def test_omitted_fields_are_left_out_and_null_is_sent() -> None:
    assert verbs.open_table().body == {"host_seat": 0}
    assert verbs.open_table(host_seat=None, bots={1: "easy"}).body == {
        "host_seat": None,
        "bots": [{"seat": 1, "level": "easy"}],
    }
    assert verbs.change_table(UUID, {"turn_seconds": None}).body == {"turn_seconds": None}


def test_only_creating_calls_have_a_key() -> None:
    creating: list[Call[Any]] = [
        verbs.register_guest("x"),
        verbs.open_table(),
        verbs.join("x"),
        verbs.take_seat(UUID),
        verbs.rematch(UUID),
        verbs.add_webhook("x", []),
        verbs.try_webhook(UUID),
    ]
    others: list[Call[Any]] = [verbs.play(UUID, "draw", 1), verbs.start(UUID), verbs.me()]
    assert all("Idempotency-Key" in call.headers for call in creating)
    assert not any("Idempotency-Key" in call.headers for call in others)


def test_only_creating_calls_and_emptying_a_seat_accept_a_key() -> None:
    taking = [verb for verb in vars(verbs).values() if inspect.isfunction(verb) and verb.__module__ == verbs.__name__]
    taking = [verb for verb in taking if "key" in inspect.signature(verb).parameters]
    assert {verb.__name__ for verb in taking} == {
        *("register_guest", "register", "open_table", "join", "take_seat", "rematch", "add_webhook", "try_webhook"),
        *("leave_seat", "renew_invite", "remove_webhook", "offer_handover", "handover"),
    }
    needed: dict[str, Any] = {"name": "x", "username": "x", "password": "x", "invite": "x", "table": UUID, "seat": 1}
    needed |= {"code": "x"}
    needed |= {"url": "x", "events": [], "webhook": UUID}
    for verb in taking:
        own = {name: value for name, value in needed.items() if is_needed(verb, name)}
        assert verb(**own, key="mine").headers["Idempotency-Key"] == "mine"


def is_needed(verb: Callable[..., Any], name: str) -> bool:
    parameter = inspect.signature(verb).parameters.get(name)
    return parameter is not None and parameter.default is parameter.empty


@pytest.mark.parametrize("wrong", ["", ".", ".."])
def test_an_argument_cannot_change_the_path(wrong: str) -> None:
    for verb in (verbs.table, verbs.preset, verbs.player, verbs.webhook):
        with pytest.raises(ValueError, match="names nothing"):
            verb(wrong)
    assert verbs.preset("../../admin?x#y").path == "rules/presets/..%2F..%2Fadmin%3Fx%23y"
