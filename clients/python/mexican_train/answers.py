"""What the server answers, as frozen dataclasses. Fields that a newer server adds are in ``raw``.

Seats are numbers from 0, tiles are texts such as ``"12-7"``, trains ``"0"`` for seat 0's and ``"mexican"``, ids of
tables and players are UUIDs as text, times are aware ``datetime``s. A list of words (``Literal``) may grow with the
server.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, Literal, TypeVar, cast

Status = Literal["open", "playing", "finished", "cancelled"]
Kind = Literal["person", "bot"]
Phase = Literal["play", "drawn", "cover", "first_turn"]
MoveType = Literal["play", "draw", "pass", "end", "announce", "call"]
By = Literal["person", "bot", "timeout", "host"]
Reason = Literal[
    "tile_not_held",
    "no_such_train",
    "ends_do_not_match",
    "train_not_open",
    "double_not_covered",
    "must_play",
    "must_draw_first",
    "already_drew",
    "boneyard_empty",
    "mexican_not_yet",
    "own_train_first",
    "first_turn_own_train",
    "doubles_limit",
    "nothing_to_end",
    "nothing_to_call",
    "round_over",
]
"""Why the rules refuse a move."""
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """Anything that the server tells; ``raw`` is the JSON object as it came."""

    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True, kw_only=True)
class Me(Answer):
    """The caller; a guest has no username."""

    id: str
    name: str
    kind: Kind
    username: str | None
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class Welcome(Answer):
    """A player and the token to call with, which is shown this once."""

    player: Me
    token: str = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class Player(Answer):
    """Who sits in a seat; ``level`` is a bot's."""

    id: str
    name: str
    kind: Kind
    level: str | None = None


@dataclass(frozen=True, kw_only=True)
class PlayerRecord(Player):
    """A player's matches so far."""

    matches: int
    wins: int
    average_points_a_round: float | None


@dataclass(frozen=True, kw_only=True)
class Seat(Answer):
    """A seat of a table: ``away`` means that a bot stands in for its player."""

    seat: int
    player: Player | None
    away: bool
    total: int
    tile_count: int


@dataclass(frozen=True, kw_only=True)
class Invite(Answer):
    """What lets a player take a seat."""

    code: str
    url: str


@dataclass(frozen=True, kw_only=True)
class Table(Answer):
    """A table. ``invite`` is there for members only, ``your_turn`` in the list of one's own tables."""

    id: str
    name: str
    status: Status
    host: str | None
    preset: str
    options: Mapping[str, Any]
    engine_version: int
    seats: tuple[Seat, ...]
    visibility: Literal["private", "public"]
    spectators: Literal["open", "none"]
    invite: Invite | None = None
    turn_seconds: int | None
    on_timeout: Literal["auto", "bot", "forfeit"]
    on_leave: str
    bot_delay_ms: int
    auto_pass: bool
    hints: bool
    rounds_played: int
    winners: tuple[int, ...] | None
    ended_reason: str | None
    next_table: str | None
    version: int
    created_at: datetime
    your_turn: bool | None = None


@dataclass(frozen=True)
class Page(Generic[T_co]):
    """One page of a list, and the cursor of the next."""

    results: tuple[T_co, ...]
    next_cursor: str | None


@dataclass(frozen=True, kw_only=True)
class Joined(Answer):
    """The table, and the seat that the caller has there now."""

    table: Table
    seat: int


@dataclass(frozen=True, kw_only=True)
class Bot(Answer):
    """A level that bots play at, and the milliseconds that a move of it takes."""

    level: str
    likes: str
    typical_ms: float


@dataclass(frozen=True, kw_only=True)
class Preset(Answer):
    """A rule set by name; ``differences`` are those from *classic*."""

    name: str
    title: str
    seats: tuple[int, ...]
    options: Mapping[str, Any]
    differences: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class CheckedRules(Answer):
    """Rules that a table might have, resolved: tiles in a hand and in the boneyard after the deal."""

    preset: str
    seats: int
    options: Mapping[str, Any]
    hand_size: int
    boneyard: int
    differences: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class LegalMove(Answer):
    """A move that may be played; ``seat`` is the one that a ``call`` calls."""

    move: str
    type: MoveType
    keep_marker: bool = False
    tile: str | None = None
    train: str | None = None
    seat: int | None = None


@dataclass(frozen=True, kw_only=True)
class Hint(LegalMove):
    """What a bot of this level would play at this place in the log, and why in one sentence."""

    table: str
    number: int
    level: str
    why: str


@dataclass(frozen=True, kw_only=True)
class Verdict(LegalMove):
    """A move, legal or not; if not, ``reason``, and ``option``, the rule of this table that decides, if one does."""

    legal: bool
    reason: Reason | None = None
    detail: str | None = None
    option: str | None = None


@dataclass(frozen=True, kw_only=True)
class Explanation(Answer):
    """Every tile of the seat to move on every train, and what can be said or done besides."""

    table: str
    number: int
    seat: int
    moves: tuple[Verdict, ...]


@dataclass(frozen=True, kw_only=True)
class RoundOnTable(Answer):
    """The round that is being played; ``engine_from`` is the seat that laid its engine, if one did."""

    number: int
    of: int
    engine: str
    engine_from: int | None
    starter: int
    commitment: str


@dataclass(frozen=True, kw_only=True)
class Turn(Answer):
    """Whose turn it is; ``server_time`` tells how far off ``deadline`` is, whatever the clock here says."""

    seat: int
    phase: Phase
    deadline: datetime | None
    server_time: datetime


