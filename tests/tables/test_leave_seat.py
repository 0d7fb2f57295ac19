"""``DELETE tables/{id}/seats/{n}``."""

from typing import Any

import pytest

from tables.models import Seat
from tests.cases import slow_after
from tests.cast import Caller, join, open_table, position
from tests.matches import begin, play_match
from tests.rest.checks import check_refused, nothing_changes
from tests.tables.nudges import nudges


def names(table: dict[str, Any], caller: Caller) -> list[str | None]:
    shown = caller.get(f"tables/{table['id']}").body
    return [seat["player"] and seat["player"]["name"] for seat in shown["seats"]]


def test_it_works(two_seats: dict[str, Any], alice: Caller, bob: Caller) -> None:
    answer = bob.delete(f"tables/{two_seats['id']}/seats/1")
    assert (answer.status, answer.text) == (204, "")
    assert names(two_seats, alice) == ["Alice", None]
    assert "invite" not in bob.get(f"tables/{two_seats['id']}").body


def test_a_left_seat_is_free_for_another_player(
    two_seats: dict[str, Any], alice: Caller, bob: Caller, cleo: Caller
) -> None:
    bob.put(f"tables/{two_seats['id']}/client-seed", {"seed": "bobs"})
    bob.delete(f"tables/{two_seats['id']}/seats/1")
    join(two_seats, cleo)
    assert names(two_seats, alice) == ["Alice", "Cleo"]
    assert Seat.objects.get(number=1).client_seed == ""


def test_the_host_empties_a_seat(two_seats: dict[str, Any], alice: Caller) -> None:
    assert alice.delete(f"tables/{two_seats['id']}/seats/1").status == 204
    assert names(two_seats, alice) == ["Alice", None]


def test_the_host_may_remove_a_bot(alice: Caller) -> None:
    table = open_table(alice, seats=2, bots=[{"seat": 1, "level": "easy"}])
    assert alice.delete(f"tables/{table['id']}/seats/1").status == 204
    assert names(table, alice) == ["Alice", None]


def test_leaving_again_changes_nothing(two_seats: dict[str, Any], alice: Caller) -> None:
    alice.delete(f"tables/{two_seats['id']}/seats/1")
    with nothing_changes():
        assert alice.delete(f"tables/{two_seats['id']}/seats/1").status == 204


def test_a_host_who_leaves_hands_on(two_seats: dict[str, Any], alice: Caller, bob: Caller) -> None:
    alice.delete(f"tables/{two_seats['id']}/seats/0")
    table = bob.get(f"tables/{two_seats['id']}").body
    assert bob.player is not None
    assert (table["status"], table["host"]) == ("open", str(bob.player.pk))
    assert alice.post(f"tables/{two_seats['id']}/cancel").body["code"] == "not_host"


def test_a_host_who_leaves_bots_alone_ends_the_table(alice: Caller) -> None:
    table = open_table(alice, seats=2, bots=[{"seat": 1, "level": "easy"}])
    alice.delete(f"tables/{table['id']}/seats/0")
    after = alice.get(f"tables/{table['id']}").body
    assert (after["status"], after["ended_reason"]) == ("cancelled", "host_left")


def test_in_a_match_a_bot_plays_the_left_seat(
    playing: dict[str, Any], alice: Caller, bob: Caller, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        assert alice.delete(f"tables/{playing['id']}/seats/0").status == 204
    shown = bob.get(f"tables/{playing['id']}").body["seats"]
    assert [seat["away"] for seat in shown] == [True, False]
    assert shown[0]["player"]["name"] == "Alice"
    assert nudges(playing) == [1]
    assert Seat.objects.get(number=0).stand_in == "easy"


def test_the_bot_of_a_left_seat_has_the_level_on_leave(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, on_leave="random")
    bob.delete(f"tables/{table['id']}/seats/1")
    assert Seat.objects.get(number=1).stand_in == "random"


def test_a_player_who_left_a_match_still_sees_the_tiles_of_the_seat(playing: dict[str, Any], bob: Caller) -> None:
    bob.delete(f"tables/{playing['id']}/seats/1")
    assert len(position(playing, bob)["you"]["tiles"]) == 15


def test_leaving_a_match_twice_changes_nothing(playing: dict[str, Any], bob: Caller) -> None:
    bob.delete(f"tables/{playing['id']}/seats/1")
    with nothing_changes():
        assert bob.delete(f"tables/{playing['id']}/seats/1").status == 204


@pytest.mark.parametrize(
    ("who", "seat", "status", "code"),
    slow_after(
        4,
        [
            ("bob", 0, 403, "not_your_seat"),
            ("cleo", 1, 403, "not_your_seat"),
            ("spectator", 1, 401, "not_authenticated"),
            ("alice", 2, 404, "no_such_seat"),
            ("alice", 10**30, 404, "no_such_seat"),
        ],
    ),
)
@pytest.mark.parametrize("stage", ["two_seats", "playing"])
def test_another_players_seat_cannot_be_left(
    stage: str, who: str, seat: int, status: int, code: str, request: pytest.FixtureRequest
) -> None:
    table, caller = request.getfixturevalue(stage), request.getfixturevalue(who)
    check_refused(lambda: caller.delete(f"tables/{table['id']}/seats/{seat}"), status, code)


def test_a_bot_cannot_be_removed_during_a_match(alice: Caller) -> None:
    table = begin(alice, bots=[{"seat": 1, "level": "easy"}])
    check_refused(lambda: alice.delete(f"tables/{table['id']}/seats/1"), 409, "table_playing")


def test_a_finished_match_cannot_be_left(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    play_match(table)
    check_refused(lambda: bob.delete(f"tables/{table['id']}/seats/1"), 409, "table_finished")


def test_a_cancelled_table_cannot_be_left(two_seats: dict[str, Any], alice: Caller, bob: Caller) -> None:
    alice.post(f"tables/{two_seats['id']}/cancel")
    check_refused(lambda: bob.delete(f"tables/{two_seats['id']}/seats/1"), 409, "table_cancelled")


def test_with_an_idempotency_key_a_seat_is_emptied_once(
    two_seats: dict[str, Any], alice: Caller, bob: Caller, cleo: Caller
) -> None:
    """The host's answer was lost; at the repeated call, another player sits there."""
    path, key = f"tables/{two_seats['id']}/seats/1", {"Idempotency-Key": "emptied once"}
    assert alice.delete(path, **key).status == 204
    join(two_seats, cleo)
    assert alice.delete(path, **key).status == 204
    assert alice.get(f"tables/{two_seats['id']}").body["seats"][1]["player"]["name"] == "Cleo"
    check_refused(lambda: alice.delete(f"tables/{two_seats['id']}/seats/0", **key), 422, "idempotency_key_reused")
