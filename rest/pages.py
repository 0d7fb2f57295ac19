"""Lists a page at a time, by cursor: the cost of a page does not grow with its distance from the start."""

from rest_framework.pagination import CursorPagination


class NewestFirst(CursorPagination):
    ordering = ("-created_at", "-id")
    page_size = 25
    max_page_size = 100
    page_size_query_param = "limit"
