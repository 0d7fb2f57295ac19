"""The types of a strategy: it takes a ``View``, chance and a time guard, and returns a move and the facts behind it."""

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from rules.mexican_train.moves import Move
from rules.mexican_train.view import View
from rules.thinking import Chance, Guard
from rules.tiles import Tile


class Why(StrEnum):
    """What decided a move. ``rules.mexican_train.bots.words`` has a sentence for each value."""

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
    """Why a move was chosen, and the facts behind it.

    A fact that does not apply keeps its default. ``train`` is the number of tiles in the train that the seat plans.
    ``cover`` is the tile that will cover the double laid. ``seat`` is the rival concerned, and ``left`` the number of
    its tiles. A search compared the moves in ``worlds`` deals of the hidden tiles, and expects ``gain`` points more
    than from the next best move.
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
