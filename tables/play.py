"""How moves enter the log. Persons, bots and the clock all use this module."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from players.models import Player
from rest.problems import Invalid
from rules.errors import BadMoveField, IllegalMove
from rules.tiles import Tile
from tables import memory, outages, refusals, repository, schedule
from tables.changes import Changes, reseat
from tables.deciding import end_if_nobody_can_win, let_clock_play, make, pass_for_the_stuck
from tables.models import BOUND, By, StandIn, Status, Table
from tables.models import Move as MoveRow
from tables.outages import TurnTime
from tables.snapshots import SeatFacts, Snapshot
from tables.translating import translated
from tables.writing import write, write_if_unchanged

PLACE_TAKEN = "one_move_of_a_number"
"""The names of both constraints on a move's number begin with this."""


@dataclass(frozen=True, slots=True)
class Submitted:
    """A move in the log, and the table after it. ``is_new`` is false if the log had the move already."""

    number: int
    move: str
    is_new: bool
    snapshot: Snapshot
    drawn: tuple[Tile, ...]


def submit_move(
    table: UUID, player: UUID | None, move: Any, number: int, at: datetime, version: int | None = None
) -> Submitted:
    """Submit a person's move that was received ``at``. The next bot is notified after the commit.

    ``version`` is the table's version, if the caller has just read it. Then most moves need no lock.

    Raises ``NotFound`` or a kind of ``MoveRefused``; then nothing has changed. If the log has this move of this seat at
    ``number`` already, that is no error, so a client can always send it again.
    """
    try:
        submitted = submit_unlocked(table, player, move, number, at, version)
        return with_time_left(submitted or submit_under_lock(table, player, move, number, at))
    except IntegrityError as second:
        # The constraint is the last guard, for a move that was written without the lock.
        fresh = memory.load(table)
        if fresh is None or PLACE_TAKEN not in str(second):
            raise
        raise refusals.Stale(fresh, number) from second


def with_time_left(taken: Submitted) -> Submitted:
    """Return the same with the table loaded again, if its deadline has passed because the database froze."""
    deadline = taken.snapshot.deadline
    if deadline is None or timezone.now() <= deadline or not outages.look_now():
        return taken
    fresh = memory.load(taken.snapshot.id)
    assert fresh is not None
    return replace(taken, snapshot=fresh)


def submit_unlocked(
    table: UUID, player: UUID | None, move: Any, number: int, at: datetime, version: int | None
) -> Submitted | None:
    """Submit a move in one statement, which writes only if the table still has this version.

    Returns ``None`` if the move must be submitted under a lock: this process does not remember the version, the table
    is locked or has another version by now, more must be written than moves within a round, or the move would be
    refused. A refusal must wait for another move that is being written.
    """
    snapshot = memory.find(table, version)
    if snapshot is not None:
        with suppress(refusals.MoveRefused):
            return submit_to(snapshot, player, move, number, at, write_if_unchanged)
    return None


@transaction.atomic
def submit_under_lock(table: UUID, player: UUID | None, move: Any, number: int, at: datetime) -> Submitted:
    snapshot = memory.load(table, repository.lock(table))
    if snapshot is None:
        raise refusals.NotFound
    submitted = submit_to(snapshot, player, move, number, at, write)
    assert submitted is not None
    return submitted


