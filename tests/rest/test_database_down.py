"""A database that does not answer, on a page for people."""

import pytest
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from rest.error_pages import DatabaseDown
from tests.cast import read

MIDDLEWARE = DatabaseDown(lambda _: HttpResponse())


@pytest.fixture
def request_for_a_page(rf: RequestFactory) -> HttpRequest:
    return rf.get("/join/ABCDEFGHJK")


def test_a_page_without_a_database_is_503_with_retry_after(request_for_a_page: HttpRequest) -> None:
    answer = MIDDLEWARE.process_exception(request_for_a_page, OperationalError("gone"))
    assert answer is not None
    shown = read(answer)
    assert (shown.status, shown.body["code"]) == (503, "unavailable")
    assert int(shown.headers["Retry-After"]) > 0


def test_another_error_stays_a_500(request_for_a_page: HttpRequest) -> None:
    assert MIDDLEWARE.process_exception(request_for_a_page, ValueError("ours")) is None
