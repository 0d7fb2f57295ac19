"""What a strategy is: a ``View``, chance and a time guard in; a move and the facts it was chosen for out."""

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from rules.moves import Move
from rules.tiles import Tile
from rules.view import View

Chance: TypeAlias = Callable[[int], int]
"""A number from 0 to n - 1, all equally likely: the one thing a bot may not make itself."""

Guard: TypeAlias = Callable[[], bool]
"""Whether the time to think is over. It is asked now and then, and once true it stays true."""


def never() -> bool:
    """The guard of a bot that may take its time."""
    return False


class Why(StrEnum):
    """The one thing that decided a move. ``rules.bots.words`` has a sentence for each."""

    ONLY = "only"
    CHANCE = "chance"
    HEAVIEST = "heaviest"
    ANNOUNCE = "announce"
    CALL = "call"
    PLAN = "plan"
    CLOSE = "close"
    SPARE = "spare"
    NEAR_OUT = "near_out"
    COVER_BY_PLAN = "cover_by_plan"
    COVER_BY_SPARE = "cover_by_spare"
    COVER_AT_COST = "cover_at_cost"
    OWN_END = "own_end"
    AT_COST = "at_cost"
    KEEP = "keep"
    SEARCHED = "searched"


class Grounds(NamedTuple):
    """Why a move, and the facts it speaks of beyond the move itself; those that it does not speak of stay empty.

    ``train`` counts the tiles of the train that the seat has planned, ``cover`` is the tile that will cover the double
    laid, ``seat`` the rival in question and ``left`` its tiles. A search weighed ``worlds`` deals of the hidden tiles
    and expects ``gain`` points more than from the next best move.
    """

    why: Why
    train: int = 0
    cover: Tile | None = None
    seat: int | None = None
    left: int = 0
    worlds: int = 0
    gain: float = 0.0


class Choice(NamedTuple):
    """A move and why it was chosen."""

    move: Move
    grounds: Grounds


Strategy: TypeAlias = Callable[[View, Chance, Guard], Choice]
