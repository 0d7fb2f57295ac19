"""Decorators for the texts of the schema. They are data, because Python removes docstrings under ``-OO``."""

from collections.abc import Callable
from typing import Any, TypeVar

from drf_spectacular.utils import extend_schema, extend_schema_serializer

from rest.answers import as_serializer

F = TypeVar("F", bound=Callable[..., Any])
S = TypeVar("S", bound=type[Any])


def operation(name: str, summary: str, details: str = "", *, responses: Any, **more: Any) -> Callable[[F], F]:
    """Describe a handler with drf-spectacular's ``extend_schema``, which also gets ``more``.

    ``name`` is the operation's id, which is also the name of the clients' method. ``summary`` is one sentence in the
    imperative, without a full stop. ``details`` are the sentences that follow it in the description. ``responses`` are
    the types of the answers (``rest/answers.py``), by status if there are several.
    """
    description = f"{summary}. {details}".strip()
    answers = as_serializer(responses)
    return extend_schema(operation_id=name, summary=summary, description=description, responses=answers, **more)


def described(text: str, *, name: str | None = None) -> Callable[[S], S]:
    """Set the description of a component in the schema: of a serializer, or of the type of an answer.

    Subclasses of a serializer inherit it; those of a type do not. ``name`` is the name of the component, if it is not
    that of the class.
    """
    return extend_schema_serializer(description=text, component_name=name)
