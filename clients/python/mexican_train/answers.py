"""What the server answers, as frozen dataclasses. Fields that a newer server adds are in ``raw``.

Seats are numbers from 0, tiles are texts such as ``"12-7"``, trains ``"0"`` for seat 0's and ``"mexican"``, ids of
tables and players are UUIDs as text, times are aware ``datetime``s. A list of words (``Literal``) may grow with the
server.
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
class Handover(Answer):
    """A code to go on with at another device: good once, until it expires."""

    code: str = field(repr=False)
    expires_at: datetime


@dataclass(frozen=True, kw_only=True)
class Session(Answer):
    """A token of the player, without the token; ``current`` is the one of this call."""

    id: str
    created_at: datetime
    last_used_at: datetime | None
    current: bool


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
    played: int
    left: int
    forfeited: int
    wins: int
    average_points_a_round: float | None


@dataclass(frozen=True, kw_only=True)
class Seat(Answer):
    """A seat of a table: ``away`` means that a bot stands in for its player."""

    seat: int
    player: Player | None
    away: bool
    forfeited: bool
    total: int
    tile_count: int


@dataclass(frozen=True, kw_only=True)
class Invite(Answer):
    """What lets a player take a seat."""

    code: str
    url: str


@dataclass(frozen=True, kw_only=True)
class ClockProposal(Answer):
    """A clock that is proposed for a running match; ``agreed`` and ``waiting_for`` are seats."""

    turn_seconds: int | None
    on_timeout: OnTimeout
    agreed: tuple[int, ...]
    waiting_for: tuple[int, ...]


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
    """One page of a list, and what of the query is otherwise for the next; nothing after the last."""

    results: tuple[T_co, ...]
    following: Mapping[str, Any]
    etag: str | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, kw_only=True)
class Invitation(Answer):
    """What an invite is to; ``host`` is a name. ``table`` is there where others than its players may see it."""

    name: str
    host: str | None
    status: Status
    free_seats: int
    table: Table | None


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
class ValueTold(Answer):
    """What an option is set to, and what that means."""

    value: Any
    words: str


@dataclass(frozen=True, kw_only=True)
class Difference(Answer):
    """An option that two rule sets have otherwise: what it decides, either's value, and all of it in one text."""

    option: str
    meaning: str
    a: ValueTold
    b: ValueTold
    sentence: str


@dataclass(frozen=True, kw_only=True)
class PresetDifferences(Answer):
    """What two rule sets have otherwise."""

    a: str
    b: str
    differences: tuple[Difference, ...]


@dataclass(frozen=True, kw_only=True)
class SheetSection(Answer):
    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class OwnRule(Answer):
    """An option that is not as usual, in words too."""

    option: str
    value: Any
    sentence: str


@dataclass(frozen=True, kw_only=True)
class RuleSheet(Answer):
    """The rules of a table in whole sentences, and those of them that are its own."""

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
    place: str | None = None
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
    """What everybody sees of a seat; ``tiles`` only where hands are open. A free seat has no name and no kind."""

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
    ended: Ended
    out: int | None
    points: tuple[int, ...]
    totals: tuple[int, ...]
    hands: tuple[tuple[str, ...], ...]
    forfeited: tuple[bool, ...]


@dataclass(frozen=True, kw_only=True)
class LastMove(Answer):
    """The newest entry of the log. Drawn tiles are there for who drew them, and for all after the round."""

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
    last_move: LastMove | None
    may_be_called: int | None
    you: You | None
    last_round: RoundResult | None
    winners: tuple[int, ...] | None
    ended_reason: EndedReason | None
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
    """A place in the log; drawn tiles are told to their drawer, and to all once the round is over.

    ``tile`` is the one laid, or of a draw the one drawn.
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
    """How a finished round was dealt, for anybody to check against its commitment.

    A record from elsewhere may have come without a secret; then there is nothing to check.
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
    """The caller's own contribution to the deal of ``round``."""

    seat: int
    seed: str
    round: int | None
    commitment: str | None


@dataclass(frozen=True, kw_only=True)
class RecordSeat(Answer):
    """Who sat in a seat, as far as the record says so."""

    seat: int | None = None
    name: str = ""
    kind: Kind = "person"
    level: str | None = None
    forfeited: bool = False


@dataclass(frozen=True, kw_only=True)
class RecordMove(Answer):
    """A move of a record; ``number`` is its place in the log."""

    number: int | None = None
    seat: int
    move: str
    keep_marker: bool = False
    by: By | None = None


@dataclass(frozen=True, kw_only=True)
class RecordRound(Answer):
    """A round of a record: dealt from the whole ``order``, or with the ``hands`` and the ``boneyard`` told."""

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
    """A match as one document. What goes into a file is ``raw``; what a record leaves out is ``None`` here or empty."""

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
    """Where in a record: line and column of a text, the field of a document."""

    round: int | None
    number: int | None
    line: int | None
    column: int | None
    field: str | None


@dataclass(frozen=True, kw_only=True)
class RecordFault(Answer):
    """The first thing that is wrong with a record; ``reason`` and ``option`` are an illegal move's."""

    code: str
    detail: str
    where: RecordPlace
    reason: Reason | None
    option: str | None


@dataclass(frozen=True, kw_only=True)
class CheckedRecord(Answer):
    """What a record comes to if it is ``valid``, or else its ``fault``; ``fair``: whether its deals are proved."""

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
    """A message to a webhook, and what has become of it; ``id`` is the message's own, at every attempt."""

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
    """An https address that the server tells of ``events``; ``failures`` are its attempts in vain, in a row."""

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
    """A webhook with the secret that its messages are signed with, which is shown this once."""

    secret: str = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class ExportedPlayer(Answer):
    """What the server keeps about the player themself."""

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
    """A table where the player sits or which they host, with the addresses of its moves and its record."""

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
    """A webhook with its messages of the last week, without its secret."""

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
    """Everything that the server keeps about the caller."""

    exported_at: datetime
    player: ExportedPlayer
    sessions: tuple[Session, ...]
    handover_expires_at: datetime | None
    tables: tuple[ExportedTable, ...]
    webhooks: tuple[ExportedWebhook, ...]
    admin_actions: tuple[ExportedAction, ...]


@dataclass(frozen=True, kw_only=True)
class Moved(Answer):
    """Event: a move was made; ``turn`` is the seat to move now. ``tile`` is the one laid; what is drawn is hidden."""

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
    """Event: somebody sat down, left, or came back."""

    version: int
    seat: int
    player: Player | None
    away: bool
    forfeited: bool
    said: str | None = None


@dataclass(frozen=True, kw_only=True)
class TableChanged(Answer):
    """Event: the table started, ended, or changed otherwise: ``changed`` are the names of its fields that did."""

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
    """Event: a quarter of a turn of a minute or more is left, and this seat is to move. It belongs to no version."""

    seat: int
    deadline: datetime
    server_time: datetime


@dataclass(frozen=True, kw_only=True)
class Missed(Answer):
    """Event: what happened before cannot be told any more; everything after ``position`` follows."""

    version: int
    position: Position


@dataclass(frozen=True, kw_only=True)
class MyTableChanged(Answer):
    """Event of ``my_events``: a table where the caller sits has changed, and this is how it is now.

    ``id`` is opaque: ``my_events(since=id)`` goes on after this event.
    """

    id: str = field(default="", repr=False, compare=False)
    table: str
    version: int
    your_turn: bool
    status: Status


Event = Moved | RoundEnded | RoundDealt | SeatChanged | TableChanged | Warned | Missed
