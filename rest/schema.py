"""The OpenAPI schema's last touches: the problem that any call may answer with, its language, and real examples."""

import json
from functools import cache
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parent / "examples.json"
LANGUAGE = {
    "name": "Accept-Language",
    "in": "header",
    "description": "The language of every `detail`, `title` and other text: `en` (otherwise), `nl` or `hu`.",
    "schema": {"type": "string"},
    "example": "hu, en;q=0.5",
}
METHODS = ("get", "post", "put", "patch", "delete")
PROBLEM = {
    "type": "object",
    "description": "RFC 9457. `code` is stable; validation errors add `errors`, refused moves what helps the mover.",
    "properties": {
        "type": {"type": "string", "format": "uri"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "field": {"type": "string"},
                    "code": {"type": "string"},
                    "detail": {"type": "string"},
                    "line": {"type": ["integer", "null"], "description": "Of a text that cannot be read."},
                    "column": {"type": ["integer", "null"]},
                },
                "required": ["field", "code", "detail"],
            },
        },
        "reason": {"type": "string", "description": "Why the rules refuse a move."},
        "legal_moves": {"type": "array", "items": {"$ref": "#/components/schemas/LegalMove"}},
        "position": {"$ref": "#/components/schemas/PositionAnswer"},
    },
    "required": ["type", "title", "status", "detail", "code"],
}


def add_problems_and_examples(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """drf-spectacular's postprocessing hook."""
    result["components"]["schemas"]["Problem"] = PROBLEM
    for path in result["paths"].values():
        for method in METHODS:
            if method in path:
                finish(path[method])
    return result


def finish(operation: dict[str, Any]) -> None:
    """One operation: the first sentence of its description as the summary, the problem, and its example."""
    operation["summary"] = operation["description"].split(".")[0].split(":")[0]
    operation.setdefault("parameters", []).append(LANGUAGE)
    operation["responses"]["default"] = {
        "description": "Refused",
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    example = examples().get(operation["operationId"], {})
    if "request" in example:
        content_of(operation["requestBody"])["example"] = example["request"]
    if "answer" in example:
        content_of(operation["responses"][str(example["status"])])["example"] = example["answer"]


def content_of(part: dict[str, Any]) -> dict[str, Any]:
    """JSON, or whatever else a body is in."""
    content: dict[str, Any] = next(iter(part["content"].values()))
    return content


@cache
def examples() -> dict[str, Any]:
    """By operation: a request, and the status and answer that it got from a real table."""
    found: dict[str, Any] = json.loads(EXAMPLES.read_text())
    return found
