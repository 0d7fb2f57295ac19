"""House rules: their defaults, their limits, and refusals that name the option (``rules.md`` §5)."""

import pickle
from dataclasses import fields
from typing import Any

import pytest

from rules.errors import BadOption, NotForSeats
from rules.mexican_train.first_version import by_first_version
from rules.mexican_train.options import OPTIONS, QUESTIONS, Options, hand_size, resolve
from rules.mexican_train.options.kinds import OneOf, SubsetOf, Value
from tests.cases import for_each

CLASSIC = resolve({})
ONE_OF = {option: kind for option, kind in OPTIONS.items() if isinstance(kind, OneOf)}
OUTSIDE_THE_LIST: list[tuple[str, object]] = [
    ("set_max_pip", 10),
    ("set_max_pip", 12.0),
    ("set_max_pip", "12"),
    ("set_max_pip", None),
    ("set_max_pip", [12]),
    ("set_max_pip", float("nan")),
    ("doubles_per_turn", True),
    ("doubles_per_turn", 1.0),
    ("doubles_per_turn", 3),
    ("double_factor", True),
    ("double_factor", 2.0),
    ("double_blank_points", False),
    ("double_blank_points", 51),
    ("going_out_points", 5),
    ("blank_half_points", "5"),
    ("blocked_lowest_zero", 1),
    ("blocked_lowest_zero", "true"),
    ("blocked_lowest_zero", None),
    ("must_play", 0),
    ("must_play", {}),
    ("double_follow_up", "sometimes"),
    ("double_follow_up", "Cover"),
    ("double_follow_up", "cover "),
    ("double_follow_up", ["cover"]),
    ("tie_break", None),
]
NO_WHOLE_NUMBERS: list[object] = [True, False, 7.0, "7", -1, [], {}, float("inf")]
WRONG_HAND_SIZES: list[tuple[object, str]] = [
    ([], "is not an object"),
    ({}, "is not an object"),
    (None, "is not an object"),
    (15, "is not an object"),
    ("15", "is not an object"),
    ({"1": 15}, '"1" is not a number of seats'),
    ({"13": 2}, '"13" is not a number of seats'),
    ({"two": 2}, '"two" is not a number of seats'),
    ({" 2": 2}, '" 2" is not a number of seats'),
    ({"02": 2}, '"02" is not a number of seats'),
    ({"\u0662": 2}, '"٢" is not a number of seats'),
    ({2.0: 2}, "2.0 is not a number of seats"),
    ({True: 2}, "true is not a number of seats"),
    ({None: 2}, "null is not a number of seats"),
    ({"2": 0}, "0 is not a number of tiles to deal to 2 seats"),
    ({"2": -3}, "-3 is not a number of tiles"),
    ({"2": 15.0}, "15.0 is not a number of tiles"),
    ({"2": True}, "true is not a number of tiles"),
    ({"2": "15"}, '"15" is not a number of tiles'),
    ({"2": None}, "null is not a number of tiles"),
]
NO_LISTS: list[object] = ["mexican", None, True, 1, {"mexican": True}]
NOT_OF_THE_LIST: list[object] = [["boneyard"], [None], [["mexican"]], [1], ["Mexican"]]
NO_OPTIONS = ["colour", "", "Rounds", "rounds ", "set_max_pip\n", "__class__", "draws_allowed"]


def refusal(**overrides: object) -> BadOption:
    with pytest.raises(BadOption) as refused:
        resolve(overrides)
    return refused.value


def test_the_record_has_exactly_the_declared_options() -> None:
    assert set(OPTIONS) == {each.name for each in fields(Options)}
    assert list(CLASSIC.as_dict()) == list(OPTIONS)
    assert len(OPTIONS) == 41


def test_without_differences_the_rules_are_the_classic_ones() -> None:
    given: dict[str, Any] = CLASSIC.as_dict()
    assert given["hand_sizes"] == {"2": 15, "3": 15, "4": 15, "5": 12, "6": 12, "7": 10, "8": 10}
    assert (given["set_max_pip"], given["engine_first"], given["rounds"]) == (12, 12, 13)
    assert (given["double_follow_up"], given["doubles_per_turn"], given["dead_double"]) == ("cover", 1, "lifts")
    assert (given["own_train_required_for"], given["announce_penalty_tiles"]) == ([], 2)


