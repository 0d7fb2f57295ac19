"""Answers about a table as each caller gets them, where the endpoint's own file does not test it."""

from typing import Any

from django.utils import timezone

from rules.game import Ended
from rules.mexican_train.notation import parse_move
from tables.presenters.mexican_train.moves import present_move, present_text
from tables.presenters.positions import present_position
from tests.cast import Caller, position
from tests.matches import SMALL, arrange, begin, bots, play_match, play_round, send, snapshot, state, step


def view_of(table: dict[str, Any], caller: Caller) -> Any:
    return present_position(snapshot(table), caller.player.id if caller.player else None, timezone.now())


def test_the_legal_moves_are_those_of_the_rules(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, options=SMALL | {"hand_sizes": {"2": 6}})
    while snapshot(table).is_playing:
        turn = snapshot(table).turn
        assert turn is not None
        mover, other = (alice, bob) if turn == 0 else (bob, alice)
        shown = view_of(table, mover)["you"]["legal_moves"]
        assert shown
        for each in shown:
            move = parse_move(each["move"])
            assert present_move(move) == each
        assert view_of(table, other)["you"]["legal_moves"] == []
        step(table)


def test_the_tiles_of_a_train_match_end_to_end(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, options=SMALL | {"rounds": 1, "hand_sizes": {"2": 10}})
    play_match(table)
    for train in view_of(table, alice)["trains"]:
        end = 6
        for tile in train["tiles"]:
            first, last = map(int, tile.split("-"))
            assert first == end
            end = last
        assert train["end"] == end


def test_after_a_match_the_hand_has_the_tiles_that_were_left(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    play_match(table)
    for seat, caller in enumerate((alice, bob)):
        shown = view_of(table, caller)
        assert shown["you"]["tiles"] == shown["last_round"]["hands"][seat]
        assert shown["seats"][seat]["tile_count"] == len(shown["you"]["tiles"])
    assert state(table).ended in set(Ended)


def test_the_table_repeats_the_counts_and_totals_of_the_position(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    play_round(table)
    step(table)
    shown = alice.get(f"tables/{table['id']}").body
    for one, other in zip(shown["seats"], position(table, alice)["seats"], strict=True):
        shared = one.keys() & other.keys()
        assert shared == {"seat", "tile_count", "total", "away", "forfeited"}
        assert {name: one[name] for name in shared} == {name: other[name] for name in shared}
    assert (shown["rounds_played"], shown["version"]) == (1, snapshot(table).version)


def test_only_members_see_the_invite(alice: Caller, bob: Caller, cleo: Caller, spectator: Caller) -> None:
    table = begin(alice, bob)
    path = f"tables/{table['id']}"
    assert all("invite" in caller.get(path).body for caller in (alice, bob))
    assert all("invite" not in caller.get(path).body for caller in (cleo, spectator))


def test_your_turn_is_true_for_the_seat_to_move(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    assert [caller.get("players/me/tables").body["results"][0]["your_turn"] for caller in (alice, bob)] == [True, False]
    alice.post(f"tables/{table['id']}/cancel")
    assert not alice.get("players/me/tables").body["results"][0]["your_turn"]


def test_a_players_record_counts_finished_matches(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, options={"set_max_pip": 6, "hand_sizes": {"2": 1}, "rounds": 1})
    arrange(table, "6-5", "4-3")
    assert record(alice) == (0, 0, None)
    send(table, alice, "6-5>0", 1)
    assert [record(alice), record(bob)] == [(1, 1, 0.0), (1, 0, 7.0)]


def record(caller: Caller) -> tuple[int, int, float | None]:
    assert caller.player
    body = caller.get(f"players/{caller.player.id}").body
    return body["matches"], body["wins"], body["average_points_a_round"]


def test_a_bot_is_presented_with_its_level(alice: Caller) -> None:
    table = begin(alice, bots=bots(1, level="random"))
    player = alice.get(f"tables/{table['id']}").body["seats"][1]["player"]
    assert (player["kind"], player["level"]) == ("bot", "random")


def test_a_logged_move_is_presented_with_its_keep_marker() -> None:
    assert present_text("12-7>0 keep") == {"move": "12-7>0", "keep_marker": True}
    assert present_text("12-7>mexican") == {"move": "12-7>mexican"}
    assert present_text("call 2") == {"move": "call 2"}


def test_with_automatic_announcements_everybody_sees_a_last_tile(alice: Caller, bob: Caller, spectator: Caller) -> None:
    table = begin(alice, bob, options=SMALL | {"announce": "automatic", "hand_sizes": {"2": 2}})
    arrange(table, "6-5 6-4", "6-2 4-3")
    assert not any(seat["announced"] for seat in view_of(table, spectator)["seats"])
    send(table, alice, "6-5>0", 1)
    for caller in (alice, bob, spectator):
        shown = view_of(table, caller)
        assert [seat["announced"] for seat in shown["seats"]] == [True, False]
        assert shown["may_be_called"] is None


def test_a_table_without_a_mexican_train_has_none(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, options=SMALL | {"mexican_start": "never"})
    shown = view_of(table, alice)
    assert [train["train"] for train in shown["trains"]] == ["0", "1"]
    assert {each.get("train") for each in shown["you"]["legal_moves"]} <= {"0", None}
