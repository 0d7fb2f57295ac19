"""A column for a table's options, which keeps the order of the rule book."""

from collections.abc import Mapping
from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.expressions import Expression

from rules.mexican_train.options import OPTIONS

PLACES = {option: place for place, option in enumerate(OPTIONS)}


def in_rule_order(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options in the order of the rule book, unknown ones last."""
    return {name: options[name] for name in sorted(options, key=lambda name: PLACES.get(name, len(PLACES)))}


class OptionsColumn(models.JSONField):
    """Options as JSON. PostgreSQL reorders the keys of jsonb, so reading restores the order of the rule book."""

    def from_db_value(self, value: Any, expression: Expression, connection: BaseDatabaseWrapper) -> Any:
        read = super().from_db_value(value, expression, connection)
        return in_rule_order(read) if isinstance(read, dict) else read

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        """Migrations get a plain JSON column, because that is what the database has."""
        name, _, arguments, more = super().deconstruct()
        return name, "django.db.models.JSONField", list(arguments), dict(more)
