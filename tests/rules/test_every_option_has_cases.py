"""Every value of every option has scenarios that play it, and that would go wrong with any other value in its place."""

from pathlib import Path
from typing import Any

import pytest

from rules.errors import IllegalMove
from rules.mexican_train.options import OPTIONS
from rules.mexican_train.options.kinds import OneOf, SubsetOf
from tests.cases import for_each
from tests.rules.test_scenarios import ROUNDS, Case, check_step, state_of
from tests.rules.test_scoring import COUNTED

COVERED_ELSEWHERE = {
    "set_max_pip": "test_dealing.py",
    "hand_sizes": "test_dealing.py",
    "hands_visible": "test_view.py",
    "engine_selection": "test_engine_selection.py",
    "engine_first": "test_match.py",
    "rounds": "test_match.py",
    "round_starter": "test_first_seat.py",
    "first_round_starter": "test_first_seat.py",
    "tie_break": "test_match.py",
}
"""What concerns the deal, the match or what a seat sees of others, with the file that holds its cases."""

SCORED = {*COUNTED, "blocked_lowest_zero"}
"""What changes points only: there is nothing to allow or to refuse."""

TOLD_BY_THE_VIEW = ["off", "automatic"]
"""Two values of ``announce`` that differ in what the table is told: ``test_announcing.py`` tells them apart."""


def values_of(option: str) -> list[Any]:
    """The values to be distinguished, as JSON has them: of a list, none and each one alone."""
    kind = OPTIONS[option]
    if isinstance(kind, SubsetOf):
        return [[], *([each] for each in kind.values)]
    assert isinstance(kind, OneOf), f"{option}: say here what its values are"
    return list(kind.values)


def default_of(option: str) -> Any:
    default = OPTIONS[option].default
    return list(default) if isinstance(default, tuple) else default


def cases_with(option: str, value: object) -> list[Case]:
    return [case for case in ROUNDS if case["options"].get(option, default_of(option)) == value]


def holds(case: Case, **instead: object) -> bool:
    """Whether every step comes out as the case says, with these options instead of its own."""
    state = state_of({**case, "options": case["options"] | instead})
    try:
        for step in case["steps"]:
            state = check_step(state, step)
    except (AssertionError, IllegalMove, pytest.fail.Exception):
        return False
    return True


def others_than(value: object, option: str) -> list[Any]:
    """The other values of an option, as far as play can distinguish them from this one."""
    told_elsewhere = TOLD_BY_THE_VIEW if option == "announce" and value in TOLD_BY_THE_VIEW else []
    return [each for each in values_of(option) if each != value and each not in told_elsewhere]


def is_to_be_played(option: str, value: object) -> bool:
    """Whether a value needs scenarios. ``test_scoring.py`` has a case for every number that is counted."""
    return option not in COUNTED or bool(cases_with(option, value))


PLAYED = [
    (option, value)
    for option in OPTIONS
    if option not in COVERED_ELSEWHERE
    for value in values_of(option)
    if is_to_be_played(option, value)
]
ALLOWING = [(option, value) for option, value in PLAYED if option not in SCORED]


@for_each(("option", "value"), PLAYED)
def test_a_value_is_played_by_a_scenario(option: str, value: object) -> None:
    assert cases_with(option, value)


@pytest.mark.parametrize("option", COUNTED)
def test_a_number_that_is_counted_is_played_by_scenarios_as_it_usually_is_and_otherwise(option: str) -> None:
    values = [value for played, value in PLAYED if played == option]
    assert default_of(option) in values
    assert len(values) > 1


@for_each(("option", "value"), PLAYED)
def test_some_scenario_of_a_value_would_fail_with_any_other_value(option: str, value: object) -> None:
    cases = cases_with(option, value)
    for other in others_than(value, option):
        assert not all(holds(case, **{option: other}) for case in cases), f"{value} and {other} look the same"


@for_each(("option", "value"), ALLOWING)
def test_the_scenarios_of_a_value_both_allow_and_refuse(option: str, value: object) -> None:
    kinds = {kind for case in cases_with(option, value) for step in case["steps"] for kind in step}
    assert {"do", "refused"} <= kinds


def test_a_scenario_holds_with_its_own_options() -> None:
    assert all(holds(case) for case in ROUNDS)


@pytest.mark.parametrize(("option", "file"), COVERED_ELSEWHERE.items())
def test_an_option_without_a_scenario_has_its_cases_in_another_file(option: str, file: str) -> None:
    text = (Path(__file__).parent / file).read_text()
    kind = OPTIONS[option]
    names = [each for each in kind.values if isinstance(each, str)] if isinstance(kind, OneOf) else []
    assert [name for name in [option, *names] if name not in text] == []
