"""The middleware of pages, such as sessions and forms. API requests skip it, because they use tokens."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from django.conf import settings
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest, HttpResponseBase
from django.utils.module_loading import import_string

from rest.paths import is_for_api

View = Callable[..., HttpResponseBase]


class PageMiddleware:
    """Middleware: requests for pages go through ``PAGE_MIDDLEWARE``, which is in the order of ``MIDDLEWARE``.

    An API request skips the whole list at once. If each of them skipped it for itself, a poll would cost 7 % more.
    """

    def __init__(self, get_response: View) -> None:
        self.get_response = self.get_page = get_response
        self.view_checks: list[Callable[..., HttpResponseBase | None]] = []
        for path in reversed(settings.PAGE_MIDDLEWARE):
            layer = import_string(path)(self.get_page)
            if hasattr(layer, "process_view"):
                self.view_checks.insert(0, layer.process_view)
            self.get_page = cast("View", convert_exception_to_response(layer))

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request) if is_for_api(request) else self.get_page(request)

    def process_view(
        self, request: HttpRequest, view: View, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> HttpResponseBase | None:
        """Run the checks that come before the view of a page. The first answer of one is used instead of the view."""
        checks = () if is_for_api(request) else self.view_checks
        answers = (check(request, view, args, kwargs) for check in checks)
        return next((answer for answer in answers if answer), None)
