"""Errors outside the API: a page for browsers, a problem document for programs."""

from collections.abc import Callable, Iterable
from functools import wraps

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_exempt

from rest.languages import say_language
from rest.paths import is_for_api
from rest.problem_documents import as_problem, headers_of, plain_response, title_of
from rest.problems import BadRequest, Forbidden, MethodNotAllowed, NotFound, Problem, ServerError, Unavailable

SAFE = ("GET", "HEAD")
HTML = "text/html"


def refused(request: HttpRequest, problem: Problem, hint: str = "") -> HttpResponse:
    """Return a page if the caller asks for HTML, as browsers do; otherwise a problem document.

    ``hint`` is one more sentence for people, which says what they can do now.
    """
    answer: HttpResponse
    if is_browser(request):
        status = problem.status
        context = {"title": title_of(status), "status": status, "detail": problem.detail, "hint": hint}
        page = render_to_string("rest/error.html", context)
        answer = say_language(HttpResponse(page, status=status, headers=headers_of(problem)))
    else:
        answer = plain_response(problem)
    patch_vary_headers(answer, ["Accept"])
    return answer


def is_browser(request: HttpRequest) -> bool:
    return not is_for_api(request) and HTML in request.headers.get("Accept", "")


class DatabaseDown:
    """Middleware: while the database does not answer, pages outside the API too get 503, not 500."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        problem = as_problem(exception)
        return refused(request, problem) if isinstance(problem, Unavailable) else None


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return refused(request, BadRequest(gettext("This request cannot be read.")))


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return refused(request, Forbidden())


def form_expired(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form without a valid CSRF cookie (``CSRF_FAILURE_VIEW``)."""
    again = gettext("Go back, load the page again and send the form once more.")
    return refused(request, Forbidden(gettext("This form is too old, or your browser keeps no cookies.")), again)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    check = gettext("Please check the address; perhaps a part of it is missing.")
    return refused(request, NotFound(gettext("There is nothing at this address.")), check)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 500. If the page's template fails too, the answer is a problem document."""
    try:
        return refused(request, ServerError(), gettext("Please try again in a moment."))
    except Exception:  # noqa: BLE001 - the original error is logged already
        return plain_response(ServerError())


def read_only(page: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Wrap a read-only page: methods other than GET and HEAD get 405, not 403 for a missing CSRF cookie."""

    @wraps(page)
    def answer(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if request.method not in SAFE:
            return wrong_method(request, SAFE)
        return page(request, *args, **kwargs)

    return csrf_exempt(answer)


def wrong_method(request: HttpRequest, allowed: Iterable[str]) -> HttpResponse:
    answer = refused(request, MethodNotAllowed(gettext("This address can only be read.")))
    answer["Allow"] = ", ".join(allowed)
    return answer
