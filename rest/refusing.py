"""The errors that an operation may answer with. Each handler declares its own, and the schema documents them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, TypeVar

from django.utils.translation import gettext

from rest.problems import Refusal, Unavailable

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Refused:
    """One kind of refusal: the status, the stable code, and the sentence for people, which gettext translates."""

    status: int
    code: str
    sentence: str

    def as_refusal(self) -> Refusal:
        return Refusal(self.status, self.code, gettext(self.sentence))


class RefusalKind(Protocol):
    """An app's own exception class for a refusal; ``detail`` is the sentence for people."""

    status: ClassVar[int]
    code: ClassVar[str]
    detail: ClassVar[str]


Told = Refused | type[RefusalKind]

BAD_REQUEST = Refused(400, "bad_request", "The server cannot read the request.")
INVALID = Refused(400, "invalid", "The request is invalid; see `errors`.")
UNREADABLE_BODY = Refused(400, "unreadable_body", "The server cannot read the body.")
BAD_TOKEN = Refused(401, "bad_token", "The token is unknown or revoked, or the header is malformed.")
NO_TOKEN = Refused(401, "not_authenticated", "This request needs a token.")
NOT_FOUND = Refused(404, "not_found", "This resource does not exist, or you may not see it.")
NOT_ACCEPTABLE = Refused(406, "not_acceptable", "The server cannot answer in any format that `Accept` lists.")
TOO_LARGE = Refused(413, "body_too_large", "The body is too large.")
OTHER_KIND = Refused(415, "unsupported_media_type", "This address does not accept this `Content-Type`.")
KEY_REUSED = Refused(
    422, "idempotency_key_reused", "This Idempotency-Key was used for a different request; use another key."
)
TOO_MANY = Refused(429, "too_many_requests", "Too many requests; `Retry-After` says when to try again.")
UNAVAILABLE = Refused(503, "unavailable", str(Unavailable().detail))
NO_SUCH_METHOD = Refused(
    405, "method_not_allowed", "This address does not support this method; `Allow` lists the methods that it supports."
)
FORBIDDEN = Refused(403, "forbidden", "You may not do this.")
SERVER_ERROR = Refused(500, "server_error", "Something went wrong on our side; it has been logged.")
TOO_LONG = Refused(414, "uri_too_long", "The address is too long.")
TOO_MANY_HEADERS = Refused(431, "headers_too_large", "The request has too many headers, or one of them is too long.")
EXPECTATION_FAILED = Refused(417, "expectation_failed", "The server does not support the value of the header `Expect`.")
ELSEWHERE = (NO_SUCH_METHOD, FORBIDDEN, SERVER_ERROR, TOO_LONG, TOO_MANY_HEADERS, EXPECTATION_FAILED)
"""Refusals that belong to no operation in the schema."""
ANYWHERE = (BAD_REQUEST, NOT_ACCEPTABLE, TOO_LARGE, UNAVAILABLE)


def refuses(*kinds: Told) -> Callable[[F], F]:
    """Declare the refusals of a handler, except those that follow from its path, its body and its permissions."""

    def say(handler: F) -> F:
        earlier: tuple[Refused, ...] = getattr(handler, "refusals", ())
        handler.refusals = (*earlier, *map(told, kinds))  # type: ignore[attr-defined]
        return handler

    return say


def refusals_of(said_by: Any) -> tuple[Refused, ...]:
    """Return the refusals that a handler declares, or that a view declares for all its handlers."""
    return getattr(said_by, "refusals", ())


def told(kind: Told) -> Refused:
    if isinstance(kind, Refused):
        return kind
    return Refused(kind.status, kind.code, kind.detail)


def by_status(refusals: Iterable[Refused]) -> dict[int, dict[str, str]]:
    """Return the sentence of each code, by status. If a code occurs twice, the first sentence counts."""
    codes: dict[int, dict[str, str]] = {}
    for each in sorted(refusals, key=lambda each: each.status):
        codes.setdefault(each.status, {}).setdefault(each.code, each.sentence)
    return codes
