"""Pages have a session, a user and messages. The API uses tokens and has none of these."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from rest.page_middleware import PageMiddleware


def passed_on(path: str) -> HttpRequest:
    """Return the request that reaches the view."""
    reached = list[HttpRequest]()

    def view(request: HttpRequest) -> HttpResponse:
        reached.append(request)
        return HttpResponse()

    PageMiddleware(view)(RequestFactory().get(path))
    (request,) = reached
    return request


def test_a_page_has_a_session_and_a_user() -> None:
    request = passed_on("/admin/login/")
    assert isinstance(request.user, AnonymousUser)
    assert hasattr(request, "session")
    assert hasattr(request, "_messages")


@pytest.mark.parametrize("name", ["session", "user", "_messages"])
def test_the_api_has_neither(name: str) -> None:
    assert not hasattr(passed_on("/api/v1/tables"), name)


@pytest.mark.parametrize(("path", "is_refused"), [("/admin/login/", True), ("/api/v1/tables", False)])
def test_a_form_without_its_cookie_is_refused_before_its_view(path: str, is_refused: bool) -> None:
    def view(request: HttpRequest) -> HttpResponse:
        return HttpResponse()

    answer = PageMiddleware(view).process_view(RequestFactory().post(path), view, (), {})
    assert (answer is not None and answer.status_code == 403) is is_refused


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/api/v1/bots", "/api/v1/docs"])
def test_no_answer_may_be_framed(path: str) -> None:
    assert Client().get(path).headers["X-Frame-Options"] == "DENY"


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/api/v1/bots"])
def test_a_foreign_host_is_refused(path: str) -> None:
    assert Client().get(path, headers={"host": "elsewhere.example"}).status_code == 400


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/api/v1/bots", "/api/v1/nowhere"])
def test_every_answer_tells_its_length(path: str) -> None:
    answer = Client().get(path)
    assert answer.headers["Content-Length"] == str(len(answer.content))
