"""Lists a page at a time, by cursor: the cost of a page does not grow with its distance from the start."""

from dataclasses import dataclass
from datetime import UTC
from typing import Any

from django.db.models import QuerySet
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request


class NewestFirst(CursorPagination):
    ordering = ("-created_at", "-id")
    page_size = 25
    max_page_size = 100
    page_size_query_param = "limit"

    def decode_cursor(self, request: Request) -> Cursor | None:
        """The cursor of the query. Raises ``ValidationError`` for one that no page can have given."""
        try:
            cursor = super().decode_cursor(request)
        except NotFound as unreadable:
            raise not_ours() from unreadable
        if cursor and cursor.position is not None and not is_moment(str(cursor.position)):
            raise not_ours()
        return cursor


@dataclass(frozen=True, slots=True)
class Together:
    """Querysets of one model to be paged as one list: each is read in order of an index of its own, no further than a
    page needs, where one condition with *or* in it would have every row of the table looked at.

    ``rows`` says how those of a page are fetched.
    """

    rows: "QuerySet[Any]"
    parts: "tuple[QuerySet[Any], ...]"

    def filter(self, **wanted: Any) -> "Together":
        return Together(self.rows, tuple(part.filter(**wanted) for part in self.parts))

    def order_by(self, *names: str) -> "Together":
        return Together(self.rows.order_by(*names), tuple(part.order_by(*names) for part in self.parts))

    def __getitem__(self, page: slice) -> "QuerySet[Any]":
        first, *others = (part.values("pk")[: page.stop] for part in self.parts)
        return self.rows.filter(pk__in=first.union(*others))[page]


def not_ours() -> ValidationError:
    return ValidationError({"cursor": gettext("This is no cursor of ours; take one from `next` or `previous`.")})


def is_moment(text: str) -> bool:
    try:
        moment = parse_datetime(text)
        return moment is not None and moment.tzinfo is not None and bool(moment.astimezone(UTC))
    except (ValueError, OverflowError):
        return False
