"""Caching of API answers: only the caller's own cache may keep them, unless a view sets ``Cache-Control`` itself."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase
from django.utils.cache import patch_vary_headers

from rest.paths import is_for_api


class PrivateAnswers:
    """Middleware: forbids shared caches to keep API answers, because most answers depend on the caller."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if is_for_api(request) and "Cache-Control" not in response.headers:
            response.headers["Cache-Control"] = "private, no-cache"
            patch_vary_headers(response, ["Authorization"])
        return response
