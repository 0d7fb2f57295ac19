"""Every way of choosing the engine, over HTTP: in the position, and in the deal afterwards.

Hands are worked out again from the answer of ``deal`` here, with plain lists of texts and none of the rules' code.
"""

import hashlib
import hmac
from typing import Any

import pytest

from rules.mexican_train.options import OPTIONS
from rules.mexican_train.options.kinds import OneOf
from tables import repository
from tables.models import Hand, Round
from tests.cases import slow_after
from tests.cast import Caller, position
from tests.deals import deal_again
from tests.matches import SMALL, begin, bots, play_match, play_round, state

SELECTION = OPTIONS["engine_selection"]
assert isinstance(SELECTION, OneOf)
SELECTIONS = [str(each) for each in SELECTION.values]
FROM_HANDS = SELECTIONS[1:]
THREE = {"set_max_pip": 6, "hand_sizes": {"3": 2}, "rounds": 2}
HELD = "6-6 6-5 5-5 6-4 3-3 6-2"
"""Three hands of two: Alice holds the first engine, Bob the next lower double, Cleo one lower still."""
LOWER = "6-5 6-4 5-5 6-2 3-3 3-1"
"""Nobody holds the first engine; Bob and Cleo hold lower doubles. The whole rest follows from 0-0 up."""
NONE_HELD = "6-5 6-4 6-3 6-2 6-1 5-3 5-4 5-1 4-4 2-2 6-6 3-3"
"""Nobody holds a double. Drawing from Alice on, Cleo gets 4-4 and Bob gets 6-6, both in the fourth place after."""


Found = tuple[str, int | None, list[tuple[int, str]]]
"""The engine, the seat that laid it, and who drew what for it."""


def chosen(selection: str, *callers: Caller, tiles: str = "", **options: Any) -> dict[str, Any]:
    table = begin(*callers, options=THREE | {"engine_selection": selection} | options, seats=3)
    if tiles:
        deal_again(table, tiles)
    return table


def deal(table: dict[str, Any], caller: Caller, number: int = 1) -> dict[str, Any]:
    answer = caller.get(f"tables/{table['id']}/rounds/{number}/deal")
    assert answer.status == 200, answer.text
    shown: dict[str, Any] = answer.body
    return shown


def starting_hands(shown: dict[str, Any]) -> list[list[str]]:
    """What each seat held when the round's first turn began."""
    order = [tile for tile in shown["order"] if not (shown["engine_set_aside"] and tile == shown["engine"])]
    size = len(shown["hands"][0])
    hands = [order[at : at + size] for at in range(0, size * len(shown["hands"]), size)]
    assert [sorted(hand) for hand in hands] == [sorted(hand) for hand in shown["hands"]]
    for draw, tile in zip(shown["engine_draws"], order[size * len(hands) :], strict=False):
        assert draw["tile"] == tile
        hands[draw["seat"]].append(tile)
    if shown["engine_from"] is not None:
        hands[shown["engine_from"]].remove(shown["engine"])
    return [sorted(hand) for hand in hands]


def hands_seen(table: dict[str, Any], *callers: Caller) -> list[list[str]]:
    return [sorted(position(table, caller)["you"]["tiles"]) for caller in callers]


@pytest.mark.parametrize("tiles", slow_after(1, ["", HELD, LOWER, NONE_HELD]))
@pytest.mark.parametrize("selection", SELECTIONS)
def test_a_deal_shows_how_every_hand_and_the_engine_came_about(
    alice: Caller, bob: Caller, cleo: Caller, spectator: Caller, selection: str, tiles: str
) -> None:
    table = chosen(selection, alice, bob, cleo, tiles=tiles)
    before, hands = position(table, spectator), hands_seen(table, alice, bob, cleo)
    assert [seat["tile_count"] for seat in before["seats"]] == list(map(len, hands))
    assert [seat["tile_count"] for seat in alice.get(f"tables/{table['id']}").body["seats"]] == list(map(len, hands))
    play_round(table)
    shown = deal(table, spectator)
    assert starting_hands(shown) == hands
    said = before["round"]
    assert [shown[name] for name in ("engine", "engine_from", "starter")] == [
        said[name] for name in ("engine", "engine_from", "starter")
    ]
    assert shown["engine_set_aside"] == (said["engine_from"] is None) == (selection == "set_aside")
    assert (shown["starter"], shown["first_seat"], shown["first_seat_drawn"]) == (before["turn"]["seat"], 0, False)
    assert before["boneyard"] == 28 - 3 * 2 - len(shown["engine_draws"]) - (selection == "set_aside")


