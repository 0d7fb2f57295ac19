"""Deletion of old rows in batches, so that no statement takes long."""

from typing import Any

from django.db.models import QuerySet

AT_ONCE = 5000


def forget(rows: "QuerySet[Any]") -> None:
    """Delete all these rows, except those that a change meanwhile has taken out of the queryset."""
    while keys := list(rows.values_list("pk", flat=True)[:AT_ONCE]):
        rows.filter(pk__in=keys).delete()