def submit_to(
    snapshot: Snapshot,
    player: UUID | None,
    move: Any,
    number: int,
    at: datetime,
    write_changes: Callable[[Changes], Snapshot | None],
) -> Submitted | None:
    """Decide what the move changes at this table, and write it. Returns ``None`` if ``write_changes`` does."""
    seat = snapshot.seat_of(player)
    if seat is None:
        raise refusals.NotSeated(snapshot)
    if number < snapshot.next_number and (stands := same_move_in_log(snapshot, seat.number, move, number)):
        return Submitted(number, stands.text, is_new=False, snapshot=snapshot, drawn=drawn_by(stands, snapshot))
    time = time_of(snapshot, at)
    is_late = time.deadline is not None and at > time.deadline
    check_turn(snapshot, seat, number, is_late=is_late, is_out_of_turn=snapshot.rules.is_out_of_turn(move))
    changes = Changes.to(snapshot, repository.SOURCES, max(at, timezone.now()))
    if seat.number == snapshot.turn:
        changes.deadline, changes.waits_since = time.deadline, time.waits_since
    before = changes.state
    check_move(changes, seat.number, move)
    make(changes, move, By.PERSON, seat.number)
    is_own = snapshot.rules.drawer(move, seat.number) == seat.number
    (drawn,) = snapshot.rules.drawn_tiles(before, [move]) if is_own else ((),)
    if seat.stand_in or seat.timeouts:
        reseat(changes, seat.number, stand_in="", stand_in_until=StandIn.NOBODY, timeouts=0)
    pass_for_the_stuck(changes)
    written = write_changes(changes)
    if written is None:
        return None
    return Submitted(number, snapshot.rules.text(move), is_new=True, snapshot=written, drawn=drawn)


def same_move_in_log(snapshot: Snapshot, seat: int, move: Any, number: int) -> MoveRow | None:
    """Return the log's entry at this number, if it is this move of this seat."""
    moves = MoveRow.objects.filter(table_id=snapshot.id, number=number, seat=seat, text=snapshot.rules.text(move))
    return moves.select_related("round", "table").first()


def drawn_by(stands: MoveRow, snapshot: Snapshot) -> tuple[Tile, ...]:
    """Return the tiles that a move in any round took for its own seat, which may always see them."""
    if snapshot.rules.drawer(snapshot.rules.parse(stands.text), stands.seat) != stands.seat:
        return ()
    log = stands.round.moves.filter(number__lte=stands.number).order_by("number").values_list("text", flat=True)
    return repository.drawn_last(stands.table, len(snapshot.seats), stands.round, log)


def time_of(snapshot: Snapshot, received_at: datetime) -> TurnTime:
    """Return the time of the turn for a request of its player. Outages are loaded only where they could matter."""
    now = timezone.now()
    is_prompt = now - received_at <= schedule.MOMENT
    if snapshot.deadline is None or (is_prompt and now + schedule.LEAST <= snapshot.deadline):
        return TurnTime(snapshot.deadline, received_at)
    return outages.time_of(snapshot.id, received_at)


def check_turn(snapshot: Snapshot, seat: SeatFacts, number: int, *, is_late: bool, is_out_of_turn: bool) -> None:
    """Refuse a wrong number, a wrong seat and a late move. If several are true, the first of these is raised.

    A move out of turn needs a seat, but not the turn.
    """
    must_be_playing(snapshot)
    if number != snapshot.next_number:
        raise refusals.Stale(snapshot, number)
    if seat.stand_in_until in BOUND:
        raise refusals.BackNextRound(snapshot)
    if seat.number != snapshot.turn:
        if is_out_of_turn and not seat.is_forfeited:
            return
        raise refusals.NotYourTurn(snapshot)
    if not seat.may_move_itself or is_late:
        raise refusals.TooLate(snapshot)


def must_be_playing(snapshot: Snapshot) -> None:
    if snapshot.status == Status.OPEN:
        raise refusals.NotStarted(snapshot)
    if not snapshot.is_playing:
        raise refusals.MatchOver(snapshot)


def check_is_to_move(snapshot: Snapshot, player: UUID) -> None:
    """Refuse players who do not sit here, and players who are not to move."""
    seat = snapshot.seat_of(player)
    if seat is None:
        raise refusals.NotSeated(snapshot)
    must_be_playing(snapshot)
    if seat.number != snapshot.turn:
        raise refusals.NotYourTurn(snapshot)
    if seat.stand_in_until in BOUND:
        raise refusals.BackNextRound(snapshot)
    if not seat.may_move_itself:
        raise refusals.TooLate(snapshot)


