"""Compares two versions of the schema: whether clients of the old one can use the new one.

At a release, ``make release-schema`` (``python -m tests.rest.compatibility``) copies the stored schema to the released
one. Between releases the released schema does not change.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.documents import project

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
STORED = DOCS / "openapi.json"
RELEASED = DOCS / "openapi-released.json"
METHODS = ("get", "post", "put", "patch", "delete")
AT_MOST = ("maximum", "maxLength", "maxItems")
AT_LEAST = ("minimum", "minLength", "minItems")
FIRST_REFUSAL = 400
STREAM = "text/event-stream"

Schema = dict[str, Any]


def breaks(old: Schema, new: Schema) -> list[str]:
    """What a client of the old schema would miss or be refused, one sentence each."""
    found = list(Comparison(old, new).operations())
    gone = codes_of(old) - codes_of(new)
    return found + [f"the code {code} is gone" for code in sorted(gone)]


def codes_of(schema: Schema) -> set[str]:
    """The codes of all refusals, wherever they stand."""
    operations = [operation for methods in schema["paths"].values() for operation in methods.values()]
    shared = schema["components"].get("responses", {}).values()
    own = (each for operation in operations for each in operation["responses"].values())
    return {code for response in (*shared, *own) for code in response.get("x-codes", ())}


@dataclass(frozen=True)
class Comparison:
    """Two schemas, gone through side by side. ``is_sent``: the client writes it, and the server reads it."""

    old: Schema
    new: Schema

    def operations(self) -> Iterator[str]:
        for path, methods in self.old["paths"].items():
            for method in METHODS:
                if method in methods:
                    where = f"{method.upper()} {path}"
                    now = self.new["paths"].get(path, {}).get(method)
                    yield from self.operation(where, methods[method], now) if now else [f"{where} is gone"]

    def operation(self, where: str, old: Schema, new: Schema) -> Iterator[str]:
        if {} in old.get("security", [{}]) and {} not in new.get("security", [{}]):
            yield f"{where} now needs a token"
        yield from self.parameters(where, old, new)
        yield from self.body(where, old.get("requestBody"), new.get("requestBody"))
        for status, response in old["responses"].items():
            if int(status) < FIRST_REFUSAL:
                yield from self.response(f"{where} {status}", response, new["responses"].get(status))

    def parameters(self, where: str, old: Schema, new: Schema) -> Iterator[str]:
        before, now = ({(each["in"], each["name"]): each for each in part.get("parameters", ())} for part in (old, new))
        for place, name in before.keys() - now.keys():
            yield f"{where} no longer reads {name} in its {place}"
        for key, parameter in now.items():
            earlier = before.get(key, {})
            if parameter.get("required") and not earlier.get("required"):
                yield f"{where} now asks for {key[1]} in its {key[0]}"
            if earlier:
                yield from self.values(f"{where} {key[1]}", earlier["schema"], parameter["schema"], is_sent=True)

    def body(self, where: str, old: Schema | None, new: Schema | None) -> Iterator[str]:
        if new and new.get("required") and not (old and old.get("required")):
            yield f"{where} now asks for a body"
        if old and not new:
            yield f"{where} no longer reads a body"
        if old and new:
            yield from self.contents(f"{where} body", old, new, is_sent=True)

    def response(self, where: str, old: Schema, new: Schema | None) -> Iterator[str]:
        if new is None:
            yield f"{where} is gone"
        else:
            yield from self.contents(where, old, new, is_sent=False)

    def contents(self, where: str, old: Schema, new: Schema, *, is_sent: bool) -> Iterator[str]:
        for kind, media in old.get("content", {}).items():
            now = new.get("content", {}).get(kind)
            if now is None:
                yield f"{where} is no longer {kind}"
            elif kind == STREAM:
                yield from self.events(where, media["schema"], now["schema"])
            else:
                yield from self.values(where, media["schema"], now["schema"], is_sent=is_sent)

    def events(self, where: str, old: Schema, new: Schema) -> Iterator[str]:
        """Whether each kind of event is still sent. A client passes over kinds that it does not know, by their name."""
        now = alternatives(self.new, new)
        for each in alternatives(self.old, old):
            yield from min((list(self.value(where, each, other, is_sent=False)) for other in now), key=len)

    def values(self, where: str, old: Schema, new: Schema, *, is_sent: bool) -> Iterator[str]:
        """Whether each value that the client sends is still read, or each that it gets is one it knows."""
        before, now = alternatives(self.old, old), alternatives(self.new, new)
        wide, narrow = (now, before) if is_sent else (before, now)
        for each in narrow:
            fits = [list(self.value(where, *pair(each, other, is_sent), is_sent=is_sent)) for other in wide]
            yield from min(fits, key=len)

    def value(self, where: str, old: Schema, new: Schema, *, is_sent: bool) -> Iterator[str]:
        wide, narrow = (new, old) if is_sent else (old, new)
        if unknown := types(narrow) - types(wide):
            yield f"{where} is another type: {', '.join(sorted(unknown))}"
            return
        if is_sent:
            yield from tighter(where, old, new)
        yield from self.fields(where, old, new, is_sent=is_sent)
        if "items" in old and "items" in new:
            yield from self.values(f"{where}[]", old["items"], new["items"], is_sent=is_sent)
        before, now = old.get("additionalProperties"), new.get("additionalProperties")
        if isinstance(before, dict) and isinstance(now, dict):
            yield from self.values(f"{where}.*", before, now, is_sent=is_sent)

    def fields(self, where: str, old: Schema, new: Schema, *, is_sent: bool) -> Iterator[str]:
        before, now = old.get("properties", {}), new.get("properties", {})
        must, may = set(old.get("required", ())), set(new.get("required", ()))
        for name in sorted(before.keys() - now.keys()):
            yield f"{where}.{name} is gone"
        for name in sorted(may - must) if is_sent else sorted((must - may) & now.keys()):
            yield f"{where}.{name} is now {'required' if is_sent else 'not always there'}"
        for name in sorted(before.keys() & now.keys()):
            yield from self.values(f"{where}.{name}", before[name], now[name], is_sent=is_sent)


def pair(narrow: Schema, wide: Schema, is_sent: bool) -> tuple[Schema, Schema]:
    """The old one, and the new one."""
    return (narrow, wide) if is_sent else (wide, narrow)


def alternatives(document: Schema, part: Schema) -> list[Schema]:
    """The forms that a value may have, without references to other parts of the document."""
    part = resolved(document, part)
    choices = part.get("oneOf") or part.get("anyOf") or [{}]
    rest = {key: value for key, value in part.items() if key not in {"oneOf", "anyOf"}}
    return [merged(rest, resolved(document, choice)) for choice in choices]


def resolved(document: Schema, part: Schema) -> Schema:
    """The schema with its references and its parts resolved."""
    pieces = part.get("allOf", ())
    if "$ref" in part:
        name = part["$ref"].rpartition("/")[2]
        pieces = [*pieces, document["components"]["schemas"][name]]
    whole = {key: value for key, value in part.items() if key not in {"$ref", "allOf"}}
    for piece in pieces:
        whole = merged(resolved(document, piece), whole)
    return whole


def merged(one: Schema, other: Schema) -> Schema:
    properties = one.get("properties", {}) | other.get("properties", {})
    required = [*one.get("required", ()), *other.get("required", ())]
    return (
        one | other | ({"properties": properties} if properties else {}) | ({"required": required} if required else {})
    )


def types(part: Schema) -> set[str]:
    """The JSON types that a value may have; any type if the schema names none."""
    named = part.get("type", ["array", "boolean", "integer", "null", "number", "object", "string"])
    named = [named] if isinstance(named, str) else named
    return {*named, *(["integer"] if "number" in named else [])}


def tighter(where: str, old: Schema, new: Schema) -> Iterator[str]:
    """Values that a client may have sent, and may not any more."""
    if "enum" in new and (gone := set(old.get("enum", ["anything else"])) - set(new["enum"])):
        yield f"{where} no longer takes {', '.join(sorted(map(str, gone)))}"
    for limit in AT_MOST:
        if new.get(limit, sys.maxsize) < old.get(limit, sys.maxsize):
            yield f"{where} has a lower {limit}"
    for limit in AT_LEAST:
        if new.get(limit, -sys.maxsize) > old.get(limit, -sys.maxsize):
            yield f"{where} has a higher {limit}"
    if new.get("pattern", old.get("pattern")) != old.get("pattern"):
        yield f"{where} has another pattern"
    if new.get("additionalProperties") is False and old.get("additionalProperties") is not False:
        yield f"{where} no longer takes other fields"


def release_of(schema: Schema) -> str:
    """The version of the server whose release has this schema."""
    version: str = schema["info"]["x-release"]
    return version


def release(version: str) -> None:
    """Write the stored schema as that of a new release, unless it would break clients of the release before."""
    released, stored = json.loads(RELEASED.read_text()), json.loads(STORED.read_text())
    if release_of(released) == version:
        sys.exit(f"The schema of {version} is released. Set the version of the next release first.")
    if found := breaks(released, stored):
        sys.exit("Clients of the released schema would break:\n" + "\n".join(found))
    stored["info"]["x-release"] = version
    RELEASED.write_text(json.dumps(stored, indent=4, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    release(project()["project"]["version"])
