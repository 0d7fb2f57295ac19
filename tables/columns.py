"""The one kind of column that Django does not have: a table's options, in the order of the rule book."""

from collections.abc import Mapping
from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.expressions import Expression

from rules.option_kinds import KINDS

PLACES = {option: place for place, option in enumerate(KINDS)}


def in_rule_order(options: Mapping[str, Any]) -> dict[str, Any]:
    """The same options in the order of the rule book, unknown ones last."""
    return {name: options[name] for name in sorted(options, key=lambda name: PLACES.get(name, len(PLACES)))}


class OptionsColumn(models.JSONField):
    """Options as JSON. PostgreSQL orders the keys of jsonb its own way; reading them restores the rule book's order."""

    def from_db_value(self, value: Any, expression: Expression, connection: BaseDatabaseWrapper) -> Any:
        read = super().from_db_value(value, expression, connection)
        return in_rule_order(read) if isinstance(read, dict) else read

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        """Migrations see a plain JSON column, which it is in the database."""
        name, _, arguments, more = super().deconstruct()
        return name, "django.db.models.JSONField", list(arguments), dict(more)
