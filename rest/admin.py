"""What every page of the admin keeps to; and answers already given, which can be seen to be there but not be read."""

import json
from datetime import MAXYEAR, MINYEAR
from typing import Any, cast

from django import forms
from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.auth.admin import GroupAdmin
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.functional import cached_property

from rest.models import AnsweredRequest

COUNTED = 10_000


class RoughCount(Paginator[Any]):
    """Counts as far as a club's lists go; beyond, what PostgreSQL expects to find. Counting all takes it seconds."""

    @cached_property
    def count(self) -> int:
        unordered = cast("QuerySet[Any]", self.object_list).order_by()
        counted: int = unordered[:COUNTED].count()
        return counted if counted < COUNTED else max(counted, expected_rows(unordered))


def expected_rows(rows: "QuerySet[Any]") -> int:
    (told,) = json.loads(rows.explain(format="json"))
    return int(told["Plan"]["Plan Rows"])


class AskOnlyWhatIsOffered(admin.ModelAdmin[Any]):
    """An address may filter by what the list offers, and by nothing else: a count of hits could tell a hidden tile.

    What no row can be called is not there, and cannot be selected. Lists are made for tables that grow: ordered by an
    index, and not counted to the end.
    """

    paginator = RoughCount
    show_full_result_count = False

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
        if lookup in {getattr(each, "parameter_name", None) for each in offered}:  # of a filter that reads it itself
            return True
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


class WriteOnlyWhatIsChanged(AskOnlyWhatIsOffered):
    """A form says what it was opened with, so that saving it undoes nothing that has happened to the row since."""

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> forms.Field | None:
        field: forms.Field | None = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field is not None:
            field.show_hidden_initial = True
        return field

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        obj.save(update_fields=columns(obj, form.changed_data) if change else None)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: Any) -> None:
        """Groups and permissions alike."""
        form.cleaned_data = {name: form.cleaned_data[name] for name in form.changed_data}
        super().save_related(request, form, formsets, change)


def columns(row: Model, names: list[str]) -> list[str]:
    """Those of the names that stand in the row itself."""
    return [field.name for field in row._meta.concrete_fields if field.name in names]  # noqa: SLF001 - Django's own door


class NeverChanged(AskOnlyWhatIsOffered):
    """To be looked at, and to be deleted by who may. A form that changes nothing would bring back a deleted row."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class OnlyToRead(NeverChanged):
    """Neither changed nor deleted, by anybody."""

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(AnsweredRequest)
class AnsweredRequestAdmin(NeverChanged):
    list_display = ("__str__", "status", "created_at")
    list_filter = ("status", "created_at")
    search_fields = ("digest",)
    fields = ("digest", "fingerprint", "status", "created_at")
