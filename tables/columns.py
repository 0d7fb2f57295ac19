"""Columns of a table: its settings, and its options, which keep the order of the rule book."""

from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.expressions import Expression

from rules.games import in_rule_order

C = TypeVar("C", bound=models.Field[Any, Any])


@dataclass(frozen=True, slots=True)
class Setting:
    """A column, and what a request may send for it. ``least`` and ``most`` are the limits of a number."""

    column: models.Field[Any, Any]
    meaning: str
    least: int | None = None
    most: int | None = None


def setting(column: C, meaning: str, least: int | None = None, most: int | None = None) -> C:
    """Make a column a setting: its table is opened with it, and the host may change it while the table is open."""
    column.setting = Setting(column, meaning, least, most)  # type: ignore[attr-defined]
    return column


def settings_of(model: type[models.Model]) -> dict[str, Setting]:
    """Return the settings of a model by name, in the order of its columns."""
    found = {each.name: getattr(each, "setting", None) for each in model._meta.concrete_fields}  # noqa: SLF001
    return {name: each for name, each in found.items() if each is not None}


class OptionsColumn(models.JSONField):
    """Options as JSON. PostgreSQL reorders the keys of jsonb, so reading restores the order of the rule book."""

    def from_db_value(self, value: Any, expression: Expression, connection: BaseDatabaseWrapper) -> Any:
        read = super().from_db_value(value, expression, connection)
        return in_rule_order(read) if isinstance(read, dict) else read

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        """Migrations get a plain JSON column, because that is what the database has."""
        name, _, arguments, more = super().deconstruct()
        return name, "django.db.models.JSONField", list(arguments), dict(more)
