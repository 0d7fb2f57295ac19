"""What a bot gets besides its view: random numbers, and a function that says when its time is over."""

from collections.abc import Callable
from typing import TypeAlias

Chance: TypeAlias = Callable[[int], int]
"""Returns a number from 0 to n - 1, all equally likely.

The caller passes it, because a bot has no randomness of its own.
"""

Guard: TypeAlias = Callable[[], bool]
"""Returns whether the time to think is over. A strategy calls it from time to time. Once true, it stays true."""


def never() -> bool:
    """The guard of a bot without a time limit."""
    return False
