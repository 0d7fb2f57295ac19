"""Dealing a round (``rules.md`` §4 and §6)."""

import pytest

from rules.dealing import deal
from rules.errors import BadOption
from rules.moves import MEXICAN
from rules.notation import tile_texts
from rules.presets import rules_of
from rules.state import train_names
from rules.tiles import double, double_set, set_of, set_size, tiles_in
from tests.rules.drawing import CLASSIC

TILES_EACH = {2: 15, 3: 15, 4: 15, 5: 12, 6: 12, 7: 10, 8: 10}
ORDER = double_set(12)[::-1]


@pytest.mark.parametrize(("seats", "each"), TILES_EACH.items())
def test_every_seat_gets_its_hand_and_the_rest_is_boneyard(seats: int, each: int) -> None:
    state = deal(CLASSIC, seats, 12, 0, ORDER)
    assert [hand.bit_count() for hand in state.hands] == [each] * seats
    assert len(state.boneyard) == 91 - 1 - seats * each
    assert set_of([*state.boneyard, double(12)]) | sum(state.hands) == set_of(double_set(12))


@pytest.mark.parametrize("engine", [12, 5, 0])
def test_the_engine_is_set_aside_wherever_it_lies_in_the_order(engine: int) -> None:
    state = deal(CLASSIC, 2, engine, 0, ORDER)
    assert state.on_table == double(engine).bit
    assert not any(hand & double(engine).bit for hand in state.hands)
    assert double(engine) not in state.boneyard
    assert all((train.tiles, train.end, train.is_marked) == ((), engine, False) for train in state.trains)


def test_hands_come_from_the_front_seat_by_seat_and_the_boneyard_keeps_its_order() -> None:
    options = rules_of("classic", {"set_max_pip": 6, "hand_sizes": {"2": 3}})
    state = deal(options, 2, 6, 1, double_set(6)[::-1])
    assert [tile_texts(tiles_in(hand)) for hand in state.hands] == [["6-3", "6-4", "6-5"], ["6-0", "6-1", "6-2"]]
    assert tile_texts(state.boneyard[:3]) == ["5-5", "5-4", "5-3"]
    assert state.turn == 1


def test_a_round_begins_with_nothing_laid_open_drawn_or_passed() -> None:
    state = deal(CLASSIC, 4, 12, 3, ORDER)
    assert (state.open_doubles, state.turn, state.draws, state.passed) == ((), 3, 0, 0)
    assert (state.ended, state.out) == (None, None)


def test_there_is_a_train_a_seat_and_the_mexican_train() -> None:
    assert train_names(3) == (0, 1, 2, MEXICAN)
    assert len(deal(CLASSIC, 3, 12, 0, ORDER).trains) == 4


@pytest.mark.parametrize("seats", [0, 1, 9, 12, -2])
def test_classic_is_not_dealt_to_fewer_than_two_or_more_than_eight(seats: int) -> None:
    with pytest.raises(BadOption, match=r"hand_sizes: these rules are for 2, 3, 4, 5, 6, 7, 8 seats, not ") as refused:
        deal(CLASSIC, seats, 12, 0, ORDER)
    assert refused.value.option == "hand_sizes"


@pytest.mark.parametrize(
    ("max_pip", "seats", "most"),
    [(6, 2, 13), (6, 8, 3), (9, 4, 13), (12, 2, 45), (12, 8, 11), (12, 9, 10), (15, 12, 11), (18, 12, 15)],
)
def test_hands_and_engine_may_not_exceed_the_set(max_pip: int, seats: int, most: int) -> None:
    fits = rules_of("classic", {"set_max_pip": max_pip, "hand_sizes": {str(seats): most}})
    state = deal(fits, seats, max_pip, 0, double_set(max_pip))
    assert len(state.boneyard) == set_size(max_pip) - 1 - seats * most
    exceeds = rules_of("classic", {"set_max_pip": max_pip, "hand_sizes": {str(seats): most + 1}})
    with pytest.raises(BadOption, match=f"at most {most} of") as refused:
        deal(exceeds, seats, max_pip, 0, double_set(max_pip))
    assert refused.value.option == "hand_sizes"


def test_the_classic_hands_are_too_large_for_a_double_six_set() -> None:
    with pytest.raises(BadOption, match="hand_sizes"):
        deal(rules_of("classic", {"set_max_pip": 6}), 2, 6, 0, double_set(6))