def check_move(changes: Changes, seat: int, move: Any) -> None:
    """Refuse what depends on the seat that moves, and what the rules accept without effect."""
    try:
        changes.snapshot.rules.check(changes.state, seat, move)
    except IllegalMove as refusal:
        raise refusals.Illegal(changes.snapshot, refusal.reason) from refusal
    except BadMoveField as wrong:
        detail = translated(wrong.detail)
        raise Invalid(detail, [{"field": wrong.field, "code": "invalid", "detail": detail}]) from wrong


@transaction.atomic
def submit_bot_move(table: UUID, number: int, move: Any, at: datetime) -> bool:
    """Write a bot's move, which was chosen before this transaction.

    Returns False and changes nothing if the table has moved on since.
    """
    snapshot = memory.load(table, repository.lock(table))
    if snapshot is None or not waits_for_bot(snapshot, number):
        return False
    changes = Changes.to(snapshot, repository.SOURCES, max(at, timezone.now()))
    make(changes, move, By.BOT)
    pass_for_the_stuck(changes)
    write(changes)
    return True


def waits_for_bot(snapshot: Snapshot, number: int) -> bool:
    """Whether the table is at this number and a bot is to move."""
    return snapshot.is_playing and snapshot.next_number == number and mover(snapshot).level is not None


def mover(snapshot: Snapshot) -> SeatFacts:
    """Return the seat to move. The match must be on."""
    assert snapshot.turn is not None
    return snapshot.seats[snapshot.turn]


@transaction.atomic
def let_clock_act(table: UUID, caller: Player, at: datetime, number: int | None = None) -> bool:
    """Apply a timeout that is due, before somebody at the table leaves or comes back.

    Otherwise that call could avoid the timeout. ``number`` is the seat that the call is about, by default the caller's
    own. If that seat is to move, the clock acts without its grace period, because no move of that turn can follow.
    Calls about other seats leave the grace period as it is. Returns whether that seat was late.
    """
    overdue = Table.objects.filter(Table.objects.all().is_member(caller), pk=table, deadline__lt=at)
    if not overdue.exists():
        return False
    repository.lock_previous(table)  # locked first, because the caller may lock it later in this transaction
    snapshot = memory.load(table, repository.lock(table))
    if snapshot is None or not snapshot.is_playing or mover(snapshot).level is not None or snapshot.deadline is None:
        return False
    is_about_mover = mover(snapshot).player == caller.id if number is None else number == snapshot.turn
    if at <= snapshot.deadline:
        return False
    acts_at = max(at, snapshot.deadline + schedule.GRACE) if is_about_mover else at
    return time_out(table, snapshot.next_number, acts_at) and is_about_mover


@transaction.atomic
def time_out(table: UUID, number: int, at: datetime) -> bool:
    """Do what ``on_timeout`` says, if the time is really over. Returns False if it is not.

    If outages have extended the deadline, the new deadline is written instead.
    """
    snapshot = memory.load(table, repository.lock(table))
    if snapshot is None or not is_overdue(snapshot, number, at):
        return False
    counted = outages.time_of(table).deadline
    assert counted is not None
    if at < counted + schedule.GRACE:
        outages.catch_up(table)
        return False
    changes = Changes.to(snapshot, repository.SOURCES, max(at, timezone.now()))
    let_clock_play(changes)
    write(changes)
    return True


def is_overdue(snapshot: Snapshot, number: int, at: datetime) -> bool:
    """Whether the table is at this number and the time of its person is over, including the grace period."""
    is_here = snapshot.is_playing and snapshot.next_number == number and mover(snapshot).level is None
    return is_here and snapshot.deadline is not None and at >= snapshot.deadline + schedule.GRACE


@transaction.atomic
def end_if_forfeited_by_others(table: UUID, at: datetime) -> None:
    """After a player was deleted: end the match if all other persons have forfeited."""
    snapshot = memory.load(table, repository.lock(table))
    if snapshot is None or not snapshot.is_playing or not any(seat.is_forfeited for seat in snapshot.seats):
        return
    changes = Changes.to(snapshot, repository.SOURCES, max(at, timezone.now()))
    end_if_nobody_can_win(changes)
    if not changes.is_playing:
        write(changes)
