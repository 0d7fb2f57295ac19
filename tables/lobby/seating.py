"""Taking a seat, leaving it and coming back, and bots in seats."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from players.accounts import lock_active_player
from players.models import Kind, Player
from tables import deciding_seats, outages, play, refusals, schedule
from tables.changes import Changes
from tables.invites import codes_in, invited_to
from tables.lobby import absence, changing, ending, hosts, locking, opening, takeover
from tables.lobby.matches import changes_in
from tables.models import LEFT, EndedReason, Event, EventKind, Seat, StandIn, Status, Table, Visibility


@dataclass(frozen=True, slots=True)
class Taken:
    """A seat and its table. ``is_new`` is false if the seat was the caller's already."""

    table: Table
    seat: Seat
    is_new: bool


def join(invite: str, caller: Player, number: int | None, received_at: datetime | None = None) -> Taken:
    """Take a seat with an invite's code or link. Raises ``UnknownInvite``, and whatever ``take_seat`` raises."""
    table = invited_to(invite)
    if table is None:
        raise refusals.UnknownInvite
    return take_seat(table.id, caller, number, invite, received_at=received_at)


def take_seat(
    table_id: UUID,
    caller: Player,
    number: int | None,
    invite: str | None = None,
    *,
    received_at: datetime | None = None,
) -> Taken:
    """Take a seat, or any free one if ``number`` is None. A player who sits here already comes back to that seat.

    ``received_at`` is when the request arrived, by default now. It decides whether the time of a turn was over.
    """
    at = received_at or timezone.now()
    play.let_clock_act(table_id, caller, at)  # committed even if this call is refused, unless it has an idempotency key
    return sit_down(table_id, caller, number, invite, at)


@transaction.atomic
def sit_down(table_id: UUID, caller: Player, number: int | None, invite: str | None, received_at: datetime) -> Taken:
    table = locking.locked(table_id)
    lock_active_player(caller)
    seats = list(table.seats.select_related("player"))
    own = next((seat for seat in seats if seat.player_id == caller.id), None)
    if own is not None:
        come_back(table, own, received_at)
        return Taken(table, own, is_new=False)
    may_return(table, caller)
    may_enter(table, caller, invite)
    locking.must_be(table, Status.OPEN)
    seat = free_seat(seats, number)
    fill(table, seat, caller)
    return Taken(table, seat, is_new=True)


def fill(table: Table, seat: Seat, player: Player) -> None:
    """Seat a player in a free seat of an open table."""
    seat.give_to(player)
    seat.save(update_fields=("player", "shown_name"))
    changing.change_seat(table, seat)


def may_enter(table: Table, caller: Player, invite: str | None) -> None:
    """Check whether the caller may sit down. Anybody may at a public table.

    At a private table these may: the host, a caller with the invite, and a player of the match of which it is a
    rematch. Raises ``InviteNeeded``, or ``NotFound`` if the caller may not see the table.
    """
    if table.previous_table_id and Seat.objects.filter(table=table.previous_table_id, player=caller).exists():
        return
    knows_code = invite is not None and table.invite_code in codes_in(invite)
    if table.visibility == Visibility.PUBLIC or knows_code or table.host_id == caller.id:
        return
    raise refusals.InviteNeeded if locking.is_visible(table, caller) else refusals.NotFound


def free_seat(seats: list[Seat], number: int | None) -> Seat:
    if number is None:
        free = next((seat for seat in seats if seat.player_id is None), None)
        if free is None:
            raise refusals.TableFull
        return free
    seat = seat_at(seats, number)
    if seat.player_id is not None:
        raise refusals.SeatTaken
    return seat


def seat_at(seats: list[Seat], number: int) -> Seat:
    if number >= len(seats):
        raise refusals.NoSuchSeat
    return seats[number]


def come_back(table: Table, seat: Seat, received_at: datetime) -> None:
    """Let the player take over from the bot that stood in. Raises ``SeatForfeited``.

    If the request arrived before the deadline, the player keeps the time that was left then.
    """
    if table.status not in {Status.OPEN, Status.PLAYING}:
        return
    if seat.is_forfeited:
        raise refusals.SeatForfeited
    if seat.stand_in_until == StandIn.NEXT_ROUND and table.status == Status.PLAYING:
        seat.stand_in_until = StandIn.ROUND  # still away, so nothing changes for others
        seat.save(update_fields=("stand_in_until",))
    if seat.stand_in_until not in LEFT:
        return
    if table.status == Status.OPEN:
        seat.stand_in, seat.stand_in_until = "", StandIn.NOBODY
        seat.save(update_fields=("stand_in", "stand_in_until"))
        changing.change(table, changing.seat_event(seat))
        return
    with changes_in(table) as changes:
        is_late = changes.state.turn == seat.number and not keep_time_left(changes, received_at)
        deciding_seats.bring_back(changes, seat.number, is_late=is_late)


def keep_time_left(changes: Changes, received_at: datetime) -> bool:
    """Whether a request of the player to move arrived before the turn's time was over.

    If so, the deadline moves by the time that the request has waited.
    """
    time = outages.time_of(changes.snapshot.id, received_at)
    if time.deadline is None or time.waits_since is None:
        return True
    if received_at > time.deadline:
        return False
    changes.deadline = schedule.carried_on(time.deadline, time.waits_since, timezone.now())
    return True


