"""Opens, changes, starts and cancels tables, and has what every change of a table needs."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from players.accounts import bots_of, must_be_here
from players.models import Kind, Player
from rules.mexican_train import ENGINE_VERSION
from rules.mexican_train.options import must_suit
from rules.mexican_train.presets import overrides_over, rules_of
from tables import (
    absence,
    deciding,
    events,
    memory,
    names,
    notices,
    ownership,
    refusals,
    repository,
    schedule,
    watching,
    writing,
)
from tables.dealing import Commitment
from tables.events import Told
from tables.models import SEED_LENGTH, EndedReason, Seat, Status, Table, Visibility, new_invite_code


@transaction.atomic
def open_table(host: Player, seats: int, host_seat: int | None, bots: Mapping[int, str], **fields: Any) -> Table:
    """Open a table with its first commitment, and with the host and the bots in their seats.

    Raises ``BadOption``, ``TooManyOpenTables``.
    """
    here = must_be_here(host)
    ownership.may_open_another(host)
    options = rules_of(fields["preset"], fields.pop("options"))
    must_suit(options, seats)
    table = Table.objects.create(host=host, options=options.as_dict(), engine_version=ENGINE_VERSION, **fields)
    places = [Seat(table=table, number=number) for number in range(seats)]
    if host_seat is not None:
        places[host_seat].player = here
    for number, level in bots.items():
        places[number].player = free_bot(level, places)
    names.settle(places, host.id)
    Seat.objects.bulk_create(places)
    events.keep_first(table)
    announce(table)
    repository.commit(table.id, Commitment(1, repository.new_secret()))
    return table


def free_bot(level: str, seats: Sequence[Seat]) -> Player:
    """Return a bot of this level whose name no bot at the table has.

    There are as many names as a table can have seats.
    """
    names = {seat.player.name for seat in seats if seat.player and seat.player.kind == Kind.BOT}
    return next(bot for bot in bots_of(level) if bot.name not in names)


def locked(table: UUID) -> Table:
    """Lock a table until this transaction ends. Raises ``NotFound``.

    If the table is a rematch, the previous table is locked too: it changes if the rematch ends unplayed.
    """
    repository.lock_previous(table)
    found = Table.objects.select_for_update(of=("self",)).filter(pk=table).first()
    if found is None:
        raise refusals.NotFound
    return found


def locked_for_viewer(table: UUID, caller: Player) -> Table:
    """Lock a table that the caller may see. Raises ``NotFound`` for a hidden table as for an unknown one."""
    found = locked(table)
    if not is_visible(found, caller):
        raise refusals.NotFound
    return found


def locked_for_host(table: UUID, caller: Player) -> Table:
    found = locked(table)
    if not is_host(found, caller):
        raise refusals.NotHost if is_visible(found, caller) else refusals.NotFound
    return found


def is_host(table: Table, caller: Player) -> bool:
    """Whether the caller hosts a locked table. If the host is gone and the caller is next, the caller becomes host."""
    if table.host_id != caller.id and absence.heir_of(table, timezone.now()) == caller:
        change(table, host=caller)
    return table.host_id == caller.id


def is_visible(table: Table, caller: Player | None) -> bool:
    return Table.objects.visible_to(caller).filter(pk=table.pk).exists()


def must_be(table: Table, *statuses: Status) -> None:
    """Raise the refusal for the table's status, unless it is one of these."""
    others = {
        Status.OPEN: refusals.TableOpen,
        Status.PLAYING: refusals.TablePlaying,
        Status.FINISHED: refusals.TableFinished,
        Status.CANCELLED: refusals.TableCancelled,
    }
    if table.status not in statuses:
        raise others[Status(table.status)]


