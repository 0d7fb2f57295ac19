"""The server's answers as frozen dataclasses. Fields that a newer server adds are in ``raw``.

Seats are numbers from 0. Tiles are texts such as ``"12-7"``. A train is ``"0"`` for the train of seat 0, or
``"mexican"``. Ids of tables and players are UUIDs as text. Times are aware ``datetime``s. A newer server may send words
that a ``Literal`` does not contain.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, Literal, TypeVar

Status = Literal["open", "playing", "finished", "cancelled"]
Kind = Literal["person", "bot"]
Phase = Literal["play", "drawn", "cover", "first_turn"]
MoveType = Literal["play", "draw", "pass", "end", "announce", "call"]
By = Literal["person", "bot", "timeout", "host"]
Ended = Literal["out", "blocked"]
OnTimeout = Literal["auto", "bot", "forfeit"]
EndedReason = Literal[
    "played",
    "forfeited",
    "cancelled_by_host",
    "cancelled_by_admin",
    "host_left",
    "expired",
    "abandoned",
]
"""Why a table is over."""
WebhookEvent = Literal["your_turn", "table_finished"]
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
"""Why the rules do not allow the move."""
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The base class of all answers. ``raw`` is the JSON object as it arrived."""

    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True, kw_only=True)
class Me(Answer):
    """The caller. A guest has no username."""

    id: str
    name: str
    kind: Kind
    username: str | None
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class Welcome(Answer):
    """A player and the token to call with. The server sends a token only once."""

    player: Me
    token: str = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class Handover(Answer):
    """A code to continue on another device. It is valid once, until it expires."""

    code: str = field(repr=False)
    expires_at: datetime


@dataclass(frozen=True, kw_only=True)
class Session(Answer):
    """A session of the player: a token's facts, without the token. ``current`` marks the token of this call."""

    id: str
    created_at: datetime
    last_used_at: datetime | None
    current: bool


@dataclass(frozen=True, kw_only=True)
class Player(Answer):
    """A person or a bot. Only a bot has a ``level``."""

    id: str
    name: str
    kind: Kind
    level: str | None = None


@dataclass(frozen=True, kw_only=True)
class PlayerRecord(Player):
    """A player, and how many matches they have played, left, forfeited and won."""

    matches: int
    played: int
    left: int
    forfeited: int
    wins: int
    average_points_a_round: float | None


@dataclass(frozen=True, kw_only=True)
class Seat(Answer):
    """A seat of a table. If ``away`` is true, a bot plays for the player."""

    seat: int
    player: Player | None
    away: bool
    forfeited: bool
    total: int
    tile_count: int


@dataclass(frozen=True, kw_only=True)
class Invite(Answer):
    """The code and the link with which a player can take a seat."""

    code: str
    url: str


@dataclass(frozen=True, kw_only=True)
class ClockProposal(Answer):
    """A proposed clock for a running match. ``agreed`` and ``waiting_for`` are seats."""

    turn_seconds: int | None
    on_timeout: OnTimeout
    agreed: tuple[int, ...]
    waiting_for: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Table(Answer):
    """A table. Only its members get ``invite``. Only the list of the caller's tables contains ``your_turn``."""

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
    on_timeout: OnTimeout
    clock_proposal: ClockProposal | None
    on_leave: str
    bot_delay_ms: int
    auto_pass: bool
    stall_minutes: int | None
    hints: bool
    rounds_played: int
    winners: tuple[int, ...] | None
    ended_reason: EndedReason | None
    next_table: str | None
    version: int
    created_at: datetime
    your_turn: bool | None = None


@dataclass(frozen=True)
class Page(Generic[T_co]):
    """One page of a list. ``following`` are the query parameters of the next page; it is empty after the last."""

    results: tuple[T_co, ...]
    following: Mapping[str, Any]
    etag: str | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, kw_only=True)
class Invitation(Answer):
    """The table that an invite is for. ``host`` is a name. ``table`` is ``None`` if only its players may see it."""

    name: str
    host: str | None
    status: Status
    free_seats: int
    table: Table | None


