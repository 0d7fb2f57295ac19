"""Which double becomes the engine, and who draws for it (``rules.md`` §6), mostly with a double-six set."""

import random
from collections.abc import Collection, Iterator

import pytest

from rules.mexican_train.dealing import choose_engine, deal, engine_found, hands_dealt
from rules.mexican_train.options import Options, hand_size
from rules.mexican_train.presets import PRESETS, rules_of
from rules.mexican_train.state import State
from rules.tiles import Tile, double, double_set, parse_tile, set_of, set_size, tile_text, tiles_in
from tests.cases import for_each
from tests.rules.random_rules import random_deal, random_order

FROM_HANDS = (
    "holder_all_draw",
    "holder_turn_draw",
    "holder_or_next_lower",
    "highest_held",
    "starter_highest",
)
BY_HOLDER = FROM_HANDS[:4]
SETS = (6, 9, 12, 15, 18)


def rules(selection: str, seats: int, tiles: int, **options: object) -> Options:
    given = {"set_max_pip": 6, "hand_sizes": {str(seats): tiles}, "engine_selection": selection}
    return rules_of("classic", given | options)


def order_of(front: str, back: str = "") -> list[Tile]:
    """The double-six set with these tiles in front; what is not named follows, then the tiles named for the back."""
    first, last = [[parse_tile(word) for word in text.split()] for text in (front.replace("|", " "), back)]
    return [*first, *(each for each in double_set(6) if each not in [*first, *last]), *last]


def chosen(options: Options, order: list[Tile], first: int = 0, used: Collection[int] = ()) -> str:
    """The engine, who lays it, and what was drawn for it: ``6-6 by 1 after 0 5-1, 1 6-6``."""
    seats = next(iter(options.hand_sizes))
    engine = choose_engine(options, seats, len(used), used, first, order)
    check_deal(options, seats, engine, first, order)
    found = engine_found(options, seats, engine, first, order)
    assert found.engine is double(engine)
    draws = ", ".join(f"{seat} {tile_text(tile)}" for seat, tile in found.draws)
    return f"{engine}-{engine} by {found.holder}" + (f" after {draws}" if draws else "")


def check_deal(options: Options, seats: int, engine: int, first: int, order: list[Tile]) -> State:
    """The tiles dealt, drawn and laid are those of the deal, and the round begins."""
    state = deal(options, seats, engine, first, order)
    before, found = hands_dealt(options, seats, engine, order), engine_found(options, seats, engine, first, order)
    for seat in range(seats):
        drawn = set_of(tile for drawer, tile in found.draws if drawer == seat)
        laid = found.engine.bit if found.holder == seat else 0
        assert state.hands[seat] == (before.hands[seat] | drawn) & ~laid
    assert state.boneyard == before.boneyard[len(found.draws) :]
    assert (state.setup.engine, state.on_table) == (engine, double(engine).bit)
    assert sum(state.hands) + set_of(state.boneyard) + state.on_table == set_of(order)
    assert all(state.hands)
    return state


# The round's double is set aside, or somebody holds it.


@pytest.mark.parametrize("front", ["6-6 2-1 | 3-1 4-1", "2-1 3-1 | 4-1 5-1"])
def test_an_engine_that_is_set_aside_is_laid_by_no_seat(front: str) -> None:
    assert chosen(rules("set_aside", 2, 2), order_of(front)) == "6-6 by None"
    assert chosen(rules("set_aside", 2, 2), order_of(front), used=(6, 5)) == "4-4 by None"


@pytest.mark.parametrize("selection", BY_HOLDER)
def test_the_seat_with_the_rounds_double_lays_it_without_any_draw(selection: str) -> None:
    assert chosen(rules(selection, 2, 2), order_of("6-6 2-1 | 5-5 4-4")) == "6-6 by 0"
    assert chosen(rules(selection, 2, 2), order_of("5-5 4-4 | 2-1 6-6")) == "6-6 by 1"
    assert chosen(rules(selection, 3, 2), order_of("6-5 4-1 | 2-1 3-1 | 5-5 0-0"), first=1, used=(6,)) == "5-5 by 2"


# No seat holds the round's double: all seats draw, or one after another.