@pytest.mark.parametrize(
    ("selection", "tiles", "found"),
    slow_after(
        4,
        [
            ("set_aside", HELD, ("6-6", None, [])),
            *((selection, HELD, ("6-6", 0, [])) for selection in FROM_HANDS),
            ("holder_or_next_lower", LOWER, ("5-5", 1, [])),
            ("highest_held", LOWER, ("5-5", 1, [])),
            ("holder_turn_draw", "6-5 6-4 5-5 6-2 3-3 3-1 2-1 6-6 4-4", ("6-6", 1, [(0, "2-1"), (1, "6-6")])),
            (
                "holder_all_draw",
                "6-5 6-4 5-5 6-2 3-3 3-1 2-1 6-6 4-4",
                ("6-6", 1, [(0, "2-1"), (1, "6-6"), (2, "4-4")]),
            ),
            ("starter_highest", "6-5 6-4 5-5 6-2 3-3 3-1 2-2 6-6", ("2-2", 0, [(0, "2-2")])),
            ("starter_highest", "6-5 6-4 5-5 6-2 3-3 3-1 2-1 6-6", ("5-5", 1, [(0, "2-1")])),
            (
                "starter_highest",
                "6-5 6-4 6-3 6-2 6-1 3-1 2-1 2-0 0-0",
                ("0-0", 2, [(0, "2-1"), (1, "2-0"), (2, "0-0")]),
            ),
            ("highest_held", "6-5 6-4 6-3 6-2 6-1 3-1 2-1 0-0 6-6", ("0-0", 1, [(0, "2-1"), (1, "0-0")])),
            ("holder_or_next_lower", "6-5 6-4 6-3 6-2 6-1 3-1 2-1 0-0 6-6", ("0-0", 1, [(0, "2-1"), (1, "0-0")])),
        ],
    ),
)
def test_the_engine_is_found_by_the_rules(
    alice: Caller, bob: Caller, cleo: Caller, selection: str, tiles: str, found: Found
) -> None:
    engine, holder, draws = found
    table = chosen(selection, alice, bob, cleo, tiles=tiles)
    said = position(table, bob)["round"]
    assert (said["engine"], said["engine_from"]) == (engine, holder)
    assert all(train["end"] == int(engine[0]) for train in position(table, bob)["trains"])
    play_round(table)
    assert deal(table, bob)["engine_draws"] == [{"seat": seat, "tile": tile} for seat, tile in draws]


@pytest.mark.parametrize(
    ("round_starter", "starter"), [("rotate", 0), ("engine_holder", 1), ("left_of_engine_holder", 2)]
)
def test_the_first_turn_belongs_to_the_seat_of_the_rules(
    alice: Caller, bob: Caller, cleo: Caller, round_starter: str, starter: int
) -> None:
    table = chosen("highest_held", alice, bob, cleo, tiles=LOWER, round_starter=round_starter)
    for caller in (alice, bob, cleo):
        shown = position(table, caller)
        assert (shown["round"]["starter"], shown["turn"]["seat"]) == (starter, starter)
        assert bool(shown["you"]["legal_moves"]) == (shown["you"]["seat"] == starter)
    play_round(table)
    assert alice.get(f"tables/{table['id']}/moves").body[0]["seat"] == starter
    assert alice.get(f"tables/{table['id']}/rounds/1").body["starter"] == starter
    assert (deal(table, alice)["starter"], deal(table, alice)["first_seat"]) == (starter, 0)


