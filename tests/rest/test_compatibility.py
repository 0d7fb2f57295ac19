"""Comparing schemas finds the changes that break clients, and the stored schema is the one that is served."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tests.cases import for_each
from tests.documents import project
from tests.rest import compatibility
from tests.rest.compatibility import RELEASED, STORED, breaks, release_of


def event_with(field: str) -> dict[str, Any]:
    """The data of a kind of event that always has this field."""
    return {"type": "object", "properties": {field: {"type": "string"}}, "required": [field]}


SCHEMA: dict[str, Any] = {
    "info": {},
    "paths": {
        "/trains/{number}": {
            "post": {
                "security": [{"bearer": []}, {}],
                "parameters": [
                    {"in": "path", "name": "number", "required": True, "schema": {"type": "integer"}},
                    {"in": "query", "name": "after", "schema": {"type": "integer", "maximum": 9}},
                ],
                "requestBody": {"content": {"json": {"schema": {"$ref": "#/components/schemas/Sent"}}}},
                "responses": {
                    "200": {
                        "content": {
                            "json": {"schema": {"$ref": "#/components/schemas/Train"}},
                            "text": {"schema": {}},
                            "text/event-stream": {"schema": {"oneOf": [event_with("reason"), event_with("move")]}},
                        }
                    },
                    "404": {"x-codes": ["not_found"]},
                },
            },
            "delete": {"responses": {"204": {}}},
        },
        "/bots": {"get": {"responses": {"200": {}}}},
    },
    "components": {
        "schemas": {
            "Sent": {
                "type": "object",
                "properties": {
                    "name": {"type": "string", "maxLength": 9, "minLength": 1},
                    "level": {"$ref": "#/components/schemas/Level"},
                    "seats": {"type": ["integer", "null"]},
                    "bots": {"type": "array", "items": {"$ref": "#/components/schemas/Level"}},
                },
                "required": ["name"],
            },
            "Level": {"type": "string", "enum": ["easy", "hard"]},
            "Train": {
                "type": "object",
                "properties": {
                    "end": {"type": "integer"},
                    "tiles": {"type": "array", "items": {"type": "string"}},
                    "turn": {"oneOf": [{"$ref": "#/components/schemas/Turn"}, {"type": "null"}]},
                    "points": {"type": "object", "additionalProperties": {"type": "integer"}},
                },
                "required": ["end"],
            },
            "Turn": {"type": "object", "properties": {"seat": {"type": "integer"}}},
        }
    },
}
GONE = object()
PATHS = "paths"
POST = "paths|/trains/{number}|post"
SENT = "components|schemas|Sent"
TRAIN = "components|schemas|Train"
EVENTS = f"{POST}|responses|200|content|text/event-stream|schema"
BREAKS = {
    "a path is gone": ("paths|/bots", GONE),
    "an operation is gone": ("paths|/trains/{number}|delete", GONE),
    "a status is gone": (f"{POST}|responses|200", GONE),
    "a kind of answer is gone": (f"{POST}|responses|200|content|text", GONE),
    "a code is gone": (f"{POST}|responses|404|x-codes", ["nowhere"]),
    "a token is needed": (f"{POST}|security", [{"bearer": []}]),
    "a parameter is gone": (f"{POST}|parameters|1", GONE),
    "a parameter is required": (f"{POST}|parameters|1|required", True),
    "a parameter has another type": (f"{POST}|parameters|1|schema|type", "boolean"),
    "a parameter has a lower limit": (f"{POST}|parameters|1|schema|maximum", 8),
    "a body is required": (f"{POST}|requestBody|required", True),
    "a body is gone": (f"{POST}|requestBody", GONE),
    "a body of that kind is gone": (f"{POST}|requestBody|content|json", GONE),
    "a field of the body is gone": (f"{SENT}|properties|seats", GONE),
    "a field of the body is required": (f"{SENT}|required", ["name", "seats"]),
    "a value is no longer taken": ("components|schemas|Level|enum", ["easy"]),
    "only some values are taken": (f"{SENT}|properties|name|enum", ["Alice"]),
    "null is no longer taken": (f"{SENT}|properties|seats|type", "integer"),
    "a text must be shorter": (f"{SENT}|properties|name|maxLength", 8),
    "a text must be longer": (f"{SENT}|properties|name|minLength", 2),
    "a text has a pattern": (f"{SENT}|properties|name|pattern", "^A"),
    "other fields are not taken": (f"{SENT}|additionalProperties", False),
    "entries of another type are taken": (f"{SENT}|properties|bots|items", {"type": "integer"}),
    "a field of the answer is gone": (f"{TRAIN}|properties|end", GONE),
    "a field of the answer is not always there": (f"{TRAIN}|required", []),
    "a field of the answer has another type": (f"{TRAIN}|properties|end|type", "string"),
    "a field of the answer may be null": (f"{TRAIN}|properties|end|type", ["integer", "null"]),
    "entries have another type": (f"{TRAIN}|properties|tiles|items|type", "integer"),
    "values have another type": (f"{TRAIN}|properties|points|additionalProperties|type", "string"),
    "a field deep in the answer is gone": ("components|schemas|Turn|properties|seat", GONE),
    "a kind of event is gone": (f"{EVENTS}|oneOf|1", GONE),
    "an answer may be something else": (f"{TRAIN}|properties|turn|oneOf|1|type", "string"),
}
HARMLESS = {
    "a path": ("paths|/presets", {"get": {"responses": {"200": {}}}}),
    "an operation": ("paths|/bots|post", {"responses": {"200": {}}}),
    "a refusal": (f"{POST}|responses|409", {}),
    "a code": (f"{POST}|responses|404|x-codes", ["not_found", "nowhere"]),
    "a refusal less": (f"{POST}|responses|409", GONE),
    "a field of the body": (f"{SENT}|properties|why", {"type": "string"}),
    "a field of the body that need not be": (f"{SENT}|required", []),
    "a value that is taken": ("components|schemas|Level|enum", ["easy", "hard", "expert"]),
    "a longer text": (f"{SENT}|properties|name|maxLength", 10),
    "more types": (f"{SENT}|properties|name|type", ["string", "null"]),
    "a field of the answer": (f"{TRAIN}|properties|marker", {"type": "boolean"}),
    "a field that is always there": (f"{TRAIN}|required", ["end", "tiles"]),
    "a kind of event": (f"{EVENTS}|oneOf", [event_with(field) for field in ("reason", "move", "deadline")]),
    "an answer that is never null": (f"{TRAIN}|properties|turn", {"$ref": "#/components/schemas/Turn"}),
    "a description": (f"{TRAIN}|description", "A train."),
    "a parameter": (f"{POST}|parameters|1|description", "The place."),
}


def changed(path: str, value: Any) -> dict[str, Any]:
    """The schema with one thing in it that is different, new or gone."""
    schema = copy.deepcopy(SCHEMA)
    *outer, last = path.split("|")
    part: Any = schema
    for name in outer:
        part = part[int(name) if isinstance(part, list) else name]
    key: Any = int(last) if isinstance(part, list) else last
    if value is not GONE:
        part[key] = value
    elif isinstance(part, list) or key in part:
        del part[key]
    return schema


@for_each("name", BREAKS)
def test_a_change_that_breaks_clients_is_found(name: str) -> None:
    assert breaks(SCHEMA, changed(*BREAKS[name]))


@pytest.mark.parametrize("change", HARMLESS.values(), ids=HARMLESS)
def test_a_compatible_change_passes(change: tuple[str, Any]) -> None:
    assert breaks(SCHEMA, changed(*change)) == []


def test_a_breaking_change_is_described_in_words() -> None:
    assert breaks(SCHEMA, changed(f"{TRAIN}|properties|tiles", GONE)) == ["POST /trains/{number} 200.tiles is gone"]


def test_the_stored_schema_is_the_one_that_is_served(tmp_path: Path) -> None:
    made = tmp_path / "openapi.json"
    options = {"format": "openapi-json", "custom_settings": "rest.schema.WITHOUT_EXAMPLES"}
    call_command("spectacular", file=str(made), **options)
    assert made.read_text() == STORED.read_text(), "Run `make schema`, and look at what it changes."


def test_clients_of_the_released_schema_still_work() -> None:
    assert breaks(json.loads(RELEASED.read_text()), json.loads(STORED.read_text())) == []


def test_the_released_schema_is_that_of_the_newest_release() -> None:
    assert release_of(json.loads(RELEASED.read_text())) == project()["project"]["version"]


@pytest.fixture
def copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A stored schema, and the schema of release 1.0.0, of this test's own."""
    stored, released = tmp_path / "openapi.json", tmp_path / "openapi-released.json"
    monkeypatch.setattr(compatibility, "STORED", stored)
    monkeypatch.setattr(compatibility, "RELEASED", released)
    released.write_text(json.dumps(SCHEMA | {"info": {"x-release": "1.0.0"}}))
    return stored, released


def test_a_release_writes_its_schema_and_its_version(copies: tuple[Path, Path]) -> None:
    stored, released = copies
    stored.write_text(json.dumps(changed(*HARMLESS["a path"])))
    compatibility.release("1.1.0")
    written = json.loads(released.read_text())
    assert "/presets" in written["paths"]
    assert release_of(written) == "1.1.0"


def test_a_schema_that_breaks_clients_is_not_released(copies: tuple[Path, Path]) -> None:
    stored, released = copies
    stored.write_text(json.dumps(changed(*BREAKS["a path is gone"])))
    with pytest.raises(SystemExit, match="GET /bots is gone"):
        compatibility.release("1.1.0")
    assert "/bots" in json.loads(released.read_text())["paths"]


def test_the_schema_of_a_release_is_written_once(copies: tuple[Path, Path]) -> None:
    stored, released = copies
    stored.write_text(json.dumps(changed(*HARMLESS["a path"])))
    with pytest.raises(SystemExit, match=r"1\.0\.0 is released"):
        compatibility.release("1.0.0")
    assert "/presets" not in json.loads(released.read_text())["paths"]
