"""Rows that have had their time, deleted some at a time: no statement takes long, however many there are."""

from typing import Any

from django.db.models import QuerySet

AT_ONCE = 5000


def forget(rows: "QuerySet[Any]") -> None:
    """Delete them all, those that somebody has not meanwhile changed into others."""
    while keys := list(rows.values_list("pk", flat=True)[:AT_ONCE]):
        rows.filter(pk__in=keys).delete()
