"""Converting rows to values of the rules and back."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from knox.crypto import hash_token
from knox.models import AuthToken

from players.models import Player
from rules.mexican_train.bots import BOTS
from rules.mexican_train.dealing import deal
from rules.mexican_train.options import resolve
from rules.mexican_train.presets import rules_of
from rules.tiles import TILES, Tile, set_of
from tables import repository, snapshots
from tables.models import Hand, Round, StandIn
from tables.presenters.mexican_train.presenter import engine_from
from tests.cast import Caller, open_table
from tests.deals import deal_again
from tests.matches import SMALL, begin, bots, play_match, snapshot, state, step


def digest(caller: Caller) -> str:
    return str(hash_token(caller.token))


def glance(table: dict[str, Any], caller: Caller) -> repository.Caller:
    return repository.glance(UUID(table["id"]), digest(caller) if caller.token else None)


@given(st.lists(st.sampled_from(TILES), unique=True))
def test_tiles_are_the_same_after_a_row(tiles: list[Tile]) -> None:
    assert snapshots.tiles_from(snapshots.tiles_to(tiles)) == tiles


def test_options_are_the_same_after_a_row(alice: Caller) -> None:
    options = rules_of("classic", SMALL | {"double_factor": 2})
    table = open_table(alice, seats=2, options=SMALL | {"double_factor": 2})
    assert snapshot(table).options == options == resolve(options.as_dict())


def test_one_statement_loads_a_whole_table(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    with CaptureQueriesContext(connection) as statements:
        loaded = repository.load(UUID(table["id"]))
    assert len(statements) == 1
    assert loaded


def test_an_unknown_table_is_none(db: None) -> None:
    assert repository.load(uuid4()) is None
    assert repository.lock(uuid4()) is None


def test_an_open_table_has_seats_and_no_round(two_seats: dict[str, Any], alice: Caller) -> None:
    loaded = snapshot(two_seats)
    assert (loaded.status, loaded.round, loaded.state, loaded.last_result) == ("open", None, None, None)
    assert [seat.number for seat in loaded.seats] == [0, 1]
    assert loaded.next_commitment == Round.objects.get().commitment
    assert alice.player
    assert loaded.seat_of(alice.player.id) == loaded.seats[0]


def test_a_playing_table_has_the_running_round(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    step(table)
    played = snapshot(table).round
    assert played
    assert (played.number, played.facts["engine"], len(played.moves)) == (1, 6, 1)
    assert (played.facts["first_seat"], played.facts["starter"], engine_from(snapshot(table))) == (0, 0, None)


def test_a_cancelled_table_keeps_its_round(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    step(table)
    before = snapshot(table).state
    alice.post(f"tables/{table['id']}/cancel")
    assert (snapshot(table).state, snapshot(table).turn) == (before, None)


def test_a_finished_table_has_its_last_round(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    play_match(table)
    loaded = snapshot(table)
    assert loaded.round
    assert loaded.round.number == (loaded.last_result or {})["number"] == 2
    assert state(table).ended


def test_a_caller_without_a_player_has_no_seat(alice: Caller) -> None:
    assert snapshot(open_table(alice, seats=2)).seat_of(None) is None


def test_a_bot_and_a_stand_in_have_a_level(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, bots=bots(2, level="random"))
    bob.delete(f"tables/{table['id']}/seats/1")
    seats = snapshot(table).seats
    assert [seat.level for seat in seats] == [None, "easy", "random"]
    assert [seat.is_away for seat in seats] == [False, True, False]
    assert seats[1].stand_in_until == StandIn.RETURN
    assert set(BOTS) >= {"easy", "random"}


def test_hands_are_written_as_dealt(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    played = Round.objects.get(dealt_at__isnull=False)
    order = snapshots.tiles_from(played.order)
    dealt = deal(snapshot(table).options, 2, 6, 0, order)
    hands = Hand.objects.order_by("seat__number").values_list("tiles", flat=True)
    assert [set_of(snapshots.tiles_from(tiles)) for tiles in hands] == list(dealt.hands)


def test_an_engine_from_a_hand_is_in_the_hand_as_dealt(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, options=SMALL | {"engine_selection": "highest_held", "round_starter": "engine_holder"})
    deal_again(table, "6-5 6-4 3-1 5-5 4-4 2-1 6-6")
    played = Round.objects.get(table=table["id"], dealt_at__isnull=False)
    assert played.facts == {"engine": 5, "first_seat": 0, "starter": 1}
    assert engine_from(snapshot(table)) == 1
    assert list(Hand.objects.order_by("seat__number").values_list("tiles", flat=True)) == ["3-1 6-4 6-5", "2-1 4-4 5-5"]
    assert [hand.bit_count() for hand in state(table).hands] == [3, 2]
    assert repository.dealt_state(played.table, 2, played) == state(table)


# Who asks, at a glance


def test_a_glance_is_one_statement(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    with CaptureQueriesContext(connection) as statements:
        glance(table, alice)
    assert len(statements) == 1


def test_a_glance_distinguishes_members_from_others(
    alice: Caller, bob: Caller, cleo: Caller, spectator: Caller
) -> None:
    table = begin(alice, bob)
    seen = {caller: glance(table, caller) for caller in (alice, bob, cleo, spectator)}
    assert [each.is_member for each in seen.values()] == [True, True, False, False]
    assert all(each.is_known and each.is_found for each in seen.values())
    assert [each.player for each in seen.values()] == [
        caller.player and caller.player.id for caller in (alice, bob, cleo, spectator)
    ]
    assert {each.version for each in seen.values()} == {snapshot(table).version}


def test_a_glance_hides_a_hidden_table(alice: Caller, bob: Caller, cleo: Caller, spectator: Caller) -> None:
    table = begin(alice, bob, spectators="none")
    assert [glance(table, caller).is_found for caller in (alice, bob, cleo, spectator)] == [True, True, False, False]


def test_a_glance_finds_no_unknown_table(alice: Caller) -> None:
    seen = repository.glance(uuid4(), digest(alice))
    assert (seen.is_known, seen.is_found, seen.is_member) == (True, False, False)


@pytest.mark.parametrize("why", ["unknown", "revoked", "expired", "forgotten"])
def test_a_glance_accepts_only_valid_tokens(two_seats: dict[str, Any], bob: Caller, why: str) -> None:
    if why == "revoked":
        AuthToken.objects.all().delete()
    elif why == "expired":
        AuthToken.objects.update(expiry=timezone.now() - timedelta(seconds=1))
    elif why == "forgotten":
        Player.objects.update(is_active=False)
    caller = Caller("other") if why == "unknown" else bob
    seen = glance(two_seats, caller)
    assert (seen.player, seen.is_known, seen.is_member) == (None, False, False)
