"""The named rule sets (``rules.md`` §7)."""

import random

import pytest

from rules.errors import BadOption
from rules.mexican_train.dealing import choose_engine, deal
from rules.mexican_train.options import OPTIONS, hand_size, resolve
from rules.mexican_train.presets import ALL_PRESETS, PRESETS, differences_of, rules_of
from rules.tiles import double_set, set_of
from tests.cases import for_each

H11 = {"2": 15, "3": 15, "4": 15, "5": 12, "6": 12, "7": 11, "8": 11}
H8 = {"2": 15, "3": 15, "4": 15, "5": 11, "6": 11, "7": 8, "8": 8}
HP = {"2": 16, "3": 16, "4": 15, "5": 14, "6": 12, "7": 10, "8": 9}
NINE_TO_TWELVE = {"9": 11, "10": 11, "11": 11, "12": 11}
OFFICIAL: dict[str, object] = {
    "hand_sizes": HP,
    "double_follow_up": "anywhere",
    "doubles_per_turn": None,
    "announce": "automatic",
    "double_blank_points": 50,
    "first_round_starter": "random",
}
# Typed again from ``rules.md``, less what a preset says and classic has too, with what another set brings.
EXPECTED: dict[str, dict[str, object]] = {
    "classic": {},
    "official_d12": OFFICIAL,
    "official_d9": OFFICIAL
    | {"set_max_pip": 9, "hand_sizes": {"2": 15, "3": 13, "4": 10}, "engine_first": 9, "rounds": 10},
    "official_d15": OFFICIAL | {"set_max_pip": 15, "hand_sizes": NINE_TO_TWELVE, "engine_first": 15, "rounds": 16},
    "official_d18": OFFICIAL | {"set_max_pip": 18, "hand_sizes": NINE_TO_TWELVE, "engine_first": 18, "rounds": 19},
    "official_reverse": OFFICIAL | {"double_close_order": "reverse", "chain_follow_up": "last_double"},
    "tournament": {
        "finish_on_double": "must_cover",
        "draw_scope": "per_turn",
        "tie_break": "zero_rounds_then_low_round",
        "hand_sizes": H11,
    },
    "open_start": {"train_privacy": "public_until_own_play", "double_follow_up": "anywhere"},
    "long_trains": {
        "engine_selection": "holder_all_draw",
        "round_starter": "engine_holder",
        "first_turn_length": "unlimited",
        "first_turn_trains": "own_only",
        "first_turn_double": "deferred",
        "first_turn_out": "finish_lap",
        "mexican_start": "second_turn",
        "drawn_tile": "may",
        "double_follow_up": "anywhere",
        "doubles_per_turn": None,
        "chain_follow_up": "anywhere",
    },
    "cardinal": {
        "hand_sizes": H11,
        "engine_selection": "holder_or_next_lower",
        "round_starter": "engine_holder",
        "first_turn_length": "unlimited",
        "first_turn_trains": "own_only",
        "mexican_start": "second_turn",
        "marker_on_empty_boneyard": False,
    },
    "pressman": {
        "hand_sizes": H8,
        "engine_selection": "highest_held",
        "round_starter": "engine_holder",
        "first_turn_trains": "own_only",
        "own_train_required_for": ["open_trains"],
    },
    "galt": {"hand_sizes": H11, "engine_selection": "starter_highest"},
    "box_cars": {
        "hand_sizes": H8,
        "engine_selection": "highest_held",
        "round_starter": "engine_holder",
        "draw_rule": "until_playable_if_unstarted",
    },
    "family": {
        "hand_sizes": {"2": 12, "3": 12, "4": 12, "5": 12, "6": 12, "7": 10, "8": 10},
        "engine_selection": "holder_turn_draw",
        "round_starter": "engine_holder",
        "first_turn_trains": "own_only",
        "mexican_start": "second_turn",
        "draw_rule": "until_playable_if_unstarted",
        "double_blank_points": 50,
    },
    "rv_club": {
        "hand_sizes": {"2": 16, "3": 15, "4": 14, "5": 13, "6": 12, "7": 11, "8": 10},
        "engine_selection": "holder_all_draw",
        "round_starter": "engine_holder",
        "first_turn_trains": "own_or_mexican",
    },
    "deluxe": {
        "marker_clear": "any_play",
        "double_follow_up": "anywhere",
        "doubles_per_turn": None,
        "chain_follow_up": "anywhere",
        "mexican_start": "all_trains_started",
        "own_train_required_for": ["open_trains"],
    },
    "chain": {
        "doubles_per_turn": None,
        "chain_follow_up": "last_double",
        "double_close_order": "reverse",
        "cover_continues": True,
    },
    "own_first": {"own_train_required_for": ["mexican"]},
    "tapper": OFFICIAL | {"announce": "penalty"},
    "plain_doubles": {"double_follow_up": "none", "double_obligation": "none"},
    "private_trains": {"mexican_start": "never"},
    "draw_until": {"draw_rule": "until_playable"},
}
SEATS = [(name, int(seats)) for name in PRESETS for seats in rules_of(name, {}).as_dict()["hand_sizes"]]


