"""Headers of API answers: only the caller's own cache may keep them, unless a view sets ``Cache-Control`` itself."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import patch_vary_headers

from rest.paths import is_for_api


class ApiHeaders:
    """Middleware: checks the ``Host`` of API requests, and completes the headers of their answers.

    For pages, Django's own middleware does the first and the last of these. Most answers of the API depend on the
    caller, so shared caches may not keep them.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not is_for_api(request):
            return self.get_response(request)
        request.get_host()  # raises DisallowedHost
        response = self.get_response(request)
        headers = response.headers
        if "Cache-Control" not in headers:
            headers["Cache-Control"] = "private, no-cache"
            patch_vary_headers(response, ["Authorization"])
        if isinstance(response, HttpResponse) and "Content-Length" not in headers:
            headers["Content-Length"] = str(len(response.content))
        headers.setdefault("X-Frame-Options", settings.X_FRAME_OPTIONS)
        return response
