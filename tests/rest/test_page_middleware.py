"""Pages have a session, a user and messages; API requests have none of them."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from rest.page_middleware import PageAuthentication, PageMessages, PageSessions


def passed_on(path: str) -> HttpRequest:
    """The request that reaches the view."""
    reached = list[HttpRequest]()

    def view(request: HttpRequest) -> HttpResponse:
        reached.append(request)
        return HttpResponse()

    PageSessions(PageAuthentication(PageMessages(view)))(RequestFactory().get(path))
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