def test_all_draw_lap_by_lap_also_after_one_of_them_has_found_it() -> None:
    order = order_of("5-5 2-1 | 3-1 4-1 | 4-4 0-0 | 1-0 2-0 3-0 6-6 4-0 5-0")
    expected = "6-6 by 0 after 0 1-0, 1 2-0, 2 3-0, 0 6-6, 1 4-0, 2 5-0"
    assert chosen(rules("holder_all_draw", 3, 2), order) == expected


def test_all_draw_from_the_first_seat_on() -> None:
    order = order_of("5-5 2-1 | 3-1 4-1 | 4-4 0-0 | 1-0 6-6 2-0 3-0")
    assert chosen(rules("holder_all_draw", 3, 2), order, first=2) == "6-6 by 0 after 2 1-0, 0 6-6, 1 2-0"


def test_a_lap_of_draws_is_cut_short_by_an_empty_boneyard() -> None:
    """Of 28 tiles three seats hold 8 each, which leaves a lap of three tiles and one."""
    options = rules("holder_all_draw", 3, 8)
    drawn = order_of("", "1-0 2-0 3-0 6-6")
    assert chosen(options, drawn) == "6-6 by 0 after 0 1-0, 1 2-0, 2 3-0, 0 6-6"
    assert deal(options, 3, 6, 0, drawn).boneyard == ()
    assert chosen(options, order_of("", "1-0 6-6 3-0 2-0")) == "6-6 by 1 after 0 1-0, 1 6-6, 2 3-0"


def test_drawing_in_turn_stops_at_once() -> None:
    order = order_of("5-5 2-1 | 3-1 4-1 | 4-4 0-0 | 1-0 2-0 3-0 6-6 4-0 5-0")
    expected = "6-6 by 0 after 0 1-0, 1 2-0, 2 3-0, 0 6-6"
    assert chosen(rules("holder_turn_draw", 3, 2), order) == expected
    expected = "6-6 by 1 after 1 1-0, 2 2-0, 0 3-0, 1 6-6"
    assert chosen(rules("holder_turn_draw", 3, 2), order, first=1) == expected


@pytest.mark.parametrize("selection", ["holder_all_draw", "holder_turn_draw"])
def test_the_rounds_double_is_drawn_for_though_others_are_held_or_drawn(selection: str) -> None:
    order = order_of("6-6 3-3 | 2-2 1-1 | 4-4 5-5")
    assert chosen(rules(selection, 2, 2), order, used=(6,)) == "5-5 by 1 after 0 4-4, 1 5-5"


@pytest.mark.parametrize("selection", ["holder_all_draw", "holder_turn_draw"])
def test_the_last_tile_of_the_boneyard_may_be_the_engine(selection: str) -> None:
    options = rules(selection, 2, 2)
    state = deal(options, 2, 6, 0, order_of("1-0 2-0 | 3-0 4-0", "6-6"))
    assert chosen(options, order_of("1-0 2-0 | 3-0 4-0", "6-6")).startswith("6-6 by 1 after 0 0-0, 1 1-1")
    assert ([hand.bit_count() for hand in state.hands], state.boneyard) == ([14, 13], ())


# The next lower double.


def test_otherwise_the_next_lower_double_in_a_hand_is_laid() -> None:
    options = rules("holder_or_next_lower", 2, 3)
    assert chosen(options, order_of("2-2 2-1 3-1 | 4-1 4-4 0-0")) == "4-4 by 1"
    assert chosen(options, order_of("4-4 2-1 3-1 | 5-4 5-5 0-0"), used=(6,)) == "5-5 by 1"


def test_a_higher_double_is_laid_only_if_no_hand_has_a_lower_one() -> None:
    options = rules("holder_or_next_lower", 2, 3)
    order = order_of("6-6 5-5 3-1 | 4-1 3-2 0-0")
    assert chosen(options, order, used=(4, 3)) == "0-0 by 1"
    assert chosen(options, order, used=(4, 3, 0)) == "6-6 by 0"
    assert chosen(options, order, used=(6, 4, 0)) == "5-5 by 0"


def test_a_double_that_has_been_an_engine_is_passed_over_on_the_way_down() -> None:
    options = rules("holder_or_next_lower", 2, 3)
    order = order_of("4-4 2-1 3-1 | 3-3 4-1 1-1")
    assert chosen(options, order, used=(4,)) == "3-3 by 1"
    assert chosen(options, order, used=(4, 3)) == "1-1 by 1"