def test_resolved_options_read_back_the_same() -> None:
    changed = resolve({"set_max_pip": 9, "hand_sizes": {"3": 5}, "rounds": 4, "double_factor": 2})
    for options in (CLASSIC, changed):
        assert resolve(options.as_dict()) == options


@for_each(("option", "value"), [(option, value) for option in ONE_OF for value in ONE_OF[option].values])
def test_every_listed_value_is_accepted(option: str, value: object) -> None:
    assert resolve({option: value}).as_dict()[option] == value


@pytest.mark.parametrize("option", NO_OPTIONS)
def test_an_unknown_option_is_refused(option: str) -> None:
    refused = refusal(**{option: 1})
    assert (refused.option, refused.detail) == (option, "this option does not exist.")


def test_a_long_name_of_an_unknown_option_is_shortened() -> None:
    assert refusal(**{"x" * 5000: 1}).option == "x" * 100


@for_each(("option", "value"), OUTSIDE_THE_LIST)
def test_a_value_outside_the_list_is_refused(option: str, value: object) -> None:
    refused = refusal(**{option: value})
    assert refused.option == option
    assert "is not one of" in refused.detail
    assert str(refused) == f"{option}: {refused.detail}"


@pytest.mark.parametrize("option", ["double_follow_up", "rounds", "hand_sizes", "own_train_required_for"])
def test_a_long_wrong_value_is_shortened(option: str) -> None:
    assert len(refusal(**{option: "x" * 100_000}).detail) < 200


def test_a_refusal_lists_the_values_as_json_writes_them() -> None:
    assert refusal(doubles_per_turn=3).detail == "3 is not one of 1, 2, null."
    assert refusal(must_play=0).detail == "0 is not one of true, false."


@pytest.mark.parametrize("option", ["rounds", "engine_first"])
@pytest.mark.parametrize("value", NO_WHOLE_NUMBERS)
def test_a_value_that_is_not_an_integer_is_refused(option: str, value: object) -> None:
    refused = refusal(**{option: value})
    assert refused.option == option
    assert "is not an integer" in refused.detail


def test_there_is_at_least_one_round_and_at_most_one_for_every_engine() -> None:
    assert (resolve({"rounds": 1}).rounds, resolve({"rounds": 13}).rounds) == (1, 13)
    assert refusal(rounds=0).option == "rounds"
    assert refusal(rounds=14).detail == "a match with the first engine 12 has at most 13 rounds."
    assert resolve({"engine_first": 3, "rounds": 4}).rounds == 4
    assert refusal(engine_first=3, rounds=5).option == "rounds"


def test_the_first_engine_is_in_the_set() -> None:
    assert (resolve({"engine_first": 0}).engine_first, resolve({"engine_first": 0}).rounds) == (0, 1)
    assert refusal(engine_first=13).option == "engine_first"
    assert refusal(set_max_pip=9, engine_first=10).detail == "a double-9 set has engines from 0 to 9."
    assert resolve({"set_max_pip": 18, "engine_first": 18}).rounds == 19


def test_null_means_the_longest_match_from_the_highest_double() -> None:
    assert resolve({"rounds": None, "engine_first": None}) == CLASSIC


@for_each(("value", "names"), WRONG_HAND_SIZES)
def test_hand_sizes_map_numbers_of_seats_to_numbers_of_tiles(value: object, names: str) -> None:
    refused = refusal(hand_sizes=value)
    assert refused.option == "hand_sizes"
    assert names in refused.detail


def test_hand_sizes_may_have_text_or_numbers_as_keys_and_come_in_order() -> None:
    sizes = resolve({"hand_sizes": {"12": 5, 3: 7, "2": 9}}).hand_sizes
    assert list(sizes.items()) == [(2, 9), (3, 7), (12, 5)]


