"""From which seat a round counts, and which one begins (``rules.md`` §5, *round_starter*, *first_round_starter*)."""

from collections import Counter

import pytest

from rules.errors import BadOption
from rules.mexican_train.dealing import choose_engine, deal
from rules.mexican_train.match import first_seat_of
from rules.mexican_train.options import must_suit
from rules.mexican_train.presets import rules_of
from rules.shuffling import DEAL, FIRST_SEAT, drawn_seat, stream_key
from rules.tiles import double_set
from tests.cases import for_each
from tests.rules.drawing import CLASSIC

SECRET = bytes(range(32))
TABLE = "00000000-0000-4000-8000-000000000001"
LOWEST = rules_of("classic", {"round_starter": "lowest_total"})
CHOSEN = (
    *("seat_0", "seat_1", "seat_2", "seat_3", "seat_4", "seat_5"),
    *("seat_6", "seat_7", "seat_8", "seat_9", "seat_10", "seat_11"),
)
HOLDERS = ("holder_all_draw", "holder_turn_draw", "holder_or_next_lower", "highest_held")


@for_each("starter", ["rotate", "engine_holder", "left_of_engine_holder"])
@for_each("seats", range(2, 13))
def test_the_first_seat_goes_round_the_table(seats: int, starter: str) -> None:
    options = rules_of("classic", {"round_starter": starter})
    for first in range(seats):
        firsts = [first_seat_of(options, seats, each, first, [9] * seats) for each in range(13)]
        assert firsts == [(first + each) % seats for each in range(13)]


def test_the_lowest_total_so_far_is_first_the_earlier_seat_on_a_tie() -> None:
    assert first_seat_of(LOWEST, 3, 1, 0, [30, 10, 20]) == 1
    assert first_seat_of(LOWEST, 3, 4, 2, [30, 10, 10]) == 1
    assert first_seat_of(LOWEST, 3, 4, 2, (0, -5, -10)) == 2
    assert first_seat_of(LOWEST, 3, 12, 1, [7, 7, 7]) == 0


@pytest.mark.parametrize("first", range(3))
def test_before_there_are_points_the_lowest_total_says_nothing(first: int) -> None:
    assert first_seat_of(LOWEST, 3, 0, first, [0, 0, 0]) == first


def test_chance_chooses_the_first_seat_where_the_rules_say_so() -> None:
    assert not CLASSIC.draws_first_seat
    assert rules_of("classic", {"first_round_starter": "random"}).draws_first_seat
    assert not rules_of("official_d12", {"first_round_starter": "seat_0"}).draws_first_seat


# Computed with openssl from the description, not with this code.
@pytest.mark.parametrize(
    ("seeds", "key", "seat"),
    [
        (["alice", ""], "b139494c6ab427114b57f0b2415131e46980e469fe837e474227f4fad5bddc60", 0),
        (["alice", "", ""], "44f94ddcb008e7e4d630e8882eb32f34c7fcc5dd70e0e5504629640de1ef5ab6", 0),
        (["", "alice", "", ""], "a94e21625a82b3bb062d4bc7541ad5fdc7edaaf9e75cdb9531c9ce00cca4e712", 2),
    ],
)
def test_the_drawn_seat_follows_from_the_inputs_of_the_deal(seeds: list[str], key: str, seat: int) -> None:
    assert stream_key(FIRST_SEAT, SECRET, TABLE, 1, seeds).hex() == key
    assert drawn_seat(SECRET, TABLE, 1, seeds) == seat


def test_the_seat_is_drawn_from_a_stream_of_its_own() -> None:
    assert stream_key(FIRST_SEAT, SECRET, TABLE, 1, ["", ""]) != stream_key(DEAL, SECRET, TABLE, 1, ["", ""])


@pytest.mark.parametrize("seats", range(2, 13))
def test_every_seat_is_drawn_about_as_often(seats: int) -> None:
    """Over 200 rounds a seat, each comes up about 200 times, give or take 5 sigma."""
    drawn = Counter(drawn_seat(SECRET, TABLE, number, [""] * seats) for number in range(200 * seats))
    assert sorted(drawn) == list(range(seats))
    assert all(abs(count - 200) < 71 for count in drawn.values())


