"""Polls of a position that has not changed (304): SQL statements, and the rate against a bare one-query view."""

import sys
from random import Random
from statistics import median

from bench import bare_tables, stage
from bench.measure import Measure, conclude, median_ratio, milliseconds
from bench.stage import FOUR_PERSONS, Match
from bench.web import BARE, OURS, Web, serving
from bench.wire import Connection, rate, request

TABLES = 16
PLACE = 41
CONNECTIONS = 8
POLLS_A_CONNECTION = 250
ROUNDS = 5
NOT_MODIFIED = 304


def etag_of(web: Web, path: str, token: str) -> str:
    with Connection(web.port) as connection:
        _, head, _ = connection.ask(request("GET", path, token))
    for line in head.decode().split("\r\n"):
        name, _, value = line.partition(": ")
        if name.lower() == "etag":
            return value
    raise AssertionError(f"no ETag from {path}")


def polls(web: Web, paths_and_tokens: list[tuple[str, str]]) -> list[list[bytes]]:
    """The requests of each connection. All callers poll in turn, spread over the connections, as in real use."""
    requests = [
        request("GET", path, token, headers=f"If-None-Match: {etag_of(web, path, token)}\r\n")
        for path, token in paths_and_tokens
    ]
    shares = [requests[at::CONNECTIONS] for at in range(CONNECTIONS)]
    return [(share * POLLS_A_CONNECTION)[:POLLS_A_CONNECTION] for share in shares]


class Round:
    """Rate and CPU of many polls at once."""

    def __init__(self, web: Web, batches: list[list[bytes]]) -> None:
        before = web.cpu_seconds()
        self.rate = rate(web.port, batches, NOT_MODIFIED)
        self.cpu = (web.cpu_seconds() - before) / sum(map(len, batches))


def statements(match: Match) -> int:
    """The SQL statements of one unchanged poll, counted in this process."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    headers = {"Authorization": f"Bearer {match.tokens[0]}", "Host": "127.0.0.1"}
    tag = Client().get(f"{match.path}/position", headers=headers).headers["ETag"]
    with CaptureQueriesContext(connection) as captured:
        answer = Client().get(f"{match.path}/position", headers=headers | {"If-None-Match": tag})
    assert answer.status_code == NOT_MODIFIED
    return len(captured)


def measure() -> list[Measure]:
    chance = Random(1)
    matches = [stage.scripted_match(FOUR_PERSONS, PLACE, chance) for _ in range(TABLES)]
    for match in matches:
        stage.play_until(match, PLACE)
    bare_tables.copy(matches)
    callers = [(match, token) for match in matches for token in match.tokens]
    with serving(BARE) as bare, serving(OURS) as ours:
        their_polls = polls(bare, [(f"/bare/{match.table}/position", token) for match, token in callers])
        our_polls = polls(ours, [(f"{match.path}/position", token) for match, token in callers])
        pairs = [(Round(ours, our_polls), Round(bare, their_polls)) for _ in range(ROUNDS)]
    count = statements(matches[0])
    mine, theirs = (median(each.rate for each in side) for side in zip(*pairs, strict=True))
    my_cpu, their_cpu = (milliseconds(median(each.cpu for each in side)) for side in zip(*pairs, strict=True))
    ratio = median_ratio((ours.rate, bare.rate) for ours, bare in pairs)
    cpu = median_ratio((ours.cpu, bare.cpu) for ours, bare in pairs)
    return [
        Measure(
            "unchanged polls/s", f"{mine:.0f}/s", f"bare {theirs:.0f}/s", ratio, floor=0.65, goal=0.8, at_least=True
        ),
        Measure("CPU an unchanged poll", my_cpu, f"bare {their_cpu}", cpu),
        Measure("statements an unchanged poll", str(count), "1 needed", count, floor=1, goal=1),
    ]


if __name__ == "__main__":
    stage.prepare()
    sys.exit(conclude(measure()))
