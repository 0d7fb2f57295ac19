"""The protocol ``Game``: what a table may ask of any game, and the types of the values that it passes.

A class that derives from ``Game`` inherits the answers that most games share, and must define the others.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar

from rules import shuffling
from rules.errors import BadOption, BrokenLog, IllegalMove, Reason
from rules.sentences import Sentence
from rules.thinking import Chance, Guard
from rules.tiles import Tile, TileSet

Facts: TypeAlias = Mapping[str, Any]
"""What a round was dealt with besides the order of its tiles, as JSON. ``first_seat`` is the round's first seat."""


class Ended(StrEnum):
    """How a round ended."""

    OUT = "out"
    BLOCKED = "blocked"


class Options(Protocol):
    """The resolved rules of a table, immutable."""

    @property
    def highest_pip(self) -> int: ...

    def as_dict(self) -> dict[str, Any]:
        """Every option as JSON has it."""
        ...


class State(Protocol):
    """The state of a round, immutable.

    ``turn`` is the seat to move. ``hands`` has the tiles of each seat, and ``boneyard`` the tiles left, in the order in
    which they are drawn. ``out`` is the seat that went out. It is ``None`` while the round is played, as is ``ended``.
    """

    @property
    def turn(self) -> int: ...
    @property
    def hands(self) -> Sequence[TileSet]: ...
    @property
    def boneyard(self) -> tuple[Tile, ...]: ...
    @property
    def ended(self) -> Ended | None: ...
    @property
    def out(self) -> int | None: ...


O = TypeVar("O", bound=Options)  # noqa: E741  # options
S = TypeVar("S", bound=State)
S_co = TypeVar("S_co", bound=State, covariant=True)
M = TypeVar("M")
M_co = TypeVar("M_co", covariant=True)
V = TypeVar("V", bound="View[Any]")


class View(Protocol[M_co]):
    """What one seat, or a spectator, may know of a round.

    ``hand`` is the seat's own. ``hands`` are all hands if the rules make them public, and otherwise ``None``. ``phase``
    is what the seat to move is expected to do.
    """

    @property
    def turn(self) -> int: ...
    @property
    def phase(self) -> str: ...
    @property
    def hand(self) -> TileSet: ...
    @property
    def hands(self) -> tuple[TileSet, ...] | None: ...
    @property
    def hand_counts(self) -> tuple[int, ...]: ...
    @property
    def boneyard_count(self) -> int: ...
    @property
    def legal_moves(self) -> tuple[M_co, ...]: ...
    @property
    def ended(self) -> Ended | None: ...


@dataclass(frozen=True, slots=True)
class EndedRound:
    """A round that has been played. ``points`` has one value a seat."""

    facts: Facts
    points: Sequence[int]


@dataclass(frozen=True, slots=True)
class Deal(Generic[S_co]):
    """A dealt round: its facts, the hands as they were dealt, and the state before the first move."""

    facts: Facts
    hands: tuple[TileSet, ...]
    state: S_co


@dataclass(frozen=True, slots=True)
class Verdict(Generic[M_co]):
    """A move, the reason why it is illegal (``None`` if it is legal), and the option that decides, if one does."""

    move: M_co
    reason: Reason | None
    option: str | None


@dataclass(frozen=True, slots=True)
class Level:
    """How well a bot plays: a sentence that describes it, and the milliseconds that a move typically takes."""

    level: str
    likes: str
    typical_ms: float


@dataclass(frozen=True, slots=True)
class Log(Generic[S_co, M_co]):
    """A round as far as it has been played. ``dealt`` returns its first state, and is called only if that is needed."""

    dealt: Callable[[], S_co]
    moves: Iterable[M_co]


