"""Answers to refused requests: every exception of a view becomes one of our problems, and a problem becomes a document.

The documents follow RFC 9457: all have the same members, and each has a stable code.
"""

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from math import ceil
from typing import Annotated, Any, NotRequired, TypedDict

from django.core.exceptions import PermissionDenied
from django.http import Http404, JsonResponse
from django.utils.translation import gettext, gettext_noop, ngettext
from rest_framework import exceptions
from rest_framework.response import Response

from rest import problems
from rest.answers import Url
from rest.languages import language_headers, say_language
from rest.problems import Problem, ProblemError
from rest.rendering import FastJSONRenderer
from rest.texts import described
from runtime.database_away import is_away, let_go

CONTENT_TYPE = "application/problem+json"
OF_DRF: dict[type[exceptions.APIException], type[Problem]] = {
    exceptions.ParseError: problems.UnreadableBody,
    exceptions.AuthenticationFailed: problems.BadToken,
    exceptions.PermissionDenied: problems.Forbidden,
    exceptions.NotFound: problems.NotFound,
    exceptions.MethodNotAllowed: problems.MethodNotAllowed,
    exceptions.NotAcceptable: problems.NotAcceptable,
    exceptions.UnsupportedMediaType: problems.UnsupportedMediaType,
}
"""The problem for each exception of Django REST framework whose text is kept."""
TITLES = {
    400: gettext_noop("Bad Request"),
    401: gettext_noop("Unauthorized"),
    403: gettext_noop("Forbidden"),
    404: gettext_noop("Not Found"),
    405: gettext_noop("Method Not Allowed"),
    406: gettext_noop("Not Acceptable"),
    409: gettext_noop("Conflict"),
    412: gettext_noop("Precondition Failed"),
    413: gettext_noop("Content Too Large"),
    414: gettext_noop("URI Too Long"),
    415: gettext_noop("Unsupported Media Type"),
    422: gettext_noop("Unprocessable Content"),
    429: gettext_noop("Too Many Requests"),
    431: gettext_noop("Request Header Fields Too Large"),
    500: gettext_noop("Internal Server Error"),
    503: gettext_noop("Service Unavailable"),
}
"""The names in RFC 9110. Python's names differ between its versions."""


@described("An error, as in RFC 9457. `code` is stable. Validation errors add `errors`.", name="Problem")
class ProblemDocument(TypedDict):
    type: Annotated[Url, "A name of the kind of problem, which contains the code."]
    title: Annotated[str, "The name of the HTTP status, in the language of the request."]
    status: Annotated[int, "The HTTP status of the answer."]
    detail: Annotated[str, "What is wrong as a sentence, in the language of the request."]
    code: Annotated[str, "What is wrong. The values are stable."]
    errors: NotRequired[Annotated[list[ProblemError], "The faults of the request, if it is invalid."]]


def problem_response(exc: Exception, context: Mapping[str, Any]) -> Response | None:
    """DRF's exception handler: answers every problem with its document. Django handles other exceptions."""
    problem = as_problem(exc)
    if problem is None:
        return None
    request = context["request"]  # the answer is JSON, even if the view's renderer writes HTML
    request.accepted_renderer, request.accepted_media_type = FastJSONRenderer(), FastJSONRenderer.media_type
    headers = headers_of(problem) | language_headers()
    return Response(document_of(problem), problem.status, headers=headers, content_type=CONTENT_TYPE)


def plain_response(problem: Problem) -> JsonResponse:
    """Return the same answer from code outside DRF: middleware and Django's error pages.

    It has its length, which Django's middleware adds only to answers from further inside.
    """
    response = JsonResponse(
        document_of(problem), status=problem.status, headers=headers_of(problem), content_type=CONTENT_TYPE
    )
    response.headers["Content-Length"] = str(len(response.content))
    return say_language(response)


def as_problem(exc: Exception) -> Problem | None:
    """Return the problem for an exception of ours, of Django or of DRF; ``None`` for a fault of the server."""
    if isinstance(exc, Problem):
        return exc
    if is_away(exc):
        let_go(exc)
        return problems.Unavailable()
    return of_framework(exc)


def of_framework(exc: Exception) -> Problem | None:
    match exc:
        case Http404():
            exc = exceptions.NotFound()
        case PermissionDenied():
            exc = exceptions.PermissionDenied()
        case exceptions.NotAuthenticated():
            return problems.NoToken()
        case exceptions.Throttled():
            return throttled(exc)
        case exceptions.ValidationError():
            return problems.Invalid(errors=list(field_errors(exc.detail)))
    return next((ours(str(exc.detail)) for kind, ours in OF_DRF.items() if isinstance(exc, kind)), None)


def throttled(exc: exceptions.Throttled) -> Problem:
    problem = problems.TooManyRequests(too_often(seconds_to_wait(exc)))
    problem.wait = seconds_to_wait(exc)
    return problem


def seconds_to_wait(exc: exceptions.Throttled) -> int:
    """Return the seconds for ``Retry-After``."""
    return max(1, ceil(getattr(exc, "wait", None) or 1))


def too_often(seconds: int) -> str:
    """Return the sentence for 429. DRF's own is not used, because its translations have another meaning."""
    text = ngettext(
        "Too many requests; try again in {seconds} second.",
        "Too many requests; try again in {seconds} seconds.",
        seconds,
    )
    return text.format(seconds=seconds)


def field_errors(detail: Any, field: str = "") -> Iterator[ProblemError]:
    """Flatten DRF's nested validation errors. A nested field is written ``bots.0.level``."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            own = "" if name == "non_field_errors" else str(name)
            yield from field_errors(inner, ".".join(filter(None, [field, own])))
    elif isinstance(detail, list):
        for at, inner in enumerate(detail):
            nested = isinstance(inner, Mapping | list)
            yield from field_errors(inner, f"{field}.{at}" if nested else field)
    else:
        yield {"field": field, "code": getattr(detail, "code", "invalid"), "detail": str(detail)}


def document_of(problem: Problem) -> dict[str, Any]:
    """Return the members of the problem document."""
    detail, members = problem.detail, problem.members
    if isinstance(problem, problems.Invalid):
        members = {"errors": problem.errors}
        detail = " ".join(": ".join(filter(None, [each["field"], each["detail"]])) for each in problem.errors)
    document: ProblemDocument = {
        "type": f"urn:mexican-train:problem:{problem.code}",
        "title": title_of(problem.status),
        "status": problem.status,
        "detail": detail,
        "code": problem.code,
    }
    return {**document, **members}


def title_of(status: int) -> str:
    return gettext(TITLES[status]) if status in TITLES else HTTPStatus(status).phrase


def headers_of(problem: Problem) -> dict[str, str]:
    headers = {}
    if problem.status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    if problem.wait:
        headers["Retry-After"] = str(max(1, ceil(problem.wait)))
    return headers
