"""Base classes of the admin's pages, and the admin page of stored answers, whose content it does not show."""

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


class EstimatedCount(Paginator[Any]):
    """Counts exactly below 10,000 rows; above, it uses PostgreSQL's estimate, because a full count takes seconds."""

    @cached_property
    def count(self) -> int:
        unordered = cast("QuerySet[Any]", self.object_list).order_by()
        counted: int = unordered[:COUNTED].count()
        return counted if counted < COUNTED else max(counted, expected_rows(unordered))


def expected_rows(rows: "QuerySet[Any]") -> int:
    (plan,) = json.loads(rows.explain(format="json"))
    return int(plan["Plan"]["Plan Rows"])


class OfferedFiltersOnly(admin.ModelAdmin[Any]):
    """Allows only the filters that the list offers: with others, the number of hits could reveal a hidden tile.

    An id that the primary key cannot hold is not found, and is removed from a selection. The lists do not count all
    rows, because the tables grow.
    """

    paginator = EstimatedCount
    show_full_result_count = False

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        field = self.opts.get_field(from_field) if from_field else self.opts.pk
        return super().get_object(request, object_id, from_field) if may_hold(field, object_id) else None

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        if selected := request.POST.getlist(ACTION_CHECKBOX_NAME):
            possible = request.POST.copy()
            possible.setlist(ACTION_CHECKBOX_NAME, [each for each in selected if may_hold(self.opts.pk, each)])
            request.POST = possible  # type: ignore[assignment]  # the stubs allow only Django's own type
        return super().changelist_view(request, extra_context)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        offered = [each[0] if isinstance(each, tuple) else each for each in self.list_filter]
        names = {*map(str, offered), self.date_hierarchy or "", "table__id", "id"}
        *path, last = lookup.split("__")
        if lookup in {getattr(each, "parameter_name", None) for each in offered}:  # a custom filter reads it
            return True
        is_offered = any(lookup == name or lookup.startswith(f"{name}__") for name in names if name)
        return is_offered and not (path and last in {"regex", "iregex"}) and is_possible(last, value)


def may_hold(field: Any, text: str) -> bool:
    """Whether a column can hold this text, which comes from a URL or a form."""
    try:
        field.clean(text, None)
    except ValidationError:
        return False
    return "\0" not in text


def is_possible(part: str, value: str) -> bool:
    """Whether the database accepts this value in a lookup that ends in ``part``."""
    if part == "year":
        return value.isdecimal() and MINYEAR <= int(value[:5]) <= MAXYEAR
    return "\0" not in value


admin.site.unregister(Group)


@admin.register(Group)
class OurGroupAdmin(OfferedFiltersOnly, GroupAdmin):
    """Groups of admins, and their permissions."""


class ChangedFieldsOnly(OfferedFiltersOnly):
    """Saves only the fields that the admin has changed, so that a form does not undo later changes to the row.

    The form sends the values that it was opened with in hidden fields.
    """

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> forms.Field | None:
        field: forms.Field | None = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field is not None:
            field.show_hidden_initial = True
        return field

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        obj.save(update_fields=columns(obj, form.changed_data) if change else None)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: Any) -> None:
        """Save only the changed fields here too, such as groups and permissions."""
        form.cleaned_data = {name: form.cleaned_data[name] for name in form.changed_data}
        super().save_related(request, form, formsets, change)


def columns(row: Model, names: list[str]) -> list[str]:
    """Return the names that are columns of the row itself."""
    return [field.name for field in row._meta.concrete_fields if field.name in names]  # noqa: SLF001 - a documented API


class DeleteOnly(OfferedFiltersOnly):
    """Rows that can be viewed and deleted, but not added or changed. Saving a form would restore a deleted row."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnly(DeleteOnly):
    """Rows that can only be viewed: nobody may add, change or delete them."""

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(AnsweredRequest)
class AnsweredRequestAdmin(DeleteOnly):
    list_display = ("__str__", "status", "created_at")
    list_filter = ("status", "created_at")
    search_fields = ("digest",)
    fields = ("digest", "fingerprint", "status", "created_at")
