"""Dealing a round (``rules.md`` §4 and §6)."""

import pytest

from rules.errors import BadOption
from rules.mexican_train.dealing import choose_engine, deal, hands_dealt
from rules.mexican_train.moves import MEXICAN
from rules.mexican_train.options import Options, resolve
from rules.mexican_train.presets import rules_of
from rules.mexican_train.state import START, Standing, train_names
from rules.tiles import double, double_set, set_of, set_size, tile_texts, tiles_in
from tests.cases import for_each
from tests.rules.drawing import CLASSIC

TILES_EACH = {2: 15, 3: 15, 4: 15, 5: 12, 6: 12, 7: 10, 8: 10}
ORDER = double_set(12)[::-1]
FROM_HANDS = [
    "holder_all_draw",
    "holder_turn_draw",
    "holder_or_next_lower",
    "highest_held",
    "starter_highest",
]


def from_hands(selection: str, seats: int, tiles: int, **options: object) -> Options:
    """Rules in which a hand of this size brings the engine."""
    return resolve({"engine_selection": selection, "hand_sizes": {str(seats): tiles}, **options})


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
    assert (state.open_doubles, state.turn, state.passed) == ((), 3, 0)
    assert (state.progress, state.standing) == (START, Standing())
    assert (state.ended, state.out) == (None, None)


def test_there_is_a_train_a_seat_and_the_mexican_train() -> None:
    assert train_names(3) == (0, 1, 2, MEXICAN)
    assert len(deal(CLASSIC, 3, 12, 0, ORDER).trains) == 4


@pytest.mark.parametrize("seats", [0, 1, 9, 12, -2])
def test_classic_is_not_dealt_to_fewer_than_two_or_more_than_eight(seats: int) -> None:
    with pytest.raises(BadOption, match=r"hand_sizes: these rules are for 2, 3, 4, 5, 6, 7, 8 seats, not "):
        deal(CLASSIC, seats, 12, 0, ORDER)


@pytest.mark.parametrize(
    ("max_pip", "seats", "most"),
    [(6, 2, 13), (6, 8, 3), (9, 4, 13), (12, 2, 45), (12, 8, 11), (12, 9, 10), (15, 12, 11), (18, 12, 15)],
)
def test_hands_and_engine_may_not_exceed_the_set(max_pip: int, seats: int, most: int) -> None:
    fits = rules_of("classic", {"set_max_pip": max_pip, "hand_sizes": {str(seats): most}})
    state = deal(fits, seats, max_pip, 0, double_set(max_pip))
    assert len(state.boneyard) == set_size(max_pip) - 1 - seats * most
    exceeds = resolve({"set_max_pip": max_pip, "hand_sizes": {str(seats): most + 1}})
    with pytest.raises(BadOption, match=f"each of {seats} seats can get 1 to {most} of") as refused:
        deal(exceeds, seats, max_pip, 0, double_set(max_pip))
    assert refused.value.option == "hand_sizes"


@for_each("selection", FROM_HANDS)
@for_each(
    ("max_pip", "seats", "most"),
    [(6, 2, 14), (6, 7, 4), (6, 12, 2), (9, 5, 11), (12, 7, 13), (12, 8, 11), (15, 12, 11), (18, 10, 19)],
)
def test_the_whole_set_may_be_dealt_where_the_engine_comes_from_a_hand(
    selection: str, max_pip: int, seats: int, most: int
) -> None:
    fits = from_hands(selection, seats, most, set_max_pip=max_pip)
    state = deal(fits, seats, max_pip, 0, double_set(max_pip)[::-1])
    assert len(state.boneyard) == set_size(max_pip) - seats * most
    assert sorted(hand.bit_count() for hand in state.hands) == [most - 1, *[most] * (seats - 1)]
    with pytest.raises(BadOption, match=f"each of {seats} seats can get 2 to {most} of .*, not {most + 1}") as refused:
        deal(from_hands(selection, seats, most + 1, set_max_pip=max_pip), seats, max_pip, 0, double_set(max_pip))
    assert refused.value.option == "hand_sizes"


@pytest.mark.parametrize("selection", FROM_HANDS)
def test_hands_of_one_tile_are_refused_if_the_engine_comes_from_a_hand(selection: str) -> None:
    options = from_hands(selection, 2, 1)
    why = "can get 2 to 45 of the 91 tiles, not 1, because the seat that lays the engine must keep at least one"
    with pytest.raises(BadOption, match=why):
        deal(options, 2, 12, 0, ORDER)
    with pytest.raises(BadOption, match=why):
        choose_engine(options, 2, 0, (), 0, ORDER)


def test_hands_of_one_tile_are_dealt_where_the_engine_is_set_aside() -> None:
    state = deal(rules_of("classic", {"hand_sizes": {"2": 1}}), 2, 12, 0, ORDER)
    assert [hand.bit_count() for hand in state.hands] == [1, 1]


def test_dealt_hands_have_the_same_size_whichever_seat_lays_the_engine() -> None:
    options = from_hands("holder_turn_draw", 2, 3, set_max_pip=6)
    dealt = hands_dealt(options, 2, 6, double_set(6)[::-1])
    assert [tile_texts(tiles_in(hand)) for hand in dealt.hands] == [["6-4", "6-5", "6-6"], ["6-1", "6-2", "6-3"]]
    assert tile_texts(dealt.boneyard[:2]) == ["6-0", "5-5"]
    assert deal(options, 2, 6, 0, double_set(6)[::-1]).hands == [dealt.hands[0] ^ double(6).bit, dealt.hands[1]]


def test_hands_as_dealt_lack_an_engine_that_is_set_aside() -> None:
    dealt = hands_dealt(CLASSIC, 2, 12, ORDER)
    assert set_of([*dealt.boneyard, double(12)]) | sum(dealt.hands) == set_of(ORDER)
    assert deal(CLASSIC, 2, 12, 0, ORDER).hands == list(dealt.hands)


def test_the_classic_hands_are_too_large_for_a_double_six_set() -> None:
    with pytest.raises(BadOption, match="hand_sizes"):
        deal(rules_of("classic", {"set_max_pip": 6}), 2, 6, 0, double_set(6))
