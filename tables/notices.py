"""Messages to players' webhooks about their tables. They contain facts that every spectator may know, and no tiles."""

from datetime import datetime
from uuid import UUID

from tables.models import Seat, Status, Table
from webhooks import outbox
from webhooks.models import Delivery, Event


def turn_begins(table_id: UUID, number: int, seat_number: int, deadline: datetime | None, at: datetime) -> None:
    """Notify the person in this seat that their turn begins, at this place in the log."""
    seat = Seat.objects.select_related("table").get(table=table_id, number=seat_number)
    assert seat.player_id is not None
    facts = {
        "table": table_id,
        "name": seat.table.name,
        "round": seat.table.rounds_played + 1,
        "number": number,
        "seat": seat_number,
        "deadline": deadline,
    }
    outbox.announce(Event.YOUR_TURN, table_id, number, {seat.player_id: facts}, at)


def table_is_over(table_id: UUID, at: datetime) -> None:
    """Notify everybody who sits here and has webhooks how the table ended."""
    table = Table.objects.get(pk=table_id)
    seats = list(table.seats.select_related("player"))
    facts = {
        "table": table_id,
        "name": table.name,
        "status": table.status,
        "ended_reason": table.ended_reason,
        "winners": table.winners,
        "totals": [seat.total for seat in seats],
        "forfeited": [seat.is_forfeited for seat in seats],
    }
    facts_by_player = {
        seat.player.id: facts | {"seat": seat.number} for seat in seats if seat.player and seat.player.has_webhooks
    }
    if facts_by_player:
        outbox.announce(Event.TABLE_FINISHED, table_id, table.next_number, facts_by_player, at)


def is_still_their_turn(delivery: Delivery) -> bool:
    """Whether the turn that a message announces still goes on, and is still for its player to play."""
    webhook = delivery.webhook
    assert delivery.table is not None
    on = Table.objects.filter(pk=delivery.table, status=Status.PLAYING).values_list("turn", flat=True)
    seats = Seat.objects.filter(table=delivery.table, number__in=on, player=webhook.player_id, stand_in="")
    later = webhook.deliveries.filter(event=delivery.event, table=delivery.table, number__gt=delivery.number)
    return seats.exists() and not later.exists()
