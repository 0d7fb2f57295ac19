"""Decorators for the texts of the schema. They are data, because Python removes docstrings under ``-OO``."""

from collections.abc import Callable
from typing import Any, TypeVar

from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework.serializers import BaseSerializer

F = TypeVar("F", bound=Callable[..., Any])
S = TypeVar("S", bound=type[BaseSerializer[Any]])


def operation(name: str, summary: str, details: str = "", **more: Any) -> Callable[[F], F]:
    """Describe a handler with drf-spectacular's ``extend_schema``, which also gets ``more``.

    ``name`` is the operation's id, which is also the name of the clients' method. ``summary`` is one sentence in the
    imperative, without a full stop. ``details`` are the sentences that follow it in the description.
    """
    description = f"{summary}. {details}".strip()
    return extend_schema(operation_id=name, summary=summary, description=description, **more)


def described(text: str) -> Callable[[S], S]:
    """Set the description of a serializer's component in the schema. Subclasses without one inherit it."""
    return extend_schema_serializer(description=text)
