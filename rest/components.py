"""Makes the components of the schema from the types of answers."""

from types import NoneType
from typing import Annotated, Any, NotRequired, Required, get_args, get_origin, get_type_hints, is_typeddict

from drf_spectacular.drainage import get_override
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import append_meta, build_array_type, build_object_type, resolve_type_hint
from drf_spectacular.utils import Direction

from rest.answers import AnswerSerializer


class AnswerSchema(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]  # registers by subclassing
    """Makes a component of the schema from an answer type. The component has the name of the type."""

    target_class = "rest.answers.AnswerSerializer"

    def get_name(self, auto_schema: AutoSchema, direction: Direction) -> str:
        return str(get_override(self.target.answer, "component_name", self.target.answer.__name__))

    def get_identity(self, auto_schema: AutoSchema, direction: Direction) -> Any:
        return self.target.answer

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        answer, types = self.target.answer, Types(auto_schema, direction)
        return build_object_type(
            {name: types.schema(hint) for name, hint in get_type_hints(answer, include_extras=True).items()},
            required=answer.__required_keys__,
            description=get_override(answer, "description"),
        )


class Types:
    """Makes schemas of types. It knows nullable types, lists, answers and meanings; drf-spectacular knows the rest."""

    def __init__(self, auto_schema: AutoSchema, direction: Direction) -> None:
        self.auto_schema, self.direction = auto_schema, direction

    def schema(self, hint: Any) -> dict[str, Any]:
        origin, parts = get_origin(hint), get_args(hint)
        if origin in {NotRequired, Required}:
            return self.schema(parts[0])
        if origin is Annotated:
            return self.annotated(*parts)
        if NoneType in parts:
            return nullable(self.schema(next(each for each in parts if each is not NoneType)))
        if origin is list:
            return build_array_type(self.schema(parts[0]))
        if is_typeddict(hint):
            return dict(self.auto_schema.resolve_serializer(AnswerSerializer(hint), self.direction).ref)
        return dict(resolve_type_hint(hint))  # type: ignore[no-untyped-call]

    def annotated(self, plain: Any, *notes: Any) -> dict[str, Any]:
        """Return the schema of a type with notes.

        A text is the meaning. A dictionary has more keywords of JSON Schema. Any other note says what the value stands
        for: ``Annotated[str, OpenApiTypes.UUID]`` is the text of a UUID.
        """
        more: dict[str, Any] = {}
        for note in notes:
            if isinstance(note, str):
                more["description"] = note
            elif isinstance(note, dict):
                more |= note
            else:
                plain = note
        return append_meta(self.schema(plain), more)


def nullable(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a value that may be null. An ``enum`` names null too, as drf-spectacular expects."""
    if "enum" in schema:
        schema = schema | {"enum": [*schema["enum"], None]}
    return append_meta(schema, {"nullable": True})
