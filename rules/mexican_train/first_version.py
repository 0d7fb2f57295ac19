"""Version 1 of the rules: only its differences from the current version (``rules.md`` §7)."""

from rules.mexican_train.options import Options


class FirstVersion(Options):
    """The options of a table that began with version 1: the same values, but two answers differ."""

    __slots__ = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        # In version 1, laying the engine was the first turn of the seat that laid it.
        self.keep("laying_engine_was_first_turn", self.begins_left_of_engine)
        # In version 1, a round was blocked when no seat could lay a tile at that moment.
        self.keep("looks_past_passes", answer=False)


def by_first_version(options: Options) -> FirstVersion:
    """The same options with the answers of version 1."""
    return options if isinstance(options, FirstVersion) else FirstVersion(**vars(options))
