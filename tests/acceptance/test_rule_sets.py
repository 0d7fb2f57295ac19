"""Other rule sets through real processes: bots announce, call and play long first turns by themselves."""

import pytest

from tests.acceptance.server import Client
from tests.acceptance.test_matches import MATCH_SECONDS, bots

RULE_SETS = [("tapper", 3), ("long_trains", 4), ("cardinal", 2)]
"""The others are played without processes, in ``tests/tables/test_rule_sets_over_http.py``."""


@pytest.mark.parametrize(("preset", "seats"), RULE_SETS)
def test_bots_play_other_rule_sets(alice: Client, preset: str, seats: int) -> None:
    levels = ["easy", "random"] * seats
    table = alice.open_and_start(
        preset=preset, options={"rounds": 2}, seats=seats, host_seat=None, bots=bots(*levels[:seats])
    )
    end = alice.play_to_the_end(table, MATCH_SECONDS)
    results = alice.done("GET", f"tables/{table}/rounds")
    assert [sum(points) for points in zip(*(result["points"] for result in results), strict=True)] == [
        seat["total"] for seat in end["seats"]
    ]
    moves = alice.done("GET", f"tables/{table}/moves?limit=500")
    assert {move["by"] for move in moves} == {"bot"}
    deals = [alice.done("GET", f"tables/{table}/rounds/{number}/deal") for number in (1, 2)]
    assert [deal["engine"] for deal in deals] == [result["engine"] for result in results]
