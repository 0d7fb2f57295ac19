"""Deletion of old rows in batches, so that no statement takes long."""

from typing import Any

from django.db.models import QuerySet

AT_ONCE = 5000


def forget(rows: "QuerySet[Any]") -> None:
    """Delete all rows of the queryset, except rows that no longer match it when their batch is deleted."""
    while keys := list(rows.values_list("pk", flat=True)[:AT_ONCE]):
        rows.filter(pk__in=keys).delete()