def test_without_an_unused_double_in_a_hand_the_seats_draw_for_any() -> None:
    options = rules("holder_or_next_lower", 2, 2)
    order = order_of("2-1 3-1 | 4-1 6-6 | 1-0 2-0 3-3 5-5")
    assert chosen(options, order, used=(6,)) == "3-3 by 0 after 0 1-0, 1 2-0, 0 3-3"
    assert chosen(options, order, used=(6, 3), first=1) == "5-5 by 0 after 1 1-0, 0 2-0, 1 3-3, 0 5-5"


# The highest double that has not been an engine.


def test_the_highest_double_in_any_hand_is_laid() -> None:
    options = rules("highest_held", 3, 2)
    order = order_of("2-2 4-1 | 4-4 3-3 | 3-1 1-1")
    assert chosen(options, order) == "4-4 by 1"
    assert chosen(options, order, used=(4,)) == "3-3 by 1"
    assert chosen(options, order, used=(4, 3)) == "2-2 by 0"


def test_a_double_above_the_rounds_own_is_the_highest_too() -> None:
    assert chosen(rules("highest_held", 2, 2), order_of("2-2 4-1 | 6-6 3-1"), used=(5, 4, 3)) == "6-6 by 1"
    assert chosen(rules("highest_held", 2, 2, engine_first=2), order_of("2-2 4-1 | 6-6 3-1")) == "6-6 by 1"


def test_without_one_in_a_hand_the_first_unused_double_drawn_is_the_engine() -> None:
    options = rules("highest_held", 2, 2)
    order = order_of("2-1 3-1 | 4-1 6-6 | 1-0 3-3 5-5")
    assert chosen(options, order, used=(6,)) == "3-3 by 1 after 0 1-0, 1 3-3"
    assert chosen(options, order, used=(6, 3), first=1) == "5-5 by 1 after 1 1-0, 0 3-3, 1 5-5"


# The starter's own highest double.


def test_the_starter_lays_its_highest_double_though_others_hold_higher_ones() -> None:
    options = rules("starter_highest", 2, 3)
    order = order_of("2-2 3-3 4-1 | 6-6 4-4 0-0")
    assert chosen(options, order) == "3-3 by 0"
    assert chosen(options, order, first=1) == "6-6 by 1"
    assert chosen(options, order, used=(3,)) == "2-2 by 0"


def test_a_starter_without_one_draws_one_tile_and_lays_it_if_it_is_an_unused_double() -> None:
    options = rules("starter_highest", 2, 2)
    order = order_of("2-1 3-3 | 4-1 0-0 | 5-5 4-4")
    assert chosen(options, order, used=(3,)) == "5-5 by 0 after 0 5-5"
    assert chosen(options, order, used=(3, 0), first=1) == "5-5 by 1 after 1 5-5"


def test_otherwise_the_next_seat_becomes_the_starter() -> None:
    options = rules("starter_highest", 3, 2)
    order = order_of("2-1 3-1 | 4-1 0-0 | 6-1 5-1 | 6-5 6-4")
    assert chosen(options, order) == "0-0 by 1 after 0 6-5"
    assert chosen(options, order, first=2) == "0-0 by 1 after 2 6-5, 0 6-4"
    assert deal(options, 3, 0, 2, order).turn == 1


def test_a_drawn_double_that_has_been_an_engine_passes_the_start_on() -> None:
    order = order_of("2-1 3-1 | 4-1 0-0 | 5-5 6-4")
    assert chosen(rules("starter_highest", 2, 2), order, used=(5,)) == "0-0 by 1 after 0 5-5"


def test_the_start_goes_round_until_somebody_draws_one() -> None:
    order = order_of("2-1 3-1 | 4-1 5-1 | 6-5 6-4 6-3 6-2 4-4 3-3")
    expected = "4-4 by 0 after 0 6-5, 1 6-4, 0 6-3, 1 6-2, 0 4-4"
    assert chosen(rules("starter_highest", 2, 2), order) == expected


