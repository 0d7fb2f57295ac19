"""``GET rules/presets/{a}/diff/{b}``: how two rule sets differ, in words."""

from itertools import pairwise

import pytest

from rules.mexican_train.presets import PRESETS, rules_of
from tests.cases import for_each
from tests.cast import Caller
from tests.rest.checks import check_refused


def test_it_works(spectator: Caller) -> None:
    answer = spectator.get("rules/presets/classic/diff/own_first")
    assert answer.status == 200
    assert answer.body == {
        "a": "classic",
        "b": "own_first",
        "differences": [
            {
                "option": "own_train_required_for",
                "meaning": "What a seat may not do before its own train holds a tile. Any of these, or none of them.",
                "a": {"value": [], "words": "It may do everything."},
                "b": {"value": ["mexican"], "words": "Lay on the Mexican Train."},
                "sentence": "What a seat may not do before its own train holds a tile. Classic Mexican Train, double "
                "twelve: It may do everything. Own train first: Lay on the Mexican Train.",
            }
        ],
    }


@for_each("name", PRESETS)
def test_no_preset_differs_from_itself(spectator: Caller, name: str) -> None:
    assert spectator.get(f"rules/presets/{name}/diff/{name}").body == {
        "a": name,
        "b": name,
        "differences": [],
    }


@for_each(("name", "other"), pairwise(PRESETS))
def test_both_directions_name_the_same_differences(spectator: Caller, name: str, other: str) -> None:
    there = spectator.get(f"rules/presets/{name}/diff/{other}").body["differences"]
    back = spectator.get(f"rules/presets/{other}/diff/{name}").body["differences"]
    assert there
    assert [(each["option"], each["a"], each["b"]) for each in there] == [
        (each["option"], each["b"], each["a"]) for each in back
    ]
    options = rules_of(name, {}).as_dict()
    assert all(each["a"]["value"] == options[each["option"]] for each in there)


@pytest.mark.parametrize("path", ["none/diff/classic", "classic/diff/none", "classic/diff/%00", "Classic/diff/galt"])
def test_an_unknown_preset_is_not_found(spectator: Caller, path: str) -> None:
    check_refused(lambda: spectator.get(f"rules/presets/{path}"), 404, "not_found")


def test_hand_sizes_are_described_by_numbers_of_seats(spectator: Caller) -> None:
    def words(language: str) -> str:
        answer = spectator.get("rules/presets/classic/diff/pressman", Accept_Language=language)
        (sizes,) = (each for each in answer.body["differences"] if each["option"] == "hand_sizes")
        told: str = sizes["b"]["words"]
        return told

    assert words("en") == "15 tiles each for 2 to 4 seats, 11 for 5 and 6, 8 for 7 and 8."
    assert words("nl") == "Ieder 15 stenen bij 2 tot en met 4 spelers, 11 bij 5 en 6, 8 bij 7 en 8."
    assert words("hu") == "Fejenként 15 kő, ha a játékosok száma 2\u20134, 11, ha 5 vagy 6, 8, ha 7 vagy 8."


def test_the_answer_may_be_cached_for_each_language(spectator: Caller) -> None:
    path = "rules/presets/classic/diff/chain"
    english, dutch = spectator.get(path), spectator.get(path, Accept_Language="nl")
    assert english.headers["Cache-Control"] == "public, max-age=300"
    assert english.headers["ETag"] != dutch.headers["ETag"]
    assert spectator.get(path, Accept_Language="nl", If_None_Match=dutch.headers["ETag"]).status == 304
    assert spectator.get(path, Accept_Language="nl", If_None_Match=english.headers["ETag"]).status == 200


def test_other_methods_are_refused(alice: Caller) -> None:
    check_refused(lambda: alice.post("rules/presets/classic/diff/galt", {}), 405, "method_not_allowed")
