"""Thirteen rounds to a winner, by bots alone and by a person among bots."""

from typing import Any

from rules.shuffling import commitment_to, shuffled
from rules.tiles import tile_texts
from tests.acceptance.server import Client

ROUNDS = 13
MATCH_SECONDS = 120


def bots(*levels: str, first: int = 0) -> list[dict[str, Any]]:
    return [{"seat": seat, "level": level} for seat, level in enumerate(levels, first)]


def check_finished(client: Client, table: str, end: dict[str, Any]) -> None:
    """The results add up, the lowest total has won, and every deal is the one that was committed to."""
    results = client.done("GET", f"tables/{table}/rounds")
    assert [result["engine"] for result in results] == [f"{pip}-{pip}" for pip in range(12, -1, -1)]
    totals = [sum(points) for points in zip(*(result["points"] for result in results), strict=True)]
    assert [seat["total"] for seat in end["seats"]] == totals
    assert end["winners"] == [seat for seat, total in enumerate(totals) if total == min(totals)]
    for number in range(1, ROUNDS + 1):
        check_deal(client.done("GET", f"tables/{table}/rounds/{number}/deal"))


def check_deal(deal: dict[str, Any]) -> None:
    secret = bytes.fromhex(deal["secret"])
    assert commitment_to(secret) == deal["commitment"]
    order = shuffled(secret, deal["table"], deal["round"], deal["client_seeds"], deal["set_max_pip"])
    assert tile_texts(order) == deal["order"]


def test_four_bots_play_a_whole_match(alice: Client) -> None:
    table = alice.open_and_start(seats=4, host_seat=None, bots=bots("easy", "random", "easy", "random"))
    end = alice.play_to_the_end(table, MATCH_SECONDS)
    check_finished(alice, table, end)
    moves = alice.done("GET", f"tables/{table}/moves?limit=500")
    assert {move["by"] for move in moves} == {"bot"}


def test_a_person_and_three_bots_play_a_whole_match(alice: Client) -> None:
    table = alice.open_and_start(seats=4, bots=bots("easy", "easy", "random", first=1))
    alice.done("PUT", f"tables/{table}/client-seed", {"seed": "my own words"})
    end = alice.play_to_the_end(table, MATCH_SECONDS)
    check_finished(alice, table, end)
    moves = alice.done("GET", f"tables/{table}/moves?limit=500")
    assert {move["by"] for move in moves if move["seat"] == 0} == {"person"}
