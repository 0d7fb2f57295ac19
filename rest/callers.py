"""The caller is judged first: before a header, a query or a body of theirs says anything."""

from typing import TYPE_CHECKING, Any

from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from rest.refusing import NO_TOKEN, refusals_of

if TYPE_CHECKING:
    from rest_framework.views import APIView


def needs_token(view: "APIView", method: str | None) -> bool:
    """Whether the handler of this method says that it refuses a caller without a token."""
    handler = getattr(view, (method or "").lower(), None)
    return NO_TOKEN in (*refusals_of(view), *refusals_of(handler))


class TokenWhereNeeded(BasePermission):
    """Refuses a caller without a token where the handler says so. Every view has it that has nothing else."""

    def has_permission(self, request: Request, view: "APIView") -> bool:
        return not needs_token(view, request.method) or request.user.is_authenticated


class CallerFirst(DefaultContentNegotiation):
    """DRF's choice of an answer's kind; only a caller who may call is told that there is none."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        try:
            return super().select_renderer(request, renderers, format_suffix)
        except NotAcceptable:
            judge_caller(request.parser_context["view"], request)
            raise


def judge_caller(view: "APIView", request: Request) -> None:
    """Raise what the caller is refused for, if they are. A view may have a way of its own."""
    if own_way := getattr(view, "judge_caller", None):
        own_way()
    else:
        view.perform_authentication(request)
        view.check_permissions(request)
