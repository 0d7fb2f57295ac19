"""Problems: one exception class for each reason to refuse a request, with its status, its code and its text.

A view declares with ``raises`` which of them it can answer with, and the schema lists these.
"""

from collections.abc import Callable, Iterable
from typing import Annotated, Any, ClassVar, NotRequired, TypedDict, TypeVar

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as N_

from rest.texts import described

F = TypeVar("F", bound=Callable[..., Any])


@described("One fault of the request.")
class ProblemError(TypedDict):
    field: Annotated[str, "The path of the field, such as `bots.0.level`; empty if the fault is of the whole request."]
    code: Annotated[str, "What is wrong. The values are stable."]
    detail: Annotated[str, "What is wrong as a sentence, in the language of the request."]
    line: NotRequired[Annotated[int | None, "The line of the fault, if the server cannot read the text."]]
    column: NotRequired[Annotated[int | None, "The column of the fault, if the server cannot read the text."]]


class Problem(Exception):
    """The base class. The answer is a problem document (RFC 9457).

    ``detail`` is the text for people, in English; an instance has it in the language of the request. ``wait`` is the
    number of seconds after which to ask again, if that helps. ``members`` are more members of the document.
    """

    status: ClassVar[int] = 409
    code: ClassVar[str]
    detail: str
    wait: float | None = None

    def __init__(self, detail: str | None = None, **members: Any) -> None:
        self.detail = detail or gettext(type(self).detail)
        self.members = members
        super().__init__(self.detail)


class Invalid(Problem):
    """A value in the request is invalid. A subclass names its ``field``, and may have a code of its own for it.

    ``errors`` are the members ``field``, ``code`` and ``detail`` of each fault, if there are several.
    """

    detail = N_("The request is invalid; see `errors`.")
    status, code = 400, "invalid"
    field: ClassVar[str] = ""
    field_code: ClassVar[str] = "invalid"

    def __init__(self, detail: str | None = None, errors: list[ProblemError] | None = None) -> None:
        super().__init__(detail)
        own: ProblemError = {"field": self.field, "code": self.field_code, "detail": self.detail}
        self.errors = errors or [own]


class BadRequest(Problem):
    detail = N_("The server cannot read the request.")
    status, code = 400, "bad_request"


class UnreadableBody(Problem):
    detail = N_("The server cannot read the body.")
    status, code = 400, "unreadable_body"


class BadToken(Problem):
    detail = N_("The token is unknown or revoked, or the header is malformed.")
    status, code = 401, "bad_token"


class NoToken(Problem):
    detail = N_("This request needs a token.")
    status, code = 401, "not_authenticated"


class Forbidden(Problem):
    detail = N_("You may not do this.")
    status, code = 403, "forbidden"


class NotFound(Problem):
    detail = N_("This resource does not exist, or you may not see it.")
    status, code = 404, "not_found"


class MethodNotAllowed(Problem):
    detail = N_("This address does not support this method; `Allow` lists the methods that it supports.")
    status, code = 405, "method_not_allowed"


class NotAcceptable(Problem):
    detail = N_("The server cannot answer in any format that `Accept` lists.")
    status, code = 406, "not_acceptable"


class PreconditionFailed(Problem):
    detail = N_("The current ETag differs from the one in If-Match; get the current version first.")
    status, code = 412, "precondition_failed"


class BodyTooLarge(Problem):
    detail = N_("The body is too large.")
    status, code = 413, "body_too_large"


class AddressTooLong(Problem):
    detail = N_("The address is too long.")
    status, code = 414, "uri_too_long"


class UnsupportedMediaType(Problem):
    detail = N_("This address does not accept this `Content-Type`.")
    status, code = 415, "unsupported_media_type"


class ExpectationFailed(Problem):
    detail = N_("The server does not support the value of the header `Expect`.")
    status, code = 417, "expectation_failed"


class KeyReused(Problem):
    detail = N_("This Idempotency-Key was used for a different request; use another key.")
    status, code = 422, "idempotency_key_reused"


class TooManyRequests(Problem):
    detail = N_("Too many requests; `Retry-After` says when to try again.")
    status, code = 429, "too_many_requests"


class HeadersTooLarge(Problem):
    detail = N_("The request has too many headers, or one of them is too long.")
    status, code = 431, "headers_too_large"


class ServerError(Problem):
    detail = N_("Something went wrong on our side; it has been logged.")
    status, code = 500, "server_error"


class Unavailable(Problem):
    """The database does not answer. The last statement may have been executed or not."""

    detail = N_("The database does not answer. The change may or may not have been made; try again.")
    status, code = 503, "unavailable"
    wait = 2.0


ANYWHERE = (BadRequest, NotAcceptable, BodyTooLarge, Unavailable)
"""Problems of every operation."""
ELSEWHERE = (MethodNotAllowed, Forbidden, ServerError, AddressTooLong, HeadersTooLarge, ExpectationFailed)
"""Problems that belong to no operation in the schema."""


def raises(*kinds: type[Problem]) -> Callable[[F], F]:
    """Declare the problems of a handler, except those that follow from its path, its body and its permissions."""

    def declare(handler: F) -> F:
        handler.problems = (*problems_of(handler), *kinds)  # type: ignore[attr-defined]
        return handler

    return declare


def problems_of(declarer: Any) -> tuple[type[Problem], ...]:
    """Return the problems that a handler declares, or that a view declares for all its handlers."""
    return getattr(declarer, "problems", ())


def by_status(kinds: Iterable[type[Problem]]) -> dict[int, dict[str, str]]:
    """Return the text of each code, by status. If a code occurs twice, the first text counts."""
    codes: dict[int, dict[str, str]] = {}
    for each in sorted(kinds, key=lambda each: each.status):
        codes.setdefault(each.status, {}).setdefault(each.code, each.detail)
    return codes
