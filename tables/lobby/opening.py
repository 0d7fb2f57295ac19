"""Opens tables, and changes a table that is open."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext

from players.accounts import bots_of, lock_active_player
from players.models import Kind, Player
from rules import games
from tables import events, names, refusals, repository
from tables.dealing import Commitment
from tables.lobby import ownership
from tables.lobby.changing import announce, change
from tables.lobby.locking import locked, locked_for_host, must_be
from tables.models import Seat, Status, Table, new_invite_code


@transaction.atomic
def open_table(host: Player, seats: int, host_seat: int | None, bots: Mapping[int, str], **fields: Any) -> Table:
    """Open a table with its first commitment, and with the host and the bots in their seats.

    Raises ``BadOption``, ``TooManyOpenTables``.
    """
    here = lock_active_player(host)
    ownership.may_open_another(host)
    rules = games.of_preset(fields["preset"])
    options = rules.options_of(fields["preset"], fields.pop("options"))
    rules.must_suit(options, seats)
    pinned = {"game": rules.name, "engine_version": rules.version, "options": options.as_dict()}
    table = Table.objects.create(host=host, **pinned, **fields)
    places = [Seat(table=table, number=number) for number in range(seats)]
    if host_seat is not None:
        places[host_seat].player = here
    for number, level in bots.items():
        places[number].player = free_bot(level, places)
    names.settle(places, host.id)
    Seat.objects.bulk_create(places)
    events.keep_first(table)
    announce(table)
    repository.publish_commitment(table.id, Commitment(1, repository.new_secret()))
    return table


def free_bot(level: str, seats: Sequence[Seat]) -> Player:
    """Return a bot of this level whose name no bot at the table has.

    There are as many names as a table can have seats.
    """
    names = {seat.player.name for seat in seats if seat.player and seat.player.kind == Kind.BOT}
    return next(bot for bot in bots_of(level) if bot.name not in names)


@transaction.atomic
def change_table(table_id: UUID, caller: Player, **fields: Any) -> Table:
    """Change an open table as its host. Raises ``BadOption``, or ``SeatTaken`` if a filled seat would be removed."""
    table = locked_for_host(table_id, caller)
    must_be(table, Status.OPEN)
    seats = fields.pop("seats", None) or table.seats.count()
    preset = fields.get("preset", table.preset)
    if "options" in fields or "preset" in fields:
        rules = games.of_preset(preset)
        kept = {} if "preset" in fields else rules.overrides_over(preset, repository.options_of(table))
        options = rules.options_of(preset, kept | fields.get("options", {}))
        fields |= {"game": rules.name, "engine_version": rules.version, "options": options.as_dict()}
    else:
        rules, options = repository.rules_of(table), repository.options_of(table)
    rules.must_suit(options, seats)
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
def change_as_admin(table_id: UUID, fields: Mapping[str, Any]) -> None:
    """Change fields that cannot disturb a match: the name, and who may see the table."""
    change(locked(table_id), **fields)
