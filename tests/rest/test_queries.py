"""Query parameters are validated as strictly as the schema says, at every operation that has any."""

import pytest

from tests.cast import Caller, join, open_table, start
from tests.rest.checks import check_problem
from tests.rest.operations import Operation, operations

ASKING = [(each, name) for each in operations() for name in each.query]


def ask(operation: Operation, query: str, alice: Caller, bob: Caller) -> None:
    """A query that is refused, and the refusal names its parameter."""
    table = open_table(alice, seats=2)
    join(table, bob)
    start(table, alice)
    path = operation.at(table_id=table["id"], invite=table["invite"]["code"], name="classic")
    answer = alice.ask(operation.method, f"{path}?{query}")
    check_problem(answer, 400, "invalid")
    assert [each["field"] for each in answer.body["errors"]] == [query.partition("=")[0]]


@pytest.mark.parametrize(("operation", "name"), ASKING, ids=str)
def test_an_empty_value_is_refused(operation: Operation, name: str, alice: Caller, bob: Caller) -> None:
    ask(operation, f"{name}=", alice, bob)


@pytest.mark.parametrize(("operation", "name"), ASKING, ids=str)
def test_a_repeated_parameter_is_refused(operation: Operation, name: str, alice: Caller, bob: Caller) -> None:
    schema = next(each for each in operation.description["parameters"] if each["name"] == name)["schema"]
    value = 1 if schema.get("type") == "integer" else ""
    ask(operation, f"{name}={value}&{name}={value}", alice, bob)


@pytest.mark.parametrize("value", ["+5", "%205", "5.0", "%D9%A5", "1e1", "0x5"])
def test_a_number_is_written_in_digits(alice: Caller, value: str) -> None:
    check_problem(alice.get(f"tables?limit={value}"), 400, "invalid")


def test_unknown_parameters_are_ignored(alice: Caller) -> None:
    assert alice.get("tables?limit=5&utm_source=a&utm_source=").status == 200