@pytest.mark.parametrize("changed", ["secret", "table", "round", "seeds"])
def test_the_drawn_seat_depends_on_every_input(changed: str) -> None:
    """One other input may draw the same seat by chance; twenty of them do not."""
    drawn = {
        drawn_seat(
            bytes([other]) * 32 if changed == "secret" else SECRET,
            f"table {other}" if changed == "table" else TABLE,
            other if changed == "round" else 1,
            [f"seed {other}" if changed == "seeds" else "", "", ""],
        )
        for other in range(20)
    }
    assert drawn == {0, 1, 2}


def beginning(selection: str, starter: str, place: int = 11) -> tuple[int, list[int]]:
    """Who begins, and whose first turn is over, where 6-6 is the first double in the order and lies at this place.

    Three seats with four tiles each, seat 0 first: place 11 is in the hand of seat 2, and seat 1 draws 13.
    """
    options = rules_of(
        "classic",
        {"set_max_pip": 6, "hand_sizes": {"3": 4}, "engine_selection": selection, "round_starter": starter},
    )
    plain = [each for each in double_set(6) if not each.is_double]
    doubles = [each for each in double_set(6) if each.is_double]
    order = [*plain[:place], *doubles[::-1], *plain[place:]]
    assert choose_engine(options, 3, 0, (), 0, order) == 6
    state = deal(options, 3, 6, 0, order)
    return state.turn, [seat for seat in range(3) if state.standing.had_first_turn >> seat & 1]


@pytest.mark.parametrize("starter", ["rotate", "engine_holder", "left_of_engine_holder", "lowest_total"])
def test_the_first_seat_begins_if_no_seat_holds_the_engine(starter: str) -> None:
    assert beginning("set_aside", starter) == (0, [])


@pytest.mark.parametrize("selection", HOLDERS)
@pytest.mark.parametrize("starter", ["rotate", "lowest_total"])
def test_the_first_seat_begins_whichever_seat_lays_the_engine(selection: str, starter: str) -> None:
    assert beginning(selection, starter) == (0, [])


@pytest.mark.parametrize("selection", HOLDERS)
def test_the_holder_lays_the_engine_and_plays_on(selection: str) -> None:
    assert beginning(selection, "engine_holder") == (2, [])
    assert beginning(selection, "engine_holder", place=13) == (1, [])


@pytest.mark.parametrize("selection", HOLDERS)
def test_the_seat_after_the_holder_begins_and_the_holders_first_turn_is_still_to_come(selection: str) -> None:
    assert beginning(selection, "left_of_engine_holder") == (0, [])
    assert beginning(selection, "left_of_engine_holder", place=13) == (2, [])


@pytest.mark.parametrize("starter", ["rotate", "engine_holder", "lowest_total"])
def test_the_seat_that_lays_its_own_highest_double_is_the_starter(starter: str) -> None:
    assert beginning("starter_highest", starter, place=3) == (0, [])
    assert beginning("starter_highest", starter, place=13) == (1, [])


def test_the_seat_after_the_starter_that_laid_its_highest_double_begins() -> None:
    assert beginning("starter_highest", "left_of_engine_holder", place=3) == (1, [])
    assert beginning("starter_highest", "left_of_engine_holder", place=13) == (2, [])


def test_the_table_chooses_the_first_seat_of_the_first_round() -> None:
    for seat, name in enumerate(CHOSEN):
        assert rules_of("classic", {"first_round_starter": name}).first_seat_chosen == seat
    options = rules_of("classic", {"first_round_starter": "seat_2"})
    assert not options.draws_first_seat
    assert [first_seat_of(options, 3, each, options.first_seat_chosen, [0] * 3) for each in range(3)] == [2, 0, 1]


@pytest.mark.parametrize(("starter", "seats"), [("seat_3", 4), ("seat_7", 8), ("random", 2), ("seat_0", 2)])
def test_a_seat_that_the_table_has_may_begin(starter: str, seats: int) -> None:
    must_suit(rules_of("classic", {"first_round_starter": starter}), seats)


@pytest.mark.parametrize(("starter", "seats"), [("seat_2", 2), ("seat_4", 4), ("seat_11", 8)])
def test_a_seat_that_the_table_does_not_have_is_refused(starter: str, seats: int) -> None:
    with pytest.raises(BadOption, match=f"^first_round_starter: a table of {seats} seats has no {starter}.$"):
        must_suit(rules_of("classic", {"first_round_starter": starter}), seats)
