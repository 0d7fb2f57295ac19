"""Checks who is calling before the rest of the request: the ``Accept`` header, query and body come later."""

from typing import TYPE_CHECKING, Any

from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from rest.problems import NoToken, problems_of

if TYPE_CHECKING:
    from rest_framework.views import APIView


def needs_token(view: "APIView", method: str | None) -> bool:
    """Whether the handler of this method declares that it refuses callers without a token."""
    handler = getattr(view, (method or "").lower(), None)
    return NoToken in (*problems_of(view), *problems_of(handler))


class TokenWhereNeeded(BasePermission):
    """Refuses a caller without a token if the handler declares that it needs one. The default of all views."""

    def has_permission(self, request: Request, view: "APIView") -> bool:
        return not needs_token(view, request.method) or request.user.is_authenticated


ANYTHING = ("", "*/*")
"""Values of ``Accept`` that leave the choice to the server."""


class CallerFirst(DefaultContentNegotiation):
    """DRF's content negotiation, but 401 and 403 come before 406. If the choice is ours, nothing is parsed."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        if request.META.get("HTTP_ACCEPT", "") in ANYTHING:
            return renderers[0], renderers[0].media_type
        try:
            return super().select_renderer(request, renderers, format_suffix)
        except NotAcceptable:
            check_caller(request.parser_context["view"], request)
            raise


def check_caller(view: "APIView", request: Request) -> None:
    """Raise 401 or 403 if the caller may not call this view. A view may have its own ``check_caller``."""
    if own := getattr(view, "check_caller", None):
        own()
    else:
        view.perform_authentication(request)
        view.check_permissions(request)