def leave_seat(
    table_id: UUID, caller: Player, number: int, player: UUID | None = None, *, received_at: datetime | None = None
) -> None:
    """Empty a seat of an open table. In a match, a bot plays the seat until its player is back.

    With ``player``, only if that player sits there. A seat that is empty, or played by a bot already, stays as it is.
    """
    was_late = play.let_clock_act(table_id, caller, received_at or timezone.now(), number)
    try:
        stand_up(table_id, caller, number, player, was_late=was_late)
    except refusals.NotFound:
        if not has_sat(table_id, caller, number):
            raise


def has_sat(table_id: UUID, caller: Player, number: int) -> bool:
    """Whether the caller has sat in this seat. If so, leaving it again is no error, even if the table is hidden now."""
    sat = {"seat": number, "player": str(caller.id)}
    return Event.objects.filter(table=table_id, kind=EventKind.SEAT, data__contains=sat).exists()


@transaction.atomic
def stand_up(table_id: UUID, caller: Player, number: int, player: UUID | None, *, was_late: bool) -> None:
    table = locking.locked_for_viewer(table_id, caller)
    seat = seat_at(list(table.seats.select_related("player")), number)
    if seat.player is None or player not in {None, seat.player_id}:
        return
    is_own = seat.player_id == caller.id
    if not is_own:
        takeover.may_empty(table, seat, caller, was_late=was_late)
    if seat.is_away and table.status != Status.OPEN:
        if is_own:
            stay_away(seat)
        return
    locking.must_be(table, Status.OPEN, Status.PLAYING)
    if table.status == Status.PLAYING and seat.player.kind == Kind.BOT:
        raise refusals.TablePlaying(gettext("A bot cannot leave its seat during a match."))
    is_hosts = seat.player_id == table.host_id
    if not is_own:
        note_removed(table, seat.player)
    give_seat_on(table, seat)
    if is_hosts:
        pass_host_on(table, seat.number)


def note_removed(table: Table, player: Player) -> None:
    """Note whom the host removes from a rematch. They may not return by asking for it again."""
    if table.status == Status.OPEN and table.previous_table_id and player.kind == Kind.PERSON:
        table.removed = [*(table.removed or ()), player.id]
        table.save(update_fields=("removed",))


def may_return(table: Table, caller: Player) -> None:
    if caller.id in (table.removed or ()):
        raise refusals.RemovedByHost


def give_seat_on(table: Table, seat: Seat) -> None:
    """Free the seat of an open table; in a match, let a bot take over."""
    if table.status == Status.OPEN:
        seat.give_to(None)
        seat.client_seed, seat.stand_in, seat.stand_in_until = "", "", StandIn.NOBODY
        seat.save(update_fields=("player", "shown_name", "client_seed", "stand_in", "stand_in_until"))
        changing.change_seat(table, seat)
    else:
        stay_away(seat)
        with changes_in(table) as changes:
            deciding_seats.let_bot_take_over(changes, seat.number)


def stay_away(seat: Seat) -> None:
    """Undo the return of a player who leaves again before the next round, from which they would have played."""
    if seat.stand_in_until == StandIn.ROUND:
        seat.stand_in_until = StandIn.NEXT_ROUND  # away before and after, so nothing changes for others
        seat.save(update_fields=("stand_in_until",))


def pass_host_on(table: Table, left: int | None) -> None:
    """Make the next person at the table its host. An open table without one ends, because nobody could start it.

    A person who is away becomes host only if the old host cannot come back. An absent person becomes host only if
    everybody else is absent too, and can be replaced later.
    """
    host_candidates = absence.host_candidates(table, timezone.now(), left or 0)
    is_gone = table.host is not None and not table.host.is_active
    if host_candidates and (is_gone or not host_candidates[0].is_away):
        assert host_candidates[0].player is not None
        hosts.make_host(table, host_candidates[0].player)
    elif table.status == Status.OPEN:
        ending.end_without_winner(table, EndedReason.HOST_LEFT)


def seat_bot(
    table_id: UUID, caller: Player, number: int, level: str | None, *, received_at: datetime | None = None
) -> Table:
    """Put a bot into an empty seat, or one of another level into a bot's. In a match, have a bot play for a person.

    Raises ``SeatTaken``, ``PlayerPresent``, ``LevelNeeded``, ``NoLevelForPerson``.
    """
    was_late = play.let_clock_act(table_id, caller, received_at or timezone.now(), number)
    return put_bot(table_id, caller, number, level, was_late=was_late)


@transaction.atomic
def put_bot(table_id: UUID, caller: Player, number: int, level: str | None, *, was_late: bool) -> Table:
    table = locking.locked_for_viewer(table_id, caller)
    seats = list(table.seats.select_related("player"))
    is_match = table.status == Status.PLAYING
    if is_match and number < len(seats) and takeover.is_persons(seats[number]):
        let_bot_play(table, seats[number], caller, level, was_late=was_late)
        return table
    if not hosts.is_host(table, caller):
        raise refusals.NotHost
    locking.must_be(table, Status.OPEN, Status.PLAYING)
    seat = seat_at(seats, number)
    if takeover.is_persons(seat):
        raise refusals.SeatTaken
    if level is None:
        raise refusals.LevelNeeded
    if seat.player is None or seat.player.level != level:
        seat.give_to(opening.free_bot(level, seats))
        seat.save(update_fields=("player", "shown_name"))
        changing.change_seat(table, seat)
    return table


def let_bot_play(table: Table, seat: Seat, caller: Player, level: str | None, *, was_late: bool) -> None:
    """Have the table's ``on_leave`` bot play for a person, who keeps the seat."""
    if level is not None and (hosts.is_host(table, caller) or takeover.sits_at(table, caller)):
        raise refusals.NoLevelForPerson
    takeover.may_take_over(table, seat, caller, refusals.NotHost, was_late=was_late)
    give_seat_on(table, seat)