def change(table: Table, *told: Told, **fields: Any) -> None:
    """Write fields of a locked table, and notify everybody who watches after the commit.

    The event of the fields comes first. ``told`` are the events of other changes. Fields that have their value already
    are left out; if nothing else has changed, the version stays.
    """
    fields = {name: value for name, value in fields.items() if getattr(table, name) != value}
    if not fields and not told:
        return
    for name, value in fields.items():
        setattr(table, name, value)
    own = [events.table_changed(table, fields)] if fields else []
    table.version = events.keep(table.id, table.version, [*own, *told])
    table.changed_at = timezone.now()
    table.save(update_fields=("version", "changed_at", *fields))
    announce(table)


def announce(table: Table) -> None:
    """Wake everybody who waits for this table, or for a list that may contain it, after the commit."""
    lists = set(table.seats.filter(player__kind=Kind.PERSON).values_list("player", flat=True))
    lists |= {table.host_id} if table.host_id else set()
    lists |= {watching.LOBBY} if table.visibility == Visibility.PUBLIC else set()
    watching.announce_after_commit(table.id, table.version, lists)


def seat_told(seat: Seat) -> Told:
    return events.seat_changed(seat.number, seat.player_id, is_away=seat.is_away, is_forfeited=seat.is_forfeited)


def change_seat(table: Table, seat: Seat) -> None:
    """After a seat got another player: settle the names of all seats, and write an event for each one that changed."""
    renamed = names.settle_rows(table.id, table.host_id)
    others = [seat_told(each) for each in renamed if each.number != seat.number]
    change(table, seat_told(seat), *others)


def rename_seats(table: Table) -> None:
    """After a player here was renamed: settle the names of all seats, and write an event for each one that changed."""
    change(table, *map(seat_told, names.settle_rows(table.id, table.host_id)))


@transaction.atomic
def change_table(table_id: UUID, caller: Player, **fields: Any) -> Table:
    """Change an open table as its host. Raises ``BadOption``, or ``SeatTaken`` if a filled seat would be removed."""
    table = locked_for_host(table_id, caller)
    must_be(table, Status.OPEN)
    seats = fields.pop("seats", None) or table.seats.count()
    preset = fields.get("preset", table.preset)
    if "options" in fields or "preset" in fields:
        kept = {} if "preset" in fields else overrides_over(preset, repository.options_of(table.options))
        fields["options"] = rules_of(preset, kept | fields.get("options", {})).as_dict()
        fields["engine_version"] = ENGINE_VERSION
    must_suit(repository.options_of(fields.get("options", table.options)), seats)
    if set_number_of_seats(table, seats):
        change(table, events.table_changed(table, ["seats"]), **fields)
    elif fields:
        change(table, **fields)
    return table


@transaction.atomic
def renew_invite(table_id: UUID, caller: Player) -> Table:
    """Give an open table another invite code. The old code is no longer valid."""
    table = locked_for_host(table_id, caller)
    must_be(table, Status.OPEN)
    table.invite_code = new_invite_code()
    table.save(update_fields=("invite_code",))
    change(table, events.table_changed(table, ["invite"]))
    return table


def set_number_of_seats(table: Table, seats: int) -> bool:
    """Add or remove empty seats at the end. Returns whether that changed anything."""
    before = table.seats.count()
    if table.seats.filter(number__gte=seats, player__isnull=False).exists():
        too_few = gettext("A table of {seats} seats is too small: somebody sits in a seat with a higher number.")
        raise refusals.SeatTaken(too_few.format(seats=seats))
    table.seats.filter(number__gte=seats).delete()
    Seat.objects.bulk_create(Seat(table=table, number=number) for number in range(before, seats))
    return seats != before


@transaction.atomic
def start_match(table_id: UUID, caller: Player) -> Table:
    """Deal the first round. If the match has started already, nothing changes."""
    table = locked_for_host(table_id, caller)
    if table.status in {Status.PLAYING, Status.FINISHED}:
        return table
    must_be(table, Status.OPEN)
    seats = list(table.seats.select_related("player"))
    if any(seat.player is None for seat in seats):
        raise refusals.SeatsEmpty
    must_be_here(caller)
    ownership.may_start_another(caller)
    snapshot = memory.load(table.id, table.version)
    assert snapshot is not None
    writing.write(deciding.started(snapshot, writing.sources_of(table.id), timezone.now()))
    table.refresh_from_db()
    return table


