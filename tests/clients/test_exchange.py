"""When the client sends a call again, decided without a clock and without a network."""

from dataclasses import replace

import httpx
import pytest

from mexican_train import Position, verbs
from mexican_train.exchange import Patience, Pause, Sending, exchange

PATIENCE = Patience(timeout=10, total=30, attempts=5, first=1, most=3)


def refusal(status: int, **headers: str) -> httpx.Response:
    body = {"code": "x", "status": status, "detail": ""}
    return httpx.Response(status, json=body, headers={n.replace("_", "-"): v for n, v in headers.items()})


@pytest.mark.parametrize(("chance", "pauses"), [(0.0, [1, 2, 3, 3]), (1.0, [0.5, 1, 1.5, 1.5])])
def test_pauses_double_up_to_a_limit_and_are_shortened_at_random(chance: float, pauses: list[float]) -> None:
    steps = exchange(verbs.me(), PATIENCE, lambda: 0, lambda: chance)
    assert next(steps) == Sending(10)
    for pause in pauses:
        assert steps.send(refusal(503)) == Pause(pause)
        assert next(steps) == Sending(10)
    with pytest.raises(Exception, match="x: "):
        steps.send(refusal(503))


def test_the_server_may_ask_for_a_longer_pause() -> None:
    steps = exchange(verbs.me(), PATIENCE, lambda: 0, lambda: 0)
    next(steps)
    assert steps.send(refusal(429, Retry_After="7")) == Pause(7)
    next(steps)
    assert steps.send(refusal(429, Retry_After="Thu, 01 Jan 1970 00:00:00 GMT")) == Pause(2)
    next(steps)
    assert steps.send(refusal(429, Retry_After="soon")) == Pause(3)


def test_a_pause_beyond_the_total_time_is_not_made() -> None:
    steps = exchange(verbs.me(), PATIENCE, lambda: 0, lambda: 0)
    next(steps)
    with pytest.raises(Exception, match="x: "):
        steps.send(refusal(429, Retry_After="30"))


def test_while_a_known_server_is_away_pauses_double_up_to_half_a_minute() -> None:
    clock = [0.0]
    steps = exchange(verbs.me(), replace(PATIENCE, away=100).while_away, lambda: clock[0], lambda: 0)
    next(steps)
    for pause in (1, 2, 4, 8, 16, 30, 30):
        assert steps.send(refusal(503)) == Pause(pause)
        clock[0] += pause
        next(steps)
    with pytest.raises(Exception, match="x: "):
        steps.send(refusal(503))


def test_the_last_wait_ends_with_the_total_time() -> None:
    clock = iter([0.0, 0.0, 26.0, 27.0])
    steps = exchange(verbs.me(), PATIENCE, lambda: next(clock), lambda: 0)
    assert next(steps) == Sending(10)
    assert steps.send(refusal(503)) == Pause(1)
    assert next(steps) == Sending(3)


def test_a_held_answer_has_more_time() -> None:
    before = Position(
        table="t", status="open", version=1, next_number=1, round=None, next_commitment=None, turn=None, trains=(),
        open_doubles=(), boneyard=0, seats=(), last_move=None, may_be_called=None, you=None, last_round=None,
        winners=None, ended_reason=None, etag='"1"',
    )  # fmt: skip
    steps = exchange(verbs.position("t", unless=before, wait=25), PATIENCE, lambda: 0, lambda: 0)
    assert next(steps) == Sending(35)
