"""A call of the API as data: the request, and the function that reads the answer. No I/O is done here."""

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
"""An answer that has an ``ETag``."""


@dataclass(frozen=True)
class Call(Generic[T]):
    """One call of the API.

    ``waits`` is how many seconds the server may hold the answer. ``already`` are the codes with which the server
    refuses a repeated call because the first one succeeded. If ``forgets`` is true, the client deletes its token
    afterwards. A ``body`` that is a ``str`` is sent as plain text, any other as JSON.
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
    """Return a POST that creates something. Every attempt has the same key, so that only one thing is created."""
    return replace(post(path, read, body), headers=keyed(key))


def keyed(key: str | None) -> dict[str, str]:
    """Return the header with the caller's key, or with a new one."""
    return {"Idempotency-Key": key or str(uuid4())}


def held(call: Call[Tagged], unless: Tagged | None, wait: int | None) -> Call[Tagged]:
    """Return a call that gives back ``unless`` itself if nothing has changed since that answer.

    With ``wait`` the server holds such an answer for up to so many seconds, until something changes.
    """

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
    """Read a 204, which has no body."""


def given(**fields: Any) -> dict[str, Any]:
    """Return the fields that are not ``None``, for a body or a query."""
    return {name: value for name, value in fields.items() if value is not None}
