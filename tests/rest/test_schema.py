"""``GET /api/v1/schema`` and the page of it."""

import copy
import json
from collections.abc import Iterator
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
PROBLEM = "application/problem+json"
STREAM = "text/event-stream"


def assert_valid(value: Any, expected: dict[str, Any]) -> None:
    assert [error.message for error in OAS31Validator(expected).iter_errors(value)] == []


def check_example(by_id: dict[str, Operation], name: str, example: dict[str, Any]) -> None:
    """Its operation exists, and both its request and its answer are as the schema says."""
    operation = by_id[name]
    if "request" in example and example["status"] < 400:
        asked = operation.description["requestBody"]["content"][example["sent"]]["schema"]
        assert_valid(example["request"], whole(asked))
    response = operation.answers[str(example["status"])]
    assert ("answer" in example) == ("content" in response)
    if "answer" in example:
        assert_valid(example["answer"], whole(response["content"][example["kind"]]["schema"]))


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
    assert "default" not in described["responses"]
    for status, response in operation.answers.items():
        assert "description" in response
        assert ("content" in response) == (status not in {"204", "304"})
    if operation.method in {"PUT", "PATCH"}:
        assert JSON in described["requestBody"]["content"]


def test_operations_have_names_of_their_own() -> None:
    assert len({operation.id for operation in operations()}) == len(operations())


def lacking(body: dict[str, Any], answers: dict[str, dict[str, Any]]) -> Iterator[str]:
    """What an operation has no example of: its body, each kind of answer, and one refusal."""
    good = {status: answer for status, answer in answers.items() if int(status) < 400}
    for name, part in ({"request": body} | good).items():
        yield from (f"{name} {kind}" for kind, media in part.get("content", {}).items() if "example" not in media)
    refusals = [answer["content"][PROBLEM] for status, answer in answers.items() if int(status) >= 400]
    if not any("example" in refusal for refusal in refusals):
        yield "refusal"


@pytest.mark.parametrize("operation", operations(), ids=str)
def test_every_operation_has_an_example_of_all_it_reads_and_answers(operation: Operation) -> None:
    assert list(lacking(operation.description.get("requestBody", {}), operation.answers)) == []
    assert operation.id in examples()


@pytest.mark.parametrize(
    ("parts", "lacks"), [(["request"], f"request {JSON}"), (["201"], f"201 {JSON}"), (["400", "401"], "refusal")]
)
def test_an_example_that_lacks_is_noticed(parts: list[str], lacks: str) -> None:
    (operation,) = (each for each in operations() if each.id == "tables_create")
    body, answers = copy.deepcopy((operation.description["requestBody"], operation.answers))
    for part in parts:
        for media in (answers | {"request": body})[part]["content"].values():
            del media["example"]
    assert list(lacking(body, answers)) == [lacks]


def test_the_examples_are_as_the_schema_says() -> None:
    by_id = {operation.id: operation for operation in operations()}
    for name, recorded in examples().items():
        for example in recorded:
            check_example(by_id, name, example)


@pytest.mark.parametrize(
    ("name", "example"),
    [
        ("no_such_operation", {}),
        ("players_guest_create", {"status": 201, "sent": JSON, "request": {"nickname": "Alice"}}),
        ("players_guest_create", {"status": 201, "kind": JSON, "answer": {"token": "x"}}),
        ("players_guest_create", {"status": 201, "kind": "text/plain", "answer": "x"}),
        ("players_guest_create", {"status": 201}),
        ("players_guest_create", {"status": 200, "kind": JSON, "answer": {}}),
        ("players_guest_create", {"status": 401, "kind": PROBLEM, "answer": {"code": "bad_token"}}),
        ("players_logout_create", {"status": 204, "kind": JSON, "answer": {}}),
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
    kind = answer.headers.get("Content-Type", "").partition(";")[0]
    expected = answer_schema(operation, answer.status, kind)
    assert answer.status < 500
    assert (expected is None) == (not answer.text)
    if expected is not None and kind != STREAM:  # the events of streams are checked wherever one is read
        assert_valid(answer.body if kind.endswith("json") else answer.text, expected)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_it_is_only_read(alice: Caller, method: str) -> None:
    check_problem(alice.ask(method, "schema", {}), 405, "method_not_allowed")
