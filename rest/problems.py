"""Errors as RFC 9457 problem documents: all have the same members, and each has a stable code."""

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from math import ceil
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, JsonResponse
from django.utils.translation import gettext, gettext_noop, ngettext
from rest_framework import exceptions
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from rest.languages import language_headers, say_language
from runtime.database_away import is_away, let_go

CONTENT_TYPE = "application/problem+json"
CODES = {
    exceptions.ParseError: "unreadable_body",
    exceptions.NotAuthenticated: "not_authenticated",
    exceptions.AuthenticationFailed: "bad_token",
    exceptions.PermissionDenied: "forbidden",
    exceptions.NotFound: "not_found",
    exceptions.MethodNotAllowed: "method_not_allowed",
    exceptions.NotAcceptable: "not_acceptable",
    exceptions.UnsupportedMediaType: "unsupported_media_type",
    exceptions.Throttled: "too_many_requests",
    exceptions.ValidationError: "invalid",
}
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


class Refusal(exceptions.APIException):
    """A refused request: an HTTP status, a stable code, a sentence, and more members that help the caller.

    ``wait`` is the number of seconds after which to ask again, if that helps.
    """

    wait: float | None = None

    def __init__(self, status: int, code: str, detail: str, **members: Any) -> None:
        super().__init__(detail, code)
        self.status_code = status
        self.code = code
        self.members = members


class Unavailable(Refusal):
    """The database does not answer; ask again in a moment. The last statement may have been executed or not."""

    wait = 2

    def __init__(self) -> None:
        unsure = gettext("The database does not answer. The change may or may not have been made; try again.")
        super().__init__(503, "unavailable", unsure)


def problem(status: int, code: str, detail: str, **members: Any) -> dict[str, Any]:
    """Return the members of a problem document."""
    return {
        "type": f"urn:mexican-train:problem:{code}",
        "title": title_of(status),
        "status": status,
        "detail": detail,
        "code": code,
        **members,
    }


def title_of(status: int) -> str:
    return gettext(TITLES[status]) if status in TITLES else HTTPStatus(status).phrase


def problem_response(exc: Exception, context: Mapping[str, Any]) -> Response | None:
    """DRF's exception handler: answers every API exception with a problem document. Django handles other exceptions."""
    exc = as_api_exception(exc)
    if not isinstance(exc, exceptions.APIException):
        return None
    members = exc.members if isinstance(exc, Refusal) else {}
    detail = str(exc.detail)
    if isinstance(exc, exceptions.Throttled):
        detail = too_often(seconds_to_wait(exc))
    if isinstance(exc, exceptions.ValidationError):
        errors = list(field_errors(exc.detail))
        members = {"errors": errors}
        detail = " ".join(f"{each['field']}: {each['detail']}" if each["field"] else each["detail"] for each in errors)
    body = problem(exc.status_code, code_of(exc), detail, **members)
    request = context["request"]  # the answer is JSON, even if the view's renderer writes HTML
    request.accepted_renderer, request.accepted_media_type = JSONRenderer(), JSONRenderer.media_type
    headers = headers_of(exc) | language_headers()
    return Response(body, exc.status_code, headers=headers, content_type=CONTENT_TYPE)


def seconds_to_wait(throttled: exceptions.Throttled) -> int:
    """Return the seconds for ``Retry-After``."""
    return max(1, ceil(getattr(throttled, "wait", None) or 1))


def too_often(seconds: int) -> str:
    """Return the sentence for 429. DRF's own is not used, because its translations have another meaning."""
    told = ngettext(
        "Too many requests; try again in {seconds} second.",
        "Too many requests; try again in {seconds} seconds.",
        seconds,
    )
    return told.format(seconds=seconds)


def as_api_exception(exc: Exception) -> Exception:
    match exc:
        case Http404():
            return exceptions.NotFound()
        case PermissionDenied():
            return exceptions.PermissionDenied()
    if is_away(exc):
        let_go(exc)
        return Unavailable()
    return exc


def code_of(exc: exceptions.APIException) -> str:
    if isinstance(exc, Refusal):
        return exc.code
    return next((code for kind, code in CODES.items() if isinstance(exc, kind)), exc.default_code)


def headers_of(exc: exceptions.APIException) -> dict[str, str]:
    headers = {}
    if exc.status_code == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = getattr(exc, "auth_header", "Bearer")
    if wait := getattr(exc, "wait", None):
        headers["Retry-After"] = str(max(1, ceil(wait)))
    return headers


def field_errors(detail: Any, field: str = "") -> Iterator[dict[str, str]]:
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


def refuse(status: int, code: str, detail: str) -> JsonResponse:
    """Return a problem document from code outside DRF: middleware and Django's error pages."""
    return say_language(JsonResponse(problem(status, code, detail), status=status, content_type=CONTENT_TYPE))
