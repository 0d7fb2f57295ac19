"""The tools for lists of cases."""

import pytest

from tests.cases import for_each, slow_after


def check_even(number: int) -> None:
    assert number % 2 == 0, "odd"


def test_a_list_of_cases_that_all_pass_passes() -> None:
    for_each("number", [0, 2, 4])(check_even)()


def test_every_case_that_fails_is_named() -> None:
    with pytest.raises(pytest.fail.Exception) as failed:
        for_each("number", [0, 1, 2, "x", 5])(check_even)()
    told = str(failed.value)
    assert told.startswith("3 of 5 cases fail.")
    assert [line for line in told.splitlines() if line.startswith("(")] == ["(1,)", "('x',)", "(5,)"]


def test_an_empty_list_of_cases_proves_nothing() -> None:
    with pytest.raises(AssertionError):
        for_each("number", [])


@for_each(("number", "half"), [(2, 1), (4, 2)])
def test_the_other_arguments_are_fixtures(tmp_path: object, number: int, half: int) -> None:
    assert tmp_path
    assert number == 2 * half


def test_the_cases_after_the_first_ones_are_slow() -> None:
    cases = slow_after(1, ["a", pytest.param("b", id="B"), ("c", 1)])
    assert [(case.values, case.id, [mark.name for mark in case.marks]) for case in cases] == [
        (("a",), None, []),
        (("b",), "B", ["slow"]),
        (("c", 1), None, ["slow"]),
    ]
