"""``PUT tables/{id}/client-seed``."""

from typing import Any

import pytest

from rules.shuffling import shuffled
from rules.tiles import tile_texts
from tables.models import SEED_LENGTH, Round, Seat
from tests.cast import Answer, Caller, position, start
from tests.matches import begin, play_match, play_round


def give(table: dict[str, Any], caller: Caller, seed: Any) -> Answer:
    return caller.put(f"tables/{table['id']}/client-seed", {"seed": seed})


def commitment(table: dict[str, Any], number: int) -> str:
    return Round.objects.get(table=table["id"], number=number).commitment


def dealt_from(table: dict[str, Any], number: int, *seeds: str) -> bool:
    """Whether a round was dealt from these contributions and no others."""
    played = Round.objects.get(table=table["id"], number=number)
    order = shuffled(bytes(played.secret), table["id"], number, seeds, table["options"]["set_max_pip"])
    return played.order.split() == tile_texts(order) and played.client_seeds == list(seeds)


def test_it_works(two_seats: dict[str, Any], alice: Caller, bob: Caller) -> None:
    answer = give(two_seats, bob, "seven dwarfs")
    assert answer.status == 200
    promised = commitment(two_seats, 1)
    assert answer.body == {"seat": 1, "seed": "seven dwarfs", "round": 1, "commitment": promised}
    assert position(two_seats, alice)["next_commitment"] == promised
    start(two_seats, alice)
    assert position(two_seats, alice)["round"]["commitment"] == promised
    assert dealt_from(two_seats, 1, "", "seven dwarfs")


def test_the_commitment_is_public_before_any_seed_and_does_not_change(
    two_seats: dict[str, Any], alice: Caller, spectator: Caller
) -> None:
    promised = position(two_seats, spectator)["next_commitment"]
    give(two_seats, alice, "one")
    give(two_seats, alice, "two")
    assert position(two_seats, spectator)["next_commitment"] == promised
    start(two_seats, alice)
    assert position(two_seats, spectator)["round"]["commitment"] == promised
    assert dealt_from(two_seats, 1, "two", "")


def test_during_a_round_it_goes_into_the_next_deal(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    promised = position(table, bob)["next_commitment"]
    answer = give(table, alice, "später")
    assert (answer.body["round"], answer.body["commitment"]) == (2, promised)
    assert dealt_from(table, 1, "", "")
    play_round(table)
    assert position(table, bob)["round"]["commitment"] == promised
    assert dealt_from(table, 2, "später", "")


def test_a_seed_stays_for_later_deals_and_can_be_cleared(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, options={"set_max_pip": 6, "hand_sizes": {"2": 2}, "rounds": 3})
    give(table, bob, "mine")
    play_round(table)
    give(table, bob, "")
    play_round(table)
    assert dealt_from(table, 2, "", "mine")
    assert dealt_from(table, 3, "", "")


def test_in_the_last_round_no_deal_is_to_come(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob, options={"rounds": 1})
    answer = give(table, alice, "late")
    assert answer.status == 200
    assert (answer.body["round"], answer.body["commitment"]) == (None, None)


def test_after_the_match_it_is_refused(alice: Caller, bob: Caller) -> None:
    table = begin(alice, bob)
    play_match(table)
    assert give(table, alice, "x").body["code"] == "table_finished"


def test_at_a_cancelled_table_it_is_refused(two_seats: dict[str, Any], alice: Caller) -> None:
    alice.post(f"tables/{two_seats['id']}/cancel")
    assert give(two_seats, alice, "x").body["code"] == "table_cancelled"


def test_a_caller_without_a_seat_is_refused(two_seats: dict[str, Any], cleo: Caller, spectator: Caller) -> None:
    answer = give(two_seats, cleo, "mine")
    assert (answer.status, answer.body["code"]) == (403, "not_seated")
    assert give(two_seats, spectator, "mine").status == 401
    assert set(Seat.objects.values_list("client_seed", flat=True)) == {""}


def test_a_hidden_table_does_not_exist_for_others(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = begin(alice, bob, spectators="none")
    assert give(table, cleo, "mine").status == 404
    assert give(table, bob, "mine").status == 200


def test_an_unknown_table_does_not_exist(alice: Caller) -> None:
    assert give({"id": "00000000-0000-4000-8000-000000000000"}, alice, "mine").status == 404


@pytest.mark.parametrize("seed", ["x" * (SEED_LENGTH + 1), None, [], {}, True, "nul\0"])
def test_an_invalid_seed_is_refused(two_seats: dict[str, Any], alice: Caller, seed: Any) -> None:
    answer = give(two_seats, alice, seed)
    assert (answer.status, answer.body["errors"][0]["field"]) == (400, "seed")
    assert set(Seat.objects.values_list("client_seed", flat=True)) == {""}


@pytest.mark.parametrize("seed", ["x" * SEED_LENGTH, "  spaces count ", "🚂" * SEED_LENGTH, "line\nbreak"])
def test_any_text_is_a_seed_and_stays_unchanged(two_seats: dict[str, Any], alice: Caller, seed: str) -> None:
    assert give(two_seats, alice, seed).body["seed"] == seed
    start(two_seats, alice)
    assert dealt_from(two_seats, 1, seed, "")


def test_a_missing_seed_is_refused(two_seats: dict[str, Any], alice: Caller) -> None:
    answer = alice.put(f"tables/{two_seats['id']}/client-seed", {})
    assert (answer.status, answer.body["errors"][0]["field"]) == (400, "seed")


def test_a_seed_is_hidden_from_others_until_the_round_is_over(
    two_seats: dict[str, Any], alice: Caller, bob: Caller
) -> None:
    give(two_seats, bob, "seven dwarfs")
    start(two_seats, alice)
    for page in ("", "/position", "/moves", "/rounds", "/rounds/1/deal"):
        assert "dwarfs" not in alice.get(f"tables/{two_seats['id']}{page}").text
