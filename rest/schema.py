"""The OpenAPI schema: every problem that an operation may answer with, its language, and examples of real answers."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from rest_framework.fields import empty
from rest_framework.permissions import IsAuthenticated

from rest import problems
from rest.answers import AnswerSerializer
from rest.idempotency import LONGEST_KEY, SHORTEST_OF_STRANGERS
from rest.problem_documents import CONTENT_TYPE, ProblemDocument
from rest.problems import Problem

EXAMPLES = Path(__file__).parent / "examples.json"
CODES = "x-codes"
COMPONENT = "#/components/schemas/"
METHODS = ("get", "post", "put", "patch", "delete")
FIRST_REFUSAL = 400
WITHOUT_EXAMPLES = {
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enum_id_removal",
        "drf_spectacular.hooks.postprocess_schema_enums",
        "rest.schema.name_enums",
        "rest.schema.add_codes",
    ]
}
"""Settings for the stored copy of the schema: the recorded examples are not part of the contract."""
SHARED = {
    ("bad_request", "invalid"): "InvalidQuery",
    ("bad_request", "invalid", "unreadable_body"): "InvalidBody",
    ("bad_token", "not_authenticated"): "TokenNeeded",
}
"""Names of shared responses with several codes. Keep the names, because code generators name types after them."""
CODES_MEAN = "All stable codes of errors. Each operation lists the codes that it can answer, and what they mean there."
SUCCESSES = {
    "200": "The request succeeded.",
    "201": "The resource was created.",
    "202": "The request was accepted, but is not complete yet.",
    "204": "The request succeeded; the answer has no body.",
    "304": "Nothing has changed since the answer that had this `ETag`.",
}
AGAIN = "The request had succeeded before. Nothing has changed; the answer is the current state."


KEY_PARAMETER = {
    "in": "header",
    "name": "Idempotency-Key",
    "description": (
        "A random text, such as a UUID. The same request with the same key gets the same answer. Without a token, the "
        f"key needs at least {SHORTEST_OF_STRANGERS} characters."
    ),
    "schema": {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY},
}


class OperationSchema(AutoSchema):
    """drf-spectacular's ``AutoSchema``, plus each error status of an operation and its codes.

    ``problem`` is the type of every problem document. A view has ``path_meanings``: what each part of its path means.
    """

    problem: type[Any] = ProblemDocument

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        operation = super().get_operation(*args, **kwargs)
        if operation is not None:
            self.resolve_serializer(AnswerSerializer(self.problem), "response")
            meanings: dict[str, str] = getattr(self.view, "path_meanings", {})
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "path":
                    parameter["description"] = meanings[parameter["name"]]
            if problems.KeyReused in self.declared_problems:
                operation.setdefault("parameters", []).append(KEY_PARAMETER)
            kinds = problems.by_status([*self.derived_problems(operation), *self.declared_problems])
            describe_successes(operation["responses"])
            operation["responses"] |= {str(status): problem_answer(status, codes) for status, codes in kinds.items()}
        return operation

    def get_auth(self) -> list[dict[str, Any]]:
        """Return the security requirements: a token, which is optional if the handler does not need one."""
        known = [each for each in super().get_auth() if each]
        return known if self.needs_token or not known else [*known, {}]

    @property
    def needs_token(self) -> bool:
        permissions = self.view.get_permissions()
        return problems.NoToken in self.declared_problems or any(isinstance(p, IsAuthenticated) for p in permissions)

    @property
    def declared_problems(self) -> tuple[type[Problem], ...]:
        handler = getattr(self.view, self.method.lower())
        return (*problems.problems_of(self.view), *problems.problems_of(handler))

    def derived_problems(self, operation: dict[str, Any]) -> Iterator[type[Problem]]:
        """Return the problems that follow from the path, the parameters, the body and the permissions."""
        yield from problems.ANYWHERE
        places = {each["in"] for each in operation.get("parameters", ())}
        is_body_read = "requestBody" in operation or problems.KeyReused in self.declared_problems
        if is_body_read or "query" in places:
            yield problems.Invalid
        if is_body_read:
            yield from (problems.UnreadableBody, problems.UnsupportedMediaType)
        if self.view.get_authenticators():
            yield problems.BadToken
        if self.needs_token:
            yield problems.NoToken
        if "path" in places:
            yield problems.NotFound
        if self.view.get_throttles():
            yield problems.TooManyRequests


class StrictFieldsSchema(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]  # registers by subclassing
    """Describes ``StrictFields``: unknown fields are not allowed, and omitted fields take their defaults."""

    target_class = "rest.bodies.StrictFields"
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        fields: dict[str, Any] = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)  # noqa: SLF001
        for name, field in self.target.fields.items():
            if field.default is not empty:  # drf-spectacular omits null and callable defaults
                made = field.default() if callable(field.default) else field.default
                fields["properties"][name].setdefault("default", made)
        return fields | {"additionalProperties": False}


def describe_successes(responses: dict[str, Any]) -> None:
    """Describe the successful responses in place; call it before the problems are added.

    An operation with 200 and 201 answers 200 if an earlier request has done the work already.
    """
    for status, response in responses.items():
        response["description"] = AGAIN if status == "200" and "201" in responses else SUCCESSES[status]


def problem_answer(status: int, codes: dict[str, str]) -> dict[str, Any]:
    """Return the response of one status: a problem with one of these codes.

    All responses refer to one schema. The codes are not part of it, so that code generators do not make a type for
    each response.
    """
    return {
        "description": "\n".join(f"- `{code}`: {sentence}" for code, sentence in codes.items()),
        "content": {CONTENT_TYPE: {"schema": {"$ref": COMPONENT + "Problem"}}},
        CODES: list(codes),
    }


def name_enums(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """A postprocessing hook: query parameters refer to the enums of the bodies, and ``NullEnum`` becomes plain null."""
    schemas = result["components"]["schemas"]
    names = {tuple(each["enum"]): name for name, each in schemas.items() if "enum" in each}
    for operation in operations_in(result):
        for parameter in operation.get("parameters", ()):
            if name := names.get(tuple(parameter["schema"].get("enum", ()))):
                parameter["schema"] = {"$ref": COMPONENT + name}
    del schemas["NullEnum"]
    named: dict[str, Any] = with_plain_null(result)
    return named


def with_plain_null(part: Any) -> Any:
    if part == {"$ref": COMPONENT + "NullEnum"}:
        return {"type": "null"}
    if isinstance(part, dict):
        return {name: with_plain_null(each) for name, each in part.items()}
    return [with_plain_null(each) for each in part] if isinstance(part, list) else part


def add_codes(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """A postprocessing hook: lists the codes of problems, and shares equal error responses."""
    schemas = result["components"]["schemas"]
    code = schemas["Problem"]["properties"]["code"]
    schemas["Problem"]["properties"]["code"] = {
        "allOf": [{"$ref": COMPONENT + "ProblemCode"}],
        "description": code["description"],
    }
    schemas["ProblemCode"] = {"type": "string", "enum": sorted(all_codes(result)), "description": CODES_MEAN}
    shared = result["components"].setdefault("responses", {})
    for operation in operations_in(result):
        operation["responses"] = {name: share(shared, each) for name, each in operation["responses"].items()}
    return result


def share(shared: dict[str, Any], response: dict[str, Any]) -> dict[str, Any]:
    """Return a reference to the shared response if other operations have the same one; else the response itself."""
    name = shared_name(codes_in(response))
    if name is None:
        return response
    is_alike = shared.setdefault(name, response) == response
    return {"$ref": f"#/components/responses/{name}"} if is_alike else response


def shared_name(codes: tuple[str, ...]) -> str | None:
    """Return the shared name of a response with one code, or with codes in ``SHARED``; ``None`` for others."""
    alone = "".join(map(str.title, codes[0].split("_"))) if len(codes) == 1 else None
    return SHARED.get(codes, alone)


def codes_in(response: dict[str, Any]) -> tuple[str, ...]:
    """Return the codes of an error response; nothing for another response."""
    return tuple(response.get(CODES, ()))


def all_codes(schema: dict[str, Any]) -> set[str]:
    """Return every code that a problem may have, in an operation or elsewhere."""
    codes = {
        code for each in operations_in(schema) for response in each["responses"].values() for code in codes_in(response)
    }
    return codes | {each.code for each in problems.ELSEWHERE}


def response_in(schema: dict[str, Any], operation: dict[str, Any], status: int | str) -> dict[str, Any] | None:
    """Return an operation's response with this status, also if it is shared; ``None`` if there is none."""
    response: dict[str, Any] | None = operation["responses"].get(str(status))
    if response and "$ref" in response:
        response = schema["components"]["responses"][response["$ref"].rpartition("/")[2]]
    return response


def add_examples(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """A postprocessing hook: adds the recorded requests and answers to each operation as examples."""
    for operation in operations_in(result):
        for example in examples().get(operation["operationId"], ()):
            sent = operation.get("requestBody", {}).get("content", {})
            if example.get("sent") in sent and example["status"] < FIRST_REFUSAL:
                sent[example["sent"]].setdefault("example", example["request"])
            contents = (response_in(result, operation, example["status"]) or {}).get("content", {})
            if example.get("kind") in contents:
                contents[example["kind"]]["example"] = example["answer"]
    return result


def operations_in(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for path in schema["paths"].values():
        yield from (path[method] for method in METHODS if method in path)


@cache
def examples() -> dict[str, list[dict[str, Any]]]:
    """Return the recorded exchanges by operation: each has a request and its answer.

    ``sent`` and ``kind`` are the media types of the request and of the answer.
    """
    found: dict[str, list[dict[str, Any]]] = json.loads(EXAMPLES.read_text())
    return found