@dataclass(frozen=True, kw_only=True)
class Joined(Answer):
    """The table, and the seat that the caller has now."""

    table: Table
    seat: int


@dataclass(frozen=True, kw_only=True)
class Bot(Answer):
    """A level of bots, and the milliseconds that one of its moves usually takes."""

    level: str
    likes: str
    typical_ms: float


@dataclass(frozen=True, kw_only=True)
class Preset(Answer):
    """A named rule set. ``differences`` are the options that differ from *classic*."""

    name: str
    title: str
    seats: tuple[int, ...]
    options: Mapping[str, Any]
    differences: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class ValueTold(Answer):
    """The value of an option, and its meaning in words."""

    value: Any
    words: str


@dataclass(frozen=True, kw_only=True)
class Difference(Answer):
    """An option that differs between two rule sets: its meaning, both values, and one sentence about the difference."""

    option: str
    meaning: str
    a: ValueTold
    b: ValueTold
    sentence: str


@dataclass(frozen=True, kw_only=True)
class PresetDifferences(Answer):
    """The options that differ between the rule sets ``a`` and ``b``."""

    a: str
    b: str
    differences: tuple[Difference, ...]


@dataclass(frozen=True, kw_only=True)
class SheetSection(Answer):
    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class OwnRule(Answer):
    """An option that differs from the preset or from *classic*, with a sentence that says so."""

    option: str
    value: Any
    sentence: str


@dataclass(frozen=True, kw_only=True)
class RuleSheet(Answer):
    """The rules of a table in whole sentences, and its options that differ from its preset and from *classic*."""

    table: str
    name: str
    preset: str
    title: str
    seats: int
    hand_size: int
    boneyard: int
    rounds: int
    sections: tuple[SheetSection, ...]
    differs_from_preset: tuple[OwnRule, ...]
    differs_from_classic: tuple[OwnRule, ...]


@dataclass(frozen=True, kw_only=True)
class CheckedRules(Answer):
    """Validated rules of a possible table, with the number of tiles in a hand and in the boneyard after the deal."""

    preset: str
    seats: int
    options: Mapping[str, Any]
    hand_size: int
    boneyard: int
    differences: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class LegalMove(Answer):
    """A legal move. ``seat`` is the seat that a ``call`` names."""

    move: str
    type: MoveType
    keep_marker: bool = False
    tile: str | None = None
    train: str | None = None
    place: str | None = None
    seat: int | None = None


@dataclass(frozen=True, kw_only=True)
class Hint(LegalMove):
    """The move that a bot of this level would make at this place in the log, and one sentence that says why."""

    table: str
    number: int
    level: str
    why: str


@dataclass(frozen=True, kw_only=True)
class Verdict(LegalMove):
    """A move and whether it is legal. If not, ``reason`` says why, and ``option`` is the rule option that decides."""

    legal: bool
    reason: Reason | None = None
    detail: str | None = None
    option: str | None = None


@dataclass(frozen=True, kw_only=True)
class Explanation(Answer):
    """Every possible move of the seat to move: each tile on each train, and the moves without a tile."""

    table: str
    number: int
    seat: int
    moves: tuple[Verdict, ...]


@dataclass(frozen=True, kw_only=True)
class RoundOnTable(Answer):
    """The current round. ``engine_from`` is the seat that laid the engine, if a seat did."""

    number: int
    of: int
    engine: str
    engine_from: int | None
    starter: int
    commitment: str


@dataclass(frozen=True, kw_only=True)
class Turn(Answer):
    """Whose turn it is. ``deadline`` minus ``server_time`` is the time left, even if the local clock is wrong."""

    seat: int
    phase: Phase
    deadline: datetime | None
    server_time: datetime


@dataclass(frozen=True, kw_only=True)
class Train(Answer):
    """A train: its tiles in the direction in which they lie, the pips at its end, and whether it is marked."""

    train: str
    seat: int | None
    tiles: tuple[str, ...]
    end: int
    marker: bool


