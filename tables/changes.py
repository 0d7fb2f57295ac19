"""What one transaction changes at a table. ``deciding`` collects it, and ``writing`` writes it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from rules.game import AnyState
from tables import events
from tables.dealing import Commitment, DealtRound, MatchFacts
from tables.events import NewEvent
from tables.models import By, Status
from tables.outcome import MoveFacts
from tables.snapshots import LastMove, SeatFacts, Snapshot


@dataclass(frozen=True, slots=True)
class NewMove:
    """A move to be written. ``round`` is the round's number."""

    round: int
    number: int
    seat: int
    text: str
    by: By
    at: datetime


@dataclass(frozen=True, slots=True)
class Sources:
    """Functions that load what only some decisions need, such as the end of a round. They are called only then."""

    match: Callable[[UUID], MatchFacts]
    log: Callable[[UUID], Sequence[MoveFacts]]
    secret: Callable[[], bytes]


@dataclass(slots=True)
class Changes:
    """What one transaction changes at a table, and the state after it.

    ``at`` is when the moves take effect, which is after the table was locked. ``deadline`` is the deadline of a turn
    that goes on; it is ``None`` once a turn has ended. ``waits_since`` is set for a move of the seat to move: the time
    from then on does not count against its turn. ``before`` is the state before the newest move. ``turn_begins`` is the
    place in the log where the current turn begins, if it begins in this transaction. ``columns`` are columns of the
    table that only some changes set. ``left`` are the seats whose players have left; it is set when the match ends.
    """

    snapshot: Snapshot
    sources: Sources
    at: datetime
    state: AnyState
    round: int
    next_number: int
    rounds_played: int
    deadline: datetime | None
    seats: list[SeatFacts]
    waits_since: datetime | None = None
    before: AnyState | None = None
    turn_begins: int | None = None
    moves: list[NewMove] = field(default_factory=list)
    events: list[NewEvent] = field(default_factory=list)
    results: list[dict[str, Any]] = field(default_factory=list)
    deals: list[DealtRound] = field(default_factory=list)
    commitments: list[Commitment] = field(default_factory=list)
    columns: dict[str, Any] = field(default_factory=dict)
    left: set[int] = field(default_factory=set)
    match: MatchFacts | None = None

    @classmethod
    def to(cls, snapshot: Snapshot, sources: Sources, at: datetime) -> "Changes":
        """Return empty changes to a match in play."""
        assert snapshot.state is not None
        assert snapshot.round is not None
        return cls(
            snapshot=snapshot,
            sources=sources,
            at=at,
            state=snapshot.state,
            round=snapshot.round.number,
            next_number=snapshot.next_number,
            rounds_played=snapshot.rounds_played,
            deadline=snapshot.deadline,
            seats=list(snapshot.seats),
        )

    @property
    def is_playing(self) -> bool:
        return bool(self.columns.get("status", Status.PLAYING) == Status.PLAYING)

    @property
    def sets_clock(self) -> bool:
        """Whether the write sets the clock: after a move, a deal or the end, or if another player or bot moves now."""
        if self.moves or self.deals or not self.is_playing:
            return True
        turn: int = self.state.turn
        return self.seat.level != self.snapshot.seats[turn].level

    @property
    def version(self) -> int:
        """The table's version after the write. Each event adds one."""
        return self.snapshot.version + len(self.events)

    @property
    def seat(self) -> SeatFacts:
        """The seat to move."""
        turn: int = self.state.turn
        return self.seats[turn]

    @property
    def match_facts(self) -> MatchFacts:
        """Loaded at the first use, and then updated by the decisions made here."""
        if self.match is None:
            self.match = self.sources.match(self.snapshot.id)
        return self.match

    def after(self, columns: dict[str, Any]) -> Snapshot | None:
        """Return the table after the write of these columns; ``None`` if more has changed than moves of the round."""
        if self.deals or self.columns:
            return None
        return self.snapshot.advanced(
            (self.before or self.snapshot.before_last_move or self.state, self.state),
            [LastMove(move.number, move.seat, move.text, move.by) for move in self.moves],
            version=self.version,
            seats=tuple(self.seats),
            next_number=columns["next_number"],
            turn=columns["turn"],
            deadline=columns["deadline"],
            turn_on_timeout=columns["turn_on_timeout"],
        )


def reseat(changes: Changes, number: int, **facts: Any) -> None:
    """Change facts of a seat. Adds an event if ``is_away`` or ``is_forfeited`` changes."""
    before = changes.seats[number]
    seat = changes.seats[number] = replace(before, **facts)
    if (seat.is_away, seat.is_forfeited) != (before.is_away, before.is_forfeited):
        add_seat_event(changes, seat)


def add_seat_event(changes: Changes, seat: SeatFacts) -> None:
    facts = {"is_away": seat.is_away, "is_forfeited": seat.is_forfeited}
    changes.events.append(events.seat_changed(seat.number, seat.player, **facts))
