"""Checks that the schema describes every answer to a test's caller, and every event."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.urls import Resolver404, resolve
from openapi_schema_validator import OAS31Validator

from rest.problem_documents import CONTENT_TYPE
from rest.schema import codes_in, response_in
from tests.rest.operations import schema, whole

if TYPE_CHECKING:
    from tests.cast import Answer


def check_documented(method: str, path: str, answer: "Answer") -> None:
    """The schema has this status for the operation, the kind of body, and a refusal's code."""
    operation = operation_at(method, path)
    if operation is None:
        return
    asked = f"{method} {path}: {answer.status} {answer.text[:200]}"
    documented = response_in(schema(), operation, answer.status)
    assert documented is not None, f"An undocumented status: {asked}"
    if not answer.text:
        assert "content" not in documented, f"An answer without a body: {asked}"
        return
    kind = answer.headers["Content-Type"].partition(";")[0]
    assert kind in documented.get("content", {}), f"An undocumented kind of answer, {kind}: {asked}"
    if kind.endswith("json"):
        unknown = sorted(set(unknown_fields(answer.body, documented["content"][kind]["schema"])))
        assert unknown == [], f"Undocumented fields: {asked}"
    if kind == CONTENT_TYPE:
        assert answer.body["code"] in codes_in(documented), f"An undocumented code: {asked}"


def operation_at(method: str, path: str) -> dict[str, Any] | None:
    """The schema's operation for this request, ``None`` where there is none."""
    try:
        route = resolve("/api/v1/" + path.partition("?")[0]).route
    except Resolver404:
        return None
    template = "/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route)
    operation: dict[str, Any] | None = schema()["paths"].get(template, {}).get(method.lower())
    return operation


def unknown_fields(value: Any, described: dict[str, Any]) -> Iterator[str]:
    """The fields of an answer that the schema does not have, wherever they stand."""
    if "$ref" in described:
        described = schema()["components"]["schemas"][described["$ref"].rpartition("/")[2]]
    for part in (*described.get("allOf", ()), *described.get("oneOf", ())):
        yield from unknown_fields(value, part)
    if isinstance(value, list) and "items" in described:
        for each in value:
            yield from unknown_fields(each, described["items"])
    if isinstance(value, dict) and "properties" in described:
        yield from value.keys() - described["properties"].keys()
        for name in value.keys() & described["properties"].keys():
            yield from unknown_fields(value[name], described["properties"][name])


def check_event(kind: str, data: dict[str, Any]) -> None:
    """The data of an event is as the schema has it for that kind."""
    name = f"{kind} {data['what']}" if kind == "round" else kind
    component = "".join(map(str.title, name.split())) + "Event"
    faults = OAS31Validator(whole({"$ref": f"#/components/schemas/{component}"})).iter_errors(data)
    assert [error.message for error in faults] == [], f"{name}: {data}"
    assert data.keys() <= schema()["components"]["schemas"][component]["properties"].keys()