def test_with_an_empty_boneyard_the_next_seat_with_a_double_becomes_the_starter() -> None:
    """Seven seats hold four tiles each and leave nothing; 6-6 is the only double not used, in the hand of seat 5."""
    options = rules("starter_highest", 7, 4)
    order = order_of("", "6-6 6-5 6-4 6-3 6-2 6-1 6-0")
    assert chosen(options, order, used=range(6)) == "6-6 by 5"
    assert chosen(options, order, used=range(6), first=6) == "6-6 by 5"


def test_the_boneyard_may_run_out_while_the_start_goes_round() -> None:
    """One tile is left for three seats with nine each: seat 0 draws it in vain, and seat 1 has none to draw."""
    options = rules("starter_highest", 3, 9)
    order = order_of("6-5 6-4 6-3 6-2 6-1 6-0 5-4 5-3 5-2 5-1", "6-6 5-0")
    assert chosen(options, order, used=range(6)) == "6-6 by 2 after 0 5-0"
    assert deal(options, 3, 6, 0, order).boneyard == ()


# Whatever the seats and the hands, a round is started.


def check_match(options: Options, seats: int, chance: random.Random) -> None:
    """Every round of a match is dealt and started, each with an engine of its own."""
    used = list[int]()
    for index in range(options.round_count):
        order, first = list(random_order(chance, options)), chance.randrange(seats)
        engine = choose_engine(options, seats, index, used, first, order)
        state = check_deal(options, seats, engine, first, order)
        assert engine not in used
        assert state.ended is None
        used.append(engine)
    assert len(used) == options.round_count


PRESET_SEATS = [(name, seats) for name in PRESETS for seats in rules_of(name, {}).hand_sizes]


@for_each(("preset", "seats"), PRESET_SEATS)
def test_every_round_of_a_presets_match_is_started_and_no_engine_comes_twice(preset: str, seats: int) -> None:
    check_match(rules_of(preset, {}), seats, random.Random(f"{preset} {seats}"))


def hands_of(seats: int) -> Iterator[tuple[int, int]]:
    """Sets, with the smallest hands that so many seats can be dealt, middling ones, and the largest."""
    for max_pip in SETS:
        largest = set_size(max_pip) // seats
        yield from ((max_pip, tiles) for tiles in sorted({2, (2 + largest) // 2, largest}))


@pytest.mark.slow
@for_each("selection", FROM_HANDS)
@for_each("seats", range(2, 13))
def test_the_hands_bring_an_engine_to_every_round_of_any_match(selection: str, seats: int) -> None:
    for max_pip, tiles in hands_of(seats):
        options = rules(selection, seats, tiles, set_max_pip=max_pip)
        assert hand_size(options, seats) == tiles
        check_match(options, seats, random.Random(f"{selection} {seats} {max_pip} {tiles}"))


@pytest.mark.parametrize("selection", ["set_aside", "holder_all_draw", "holder_turn_draw"])
def test_engines_fall_by_one_where_the_round_names_its_double(selection: str) -> None:
    options = rules(selection, 4, 5, engine_first=4)
    chance = random.Random(selection)
    engines = [choose_engine(options, 4, each, (), 0, random_order(chance, options)) for each in range(5)]
    assert engines == [4, 3, 2, 1, 0]


def test_the_facts_of_a_deal_describe_how_the_engine_was_chosen() -> None:
    """In random rounds by random rules the tiles drawn, the engine laid and the rest are those of the deal."""
    draws = 0
    for number in range(200):
        dealt = random_deal(random.Random(f"found {number}"))
        state = check_deal(dealt.options, dealt.seats, dealt.engine, dealt.first, list(dealt.order))
        assert state == dealt.state
        found = engine_found(dealt.options, dealt.seats, dealt.engine, dealt.first, dealt.order)
        assert (found.holder is None) == dealt.options.sets_engine_aside
        draws += len(found.draws) > 0
    assert draws > 10


def test_draws_for_the_engine_are_the_front_of_the_boneyard_in_order() -> None:
    order = order_of("5-5 2-1 | 3-1 4-1 | 1-0 2-0 3-0 6-6 4-0")
    for selection in ("holder_all_draw", "holder_turn_draw"):
        options = rules(selection, 2, 2)
        found = engine_found(options, 2, 6, 0, order)
        assert [tile for _, tile in found.draws] == order[4:8]
        assert sorted(tiles_in(deal(options, 2, 6, 0, order).hands[1])) == sorted(
            map(parse_tile, ["3-1", "4-1", "2-0"])
        )
