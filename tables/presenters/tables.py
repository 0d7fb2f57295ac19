"""Presents a table, its seats and its invitation to one caller."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from players.models import Player
from tables import schedule
from tables.models import Seat, Table


def present_table(shown: Table, caller: UUID | None) -> dict[str, Any]:
    """Present a table to this caller; only members get the invite. Its seats and players must be loaded."""
    seats = sorted(shown.seats.all(), key=lambda seat: seat.number)
    following: UUID | None = getattr(shown, "next_id", None)
    result = {
        "id": str(shown.id),
        "name": shown.name,
        "status": shown.status,
        "host": shown.host_id and str(shown.host_id),
        "preset": shown.preset,
        "options": shown.options,
        "engine_version": shown.engine_version,
        "seats": [present_table_seat(seat, shown.tile_counts) for seat in seats],
        "visibility": shown.visibility,
        "spectators": shown.spectators,
        "turn_seconds": shown.turn_seconds,
        "on_timeout": shown.on_timeout,
        "clock_proposal": present_proposal(shown, seats),
        "on_leave": shown.on_leave,
        "bot_delay_ms": shown.bot_delay_ms,
        "auto_pass": shown.auto_pass,
        "stall_minutes": shown.stall_minutes,
        "hints": shown.hints,
        "rounds_played": shown.rounds_played,
        "winners": shown.winners,
        "ended_reason": shown.ended_reason or None,
        "next_table": str(following) if following else None,
        "version": shown.version,
        "created_at": shown.created_at,
    }
    is_member = caller is not None and (caller == shown.host_id or any(seat.player_id == caller for seat in seats))
    if is_member:
        result["invite"] = {"code": shown.invite_code, "url": settings.INVITE_URL.format(code=shown.invite_code)}
    return result


def present_proposal(shown: Table, seats: Sequence[Seat]) -> dict[str, Any] | None:
    """Present the proposed clock, if any. Seats whose players have left since then are not waited for."""
    proposal = schedule.open_proposal(shown, timezone.now())
    if proposal is None:
        return None
    away = {seat.number for seat in seats if seat.is_away}
    return proposal | {"waiting_for": [number for number in proposal["waiting_for"] if number not in away]}


def present_invitation(shown: Table, caller: Player | None) -> dict[str, Any]:
    """Present what the holder of an invite may see before they sit down.

    It includes the table only if they may see that.
    """
    is_visible = Table.objects.visible_to(caller).filter(pk=shown.pk).exists()
    return {
        "name": shown.name,
        "host": shown.host_name,
        "status": shown.status,
        "free_seats": sum(seat.player_id is None for seat in shown.seats.all()),
        "table": present_table(shown, caller.pk if caller else None) if is_visible else None,
    }


def present_table_seat(seat: Seat, tile_counts: list[int]) -> dict[str, Any]:
    return {
        "seat": seat.number,
        "player": seat.player and present_player(seat.player, seat.name),
        "away": seat.is_away,
        "forfeited": seat.is_forfeited,
        "total": seat.total,
        "tile_count": tile_counts[seat.number] if tile_counts else 0,
    }


def seat_names(table_id: UUID) -> dict[int, str | None]:
    """Return the players' names at a table by seat; ``None`` for a free seat."""
    seats = Seat.objects.filter(table=table_id).select_related("player")
    return {seat.number: seat.name for seat in seats}


def present_player(player: Player, name: str | None = None) -> dict[str, Any]:
    """Present a player. ``name`` is the player's name at a table; by default it is their own name."""
    shown = {"id": str(player.id), "name": name or player.name, "kind": player.kind}
    return shown | ({"level": player.level} if player.level else {})


def is_turn_of(shown: Table, player: Player) -> bool:
    """Whether the table waits for this player. False where a bot plays the turn or the seat to its end."""
    sat = (seat for seat in shown.seats.all() if seat.player_id == player.id)
    return any(seat.number == shown.turn and seat.may_move_itself for seat in sat)
