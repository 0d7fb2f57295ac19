"""Proposals of another clock for a running match. It takes effect once every person who is present agrees."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from players import presence
from players.models import Player
from runtime.database_away import each_apart
from tables import deciding_seats, refusals
from tables.lobby import locking, takeover
from tables.lobby.matches import changes_in
from tables.models import Seat, Status, Table
from tables.schedule import open_proposal

LAPSES_AFTER = timedelta(minutes=10)
AT_ONCE = 500


@transaction.atomic
def propose_clock(table_id: UUID, caller: Player, turn_seconds: int | None, on_timeout: str) -> tuple[Table, bool]:
    """Propose a clock, or agree to the proposed one. Returns the table, and whether the match now has this clock.

    Every person at the table who is neither away nor absent has to agree. Raises ``ClockProposed``, ``SeatAway``,
    ``SeatForfeited``, ``NotAtTable``, or the refusal for a table that is not ``playing``.
    """
    table = locking.locked_for_viewer(table_id, caller)
    seats = list(table.seats.select_related("player"))
    own = seat_that_must_agree(table, seats, caller)
    now, clock = timezone.now(), {"turn_seconds": turn_seconds, "on_timeout": on_timeout}
    proposal = open_proposal(table, now)
    if proposal is None and clock == {"turn_seconds": table.turn_seconds, "on_timeout": table.on_timeout}:
        return table, True
    agreed = {own.number} | agreed_already(proposal, clock, own)
    waiting_for = needed(seats, now) - agreed
    if not waiting_for:
        with changes_in(table) as changes:
            deciding_seats.change_clock(changes, clock, was_proposed=table.clock_proposal is not None)
        return table, True
    lapses_at = table.clock_lapses_at if proposal and is_for(proposal, clock) else now + LAPSES_AFTER
    proposed = {**clock, "agreed": sorted(agreed), "waiting_for": sorted(waiting_for)}
    if proposed != table.clock_proposal or lapses_at != table.clock_lapses_at:
        with changes_in(table) as changes:
            deciding_seats.propose_clock(changes, proposed, lapses_at)
    return table, False


def seat_that_must_agree(table: Table, seats: Sequence[Seat], caller: Player) -> Seat:
    own = next((seat for seat in seats if seat.player_id == caller.id), None)
    if own is None:
        raise refusals.NotAtTable
    locking.must_be(table, Status.PLAYING)
    if own.is_forfeited:
        raise refusals.SeatForfeited
    if own.is_away:
        raise refusals.SeatAway
    return own


def agreed_already(proposal: dict[str, Any] | None, clock: dict[str, Any], own: Seat) -> set[int]:
    """Return the seats that have agreed to this clock. Raises ``ClockProposed`` if others have agreed to another."""
    if proposal is None or proposal["agreed"] == [own.number]:
        return set()
    if not is_for(proposal, clock):
        raise refusals.ClockProposed
    return set(proposal["agreed"])


def is_for(proposal: dict[str, Any], clock: dict[str, Any]) -> bool:
    return all(proposal[name] == value for name, value in clock.items())


def needed(seats: Sequence[Seat], at: datetime) -> set[int]:
    """Return the seats of the persons who are neither away nor absent."""
    persons = {seat.player_id: seat.number for seat in seats if takeover.is_persons(seat) and not seat.is_away}
    absent = presence.absent((player for player in persons if player), at)
    return {number for player, number in persons.items() if player not in absent}


@transaction.atomic
def withdraw_clock(table_id: UUID, caller: Player) -> None:
    """Withdraw the proposed clock. Without a proposal, nothing changes. Raises ``NotAtTable``, ``NotYourProposal``."""
    table = locking.locked_for_viewer(table_id, caller)
    own = table.seats.filter(player=caller).first()
    if own is None:
        raise refusals.NotAtTable
    proposal = open_proposal(table, timezone.now())
    if proposal is None:
        return
    if own.number not in proposal["agreed"]:
        raise refusals.NotYourProposal
    with changes_in(table) as changes:
        deciding_seats.drop_proposal(changes)


def lapse_proposals(at: datetime) -> None:
    """End the proposals that have lapsed, so that watchers are notified."""
    lapsed = Table.objects.filter(clock_lapses_at__lte=at)
    tables = list(lapsed.order_by("clock_lapses_at").values_list("id", flat=True)[:AT_ONCE])
    each_apart(lambda table: lapse(table, at), tables, "Ending a proposal")


@transaction.atomic
def lapse(table_id: UUID, at: datetime) -> None:
    table = locking.locked(table_id)
    if table.clock_lapses_at is None or table.clock_lapses_at > at:
        return
    if table.status == Status.PLAYING:
        with changes_in(table) as changes:
            deciding_seats.drop_proposal(changes)
    else:
        Table.objects.filter(pk=table_id).update(**deciding_seats.NO_PROPOSAL)
