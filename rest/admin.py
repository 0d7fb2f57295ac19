"""What every room's admin keeps to; and answers already given: that they are there can be seen, not what they say."""

from datetime import MAXYEAR, MINYEAR
from typing import Any

from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.auth.admin import GroupAdmin
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse

from rest.models import AnsweredRequest


class AskOnlyWhatIsOffered(admin.ModelAdmin[Any]):
    """An address may filter by what the list offers, and by nothing else: a count of hits could tell a hidden tile.

    What no row can be called is not there, and cannot be selected.
    """

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        field = self.opts.get_field(from_field) if from_field else self.opts.pk
        return super().get_object(request, object_id, from_field) if may_hold(field, object_id) else None

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        if selected := request.POST.getlist(ACTION_CHECKBOX_NAME):
            possible = request.POST.copy()
            possible.setlist(ACTION_CHECKBOX_NAME, [each for each in selected if may_hold(self.opts.pk, each)])
            request.POST = possible  # type: ignore[assignment]  # the stubs know only what Django itself puts there
        return super().changelist_view(request, extra_context)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        offered = [each[0] if isinstance(each, tuple) else each for each in self.list_filter]
        names = {*map(str, offered), self.date_hierarchy or "", "table__id", "id"}
        *path, last = lookup.split("__")
        is_offered = any(lookup == name or lookup.startswith(f"{name}__") for name in names if name)
        return is_offered and not (path and last in {"regex", "iregex"}) and is_possible(last, value)


def may_hold(field: Any, text: str) -> bool:
    """Whether a column can hold what an address or a form calls a row."""
    try:
        field.clean(text, None)
    except ValidationError:
        return False
    return "\0" not in text


def is_possible(part: str, value: str) -> bool:
    """Whether the database can be asked for this at all."""
    if part == "year":
        return value.isdecimal() and MINYEAR <= int(value[:5]) <= MAXYEAR
    return "\0" not in value


admin.site.unregister(Group)


@admin.register(Group)
class KeptGroupAdmin(AskOnlyWhatIsOffered, GroupAdmin):
    """What those who keep the club may do."""


@admin.register(AnsweredRequest)
class AnsweredRequestAdmin(AskOnlyWhatIsOffered):
    list_display = ("__str__", "status", "created_at")
    list_filter = ("status", "created_at")
    search_fields = ("digest",)
    fields = readonly_fields = ("digest", "fingerprint", "status", "created_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False
