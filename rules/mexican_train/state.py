"""The state of a round, and the questions that it answers by itself."""

from dataclasses import dataclass
from functools import cache

from rules.game import Ended
from rules.mexican_train.moves import MEXICAN
from rules.mexican_train.options import Options
from rules.tiles import WITH_PIP, Tile, TileSet


@dataclass(frozen=True, slots=True)
class Train:
    """Tiles laid end to end from the engine. ``end`` is the pip that the next tile must match."""

    tiles: tuple[Tile, ...]
    end: int
    is_marked: bool


@dataclass(frozen=True, slots=True)
class OpenDouble:
    """A double that has been laid but not covered, and the seat that laid it. It is the last tile of its train."""

    train: int
    layer: int


@cache
def open_double(train: int, layer: int) -> OpenDouble:
    """The same, cached, because a round has few different ones."""
    return OpenDouble(train, layer)


@dataclass(frozen=True, slots=True)
class Setup:
    """What stays the same during a round: the rules, the number of seats, the engine's pip."""

    options: Options
    seats: int
    engine: int


@dataclass(frozen=True, slots=True)
class Progress:
    """What the seat to move has done in this turn.

    ``laid`` and ``doubles`` count the tiles and the doubles that it has laid. ``fresh`` is how many of the newest open
    doubles it laid in this turn. ``draws`` counts the tiles drawn since it last laid one. ``has_used_draw`` means that
    it drew before that, and may not draw again. When a seat goes on to another double after a cover, ``doubles`` is set
    to 0.
    """

    laid: int = 0
    doubles: int = 0
    fresh: int = 0
    draws: int = 0
    has_used_draw: bool = False


@cache
def progress(laid: int, doubles: int, fresh: int, draws: int, has_used_draw: bool) -> Progress:  # noqa: FBT001
    """The same, cached, because turns have few different values."""
    return Progress(laid, doubles, fresh, draws, has_used_draw)


START = Progress()


@dataclass(frozen=True, slots=True)
class Standing:
    """What the seats have done in this round.

    ``had_first_turn``, ``played_own`` and ``announced`` hold one bit a seat. ``played_own`` means that the seat has
    laid on its own train. ``exposed`` is the seat that did not announce and may be called. ``out`` is the first seat
    that went out.
    """

    had_first_turn: int = 0
    played_own: int = 0
    announced: int = 0
    exposed: int | None = None
    out: int | None = None


@dataclass(slots=True)
class State:
    """The complete state of a round.

    A state that others hold never changes: ``apply`` and ``replay`` change only a copy of their own.

    ``tiles`` and ``ends`` have the tiles of each train from the engine on, and the pip that the next tile must match.
    There is a train for each seat, and the Mexican Train is the last, so that the index ``MEXICAN`` finds it.
    ``marked`` are the seats whose trains are marked, one bit each. ``on_table`` is the engine and every tile laid.
    ``open_doubles`` has the oldest first. ``turn`` is the seat to move. ``passed`` are the seats that have passed since
    the last tile was laid, one bit each. ``had_first_turn`` and the fields after it are those of ``Standing``.
    """

    setup: Setup
    tiles: list[tuple[Tile, ...]]
    ends: list[int]
    marked: int
    hands: list[TileSet]
    boneyard: tuple[Tile, ...]
    on_table: TileSet
    open_doubles: tuple[OpenDouble, ...]
    turn: int
    progress: Progress = START
    passed: int = 0
    ended: Ended | None = None
    had_first_turn: int = 0
    played_own: int = 0
    announced: int = 0
    exposed: int | None = None
    first_out: int | None = None

    @property
    def trains(self) -> tuple[Train, ...]:
        """One train for each seat and the Mexican Train last, so that ``trains[MEXICAN]`` finds it."""
        trains = enumerate(zip(self.tiles, self.ends, strict=True))
        return tuple(Train(tiles, end, bool(self.marked >> train & 1)) for train, (tiles, end) in trains)

    @property
    def out(self) -> int | None:
        """The seat that ended the round by going out, or ``None``."""
        return self.first_out if self.ended is Ended.OUT else None

    @property
    def standing(self) -> Standing:
        """What the seats have done in this round."""
        return Standing(self.had_first_turn, self.played_own, self.announced, self.exposed, self.first_out)

    def copy(self) -> "State":
        """An equal state that may be changed. It is made without ``__init__``, which takes twice as long."""
        copy = State.__new__(State)
        copy.tiles, copy.ends, copy.hands = self.tiles[:], self.ends[:], self.hands[:]
        copy.setup, copy.marked, copy.boneyard = self.setup, self.marked, self.boneyard
        copy.on_table, copy.open_doubles, copy.turn = self.on_table, self.open_doubles, self.turn
        copy.progress, copy.passed, copy.ended = self.progress, self.passed, self.ended
        copy.had_first_turn, copy.played_own = self.had_first_turn, self.played_own
        copy.announced, copy.exposed, copy.first_out = self.announced, self.exposed, self.first_out
        return copy


@cache
def train_names(seats: int) -> tuple[int, ...]:
    """Every train of a round: the seats' own in order, then the Mexican Train."""
    return (*range(seats), MEXICAN)


def everybody(seats: int) -> int:
    """The set of all seats, one bit each."""
    return (1 << seats) - 1


def all_have_passed(state: State) -> bool:
    """Whether every seat has passed since the last tile was laid."""
    return state.passed == everybody(state.setup.seats)


def is_first_turn(state: State, seat: int) -> bool:
    """Whether a seat's first turn of the round is not over yet."""
    return not state.had_first_turn >> seat & 1


def is_first_lap_over(state: State) -> bool:
    """Whether every seat has had its first turn."""
    return state.had_first_turn == everybody(state.setup.seats)


def is_in_long_first_turn(state: State) -> bool:
    """Whether the seat to move is in a first turn in which it may lay any number of tiles."""
    return state.setup.options.has_long_first_turn and not state.had_first_turn >> state.turn & 1


def is_unstarted(state: State, seat: int) -> bool:
    """Whether a seat's own train is empty."""
    return not state.tiles[seat]


def is_dead(on_table: TileSet, pip: int, setup: Setup) -> bool:
    """Whether every tile with this pip lies on the table, so that no tile can ever cover its double."""
    return not WITH_PIP[pip] & setup.options.every_tile & ~on_table
