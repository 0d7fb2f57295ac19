"""A call before anybody sends it: what goes out, and what the answer becomes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar
from uuid import uuid4

import httpx

from mexican_train.answers import Page, Position
from mexican_train.reading import Unreadable

T = TypeVar("T")
Tagged = TypeVar("Tagged", bound=Position | Page[Any])
"""An answer that the server marks with an ``ETag``."""


@dataclass(frozen=True)
class Call(Generic[T]):
    """One call of the API.

    ``waits`` are the seconds for which the server may hold the answer. ``already`` are the codes of refusals that a
    call meets when it is sent again after it did arrive: they say that it is done. ``forgets`` drops the token. A
    ``body`` that is a text is sent as it is, any other as JSON.
    """

    method: str
    path: str
    read: Callable[[httpx.Response], T]
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    waits: float = 0
    already: frozenset[str] = frozenset()
    forgets: bool = False


def get(path: str, read: Callable[[Any], T], **query: Any) -> Call[T]:
    return Call("GET", path, of_json(read), given(**query))


def put(path: str, read: Callable[[Any], T], body: Any) -> Call[T]:
    return Call("PUT", path, of_json(read), body=body)


def patch(path: str, read: Callable[[Any], T], body: Any) -> Call[T]:
    return Call("PATCH", path, of_json(read), body=body)


def post(path: str, read: Callable[[Any], T], body: Any = None) -> Call[T]:
    return Call("POST", path, of_json(read), body=body)


def create(path: str, read: Callable[[Any], T], body: Any = None, *, key: str | None = None) -> Call[T]:
    """A POST that makes something new: its key, the same however often it is sent, keeps it from being made twice."""
    return replace(post(path, read, body), headers=keyed(key))


def keyed(key: str | None) -> dict[str, str]:
    """The caller's key, or one of its own."""
    return {"Idempotency-Key": key or str(uuid4())}


def held(call: Call[Tagged], unless: Tagged | None, wait: int | None) -> Call[Tagged]:
    """The call with an answer that may be held: ``unless`` comes back, the very same, if nothing has changed since."""

    def read(response: httpx.Response) -> Tagged:
        if response.status_code == httpx.codes.NOT_MODIFIED:
            if unless is None:
                raise Unreadable("nothing to be unchanged from")
            return unless
        return replace(call.read(response), etag=response.headers.get("ETag"))

    headers = {"If-None-Match": unless.etag} if unless and unless.etag else {}
    waits = wait if wait and headers else 0
    query = {**call.query, **({"wait": waits} if waits else {})}
    return replace(call, read=read, query=query, headers={**call.headers, **headers}, waits=waits)


def text(path: str, accept: str, **query: Any) -> Call[str]:
    return Call("GET", path, lambda response: response.text, given(**query), headers={"Accept": accept})


def of_json(read: Callable[[Any], T]) -> Callable[[httpx.Response], T]:
    return lambda response: read(response.json())


def nothing(response: httpx.Response) -> None:
    """What a 204 says."""


def given(**fields: Any) -> dict[str, Any]:
    """A body, or a query, of those fields that are not left out."""
    return {name: value for name, value in fields.items() if value is not None}