@pytest.mark.parametrize("value", NO_LISTS)
def test_a_subset_is_a_list(value: object) -> None:
    refused = refusal(own_train_required_for=value)
    assert (refused.option, "is not a list" in refused.detail) == ("own_train_required_for", True)


@pytest.mark.parametrize("value", NOT_OF_THE_LIST)
def test_a_subset_is_of_its_list(value: object) -> None:
    refused = refusal(own_train_required_for=value)
    assert (refused.option, "is not one of" in refused.detail) == ("own_train_required_for", True)


def test_a_subset_has_each_value_once_in_one_order() -> None:
    values = tuple(Value(letter, f"Letter {letter}.", sheet="") for letter in "abc")
    kind = SubsetOf(question="Which letters.", choices=values, default=(), nothing="None.")
    assert kind.read("letters", ["b", "a", "b"]) == ("a", "b")
    assert kind.read("letters", ()) == ()
    assert resolve({"own_train_required_for": ["open_trains", "mexican"]}).own_train_required_for == (
        "mexican",
        "open_trains",
    )


def test_every_wrong_option_is_named() -> None:
    refused = refusal(colour="red", rounds=0, set_max_pip=7, announce="off")
    assert [each.option for each in (refused, *refused.others)] == ["set_max_pip", "rounds", "colour"]
    assert refusal(rounds=14).others == ()


def test_hands_are_dealt_to_the_numbers_of_seats_that_have_a_size() -> None:
    assert [hand_size(CLASSIC, seats) for seats in range(2, 9)] == [15, 15, 15, 12, 12, 10, 10]
    for seats in (-1, 0, 1, 9, 99):
        with pytest.raises(NotForSeats, match=f"these rules are for 2, 3, 4, 5, 6, 7, 8 seats, not {seats}.$"):
            hand_size(CLASSIC, seats)


@pytest.mark.parametrize(
    ("selection", "tiles", "possible"),
    [
        ("set_aside", 14, "each of 2 seats can get 1 to 13 of the 28 tiles, not 14."),
        ("highest_held", 15, "each of 2 seats can get 2 to 14 of the 28 tiles, not 15, "),
        (
            "highest_held",
            1,
            "each of 2 seats can get 2 to 14 of the 28 tiles, not 1, because the seat that lays the engine must keep",
        ),
    ],
)
def test_the_refusal_of_a_hand_size_names_the_possible_sizes(selection: str, tiles: int, possible: str) -> None:
    options = resolve({"set_max_pip": 6, "engine_selection": selection, "hand_sizes": {2: tiles}})
    with pytest.raises(BadOption) as refused:
        hand_size(options, 2)
    assert refused.value.option == "hand_sizes"
    assert refused.value.detail.startswith(possible)


@pytest.mark.parametrize(
    ("selection", "tiles"), [("set_aside", 1), ("set_aside", 13), ("highest_held", 2), ("highest_held", 14)]
)
def test_the_smallest_and_the_largest_hand_are_dealt(selection: str, tiles: int) -> None:
    options = resolve({"set_max_pip": 6, "engine_selection": selection, "hand_sizes": {2: tiles}})
    assert hand_size(options, 2) == tiles


def test_options_keep_the_answers_to_all_questions_without_arguments() -> None:
    options = resolve({"double_follow_up": "none", "must_play": False})
    assert (options.opens_doubles, options.may_decline) == (False, True)
    assert (CLASSIC.opens_doubles, CLASSIC.may_decline) == (True, False)
    assert all(getattr(options, name) == question.__get__(options) for name, question in QUESTIONS.items())
    assert not QUESTIONS.keys() & vars(options).keys()


@pytest.mark.parametrize("options", [CLASSIC, by_first_version(CLASSIC)])
def test_a_copy_of_options_in_another_process_has_the_same_answers(options: Options) -> None:
    copy = pickle.loads(pickle.dumps(options))
    assert (type(copy), copy) == (type(options), options)
    assert [getattr(copy, name) for name in QUESTIONS] == [getattr(options, name) for name in QUESTIONS]
