"""A value for every setting of a table that is not its default."""

from typing import Any

from django.db import models

from rules.mexican_train.bots import BOTS
from tables.models import SETTINGS, Table

OWN = {"name": "Friday", "on_leave": next(level for level in BOTS if level != Table().on_leave)}


def other(name: str) -> Any:
    column, now = SETTINGS[name].column, getattr(Table(), name)
    if name in OWN:
        return OWN[name]
    if isinstance(column, models.BooleanField):
        return not now
    if column.choices:
        return next(value for value, _ in column.choices if value != now)
    return (SETTINGS[name].least or 0) + 17


OTHERS = {name: other(name) for name in SETTINGS}
