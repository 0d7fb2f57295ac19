"""Values that several answers have."""

from typing import Annotated, Literal, TypeAlias

from rules.mexican_train.bots import BOTS

LEVELS = tuple(sorted(BOTS))
Level: TypeAlias = Annotated[str, Literal[LEVELS]]
"""A bot's level."""
