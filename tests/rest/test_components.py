"""The schema of an answer follows from its type."""

from datetime import datetime
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from drf_spectacular.plumbing import ComponentRegistry

from rest.answers import AnswerSerializer, Anything, Id, as_serializer
from rest.components import Types
from rest.schema import OperationSchema
from rest.texts import described

COLOURS = ("red", "green")
Colour = Annotated[str, Literal[COLOURS]]


class Wagon(TypedDict):
    tile: Annotated[str, "The tile."]


@described("A train of a test.", name="TestTrain")
class Train(TypedDict):
    id: Annotated[Id, "Its id."]
    first: Annotated[Wagon | None, "Its first wagon; `null` if it has none."]
    wagons: NotRequired[Annotated[list[Wagon], "Its wagons."]]


def made() -> OperationSchema:
    schema = OperationSchema()
    schema.registry = ComponentRegistry()
    return schema


def schema_of(hint: Any) -> dict[str, Any]:
    return Types(made(), "response").schema(hint)


def test_a_text_is_the_meaning() -> None:
    assert schema_of(Annotated[int, "The seat."]) == {"type": "integer", "description": "The seat."}


def test_the_last_meaning_counts() -> None:
    assert schema_of(Annotated[Annotated[int, "A number."], "The seat."])["description"] == "The seat."


def test_a_value_may_be_null() -> None:
    assert schema_of(datetime | None) == {"type": ["string", "null"], "format": "date-time"}
    assert schema_of(Annotated[list[int] | None, "x"]) == {
        "type": ["array", "null"],
        "items": {"type": "integer"},
        "description": "x",
    }


def test_a_note_can_give_the_format_of_a_value() -> None:
    assert schema_of(Id) == {"type": "string", "format": "uuid"}
    assert schema_of(Colour) == {"type": "string", "enum": ["red", "green"]}
    assert schema_of(Colour | None) == {"type": ["string", "null"], "enum": ["red", "green", None]}
    assert schema_of(Anything) == {}


def test_a_note_may_have_more_keywords() -> None:
    assert schema_of(Annotated[str, {"maxLength": 9}]) == {"type": "string", "maxLength": 9}


def test_an_answer_is_a_component_with_the_answers_in_it() -> None:
    schema = made()
    reference = schema.resolve_serializer(AnswerSerializer(Train), "response").ref
    assert reference == {"$ref": "#/components/schemas/TestTrain"}
    wagon = {"$ref": "#/components/schemas/Wagon"}
    assert schema.registry.build({})["schemas"] == {
        "TestTrain": {
            "type": "object",
            "description": "A train of a test.",
            "properties": {
                "id": {"type": "string", "format": "uuid", "description": "Its id."},
                "first": {
                    "oneOf": [wagon, {"type": "null"}],
                    "description": "Its first wagon; `null` if it has none.",
                },
                "wagons": {"type": "array", "items": wagon, "description": "Its wagons."},
            },
            "required": ["first", "id"],
        },
        "Wagon": {
            "type": "object",
            "properties": {"tile": {"type": "string", "description": "The tile."}},
            "required": ["tile"],
        },
    }


def test_other_types_are_returned_unchanged() -> None:
    assert as_serializer({200: None, 304: str}) == {200: None, 304: str}
    assert as_serializer(list[Train]).child.answer is Train
