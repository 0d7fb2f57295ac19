"""``GET players/{id}``."""

from typing import Any

import pytest

from tables.models import Hand, Status, Table
from tests.cast import Caller, open_table
from tests.matches import begin, play_match
from tests.rest.checks import check_refused


def record_of(caller: Caller, asker: Caller) -> dict[str, Any]:
    assert caller.player is not None
    answer = asker.get(f"players/{caller.player.pk}")
    assert answer.status == 200, answer.text
    record: dict[str, Any] = answer.body
    return record


def finish(*winners: int, points: tuple[int, ...], table: dict[str, Any]) -> None:
    """Have the match end with these winners and these points in every round."""
    finished = {"status": Status.FINISHED, "turn": None, "winners": list(winners)}
    Table.objects.filter(pk=table["id"]).update(**finished)
    for seat, each in enumerate(points):
        Hand.objects.filter(round__table=table["id"], seat__number=seat).update(points=each)


def test_it_works(alice: Caller, spectator: Caller) -> None:
    assert alice.player is not None
    nothing = {"matches": 0, "played": 0, "left": 0, "forfeited": 0, "wins": 0, "average_points_a_round": None}
    assert record_of(alice, spectator) == {"id": str(alice.player.pk), "name": "Alice", "kind": "person"} | nothing


def test_matches_wins_and_average(alice: Caller, bob: Caller, spectator: Caller) -> None:
    finish(0, points=(0, 10), table=begin(alice, bob))
    finish(1, points=(5, 0), table=begin(alice, bob))
    finish(0, points=(10, 20), table=begin(alice, bob))
    record = record_of(alice, spectator)
    assert (record["matches"], record["wins"], record["average_points_a_round"]) == (3, 2, 5.0)
    record = record_of(bob, alice)
    assert (record["matches"], record["wins"], record["average_points_a_round"]) == (3, 1, 10.0)


def test_a_shared_win_is_a_win_for_each(alice: Caller, bob: Caller, cleo: Caller) -> None:
    finish(0, 2, points=(3, 9, 3), table=begin(alice, bob, cleo))
    assert [record_of(each, alice)["wins"] for each in (alice, bob, cleo)] == [1, 0, 1]


def test_the_average_is_rounded(alice: Caller, bob: Caller) -> None:
    for points in (1, 1, 2):
        finish(1, points=(points, 0), table=begin(alice, bob))
    assert record_of(alice, bob)["average_points_a_round"] == 1.3


def test_the_record_of_a_match_played_to_its_end(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    play_match(table)
    won = alice.get(f"tables/{table['id']}").body["winners"]
    totals = [seat["total"] for seat in alice.get(f"tables/{table['id']}").body["seats"]]
    for seat, caller in enumerate((alice, bob)):
        record = record_of(caller, bob)
        assert (record["matches"], record["wins"]) == (1, int(seat in won))
        assert record["average_points_a_round"] == totals[seat] / 2


def test_matches_that_were_not_played_to_the_end_do_not_count(alice: Caller, bob: Caller) -> None:
    begin(alice, bob)
    alice.post(f"tables/{begin(alice, bob)['id']}/cancel")
    open_table(alice)
    record = record_of(alice, bob)
    assert (record["matches"], record["wins"], record["average_points_a_round"]) == (0, 0, None)


def test_otto_has_a_record_and_a_level(alice: Caller, spectator: Caller) -> None:
    table = begin(alice, bots=[{"seat": 1, "level": "easy"}])
    finish(1, points=(8, 2), table=table)
    record = spectator.get(f"players/{table['seats'][1]['player']['id']}").body
    assert (record["name"], record["kind"], record["level"]) == ("Otto", "bot", "easy")
    assert (record["matches"], record["wins"], record["average_points_a_round"]) == (1, 1, 2.0)


def test_usernames_are_not_public(alice: Caller, bob: Caller) -> None:
    alice.post("players/register", {"username": "alice.secret", "password": "tiles-and-trains"})
    assert "alice.secret" not in str(record_of(alice, bob))


@pytest.mark.parametrize("player", ["00000000-0000-4000-8000-000000000000", "7", "nobody", "%00", "a" * 3000])
def test_an_unknown_player_is_not_found(spectator: Caller, player: str) -> None:
    check_refused(lambda: spectator.get(f"players/{player}"), 404, "not_found")
