"""Starts matches, and keeps the client seeds of the coming deals."""

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from players.accounts import lock_active_player
from players.models import Player
from tables import deciding, memory, refusals, repository, writing
from tables.lobby import ownership
from tables.lobby.locking import locked_for_host, locked_for_viewer, must_be
from tables.models import SEED_LENGTH, Seat, Status, Table


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
    lock_active_player(caller)
    ownership.may_start_another(caller)
    snapshot = memory.load(table.id, table.version)
    assert snapshot is not None
    writing.write(deciding.started(snapshot, repository.SOURCES, timezone.now()))
    table.refresh_from_db()
    return table


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
