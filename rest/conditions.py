"""Conditional requests: 304 if the caller has the answer already, and 412 if ``If-Match`` names another ``ETag``."""

from collections.abc import Callable
from copy import copy
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.middleware.http import ConditionalGetMiddleware
from rest_framework.response import Response

from rest.problem_documents import plain_response
from rest.problems import PreconditionFailed


def conditional(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Wrap a view as Django's ``conditional_page`` does, but answer 412 with a problem document."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = view(request, *args, **kwargs)
        assert isinstance(response, Response)
        response.add_post_render_callback(lambda rendered: conditioned(request, rendered))
        return response

    return answer


def conditioned(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Return the rendered answer, a 304 or a 412. A HEAD gets the headers of the GET."""
    as_get = copy(request)
    as_get.method = "GET"  # Django's middleware handles no other method
    final = ConditionalGetMiddleware(lambda _: response).process_response(as_get, response)
    return plain_response(PreconditionFailed()) if final.status_code == PreconditionFailed.status else final
