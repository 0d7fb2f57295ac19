"""``POST moves`` in the middle of a round: the server's CPU against the bare endpoint's, and its SQL statements."""

import json
import sys
from collections.abc import Sequence
from random import Random
from statistics import median

from bench import bare_tables, stage
from bench.measure import Measure, conclude, median_ratio, milliseconds
from bench.stage import FOUR_PERSONS, PERSON, Match
from bench.web import BARE, OURS, Web, serving
from bench.wire import Connection, rate, request

PERSONS_AND_BOTS = (PERSON, "easy", PERSON, "easy")
FIRST, LAST = 41, 80
"""The first and the last measured move of a round.

It has at least ``LONGER_THAN`` moves; most such rounds have about 120.
"""
LONGER_THAN = 95
BATCHES = 8
TABLES_A_BATCH = 4
CROWD = 16
WAVE = 60
WAVES = 4
CREATED = 201


def matches(seats: Sequence[str], number: int, chance: Random) -> list[Match]:
    """Tables just before the middle of their first round, each copied for the bare endpoint."""
    ready = [stage.scripted_match(seats, LONGER_THAN, chance) for _ in range(number)]
    for match in ready:
        stage.play_until(match, FIRST)
    bare_tables.copy(ready)
    return ready


def move_request(match: Match, number: int) -> bytes:
    seat, move = match.log[number - 1]
    return request("POST", f"{match.path}/moves", match.tokens[seat], match.body(number, move))


def bare_request(match: Match, number: int) -> bytes:
    seat, move = match.log[number - 1]
    return request("POST", f"/bare/{match.table}/moves", match.tokens[seat], match.body(number, move))


def script(match: Match) -> list[bytes]:
    """The requests of the middle of a round, by all seats."""
    return [move_request(match, number) for number in range(FIRST, LAST + 1)]


def bare_script(match: Match) -> list[bytes]:
    return [bare_request(match, number) for number in range(FIRST, LAST + 1)]


class Batch:
    """CPU and waiting time of one batch of requests over one connection."""

    def __init__(self, web: Web, requests: list[bytes]) -> None:
        with Connection(web.port) as connection:
            before = web.cpu_seconds()
            times = connection.ask_all(requests, CREATED)
            self.cpu = (web.cpu_seconds() - before) / len(requests)
        self.wait = median(times)


def persons_only(ours: Web, bare: Web, chance: Random) -> list[Measure]:
    playing = matches(FOUR_PERSONS, BATCHES * TABLES_A_BATCH, chance)
    pairs = []
    for at in range(0, len(playing), TABLES_A_BATCH):
        some = playing[at : at + TABLES_A_BATCH]
        bare_batch = Batch(bare, [each for match in some for each in bare_script(match)])
        pairs.append((Batch(ours, [each for match in some for each in script(match)]), bare_batch))
    cpu = median_ratio((mine.cpu, theirs.cpu) for mine, theirs in pairs)
    wait = median_ratio((mine.wait, theirs.wait) for mine, theirs in pairs)
    return [
        Measure("CPU a POST moves", *both([(m.cpu, b.cpu) for m, b in pairs]), cpu, floor=2, goal=1.6),
        Measure("p50 of POST moves, 1 connection", *both([(m.wait, b.wait) for m, b in pairs]), wait),
    ]


def both(pairs: list[tuple[float, float]]) -> tuple[str, str]:
    return milliseconds(median(mine for mine, _ in pairs)), f"bare {milliseconds(median(b for _, b in pairs))}"


def bot_is_next(ours: Web, bare: Web, chance: Random) -> Measure:
    """Measure only moves that give the turn to a bot.

    Each sends a nudge after its commit, and no worker is running. In each wave, every table is brought to its next such
    move in this process. Then all these moves are sent at once.
    """
    playing = matches(PERSONS_AND_BOTS, WAVE, chance)
    places = [[number for number in range(FIRST, LAST + 1) if is_handed_on(match, number)] for match in playing]
    played, cpu = [FIRST] * WAVE, []
    for wave in range(WAVES):
        requests, bare_requests = [], []
        for at, match in enumerate(playing):
            number = places[at][wave]
            stage.play_between(match, played[at], number)
            played[at] = number + 1
            requests.append(move_request(match, number))
            bare_requests.append(bare_request(match, number))
        theirs = Batch(bare, bare_requests)
        cpu.append((Batch(ours, requests).cpu, theirs.cpu))
    return Measure("CPU a POST moves, a bot is next", *both(cpu), median_ratio(cpu), floor=2.7, goal=2.2)


def is_handed_on(match: Match, number: int) -> bool:
    """Whether a person makes this move and a bot makes the next one."""
    (seat, _), (following, _) = match.log[number - 1 : number + 1]
    return bool(match.tokens[seat]) and not match.tokens[following]


def throughput(chance: Random) -> Measure:
    """Moves a second with as many tables as connections, and two workers."""
    playing = matches(FOUR_PERSONS, CROWD, chance)
    with serving(BARE, workers=2) as bare, serving(OURS, workers=2) as ours:
        theirs = rate(bare.port, [bare_script(match) for match in playing], CREATED)
        mine = rate(ours.port, [script(match) for match in playing], CREATED)
    return Measure(f"POST moves/s, {CROWD} connections", f"{mine:.0f}/s", f"bare {theirs:.0f}/s", mine / theirs)


def statements(chance: Random) -> Measure:
    """The SQL statements of a move, counted in this process. Those that open and close the transaction do not count."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    (match,) = matches(FOUR_PERSONS, 1, chance)
    client, counts = Client(), []
    for number in range(FIRST, LAST + 1):
        seat, move = match.log[number - 1]
        content = json.dumps(match.body(number, move))
        headers = {"Authorization": f"Bearer {match.tokens[seat]}", "Host": "127.0.0.1"}
        with CaptureQueriesContext(connection) as captured:
            answer = client.post(f"{match.path}/moves", content, "application/json", headers=headers)
        assert answer.status_code == CREATED
        counts.append(sum(query["sql"] not in {"BEGIN", "COMMIT"} for query in captured.captured_queries))
    most = max(counts)
    return Measure("statements a POST moves", f"{most}", "4 needed", most, floor=7, goal=5)


def measure() -> list[Measure]:
    chance = Random(1)
    with serving(BARE) as bare, serving(OURS) as ours:
        warm_up(ours, bare, chance)
        measures = persons_only(ours, bare, chance)
        measures.append(bot_is_next(ours, bare, chance))
    return [*measures, statements(chance), throughput(chance)]


def warm_up(ours: Web, bare: Web, chance: Random) -> None:
    some = matches(FOUR_PERSONS, 2, chance)
    Batch(bare, [each for match in some for each in bare_script(match)])
    Batch(ours, [each for match in some for each in script(match)])


if __name__ == "__main__":
    stage.prepare()
    sys.exit(conclude(measure()))
