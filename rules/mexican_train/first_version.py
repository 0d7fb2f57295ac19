"""Version 1 of the rules: only its differences from the current version (``rules.md`` §7)."""

from dataclasses import fields
from functools import cached_property

from rules.mexican_train.options import Options

NAMES = tuple(field.name for field in fields(Options))


class FirstVersion(Options):
    """The options of a table that began with version 1: the same values, but two answers differ."""

    @cached_property
    def laying_engine_was_first_turn(self) -> bool:
        """In version 1, laying the engine was the first turn of the seat that laid it."""
        return self.begins_left_of_engine

    @cached_property
    def looks_past_passes(self) -> bool:
        """In version 1, a round was blocked when no seat could lay a tile at that moment."""
        return False


def by_first_version(options: Options) -> FirstVersion:
    """The same options with the answers of version 1."""
    if isinstance(options, FirstVersion):
        return options
    return FirstVersion(**{name: getattr(options, name) for name in NAMES})