@dataclass(frozen=True, kw_only=True)
class Train(Answer):
    """A train: tiles in laid direction, the pip at its end, and whether it is marked."""

    train: str
    seat: int | None
    tiles: tuple[str, ...]
    end: int
    marker: bool


@dataclass(frozen=True, kw_only=True)
class SeatInPlay(Answer):
    """What everybody sees of a seat; ``tiles`` only where hands are open."""

    seat: int
    tile_count: int
    total: int
    away: bool
    announced: bool
    tiles: tuple[str, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class You(Answer):
    """The caller's own seat: the hand, and what may be played now, which is nothing in another seat's turn."""

    seat: int
    tiles: tuple[str, ...]
    legal_moves: tuple[LegalMove, ...]


@dataclass(frozen=True, kw_only=True)
class RoundResult(Answer):
    """How a round ended; ``out`` is the seat that went out, points and totals are by seat."""

    number: int
    engine: str
    starter: int
    ended: Literal["out", "blocked"]
    out: int | None
    points: tuple[int, ...]
    totals: tuple[int, ...]
    hands: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Position(Answer):
    """Everything that the caller may know of a table now."""

    table: str
    status: Status
    version: int
    next_number: int
    round: RoundOnTable | None
    next_commitment: str | None
    turn: Turn | None
    trains: tuple[Train, ...]
    open_doubles: tuple[str, ...]
    boneyard: int
    seats: tuple[SeatInPlay, ...]
    may_be_called: int | None
    you: You | None
    last_round: RoundResult | None
    winners: tuple[int, ...] | None
    etag: str | None = field(default=None, repr=False, compare=False)

    @property
    def legal_moves(self) -> tuple[LegalMove, ...]:
        """What the caller may play now, if anything."""
        return self.you.legal_moves if self.you else ()

    @property
    def is_over(self) -> bool:
        """Whether nothing will be played at this table any more."""
        return self.status in {"finished", "cancelled"}


@dataclass(frozen=True, kw_only=True)
class PastTurn(Answer):
    seat: int
    phase: Phase


@dataclass(frozen=True, kw_only=True)
class PastPosition(Answer):
    """The position after a move of a finished round, all hands open."""

    table: str
    number: int
    move: str
    keep_marker: bool = False
    by_seat: int
    round: int
    turn: PastTurn | None
    trains: tuple[Train, ...]
    open_doubles: tuple[str, ...]
    boneyard: tuple[str, ...]
    hands: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Played(Answer):
    """A move as it stands in the log, and the position after it; ``tile`` is the one drawn."""

    number: int
    move: str
    keep_marker: bool = False
    tile: str | None = None
    position: Position


@dataclass(frozen=True, kw_only=True)
class LoggedMove(Answer):
    """A place in the log; drawn tiles are told to their drawer, and to all once the round is over."""

    number: int
    round: int
    seat: int
    move: str
    keep_marker: bool = False
    by: By
    at: datetime
    tile: str | None = None
    tiles: tuple[str, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class EngineDraw(Answer):
    seat: int
    tile: str


@dataclass(frozen=True, kw_only=True)
class Deal(Answer):
    """How a finished round was dealt, for anybody to check against its commitment."""

    table: str
    round: int
    commitment: str
    secret: str
    client_seeds: tuple[str, ...]
    set_max_pip: int
    order: tuple[str, ...]
    hands: tuple[tuple[str, ...], ...]
    engine: str
    engine_set_aside: bool
    engine_from: int | None
    engine_draws: tuple[EngineDraw, ...]
    first_seat: int
    first_seat_drawn: bool
    starter: int


@dataclass(frozen=True, kw_only=True)
class ClientSeed(Answer):
    """The caller's own contribution to the deal of ``round``."""

    seat: int
    seed: str
    round: int | None
    commitment: str | None


@dataclass(frozen=True, kw_only=True)
class Moved(Answer):
    """Event: a move was made; ``turn`` is the seat to move now. What it was is read from its text."""

    version: int
    number: int
    round: int
    seat: int
    move: str
    keep_marker: bool = False
    by: By
    at: datetime
    turn: int | None

    @property
    def type(self) -> MoveType:
        return "play" if ">" in self.move else cast("MoveType", self.move.partition(" ")[0])

    @property
    def tile(self) -> str | None:
        """The tile that was laid. What was drawn is hidden."""
        return self.move.partition(">")[0] if self.type == "play" else None

    @property
    def train(self) -> str | None:
        """The train that it was laid on."""
        return self.move.partition(">")[2] if self.type == "play" else None


@dataclass(frozen=True, kw_only=True)
class RoundEnded(Answer):
    """Event: a round ended."""

    version: int
    round: int
    result: RoundResult


@dataclass(frozen=True, kw_only=True)
class RoundDealt(Answer):
    """Event: a round was dealt."""

    version: int
    round: int
    engine: str
    starter: int
    commitment: str


@dataclass(frozen=True, kw_only=True)
class SeatChanged(Answer):
    """Event: somebody sat down, left, or came back."""

    version: int
    seat: int
    player: Player | None
    away: bool


@dataclass(frozen=True, kw_only=True)
class TableChanged(Answer):
    """Event: the table started, ended, or changed otherwise: ``changed`` are the names of its fields that did."""

    version: int
    changed: tuple[str, ...] = ()
    status: Status
    host: str | None = None
    ended_reason: str | None = None
    winners: tuple[int, ...] | None = None
    next_table: str | None = None


@dataclass(frozen=True, kw_only=True)
class Missed(Answer):
    """Event: what happened before cannot be told any more; everything after ``position`` follows."""

    version: int
    position: Position


Event = Moved | RoundEnded | RoundDealt | SeatChanged | TableChanged | Missed
