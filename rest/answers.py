"""Answers as types: each field of a ``TypedDict`` has its meaning beside it, and the schema is made from these types.

A field is written ``seat: Annotated[int, "The seat's number, from 0."]``. At runtime an answer is a plain ``dict``:
mypy checks it, and nothing is validated while a request is answered. ``rest/components.py`` makes the schema.
"""

from typing import Annotated, Any, TypeAlias, get_args, get_origin, is_typeddict

from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers

Id: TypeAlias = Annotated[str, OpenApiTypes.UUID]
Url: TypeAlias = Annotated[str, OpenApiTypes.URI]
Anything: TypeAlias = Annotated[Any, OpenApiTypes.ANY]


class AnswerSerializer(serializers.Serializer[Any]):
    """Stands for the type of an answer where drf-spectacular expects a serializer. It serializes nothing."""

    def __init__(self, answer: type[Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.answer = answer


def as_serializer(answer: Any) -> Any:
    """Return the stand-in for an answer type or a list of them. Other arguments are returned as they are."""
    if is_typeddict(answer):
        return AnswerSerializer(answer)
    if get_origin(answer) is list:
        return serializers.ListSerializer(child=as_serializer(*get_args(answer)))
    if isinstance(answer, dict):  # answers by status
        return {status: as_serializer(each) for status, each in answer.items()}
    return answer
