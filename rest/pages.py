"""Lists a page at a time, by cursor: the cost of a page does not grow with its distance from the start."""

from datetime import UTC

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


def not_ours() -> ValidationError:
    return ValidationError({"cursor": gettext("This is no cursor of ours; take one from `next` or `previous`.")})


def is_moment(text: str) -> bool:
    try:
        moment = parse_datetime(text)
        return moment is not None and moment.tzinfo is not None and bool(moment.astimezone(UTC))
    except (ValueError, OverflowError):
        return False
