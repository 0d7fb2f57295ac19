"""What every answer to a test's caller must be: one that the schema tells of."""

import re
from typing import TYPE_CHECKING, Any

from django.urls import Resolver404, resolve

from rest.problems import CONTENT_TYPE
from rest.schema import response_in
from tests.rest.operations import schema

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
    if kind == CONTENT_TYPE:
        codes = documented["content"][kind]["schema"]["properties"]["code"]["enum"]
        assert answer.body["code"] in codes, f"An undocumented code: {asked}"


def operation_at(method: str, path: str) -> dict[str, Any] | None:
    """The schema's operation for this request, ``None`` where there is none."""
    try:
        route = resolve("/api/v1/" + path.partition("?")[0]).route
    except Resolver404:
        return None
    template = "/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route)
    operation: dict[str, Any] | None = schema()["paths"].get(template, {}).get(method.lower())
    return operation
