"""The texts of the schema are data, not docstrings, because Python drops those under ``-OO``."""

from collections.abc import Callable
from typing import Any, TypeVar

from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework.serializers import BaseSerializer

F = TypeVar("F", bound=Callable[..., Any])
S = TypeVar("S", bound=type[BaseSerializer[Any]])


def operation(name: str, summary: str, details: str = "", **more: Any) -> Callable[[F], F]:
    """drf-spectacular's ``extend_schema`` for a handler; ``more`` is passed on to it.

    ``name`` is the operation's id, by which the clients call it. ``summary`` is one sentence in the imperative without
    its full stop. ``details`` are sentences that follow it in the description.
    """
    description = f"{summary}. {details}".strip()
    return extend_schema(operation_id=name, summary=summary, description=description, **more)


def described(text: str) -> Callable[[S], S]:
    """The description of a serializer's component in the schema. Subclasses without one inherit it."""
    return extend_schema_serializer(description=text)
