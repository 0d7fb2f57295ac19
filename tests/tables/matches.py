"""Whole matches over the API, as short as the rules allow, and what workers were asked to do meanwhile."""

import base64
import json
from typing import Any

from django.conf import settings
from redis import Redis

from tests.cast import Caller, join, open_table, play, position, start

SHORT = {"rounds": 1, "hand_sizes": {"2": 1, "3": 1, "4": 1}}


def play_out(table: dict[str, Any], *callers: Caller) -> None:
    """Every caller, in the order of the seats, makes the first legal move until the match is over."""
    while turn := position(table, callers[0])["turn"]:
        answer = play(table, callers[turn["seat"]])
        assert answer.status == 201, answer.text


def finished_match(host: Caller, *others: Caller, **fields: Any) -> dict[str, Any]:
    """A match of one short round, played to its end: the table afterwards, as the host sees it."""
    table = open_table(host, **{"seats": 1 + len(others), "options": SHORT} | fields)
    join(table, *others)
    start(table, host)
    play_out(table, host, *others)
    after: dict[str, Any] = host.get(f"tables/{table['id']}").body
    assert after["status"] == "finished"
    return after


def nudges(table: dict[str, Any]) -> list[int]:
    """The numbers at which the broker was asked to have this table moved on, oldest first."""
    with Redis.from_url(settings.REDIS_URL) as redis:
        messages = [json.loads(text) for text in redis.lrange("celery", 0, -1)]  # type: ignore[union-attr]
    asked = [json.loads(base64.b64decode(message["body"]))[0] for message in messages]
    return [number for table_id, number in reversed(asked) if table_id == table["id"]]
