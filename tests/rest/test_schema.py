"""``GET /api/v1/schema`` and its documentation page."""

import copy
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from openapi_schema_validator import OAS31Validator
from openapi_spec_validator import validate

from rest.schema import codes_in, examples
from rest.schema_view import schema_text
from tests.cases import for_each, slow_after
from tests.cast import Caller, join, open_table, start
from tests.rest.checks import check_problem
from tests.rest.compatibility import STORED
from tests.rest.operations import SAMPLE, Operation, answer_schema, operations, schema, whole

JSON = "application/json"
PROBLEM = "application/problem+json"
STREAM = "text/event-stream"


def assert_valid(value: Any, expected: dict[str, Any]) -> None:
    assert [error.message for error in OAS31Validator(expected).iter_errors(value)] == []


def check_example(by_id: dict[str, Operation], name: str, example: dict[str, Any]) -> None:
    """The operation exists, and request and answer match the schema."""
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


def test_the_schema_is_generated_once_and_answered_with_304(db: None) -> None:
    first = Client().get("/api/v1/schema", headers={"Accept": "application/json"})
    assert (first.headers["Content-Type"], first.headers["Cache-Control"]) == (JSON, "no-cache")
    assert schema_text() is schema_text()
    again = Client().get("/api/v1/schema", headers={"If-None-Match": first.headers["ETag"], "Accept-Language": "hu"})
    assert (again.status_code, again.content) == (304, b"")
    other = Client().get("/api/v1/schema", headers={"If-None-Match": '"other"', "Accept-Language": "hu"})
    assert (other.status_code, other.content) == (200, first.content)


def test_the_schema_has_a_limited_size(db: None) -> None:
    assert len(schema_text()[0]) < 400_000


def test_the_documentation_page_loads_the_schema(db: None) -> None:
    response = Client().get("/api/v1/docs")
    assert response.status_code == 200
    assert "/api/v1/schema" in response.content.decode()


@for_each("operation", operations())
def test_every_operation_is_described(operation: Operation) -> None:
    described = operation.description
    assert described["description"]
    assert "default" not in described["responses"]
    for status, response in operation.answers.items():
        assert response["description"]
        assert ("content" in response) == (status not in {"204", "304"})
    if operation.method in {"PUT", "PATCH"}:
        assert JSON in described["requestBody"]["content"]


def parts(part: Any) -> Iterator[dict[str, Any]]:
    """Every object in the schema, at any depth."""
    for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from parts(inner)
    if isinstance(part, dict):
        yield part


def without_examples() -> dict[str, Any]:
    stored: dict[str, Any] = json.loads(STORED.read_text())
    return stored


def test_a_reference_has_no_sibling_keys() -> None:
    """Code generators drop keys beside a reference, or the reference."""
    assert [part for part in parts(without_examples()) if "$ref" in part and len(part) > 1] == []


def test_component_names_can_be_names_of_types() -> None:
    components = without_examples()["components"]
    names = [*components["schemas"], *components["responses"]]
    assert [name for name in names if not re.fullmatch("([A-Z][a-z]+)+", name) or name.endswith("Enum")] == []


def test_every_list_of_values_is_a_named_enum() -> None:
    """Otherwise code generators make an enum for each field."""
    schemas = without_examples()["components"]["schemas"]
    listed = [name for name, each in fields_of(schemas) if "enum" in each]
    assert listed == []
    known = {tuple(each["enum"]) for each in schemas.values() if "enum" in each}
    queries = [each["schema"] for operation in operations() for each in operation.description.get("parameters", ())]
    assert [each for each in queries if tuple(each.get("enum", ())) in known] == []