@dataclass(frozen=True, kw_only=True)
class SeatInPlay(Answer):
    """The public facts of a seat. ``tiles`` are present only if hands are open. A free seat has no name and no kind."""

    seat: int
    name: str | None
    kind: Kind | None
    level: str | None
    tile_count: int
    total: int
    away: bool
    forfeited: bool
    announced: bool
    tiles: tuple[str, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class You(Answer):
    """The caller's own seat: the hand and the legal moves, of which there are none in another seat's turn."""

    seat: int
    tiles: tuple[str, ...]
    legal_moves: tuple[LegalMove, ...]


@dataclass(frozen=True, kw_only=True)
class RoundResult(Answer):
    """How a round ended. ``out`` is the seat that went out. Points and totals are in the order of the seats."""

    number: int
    engine: str
    starter: int
    ended: Ended
    out: int | None
    points: tuple[int, ...]
    totals: tuple[int, ...]
    hands: tuple[tuple[str, ...], ...]
    forfeited: tuple[bool, ...]


@dataclass(frozen=True, kw_only=True)
class LastMove(Answer):
    """The latest entry of the log. Only the player who drew gets the drawn tiles; after the round everybody does."""

    number: int
    round: int
    seat: int
    move: str
    keep_marker: bool = False
    type: MoveType
    by: By
    tile: str | None = None
    train: str | None = None
    place: str | None = None
    tiles: tuple[str, ...] | None = None
    said: str | None = None


@dataclass(frozen=True, kw_only=True)
class Position(Answer):
    """Everything that the caller may know about a table now."""

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
    last_move: LastMove | None
    may_be_called: int | None
    you: You | None
    last_round: RoundResult | None
    winners: tuple[int, ...] | None
    ended_reason: EndedReason | None
    etag: str | None = field(default=None, repr=False, compare=False)

    @property
    def legal_moves(self) -> tuple[LegalMove, ...]:
        """The caller's legal moves; empty if there are none."""
        return self.you.legal_moves if self.you else ()

    @property
    def is_over(self) -> bool:
        """Whether the table is finished or cancelled."""
        return self.status in {"finished", "cancelled"}


@dataclass(frozen=True, kw_only=True)
class PastTurn(Answer):
    seat: int
    phase: Phase


@dataclass(frozen=True, kw_only=True)
class PastPosition(Answer):
    """The position after a move of a finished round, with all hands."""

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
    """A move as an entry of the log, and the position after it. ``tile`` is the drawn tile."""

    number: int
    move: str
    keep_marker: bool = False
    tile: str | None = None
    position: Position


@dataclass(frozen=True, kw_only=True)
class LoggedMove(Answer):
    """An entry of the log. Only the player who drew gets a drawn tile; after the round everybody does.

    ``tile`` is the laid tile, or after a draw the drawn one.
    """

    number: int
    round: int
    seat: int
    move: str
    keep_marker: bool = False
    type: MoveType
    by: By
    at: datetime
    tile: str | None = None
    train: str | None = None
    place: str | None = None
    tiles: tuple[str, ...] | None = None
    said: str | None = None


@dataclass(frozen=True, kw_only=True)
class EngineDraw(Answer):
    seat: int
    tile: str


@dataclass(frozen=True, kw_only=True)
class Deal(Answer):
    """How a finished round was dealt. Anybody can check it against its commitment.

    A record from another server may have no secret; then the deal cannot be checked.
    """

    table: str
    round: int
    dealt_here: bool
    commitment: str | None
    secret: str | None
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
    engine_selection: str
    round_starter: str
    first_round_starter: str
    hand_size: int


@dataclass(frozen=True, kw_only=True)
class ClientSeed(Answer):
    """The caller's contribution to the deal of ``round``."""

    seat: int
    seed: str
    round: int | None
    commitment: str | None


@dataclass(frozen=True, kw_only=True)
class RecordSeat(Answer):
    """The player of a seat in a record. A record may leave out any of these fields."""

    seat: int | None = None
    name: str = ""
    kind: Kind = "person"
    level: str | None = None
    forfeited: bool = False


@dataclass(frozen=True, kw_only=True)
class RecordMove(Answer):
    """A move in a record. ``number`` is its place in the log."""

    number: int | None = None
    seat: int
    move: str
    keep_marker: bool = False
    by: By | None = None


@dataclass(frozen=True, kw_only=True)
class RecordRound(Answer):
    """A round in a record. It contains the whole ``order``, or else the ``hands`` and the ``boneyard``."""

    number: int | None = None
    engine: str | None = None
    first_seat: int | None = None
    starter: int | None = None
    order: tuple[str, ...] | None = None
    hands: tuple[tuple[str, ...], ...] | None = None
    boneyard: tuple[str, ...] | None = None
    secret: str | None = None
    commitment: str | None = None
    client_seeds: tuple[str, ...] = ()
    moves: tuple[RecordMove, ...]
    ended: Ended | None = None
    out: int | None = None
    points: tuple[int, ...] | None = None
    totals: tuple[int, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class Record(Answer):
    """A match as one document. Write ``raw`` to a file. Fields that a record leaves out are ``None`` or empty here."""

    mexican_train: int
    headers: Mapping[str, str] = field(default_factory=dict)
    table: str | None = None
    preset: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    engine_version: int | None = None
    seats: tuple[RecordSeat, ...]
    rounds: tuple[RecordRound, ...]
    finished: bool | None = None
    winners: tuple[int, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class RecordPlace(Answer):
    """A place in a record: ``line`` and ``column`` in a text, or the ``field`` in a document."""

    round: int | None
    number: int | None
    line: int | None
    column: int | None
    field: str | None


@dataclass(frozen=True, kw_only=True)
class RecordFault(Answer):
    """The first error in a record. ``reason`` and ``option`` are set if it is an illegal move."""

    code: str
    detail: str
    where: RecordPlace
    reason: Reason | None
    option: str | None


@dataclass(frozen=True, kw_only=True)
class CheckedRecord(Answer):
    """The result of a ``valid`` record, or else its ``fault``. ``fair`` says whether its deals could be verified."""

    valid: bool
    fault: RecordFault | None = None
    finished: bool | None = None
    rounds: int | None = None
    moves: int | None = None
    totals: tuple[int, ...] | None = None
    winners: tuple[int, ...] | None = None
    fair: Literal["verified", "partly_verified", "not_stated"] | None = None


@dataclass(frozen=True, kw_only=True)
class Delivery(Answer):
    """A message to a webhook and its state. The ``id`` is the same for every attempt."""

    id: str
    event: Literal["your_turn", "table_finished", "test"]
    table: str | None
    number: int | None
    created_at: datetime
    outcome: Literal["waiting", "delivered", "failed", "obsolete"]
    attempts: int
    last_status: int | None
    last_failure: str | None
    next_attempt_at: datetime | None
    ended_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class Webhook(Answer):
    """An https URL to which the server sends ``events``. ``failures`` is the number of consecutive failed attempts."""

    id: str
    url: str
    events: tuple[WebhookEvent, ...]
    enabled: bool
    disabled_reason: Literal["by_player", "gone", "failing"] | None
    failures: int
    failing_since: datetime | None
    created_at: datetime
    last_delivery: Delivery | None


@dataclass(frozen=True, kw_only=True)
class NewWebhook(Webhook):
    """A webhook with the secret that signs its messages. The server sends the secret only once."""

    secret: str = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class ExportedPlayer(Answer):
    """What the server stores about the player."""

    id: str
    kind: Kind
    name: str
    username: str | None
    has_password: bool
    is_active: bool
    is_staff: bool
    is_superuser: bool
    has_webhooks: bool
    groups: tuple[str, ...]
    permissions: tuple[str, ...]
    created_at: datetime
    last_login: datetime | None
    deleted_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class ExportedTable(Answer):
    """A table where the player sits or which they host, with the URLs of its moves and its record."""

    id: str
    name: str
    status: Status
    is_host: bool
    seat: int | None
    shown_name: str | None
    has_left: bool | None
    total: int | None
    stand_in: str | None
    stand_in_until: str | None
    timeouts: int | None
    client_seed: str | None
    client_seeds: tuple[str, ...]
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    moves: str
    record: str


@dataclass(frozen=True, kw_only=True)
class ExportedDelivery(Delivery):
    """A message to a webhook, with its body."""

    body: str


@dataclass(frozen=True, kw_only=True)
class ExportedWebhook(Answer):
    """A webhook without its secret, and its messages of the last week."""

    id: str
    url: str
    events: tuple[WebhookEvent, ...]
    disabled_reason: Literal["by_player", "gone", "failing"] | None
    failures: int
    failing_since: datetime | None
    created_at: datetime
    deliveries: tuple[ExportedDelivery, ...]


@dataclass(frozen=True, kw_only=True)
class ExportedAction(Answer):
    """An action of the player in the admin."""

    at: datetime
    action: str
    model: str | None


@dataclass(frozen=True, kw_only=True)
class Export(Answer):
    """Everything that the server stores about the caller."""

    exported_at: datetime
    player: ExportedPlayer
    sessions: tuple[Session, ...]
    handover_expires_at: datetime | None
    tables: tuple[ExportedTable, ...]
    webhooks: tuple[ExportedWebhook, ...]
    admin_actions: tuple[ExportedAction, ...]


@dataclass(frozen=True, kw_only=True)
class Moved(Answer):
    """Event: a move was made. ``turn`` is the seat to move now. ``tile`` is the laid tile; drawn tiles are hidden."""

    version: int
    number: int
    round: int
    seat: int
    move: str
    keep_marker: bool = False
    type: MoveType
    tile: str | None = None
    train: str | None = None
    place: str | None = None
    by: By
    at: datetime
    turn: int | None
    said: str | None = None


@dataclass(frozen=True, kw_only=True)
class RoundEnded(Answer):
    """Event: a round ended."""

    version: int
    round: int
    result: RoundResult
    said: str | None = None


@dataclass(frozen=True, kw_only=True)
class RoundDealt(Answer):
    """Event: a round was dealt."""

    version: int
    round: int
    engine: str
    starter: int
    commitment: str
    said: str | None = None


@dataclass(frozen=True, kw_only=True)
class SeatChanged(Answer):
    """Event: a player sat down, left, or came back."""

    version: int
    seat: int
    player: Player | None
    away: bool
    forfeited: bool
    said: str | None = None


@dataclass(frozen=True, kw_only=True)
class TableChanged(Answer):
    """Event: the match started or ended, or the table changed. ``changed`` are the names of the changed fields."""

    version: int
    changed: tuple[str, ...]
    status: Status
    host: str | None
    ended_reason: EndedReason | None
    winners: tuple[int, ...] | None
    next_table: str | None = None
    said: str | None = None


@dataclass(frozen=True, kw_only=True)
class Warned(Answer):
    """Event: a quarter of the seat's turn is left, in turns of at least a minute. It has no version."""

    seat: int
    deadline: datetime
    server_time: datetime


@dataclass(frozen=True, kw_only=True)
class Missed(Answer):
    """Event: earlier events are no longer available. The events after ``position`` follow."""

    version: int
    position: Position


@dataclass(frozen=True, kw_only=True)
class MyTableChanged(Answer):
    """Event of ``my_events``: the current state of a table where the caller sits, after a change.

    ``id`` is opaque: ``my_events(since=id)`` continues after this event.
    """

    id: str = field(default="", repr=False, compare=False)
    table: str
    version: int
    your_turn: bool
    status: Status


Event = Moved | RoundEnded | RoundDealt | SeatChanged | TableChanged | Warned | Missed