class Game(Protocol[O, S, M, V]):
    """A game in one version of its rules.

    Of its options, states and views, callers read only what ``Options``, ``State`` and ``View`` declare.
    """

    name: ClassVar[str]
    version: ClassVar[int]
    presets: ClassVar[Mapping[str, str]]
    """The titles of its presets. No two games have a preset of the same name."""
    option_names: ClassVar[Sequence[str]]
    """Every option, in the order of the rule book."""
    seats: ClassVar[range]
    """The numbers of seats that its tables can have; presets and options may allow fewer."""
    levels: ClassVar[Mapping[str, Level]]
    """The levels of its bots, weakest first."""

    phases: ClassVar[Sequence[str]]
    """What a view may say that the seat to move is expected to do."""
    reasons: ClassVar[Sequence[Reason]]
    """Why a move may be illegal."""

    move_types: ClassVar[Sequence[str]]
    """The types of its moves."""

    # Options

    def read_option(self, option: str, value: object) -> object:
        """The validated value of one option. Raises ``BadOption``."""
        raise BadOption(option[:100], Sentence("this option does not exist."))

    def options_of(self, preset: str, overrides: Mapping[str, object]) -> O:
        """A preset with a table's own options on top. Raises ``BadOption``."""
        ...

    def stored_options(self, stored: Mapping[str, Any]) -> O:
        """The options of a table from their JSON, as this version plays them. Raises ``BadOption``."""
        ...

    def overrides_over(self, preset: str, options: O) -> dict[str, object]:
        """The fewest options that give these rules when they are added to the preset."""
        return {}

    def hand_size(self, options: O, seats: int) -> int:
        """How many tiles each seat is dealt. Raises ``BadOption`` if so many seats cannot be dealt."""
        ...

    def must_suit(self, options: O, seats: int) -> None:
        """Raise ``BadOption`` if no match can be played by so many seats."""
        self.hand_size(options, seats)

    # Deals and matches

    def shuffled(self, options: O, secret: bytes, table: str, number: int, client_seeds: Sequence[str]) -> list[Tile]:
        """The order of the set that follows from a round's secret and the seats' contributions.

        ``table`` is the table's id, and ``number`` the number of the round, from 1.
        """
        return shuffling.shuffled(secret, table, number, client_seeds, options.highest_pip)

    def drawn_seat(self, secret: bytes, table: str, number: int, client_seeds: Sequence[str]) -> int:
        """The seat that chance chooses, from the same inputs."""
        return shuffling.drawn_seat(secret, table, number, client_seeds)

    def deal(
        self, options: O, seats: int, order: Sequence[Tile], earlier: Sequence[EndedRound], lot: Callable[[], int]
    ) -> Deal[S]:
        """Deal the next round of a match. ``lot`` gives the first seat if chance chooses it."""
        ...

    def dealt(self, options: O, seats: int, order: Sequence[Tile], facts: Facts) -> S:
        """The first state of a round that was dealt with these facts."""
        ...

    def public_facts(self, facts: Facts) -> dict[str, Any]:
        """The facts of a round that are public. They are part of its result and of the event of its deal."""
        return {}

    def round_count(self, options: O) -> int | None:
        """How many rounds a match has, or ``None`` if that depends on its points."""
        ...

    def is_over(self, options: O, points_by_round: Sequence[Sequence[int]]) -> bool:
        """Whether a match is over after these rounds. Each round has one value a seat."""
        return len(points_by_round) == self.round_count(options)

    def round_points(self, state: S) -> tuple[int, ...]:
        """What each seat scores in a round that has ended."""
        ...

    def winners(self, options: O, points_by_round: Sequence[Sequence[int]], may_win: Sequence[bool]) -> list[int]:
        """The seats that win a match, among those that may."""
        ...

    # Moves

    def parse(self, text: str) -> M:
        """A move from its text in the log. Raises ``UnreadableText``."""
        ...

    def text(self, move: M) -> str:
        """The text of a move in the log, 16 characters at most."""
        ...

    def type_of(self, move: M) -> str:
        """Which of ``move_types`` a move is."""
        ...

    def apply(self, state: S, move: M) -> S:
        """The state after a move. Raises ``IllegalMove``."""
        ...

    def replay(self, state: S, moves: Iterable[M]) -> S:
        """The state after these moves. Raises ``BrokenLog`` with the number of legal moves."""
        for played, move in enumerate(moves):
            try:
                state = self.apply(state, move)
            except IllegalMove as refusal:
                raise BrokenLog(played, refusal.reason) from refusal
        return state

    def drawn_tiles(self, state: S, moves: Iterable[M]) -> Iterator[tuple[Tile, ...]]:
        """For each move, the tiles that it takes from the boneyard."""
        for move in moves:
            after = self.apply(state, move)
            yield tiles_taken(state, after)
            state = after

    def check(self, state: S, seat: int, move: M) -> None:
        """Refuse a move that this seat may not make, and a field that has no effect here; ``apply`` checks neither.

        Raises ``IllegalMove``, or ``BadMoveField``.
        """
        return

    def is_out_of_turn(self, move: M) -> bool:
        """Whether this move is made by a seat that does not have the turn."""
        return False

    def may_make(self, move: M, seat: int) -> bool:
        """Whether this seat can be the one that makes a move out of turn."""
        return False

    def drawer(self, move: M, seat: int) -> int | None:
        """The seat that gets tiles from the boneyard by this move of ``seat``, if any."""
        return None

    def forced_pass(self, state: S) -> M | None:
        """The pass of a seat to move that can do nothing else, or ``None``."""
        return None

    def clocks_move(self, state: S) -> M:
        """The move that the clock makes when the time of the seat to move is over."""
        ...

    def explain(self, state: S) -> Iterator[Verdict[M]]:
        """Verdicts on what the seat to move might do."""
        return (Verdict(move, None, None) for move in self.view(state, state.turn).legal_moves)

    # Views and bots

    def view(self, state: S, seat: int | None) -> V:
        """The round as this seat may know it; ``None`` is a spectator."""
        ...

    def bots_view(self, state: S, level: str, log: Log[S, M]) -> V:
        """What the seat to move knows; for a level that uses it, also what the moves of the round have revealed."""
        return self.view(state, state.turn)

    def choose(self, level: str, view: V, chance: Chance, guard: Guard) -> M:
        """The move that a bot of this level makes for the seat to move."""
        ...

    def advise(self, level: str, view: V, chance: Chance, guard: Guard) -> tuple[M, Any]:
        """The same move, and the grounds for it, which the presenters of the game put into words."""
        return self.choose(level, view, chance, guard), None


AnyGame: TypeAlias = Game[Any, Any, Any, Any]
"""A game whose types are not known here. Of its values, use only what the protocols of this module declare."""
AnyOptions: TypeAlias = Any
"""``Options`` of some game."""
AnyState: TypeAlias = Any
"""A ``State`` of some game."""


def totals(points_by_round: Iterable[Sequence[int]], seats: int) -> tuple[int, ...]:
    """The total of each seat so far."""
    rounds = list(points_by_round)
    return tuple(sum(points[seat] for points in rounds) for seat in range(seats))


def tiles_taken(before: State, after: State) -> tuple[Tile, ...]:
    """The tiles that left the boneyard between two states of a round."""
    return before.boneyard[: len(before.boneyard) - len(after.boneyard)]
