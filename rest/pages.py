"""Pagination by cursor: later pages take no longer to read than the first."""

from dataclasses import dataclass
from datetime import UTC
from typing import Annotated, Any, TypedDict

from django.db.models import QuerySet
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request

from rest.answers import Url


class Page(TypedDict):
    """A page of a list. A kind of page adds its ``results``."""

    next: Annotated[Url | None, "The address of the next page; `null` on the last page."]
    previous: Annotated[Url | None, "The address of the page before; `null` on the first page."]


class NewestFirst(CursorPagination):
    ordering = ("-created_at", "-id")
    page_size = 25
    max_page_size = 100
    page_size_query_param = "limit"

    def decode_cursor(self, request: Request) -> Cursor | None:
        """Return the query's cursor. Raises ``ValidationError`` for a cursor that this server cannot have made."""
        try:
            cursor = super().decode_cursor(request)
        except NotFound as unreadable:
            raise not_ours() from unreadable
        if cursor and cursor.position is not None and not is_moment(str(cursor.position)):
            raise not_ours()
        return cursor


@dataclass(frozen=True, slots=True)
class MergedQuerysets:
    """Several querysets of one model, paged as one list.

    Each queryset is read in the order of its own index, and only as far as the page needs. One queryset with *or* would
    read every row of the table. ``rows`` is the queryset that fetches the rows of a page.
    """

    rows: "QuerySet[Any]"
    parts: "tuple[QuerySet[Any], ...]"

    def filter(self, **wanted: Any) -> "MergedQuerysets":
        return MergedQuerysets(self.rows, tuple(part.filter(**wanted) for part in self.parts))

    def order_by(self, *names: str) -> "MergedQuerysets":
        return MergedQuerysets(self.rows.order_by(*names), tuple(part.order_by(*names) for part in self.parts))

    def __getitem__(self, page: slice) -> "QuerySet[Any]":
        first, *others = (part.values("pk")[: page.stop] for part in self.parts)
        return self.rows.filter(pk__in=first.union(*others))[page]


def not_ours() -> ValidationError:
    return ValidationError({"cursor": gettext("This cursor is invalid; take one from `next` or `previous`.")})


def is_moment(text: str) -> bool:
    try:
        moment = parse_datetime(text)
        return moment is not None and moment.tzinfo is not None and bool(moment.astimezone(UTC))
    except (ValueError, OverflowError):
        return False
