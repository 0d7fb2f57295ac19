"""``GET /api/v1/schema`` and the page of it."""

import json
from typing import Any

import pytest
from django.test import Client
from openapi_schema_validator import OAS31Validator
from openapi_spec_validator import validate

from rest.schema import examples
from tests.cast import Caller, join, open_table
from tests.rest.checks import check_problem
from tests.rest.operations import SAMPLE, Operation, answer_schema, operations, schema, whole

JSON = "application/json"


def assert_valid(value: Any, expected: dict[str, Any]) -> None:
    assert [error.message for error in OAS31Validator(expected).iter_errors(value)] == []


def check_example(by_id: dict[str, Operation], name: str, example: dict[str, Any]) -> None:
    """Its operation exists, and both its request and its answer are as the schema says."""
    operation = by_id[name]
    if "request" in example:
        asked = operation.description["requestBody"]["content"][JSON]["schema"]
        assert_valid(example["request"], whole(asked))
    if "answer" in example:
        answered = operation.description["responses"][str(example["status"])]["content"][JSON]["schema"]
        assert_valid(example["answer"], whole(answered))


def test_it_works(db: None) -> None:
    response = Client().get("/api/v1/schema")
    assert response.status_code == 200
    served = json.loads(response.content)
    validate(served)
    assert served["openapi"].startswith("3.1")
    assert served["paths"].keys() == schema()["paths"].keys()


def test_the_page_of_it(db: None) -> None:
    response = Client().get("/api/v1/docs")
    assert response.status_code == 200
    assert "/api/v1/schema" in response.content.decode()


@pytest.mark.parametrize("operation", operations(), ids=str)
def test_every_operation_is_described(operation: Operation) -> None:
    described = operation.description
    assert described["description"]
    problem = described["responses"]["default"]["content"]["application/problem+json"]["schema"]
    assert problem["$ref"].endswith("/Problem")
    for status, response in described["responses"].items():
        assert "description" in response
        assert ("content" in response) == (status not in {"204", "304"})
    if operation.method in {"PUT", "PATCH"}:
        assert JSON in described["requestBody"]["content"]


def test_operations_have_names_of_their_own() -> None:
    assert len({operation.id for operation in operations()}) == len(operations())


def test_every_operation_has_an_example() -> None:
    assert {operation.id for operation in operations()} == set(examples())


def test_the_examples_are_as_the_schema_says() -> None:
    by_id = {operation.id: operation for operation in operations()}
    for name, example in examples().items():
        check_example(by_id, name, example)


@pytest.mark.parametrize(
    ("name", "example"),
    [
        ("no_such_operation", {}),
        ("players_guest_create", {"request": {"nickname": "Alice"}}),
        ("players_guest_create", {"status": 201, "answer": {"token": "x"}}),
        ("players_guest_create", {"status": 200, "answer": {}}),
    ],
)
def test_a_wrong_example_is_noticed(name: str, example: dict[str, Any]) -> None:
    by_id = {operation.id: operation for operation in operations()}
    with pytest.raises((KeyError, AssertionError)):
        check_example(by_id, name, example)


@pytest.mark.parametrize("stage", ["open", "playing"])
@pytest.mark.parametrize("operation", operations(), ids=str)
def test_answers_are_as_the_schema_says(operation: Operation, stage: str, alice: Caller, bob: Caller) -> None:
    table = open_table(alice, seats=2, turn_seconds=60)
    join(table, bob)
    if stage == "playing":
        alice.post(f"tables/{table['id']}/start")
    webhook = alice.post("players/me/webhooks", {"url": SAMPLE["url"], "events": SAMPLE["events"]}).body
    known = {
        "table_id": table["id"],
        "player_id": str(alice.player and alice.player.pk),
        "webhook_id": webhook["id"],
    }
    answer = alice.ask(operation.method, operation.at(**known), operation.sample(invite=table["invite"]["code"]))
    expected = answer_schema(operation, answer.status)
    assert answer.status < 500
    told = answer.text if answer.headers.get("Content-Type", "").startswith("image/") else answer.body
    assert (expected is None) == (told is None)
    if expected is not None:
        assert_valid(told, expected)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_it_is_only_read(alice: Caller, method: str) -> None:
    check_problem(alice.ask(method, "schema", {}), 405, "method_not_allowed")