def test_laying_the_engine_is_not_a_move(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = chosen("holder_all_draw", alice, bob, cleo, tiles=LOWER)
    shown = position(table, alice)
    assert (shown["next_number"], shown["round"]["engine"]) == (1, "6-6")
    assert not alice.get(f"tables/{table['id']}/moves").body


@pytest.mark.parametrize("selection", slow_after(1, FROM_HANDS))
def test_no_double_is_the_engine_twice(alice: Caller, selection: str) -> None:
    """A match of all rounds that the set has doubles for: each of them is an engine once."""
    options = THREE | {"engine_selection": selection, "rounds": 7}
    table = begin(alice, seats=3, bots=bots(1, 2), options=options)
    play_match(table)
    engines = [each["engine"] for each in alice.get(f"tables/{table['id']}/rounds").body]
    assert sorted(engines) == [f"{pip}-{pip}" for pip in range(7)]
    if selection.startswith("holder") and selection.endswith("draw"):
        assert engines == sorted(engines, reverse=True)
    for number in range(1, 8):
        starting_hands(deal(table, alice, number))


def test_stored_hands_include_the_engine_and_no_drawn_tiles(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = chosen("holder_turn_draw", alice, bob, cleo, tiles=LOWER)
    kept = Hand.objects.order_by("seat__number").values_list("tiles", flat=True)
    assert list(kept) == ["6-4 6-5", "5-5 6-2", "3-1 3-3"]
    assert len(state(table).boneyard) < 28 - 6


def test_an_engine_is_found_even_if_the_hands_take_the_whole_set(alice: Caller, bob: Caller) -> None:
    """Twice fourteen tiles of 28: nothing is left to draw, and somebody holds every double."""
    for selection in FROM_HANDS:
        options = SMALL | {"hand_sizes": {"2": 14}, "engine_selection": selection}
        table = begin(alice, bob, options=options)
        shown = position(table, alice)
        assert (shown["boneyard"], sum(seat["tile_count"] for seat in shown["seats"])) == (0, 27)
        play_round(table)
        assert deal(table, alice)["engine_draws"] == []


# The first seat


def seat_drawn(shown: dict[str, Any]) -> int:
    """The first seat that a secret, a table and the seats' contributions give: of 32-bit words the first in range."""
    seeds = [hashlib.sha256(seed.encode()).hexdigest() for seed in shown["client_seeds"]]
    message = "\n".join(["mexican-train/first-seat/1", shown["table"], str(shown["round"]), *seeds])
    key = hmac.digest(bytes.fromhex(shown["secret"]), message.encode(), "sha256")
    block = hmac.digest(key, bytes(8), "sha256")
    words = [int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4)]
    return next(word for word in words if word < 2**32 - 2**32 % len(seeds)) % len(seeds)


def test_the_first_seat_of_the_first_round_can_be_drawn_by_lot(alice: Caller, bob: Caller, cleo: Caller) -> None:
    for _ in range(5):
        table = chosen("set_aside", alice, bob, cleo, first_round_starter="random", rounds=1)
        first = position(table, alice)["round"]["starter"]
        play_round(table)
        shown = deal(table, alice)
        assert (shown["first_seat"], shown["starter"], shown["first_seat_drawn"]) == (first, first, True)
        assert first == seat_drawn(shown)


def test_the_first_turn_goes_round_from_the_seat_that_was_drawn(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = chosen("set_aside", alice, bob, cleo, first_round_starter="random", rounds=4)
    first = position(table, alice)["round"]["starter"]
    play_match(table)
    for number in range(1, 5):
        shown = deal(table, alice, number)
        assert shown["first_seat"] == shown["starter"] == (first + number - 1) % 3


def test_the_lowest_total_begins(alice: Caller, bob: Caller, cleo: Caller) -> None:
    table = chosen("set_aside", alice, bob, cleo, round_starter="lowest_total", rounds=3)
    assert position(table, alice)["turn"]["seat"] == 0
    for number in (2, 3):
        play_round(table)
        totals = [seat["total"] for seat in position(table, alice)["seats"]]
        first = totals.index(min(totals))
        shown = position(table, alice)
        assert (shown["round"]["number"], shown["round"]["starter"], shown["turn"]["seat"]) == (number, first, first)
    play_round(table)
    assert deal(table, alice, 3)["first_seat"] == first
    assert not deal(table, alice, 3)["first_seat_drawn"]


@pytest.mark.parametrize("selection", SELECTIONS)
def test_the_rows_of_a_round_are_enough_to_deal_it_again(
    alice: Caller, bob: Caller, cleo: Caller, selection: str
) -> None:
    table = chosen(selection, alice, bob, cleo, first_round_starter="random", round_starter="engine_holder")
    played = Round.objects.get(table=table["id"], number=1)
    now = state(table)
    assert (played.facts["engine"], played.facts["starter"]) == (now.setup.engine, now.turn)
    assert repository.dealt_state(played.table, 3, played) == now
