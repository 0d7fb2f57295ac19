"""Presents a table, its seats and its invitation to one caller."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, NotRequired, TypedDict
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from players.models import Kind, Player
from rest.answers import Id, Url
from rest.texts import described
from tables import schedule
from tables.models import OnTimeout, Seat, Spectators, Status, Table, Visibility
from tables.presenters.values import Away, Forfeited, Level, TileCount, Total, WhyOver, Winners


@described("A player as the others at a table see them.")
class SeatedPlayer(TypedDict):
    id: Annotated[Id, "The player's id."]
    name: Annotated[str, "The player's name. At a table, this is their name there."]
    kind: Annotated[str, Kind, "A person or a bot."]
    level: NotRequired[Annotated[Level, "The level, for a bot."]]


@described("A seat of a table.")
class TableSeat(TypedDict):
    seat: Annotated[int, "The seat's number, from 0."]
    player: Annotated[SeatedPlayer | None, "Who sits there; `null` for a free seat."]
    away: Away
    forfeited: Forfeited
    total: Total
    tile_count: TileCount


@described("What a player needs to take a seat at a private table.")
class Invite(TypedDict):
    code: Annotated[str, "The code, which the player may type."]
    url: Annotated[Url, "The link, which contains the code."]


@described("A proposed clock for a running match.")
class ClockProposal(TypedDict):
    turn_seconds: Annotated[int | None, "The time for a turn, in seconds; `null` means no clock."]
    on_timeout: Annotated[str, OnTimeout, "What happens when the time is over."]
    agreed: Annotated[list[int], "The seats that have agreed."]
    waiting_for: Annotated[list[int], "The seats that have not agreed yet."]


@described("A table. Only members see `invite`.")
class TableAnswer(TypedDict):
    id: Annotated[Id, "The table's id."]
    name: Annotated[str, "The table's name; empty if it has none."]
    status: Annotated[str, Status, "Whether the table is open, the match is running, or how it has ended."]
    host: Annotated[Id | None, "The id of the player who is the host; `null` if there is none."]
    preset: Annotated[str, "The rule set. `GET rules/presets` describes each."]
    options: Annotated[dict[str, Any], "Every option of the rules by name, with its value at this table."]
    engine_version: Annotated[int, "The version of the rules that the table uses."]
    seats: Annotated[list[TableSeat], "The seats, in the order of their numbers."]
    visibility: Annotated[
        str, Visibility, "Who may take a seat: `private`, only players with the invite; `public`, anybody."
    ]
    spectators: Annotated[
        str, Spectators, "Who may watch: `open`, everybody who knows the address; `none`, only members."
    ]
    invite: NotRequired[Annotated[Invite, "The invite, for members only."]]
    turn_seconds: Annotated[int | None, "The time for a turn, in seconds; `null` means no clock."]
    on_timeout: Annotated[str, OnTimeout, "What happens when the time of a turn is over."]
    clock_proposal: Annotated[ClockProposal | None, "The proposed clock for the match; `null` if none is proposed."]
    on_leave: Annotated[Level, "The level of the bot that plays for an absent player."]
    bot_delay_ms: Annotated[int, "How long a bot waits before it moves, in milliseconds."]
    auto_pass: Annotated[bool, "Whether the table passes for a player who can do nothing else."]
    stall_minutes: Annotated[
        int | None,
        "Minutes after which the others need not wait for an absent player or host; `null` means that they always do.",
    ]
    hints: Annotated[bool, "Whether players may ask which move a bot would make for them."]
    rounds_played: Annotated[int, "How many rounds are over."]
    winners: Winners
    ended_reason: WhyOver
    next_table: Annotated[Id | None, "The id of the table of the rematch; `null` if there is none."]
    version: Annotated[int, "Grows with every change of the table, its seats or its match."]
    created_at: Annotated[datetime, "When the table was opened."]


@described("A table where the caller sits. Only members see `invite`.")
class MyTableAnswer(TableAnswer):
    your_turn: Annotated[bool, "Whether the table waits for the caller."]


@described("A player has taken a seat.")
class JoinedAnswer(TypedDict):
    table: Annotated[TableAnswer, "The table, with the player in the seat."]
    seat: Annotated[int, "The number of the player's seat, from 0."]


@described("The table of an invite.")
class InvitationAnswer(TypedDict):
    name: Annotated[str, "The table's name; empty if it has none."]
    host: Annotated[str | None, "The name of the host; `null` if there is none."]
    status: Annotated[str, Status, "The status of the table. A seat can be taken while it is `open`."]
    free_seats: Annotated[int, "How many seats are free."]
    table: Annotated[TableAnswer | None, "The table; `null` if only those who sit at it may see it."]


def present_table(table: Table, caller: UUID | None) -> TableAnswer:
    """Present a table to this caller; only members get the invite. Its seats and players must be loaded."""
    seats = sorted(table.seats.all(), key=lambda seat: seat.number)
    following: UUID | None = getattr(table, "next_id", None)
    result: TableAnswer = {
        "id": str(table.id),
        "name": table.name,
        "status": table.status,
        "host": str(table.host_id) if table.host_id else None,
        "preset": table.preset,
        "options": table.options,
        "engine_version": table.engine_version,
        "seats": [present_table_seat(seat, table.tile_counts) for seat in seats],
        "visibility": table.visibility,
        "spectators": table.spectators,
        "turn_seconds": table.turn_seconds,
        "on_timeout": table.on_timeout,
        "clock_proposal": present_proposal(table, seats),
        "on_leave": table.on_leave,
        "bot_delay_ms": table.bot_delay_ms,
        "auto_pass": table.auto_pass,
        "stall_minutes": table.stall_minutes,
        "hints": table.hints,
        "rounds_played": table.rounds_played,
        "winners": table.winners,
        "ended_reason": table.ended_reason or None,
        "next_table": str(following) if following else None,
        "version": table.version,
        "created_at": table.created_at,
    }
    is_member = caller is not None and (caller == table.host_id or any(seat.player_id == caller for seat in seats))
    if is_member:
        result["invite"] = {"code": table.invite_code, "url": settings.INVITE_URL.format(code=table.invite_code)}
    return result


def present_my_table(table: Table, player: Player) -> MyTableAnswer:
    return {**present_table(table, player.pk), "your_turn": is_turn_of(table, player)}


def present_proposal(table: Table, seats: Sequence[Seat]) -> ClockProposal | None:
    """Present the proposed clock, if any. Seats whose players have left since then are not waited for."""
    proposal = schedule.open_proposal(table, timezone.now())
    if proposal is None:
        return None
    away = {seat.number for seat in seats if seat.is_away}
    return {
        "turn_seconds": proposal["turn_seconds"],
        "on_timeout": proposal["on_timeout"],
        "agreed": proposal["agreed"],
        "waiting_for": [number for number in proposal["waiting_for"] if number not in away],
    }


def present_invitation(table: Table, caller: Player | None) -> InvitationAnswer:
    """Present what the holder of an invite may see before they sit down.

    It includes the table only if they may see that.
    """
    is_visible = Table.objects.visible_to(caller).filter(pk=table.pk).exists()
    return {
        "name": table.name,
        "host": table.host_name,
        "status": table.status,
        "free_seats": sum(seat.player_id is None for seat in table.seats.all()),
        "table": present_table(table, caller.pk if caller else None) if is_visible else None,
    }


def present_table_seat(seat: Seat, tile_counts: list[int]) -> TableSeat:
    return {
        "seat": seat.number,
        "player": present_player(seat.player, seat.name) if seat.player else None,
        "away": seat.is_away,
        "forfeited": seat.is_forfeited,
        "total": seat.total,
        "tile_count": tile_counts[seat.number] if tile_counts else 0,
    }


def seat_names(table_id: UUID) -> dict[int, str | None]:
    """Return the players' names at a table by seat; ``None`` for a free seat."""
    seats = Seat.objects.filter(table=table_id).select_related("player")
    return {seat.number: seat.name for seat in seats}


def present_player(player: Player, name: str | None = None) -> SeatedPlayer:
    """Present a player. ``name`` is the player's name at a table; by default it is their own name."""
    table: SeatedPlayer = {"id": str(player.id), "name": name or player.name, "kind": player.kind}
    if player.level:
        table["level"] = player.level
    return table


def is_turn_of(table: Table, player: Player) -> bool:
    """Whether the table waits for this player. False where a bot plays the turn or the seat to its end."""
    sat = (seat for seat in table.seats.all() if seat.player_id == player.id)
    return any(seat.number == table.turn and seat.may_move_itself for seat in sat)