def test_there_are_the_presets_of_the_rules_in_their_order() -> None:
    assert [preset.name for preset in ALL_PRESETS] == list(EXPECTED)
    assert len(EXPECTED) == 22


@for_each("name", EXPECTED)
def test_a_preset_differs_from_classic_as_the_rules_say(name: str) -> None:
    assert differences_of(rules_of(name, {})) == EXPECTED[name]


@for_each("name", PRESETS)
def test_a_preset_is_the_classic_rules_plus_its_differences(name: str) -> None:
    assert PRESETS[name].name == name
    assert PRESETS[name].title
    assert rules_of(name, {}) == resolve(PRESETS[name].differences) == resolve(EXPECTED[name])


def test_no_two_presets_have_the_same_title_or_the_same_rules() -> None:
    assert len({preset.title for preset in ALL_PRESETS}) == len(ALL_PRESETS)
    assert len({repr(rules_of(name, {})) for name in PRESETS}) == len(ALL_PRESETS)


@for_each(("name", "seats"), SEATS)
def test_a_preset_can_be_dealt_to_each_of_its_numbers_of_seats(name: str, seats: int) -> None:
    options = rules_of(name, {})
    order = list(double_set(options.highest_pip))
    random.Random(seats).shuffle(order)
    engine = choose_engine(options, seats, 0, (), 0, order)
    state = deal(options, seats, engine, 0, order)
    assert sum(state.hands) + state.on_table + set_of(state.boneyard) == set_of(order)
    assert all(state.hands)
    assert hand_size(options, seats) > 1


def test_the_presets_are_for_two_to_twelve_seats() -> None:
    assert {seats for _, seats in SEATS} == set(range(2, 13))


def test_classic_has_no_differences() -> None:
    assert PRESETS["classic"].differences == {}
    assert rules_of("classic", {}) == resolve({})


def test_a_tables_own_differences_come_on_top() -> None:
    assert rules_of("classic", {"rounds": 7}).rounds == 7
    assert rules_of("tapper", {"announce": "off"}).announce == "off"
    assert differences_of(rules_of("draw_until", {"draw_rule": "one", "rounds": 1})) == {"rounds": 1}
    assert PRESETS["classic"].differences == {}


def test_differences_have_the_order_of_the_options() -> None:
    for name in PRESETS:
        told = list(differences_of(rules_of(name, {})))
        assert told == [option for option in OPTIONS if option in told]


def test_differences_are_enough_to_get_the_rules_back() -> None:
    changed = rules_of("official_d9", {"rounds": 3, "own_train_required_for": ["covering"]})
    assert resolve(differences_of(changed)) == changed


@pytest.mark.parametrize("name", ["", "Classic", "classic ", "no_such_preset", "x" * 5000])
def test_an_unknown_preset_is_refused(name: str) -> None:
    with pytest.raises(BadOption, match="is not one of classic") as refused:
        rules_of(name, {})
    assert refused.value.option == "preset"


def test_a_wrong_difference_is_refused_under_its_own_name() -> None:
    with pytest.raises(BadOption) as refused:
        rules_of("classic", {"rounds": 0})
    assert refused.value.option == "rounds"


def test_hand_sizes_of_a_tables_own_can_be_dealt_to_every_number_of_seats_that_they_name() -> None:
    assert rules_of("classic", {"hand_sizes": {"4": 10, "8": 11}}).hand_sizes == {4: 10, 8: 11}
    with pytest.raises(BadOption, match="each of 8 seats can get 1 to 11") as refused:
        rules_of("classic", {"hand_sizes": {"4": 10, "8": 12}})
    assert refused.value.option == "hand_sizes"


def test_a_presets_hand_sizes_stay_when_the_table_takes_a_smaller_set() -> None:
    assert rules_of("tournament", {"set_max_pip": 9}).hand_sizes == rules_of("tournament", {}).hand_sizes