def run_clock(table: Table, seat: Seat) -> None:
    """Set the time of the seat to move after its mover has changed. A turn that goes on keeps its deadline."""
    now = timezone.now()
    is_bot = bool(seat.stand_in) or (seat.player is not None and seat.player.kind == Kind.BOT)
    if is_bot:
        clocks = schedule.clocks_for_bot(now, table.bot_delay_ms, table.deadline)
        schedule.nudge_after_commit(table.id, table.next_number, table.bot_delay_ms)
    elif table.deadline is None and table.turn_on_timeout:  # the turn began before a clock was agreed on
        clocks = schedule.STOPPED
    else:
        clocks = schedule.clocks_for_person(now, table.turn_seconds, table.deadline)
    set_at = now if table.deadline is None else table.deadline_set_at
    times = {"deadline": clocks.deadline, "deadline_set_at": set_at, "due_at": clocks.due_at}
    Table.objects.filter(pk=table.pk).update(**times, looks=0)
    for name, value in times.items():
        setattr(table, name, value)


@transaction.atomic
def cancel(table_id: UUID, caller: Player) -> Table:
    """End a table without a winner. If it is cancelled already, nothing changes."""
    table = locked_for_host(table_id, caller)
    if table.status != Status.CANCELLED:
        must_be(table, Status.OPEN, Status.PLAYING)
        if table.status == Status.PLAYING:
            note_that_host_left(table)
        end_without_winner(table, EndedReason.CANCELLED_BY_HOST)
    return table


def note_that_host_left(table: Table) -> None:
    """Note that the host left the match by cancelling it, if another person sits there, away or not."""
    if table.seats.filter(player__kind=Kind.PERSON).exclude(player=table.host_id).exists():
        table.seats.filter(player=table.host_id).update(has_left=True)


@transaction.atomic
def cancel_as_admin(table_id: UUID) -> bool:
    """End a table from the admin, unless it is over already. Returns whether this call has ended it."""
    table = locked(table_id)
    is_running = table.status in {Status.OPEN, Status.PLAYING}
    if is_running:
        end_without_winner(table, EndedReason.CANCELLED_BY_ADMIN)
    return is_running


@transaction.atomic
def change_as_admin(table_id: UUID, fields: Mapping[str, Any]) -> None:
    """Change fields that cannot disturb a match: the name, and who may see the table."""
    change(locked(table_id), **fields)


def end_without_winner(table: Table, reason: EndedReason) -> None:
    stopped = {"turn": None, "deadline": None, "due_at": None}
    change(table, status=Status.CANCELLED, ended_reason=reason, ended_at=timezone.now(), **stopped)
    notices.table_is_over(table.id, timezone.now())
    if table.previous_table_id is not None:
        previous = Table.objects.get(pk=table.previous_table_id)
        change(previous, events.next_table_ended(previous))


@transaction.atomic
def set_client_seed(table_id: UUID, caller: Player, seed: str) -> tuple[Seat, int | None, str | None]:
    """Set a seat's client seed for the coming deals. Returns the seat, and the next round's number and commitment."""
    assert len(seed) <= SEED_LENGTH
    table = locked_for_viewer(table_id, caller)
    seat = table.seats.filter(player=caller).first()
    if seat is None:
        raise refusals.NotAtTable
    must_be(table, Status.OPEN, Status.PLAYING)
    seat.client_seed = seed
    seat.save(update_fields=("client_seed",))
    coming = table.rounds.filter(dealt_at__isnull=True).first()
    return (seat, coming.number, coming.commitment) if coming else (seat, None, None)
