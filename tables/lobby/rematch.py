"""Rematches: the first player who asks opens the next table, and the others join it."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from players.accounts import Forgotten, lock_active_player, lock_active_players
from players.models import Kind, Player
from rules import games
from tables import events, names, refusals, repository
from tables.dealing import Commitment
from tables.lobby import changing, locking, ownership, seating
from tables.models import SETTINGS, Seat, Status, Table, until_back

KEEPS = ("game", "preset", "options", *SETTINGS)
"""The fields that the next table copies."""
BEGINS_ANEW = (
    *("id", "host", "status", "engine_version", "invite_code", "removed", "previous_table", "imported_at"),
    *("version", "next_number", "rounds_played", "turn", "tile_counts", "deadline", "deadline_set_at"),
    *("due_at", "looks", "winners", "ended_reason", "created_at", "changed_at", "started_at", "ended_at"),
    *("record_headers", "turn_on_timeout", "clock_proposal", "clock_lapses_at"),
)
"""The fields that start anew. A test fails for a field in neither list."""


@transaction.atomic
def rematch(table_id: UUID, caller: Player, received_at: datetime | None = None) -> tuple[Table, bool]:
    """Return the one table that follows a match, and whether it is new.

    A new table has the same seats and options, and the caller as host. A next table that was cancelled does not count.
    While the next table is open, everybody who sat at the match takes a seat there by calling this. A player who is
    away there comes back, during its match too.

    ``received_at`` is when the request arrived, by default now. Locks the table, and then the next one. Raises
    ``NotAtTable``, ``TooManyOpenTables``, ``RemovedByHost``, or the refusal for a table that is not ``finished``.
    """
    table = locking.locked_for_viewer(table_id, caller)
    seats = list(table.seats.select_related("player"))
    own = next((seat for seat in seats if seat.player_id == caller.id), None)
    if own is None and table.host_id != caller.id:
        raise refusals.NotAtTable(gettext("Only the host and the players of this table can ask for a rematch."))
    locking.must_be(table, Status.FINISHED)
    if following := table.next_tables.exclude(status=Status.CANCELLED).first():
        return entered(following, caller, own, received_at or timezone.now()), False
    return opened(table, seats, caller), True


def entered(following: Table, caller: Player, own: Seat | None, received_at: datetime) -> Table:
    """Join the next table, which exists already. Raises ``RemovedByHost``, or ``NotFound`` if it is hidden."""
    if own is not None and following.status in {Status.OPEN, Status.PLAYING}:
        following = locking.locked(following.id)
        sit_again(following, caller, own.number, received_at)
    if not locking.is_visible(following, caller):
        raise refusals.NotFound(gettext("Only the players of the next table may see it."))
    return following


def sit_again(following: Table, caller: Player, number: int, received_at: datetime) -> None:
    """Bring back a player who sits there. Give one who has left the same seat again, or another free one, if any."""
    seats = list(following.seats.select_related("player"))
    if mine := next((seat for seat in seats if seat.player_id == caller.id), None):
        if not mine.is_forfeited:
            seating.come_back(following, mine, received_at)
        return
    if following.status != Status.OPEN:
        return
    seating.may_return(following, caller)
    free = sorted((seat for seat in seats if seat.player_id is None), key=lambda seat: seat.number != number)
    if free:
        seating.fill(following, free[0], lock_active_player(caller))


def opened(table: Table, seats: Sequence[Seat], caller: Player) -> Table:
    here = who_is_still_here(seats, caller)
    if caller.id not in here:
        raise Forgotten
    ownership.may_open_another(caller)
    kept = {name: getattr(table, name) for name in KEEPS}
    newest = games.newest()[table.game].version
    following = Table.objects.create(host=caller, previous_table=table, engine_version=newest, **kept)
    places = [seat_after(seat, table, following, here, caller) for seat in seats]
    names.settle(places, caller.id)
    Seat.objects.bulk_create(places)
    events.keep_first(following)
    changing.announce(following)
    repository.publish_commitment(following.id, Commitment(1, repository.new_secret()))
    changing.change(table, events.next_table_opened(table, following))
    return following


def seat_after(seat: Seat, table: Table, following: Table, here: set[UUID], caller: Player) -> Seat:
    """Return a seat of the next table with the same player. A player who was away at the end starts away."""
    after = Seat(table=following, number=seat.number)
    if seat.player_id not in here:
        return after
    after.player, after.shown_name = seat.player, seat.shown_name
    if seat.is_away and seat.player_id != caller.id:
        after.stand_in, after.stand_in_until = table.on_leave, until_back(hints=table.hints)
    return after


def who_is_still_here(seats: Sequence[Seat], caller: Player) -> set[UUID]:
    """Return the bots in these seats, and the persons who are not deleted.

    These persons cannot be deleted before this transaction ends.
    """
    seated = [seat.player for seat in seats if seat.player is not None]
    bots = {player.id for player in seated if player.kind == Kind.BOT}
    return bots | lock_active_players({caller.id, *(player.id for player in seated if player.kind == Kind.PERSON)})
