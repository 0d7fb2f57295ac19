"""A round at one moment: its facts, and the questions that they alone answer."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from rules.moves import MEXICAN
from rules.options import Options
from rules.tiles import WITH_PIP, Tile, TileSet, all_with_pip


class Ended(StrEnum):
    """How a round came to its end."""

    OUT = "out"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class Train:
    """Tiles laid end to end from the engine; ``end`` is the pip that the next one must match."""

    tiles: tuple[Tile, ...]
    end: int
    is_marked: bool


@dataclass(frozen=True, slots=True)
class OpenDouble:
    """A double that has been laid and not yet covered, and the seat that laid it."""

    train: int
    layer: int


@dataclass(frozen=True, slots=True)
class Setup:
    """What stays the same all round: the rules, the number of seats, the engine's pip."""

    options: Options
    seats: int
    engine: int


@dataclass(frozen=True, slots=True)
class State:
    """Everything true of a round now.

    ``trains`` holds one train a seat and the Mexican Train last, so that ``trains[MEXICAN]`` finds it. ``on_table``
    is the engine and every tile laid. ``open_doubles`` are oldest first. ``turn`` is the seat to move, ``draws`` the
    tiles it has drawn since it last laid one in this turn. ``passed`` are the seats that have passed since the last
    tile was laid, one bit each.
    """

    setup: Setup
    trains: tuple[Train, ...]
    hands: tuple[TileSet, ...]
    boneyard: tuple[Tile, ...]
    on_table: TileSet
    open_doubles: tuple[OpenDouble, ...]
    turn: int
    draws: int = 0
    passed: int = 0
    ended: Ended | None = None

    @property
    def out(self) -> int | None:
        """The seat that has gone out."""
        return self.hands.index(0) if self.ended is Ended.OUT else None


@cache
def train_names(seats: int) -> tuple[int, ...]:
    """Every train of a round: the seats' own in order, the Mexican Train last."""
    return (*range(seats), MEXICAN)


def next_seat(state: State) -> int:
    """Turns go round in the order of the seats."""
    return (state.turn + 1) % state.setup.seats


def all_have_passed(state: State) -> bool:
    """Whether no tile has been laid since every seat last had its turn."""
    return state.passed == (1 << state.setup.seats) - 1


def is_dead(on_table: TileSet, pip: int, setup: Setup) -> bool:
    """Whether every tile that bears this pip lies on the table, so that nothing can ever cover its double."""
    return on_table & WITH_PIP[pip] == all_with_pip(pip, setup.options.set_max_pip)
