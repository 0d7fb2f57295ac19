"""Answers already given, in the admin: to see that they are there and go; they cannot be read."""

from datetime import MAXYEAR, MINYEAR
from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from rest.models import AnsweredRequest


class AskOnlyWhatIsOffered(admin.ModelAdmin[Any]):
    """An address may filter by what the list offers, and by nothing else: a count of hits could tell a hidden tile."""

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        offered = [each[0] if isinstance(each, tuple) else each for each in self.list_filter]
        names = {*map(str, offered), self.date_hierarchy or "", "table__id", "id"}
        *path, last = lookup.split("__")
        is_offered = any(lookup == name or lookup.startswith(f"{name}__") for name in names if name)
        return is_offered and not (path and last in {"regex", "iregex"}) and is_possible(last, value)


def is_possible(part: str, value: str) -> bool:
    """Whether the database can be asked for this at all."""
    if part == "year":
        return value.isdecimal() and MINYEAR <= int(value[:5]) <= MAXYEAR
    return "\0" not in value


@admin.register(AnsweredRequest)
class AnsweredRequestAdmin(AskOnlyWhatIsOffered):
    list_display = ("__str__", "status", "created_at")
    list_filter = ("status", "created_at")
    search_fields = ("digest",)
    fields = readonly_fields = ("digest", "fingerprint", "status", "created_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False