def fields_of(schemas: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, component in schemas.items():
        yield from ((f"{name}.{field}", each) for field, each in component.get("properties", {}).items())


def undescribed(document: dict[str, Any]) -> list[str]:
    """The fields and the parameters without a description in the schema."""
    named = [*fields_of(document["components"]["schemas"])]
    named += [
        (f"{operation['operationId']} {parameter['name']}", parameter)
        for path in document["paths"].values()
        for operation in path.values()
        for parameter in operation.get("parameters", ())
    ]
    return [name for name, each in named if not each.get("description")]


def test_every_field_and_every_parameter_has_a_description() -> None:
    assert undescribed(without_examples()) == []


def test_a_missing_description_is_found() -> None:
    field, parameter = {"type": "integer"}, {"in": "path", "name": "number", "schema": {"type": "integer"}}
    document = {
        "components": {"schemas": {"Train": {"properties": {"end": field, "seat": field | {"description": "Its."}}}}},
        "paths": {"/trains/{number}": {"get": {"operationId": "train", "parameters": [parameter]}}},
    }
    assert undescribed(document) == ["Train.end", "train number"]


LISTED = ("level", "on_leave", "ended_reason", "reason", "status", "type", "by", "kind", "phase", "code")
WRITTEN_ELSEWHERE = {
    "ProblemError.code",
    "Problem.status",
    "Problem.type",
    "HandoverAnswer.code",
    "HandoverRequest.code",
    "Invite.code",
    "RecordSeat.level",
    "RecordSeatRequest.level",
}


def test_a_field_with_listed_values_refers_to_its_enum() -> None:
    plain = {
        name
        for name, each in fields_of(without_examples()["components"]["schemas"])
        if name.rpartition(".")[2] in LISTED and not {"$ref", "allOf", "oneOf"} & each.keys()
    }
    assert plain == WRITTEN_ELSEWHERE


@for_each("operation", operations())
def test_parameters_have_names_that_differ_in_every_language(operation: Operation) -> None:
    names = [re.sub("[^a-z]", "", each["name"].lower()) for each in operation.description.get("parameters", ())]
    assert len(set(names)) == len(names)
    assert "acceptlanguage" not in names


def test_every_refusal_is_one_type() -> None:
    """Generators make a type of every schema that is not a reference: there would be hundreds."""
    refusals = [answer for each in operations() for status, answer in each.answers.items() if status >= "400"]
    assert refusals
    assert {json.dumps(each["content"][PROBLEM]["schema"]) for each in refusals} == {
        json.dumps({"$ref": "#/components/schemas/Problem"})
    }
    assert all(codes_in(each) for each in refusals)


def test_the_problem_type_lists_every_code() -> None:
    known = set(without_examples()["components"]["schemas"]["ProblemCode"]["enum"])
    told = {code for each in operations() for answer in each.answers.values() for code in codes_in(answer)}
    of_the_web_server = {"uri_too_long", "headers_too_large", "expectation_failed"}
    assert known - told == {"forbidden", "method_not_allowed", "server_error"} | of_the_web_server
    assert told < known


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


@for_each("operation", operations())
def test_every_operation_has_an_example_of_all_it_reads_and_answers(operation: Operation) -> None:
    assert list(lacking(operation.description.get("requestBody", {}), operation.answers)) == []
    assert operation.id in examples()


@pytest.mark.parametrize(
    ("parts", "lacks"), [(["request"], f"request {JSON}"), (["201"], f"201 {JSON}"), (["400", "401"], "refusal")]
)
def test_a_missing_example_is_found(parts: list[str], lacks: str) -> None:
    (operation,) = (each for each in operations() if each.id == "open_table")
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
        ("register_guest", {"status": 201, "sent": JSON, "request": {"nickname": "Alice"}}),
        ("register_guest", {"status": 201, "kind": JSON, "answer": {"token": "x"}}),
        ("register_guest", {"status": 201, "kind": "text/plain", "answer": "x"}),
        ("register_guest", {"status": 201}),
        ("register_guest", {"status": 200, "kind": JSON, "answer": {}}),
        ("register_guest", {"status": 401, "kind": PROBLEM, "answer": {"code": "bad_token"}}),
        ("logout", {"status": 204, "kind": JSON, "answer": {}}),
    ],
)
def test_a_wrong_example_is_found(name: str, example: dict[str, Any]) -> None:
    by_id = {operation.id: operation for operation in operations()}
    with pytest.raises((KeyError, AssertionError)):
        check_example(by_id, name, example)


@pytest.mark.parametrize("stage", slow_after(1, ["playing", "open"]))
@pytest.mark.parametrize("operation", operations(), ids=str)
def test_answers_are_as_the_schema_says(operation: Operation, stage: str, alice: Caller, bob: Caller) -> None:
    table = open_table(alice, seats=2, turn_seconds=60)
    join(table, bob)
    if stage == "playing":
        start(table, alice)
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
def test_the_schema_refuses_other_methods(alice: Caller, method: str) -> None:
    check_problem(alice.ask(method, "schema", {}), 405, "method_not_allowed")


VERBS = frozenset(
    [
        *("Cancel", "Change", "Check", "Create", "Deal", "Delete", "Describe", "Draw", "End", "Explain", "Export"),
        *("Follow", "Get", "Leave", "List", "Log", "Make", "Open", "Propose", "Put", "Register", "Revoke", "Send"),
        *("Set", "Show", "Take", "Withdraw"),
    ]
)


@for_each("operation", operations())
def test_a_summary_is_a_whole_sentence(operation: Operation) -> None:
    """The summary says what the call does, is not cut off, and the description begins after it."""
    summary = operation.description["summary"]
    assert summary.split()[0] in VERBS, "A summary begins with what the call does."
    assert summary.count("`") % 2 == summary.count("(") - summary.count(")") == 0
    assert summary[-1] not in ".:;,"
    assert ": " not in summary
    assert operation.description["description"].startswith(summary)
