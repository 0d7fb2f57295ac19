"""Every operation of the OpenAPI schema, with a plausible request to each."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Any

from drf_spectacular.generators import SchemaGenerator

from rest.schema import METHODS, response_in

SAMPLE: dict[str, Any] = {
    "name": "Alice",
    "username": "alice",
    "password": "tiles-and-trains",
    "move": "draw",
    "number": 1,
    "seat": 0,
    "level": "easy",
    "seed": "luck",
    "seats": 2,
    "host_seat": 0,
    "preset": "classic",
    "url": "https://1.1.1.1/turns",
    "events": ["your_turn"],
}
"""What a field of that name may hold; fields that are not here are left out of the sample."""


@dataclass(frozen=True)
class Operation:
    id: str
    method: str
    path: str
    fields: tuple[str, ...]
    query: tuple[str, ...]
    description: dict[str, Any]

    @property
    def answers(self) -> dict[str, dict[str, Any]]:
        """The possible answers, by status."""
        found = {status: response_in(schema(), self.description, status) for status in self.description["responses"]}
        return {status: answer for status, answer in found.items() if answer is not None}

    def __str__(self) -> str:
        return self.id

    def at(self, **known: str) -> str:
        """Its path below ``/api/v1/``; whatever is not known is nought."""
        path = self.path.removeprefix("/api/v1/")
        for part in path_names(path):
            path = path.replace(f"{{{part}}}", known.get(part, "0"))
        return path

    def sample(self, **known: Any) -> dict[str, Any] | None:
        values = SAMPLE | known
        return {name: values[name] for name in self.fields if name in values} if self.fields else None


def schema() -> dict[str, Any]:
    with GENERATING:
        return generated_schema()


GENERATING = Lock()
"""For tests with threads: drf-spectacular loads its extensions while it generates, so only one thread may."""


@cache
def generated_schema() -> dict[str, Any]:
    generated: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return generated


@cache
def operations() -> tuple[Operation, ...]:
    return tuple(found())


def found() -> Iterator[Operation]:
    for path, methods in schema()["paths"].items():
        for method in METHODS:
            if operation := methods.get(method):
                query = [each["name"] for each in operation.get("parameters", ()) if each["in"] == "query"]
                yield Operation(
                    operation["operationId"], method.upper(), path, fields_of(operation), tuple(query), operation
                )


def fields_of(operation: dict[str, Any]) -> tuple[str, ...]:
    if "requestBody" not in operation:
        return ()
    body = operation["requestBody"]["content"].get("application/json", {}).get("schema", {})
    if "$ref" in body:
        body = schema()["components"]["schemas"][body["$ref"].rpartition("/")[2]]
    return tuple(body.get("properties", ()))


def path_names(path: str) -> list[str]:
    return [part.partition("}")[0] for part in path.split("{")[1:]]


def whole(part: dict[str, Any]) -> dict[str, Any]:
    """A part of the schema by which a value can be checked by itself."""
    return part | {"components": schema()["components"]}


def answer_schema(operation: Operation, status: int, kind: str = "application/json") -> dict[str, Any] | None:
    """What its answers of this status and kind look like, ``None`` for one without a body."""
    content = operation.answers[str(status)].get("content")
    return content and whole(content[kind]["schema"])
