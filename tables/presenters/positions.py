"""Presents the position of a table to one caller, now or in a round that is over."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.translation import gettext

from rules.mexican_train.moves import MEXICAN
from rules.mexican_train.notation import laid_tiles, parse_move, tile_text, tile_texts, train_text
from rules.mexican_train.state import train_names
from rules.mexican_train.view import View
from rules.tiles import Tile, double, tiles_in
from tables import outages, refusals, repository
from tables.models import Table
from tables.presenters.mexican_train.moves import drawer_of, present_drawn, present_move, present_moves, present_text
from tables.presenters.rounds import finished_round, present_result
from tables.snapshots import SeatFacts, Snapshot


def present_position(snapshot: Snapshot, player: UUID | None, now: datetime) -> dict[str, Any]:
    """Present everything that this caller may know of the table now (``api.md``, *Playing*)."""
    seat = snapshot.seat_of(player)
    view = view_of(snapshot, seat)
    return {
        "table": str(snapshot.id),
        "status": snapshot.status,
        "version": snapshot.version,
        "next_number": snapshot.next_number,
        "round": present_round(snapshot),
        "next_commitment": snapshot.next_commitment,
        "turn": present_turn(snapshot, view, now),
        "trains": present_trains(view) if view else [],
        "open_doubles": [train_text(each.train) for each in view.open_doubles] if view else [],
        "boneyard": view.boneyard_count if view else 0,
        "seats": [present_seat(each, view) for each in snapshot.seats],
        "last_move": present_last_move(snapshot, seat),
        "may_be_called": view.exposed if view and snapshot.is_playing else None,
        "you": present_you(snapshot, seat, view),
        "last_round": snapshot.last_result and present_result(snapshot.last_result, snapshot.seats),
        "winners": snapshot.winners,
        "ended_reason": snapshot.ended_reason or None,
    }


def view_of(snapshot: Snapshot, seat: SeatFacts | None) -> View | None:
    """Return the round on the table as this seat sees it; without a seat, as a spectator sees it."""
    if snapshot.state is None:
        return None
    return snapshot.rules.view_for(snapshot.state, seat.number if seat else None, None)


def present_round(snapshot: Snapshot) -> dict[str, Any] | None:
    played = snapshot.round
    if played is None:
        return None
    return {
        "number": played.number,
        "of": snapshot.options.round_count,
        "engine": tile_text(double(played.engine)),
        "engine_from": snapshot.engine_from,
        "starter": played.starter,
        "commitment": played.commitment,
    }


def present_turn(snapshot: Snapshot, view: View | None, now: datetime) -> dict[str, Any] | None:
    if view is None or not snapshot.is_playing:
        return None
    deadline = present_deadline(snapshot, snapshot.seats[view.turn], now)
    return {"seat": view.turn, "phase": view.phase, "deadline": deadline, "server_time": now}


def present_deadline(snapshot: Snapshot, mover: SeatFacts, now: datetime) -> datetime | None:
    """Return when the time of the turn is over; ``None`` without a clock, and where a bot plays the turn to its end."""
    deadline = snapshot.deadline
    if deadline is None or not mover.may_move_itself:
        return None
    if mover.level is not None:
        return deadline if deadline >= now else None
    return outages.presented_deadline(snapshot.id, deadline, now)


def present_trains(view: View) -> list[dict[str, Any]]:
    names = train_names(view.setup.seats)
    has_mexican = view.setup.options.has_mexican_train
    return [
        {
            "train": train_text(name),
            "seat": name if name >= 0 else None,
            "tiles": laid_tiles(train.tiles, view.setup.engine),
            "end": train.end,
            "marker": train.is_marked,
        }
        for name, train in zip(names, view.trains, strict=True)
        if name != MEXICAN or has_mexican
    ]


def present_seat(seat: SeatFacts, view: View | None) -> dict[str, Any]:
    """Present a seat in play. It has ``tiles`` only where the rules keep every hand open."""
    shown: dict[str, Any] = {
        "seat": seat.number,
        "name": seat.name,
        "kind": seat.kind,
        "level": seat.bot_level or None,
        "tile_count": view.hand_counts[seat.number] if view else 0,
        "total": seat.total,
        "away": seat.is_away,
        "forfeited": seat.is_forfeited,
        "announced": view is not None and seat.number in view.announced,
    }
    if view is not None and view.hands is not None:
        shown["tiles"] = tile_texts(tiles_in(view.hands[seat.number]))
    return shown


def present_you(snapshot: Snapshot, seat: SeatFacts | None, view: View | None) -> dict[str, Any] | None:
    if seat is None:
        return None
    moves = present_moves(view.legal_moves) if view and snapshot.is_playing and seat.may_move_itself else []
    return {"seat": seat.number, "tiles": tile_texts(tiles_in(view.hand)) if view else [], "legal_moves": moves}


def present_last_move(snapshot: Snapshot, seat: SeatFacts | None) -> dict[str, Any] | None:
    """Present the newest log entry as this seat may see it; without a seat, as a spectator may."""
    last = snapshot.last_move
    if last is None:
        return None
    move = parse_move(last.text)
    shown: dict[str, Any] = {"number": last.number, "round": snapshot.last_moves_round}
    shown |= {**present_move(move), "seat": last.seat, "by": last.by}
    drawer = drawer_of(move, last.seat)
    is_own = seat is not None and drawer == seat.number
    taken = tiles_taken_last(snapshot) if drawer is not None and (is_own or snapshot.is_round_over) else ()
    return shown | present_drawn(last.text, tile_texts(taken)) if taken else shown


def tiles_taken_last(snapshot: Snapshot) -> tuple[Tile, ...]:
    """Return the tiles that the last move of the round on the table took from the boneyard."""
    before, after = snapshot.before_last_move, snapshot.state
    if before is None or after is None:
        return ()
    return before.boneyard[: len(before.boneyard) - len(after.boneyard)]


def present_past_position(shown: Table, number: int) -> dict[str, Any]:
    """Present the position after a move of a round that is over, with all hands open.

    Raises ``NotFound`` or ``RoundNotOver``.
    """
    move = shown.moves.filter(number=number).select_related("round").first()
    if move is None:
        raise refusals.NotFound(gettext("The log of this table has no move with this number."))
    played = finished_round(shown, move.round.number)
    texts = played.moves.filter(number__lte=number).order_by("number").values_list("text", flat=True)
    state = repository.state_of_round(shown, len(shown.seats.all()), played, texts)
    view = repository.rules_of(shown).view_for(state, None, None)
    return {
        "table": str(shown.id),
        "number": number,
        **present_text(move.text),
        "by_seat": move.seat,
        "round": played.number,
        "turn": None if state.ended else {"seat": view.turn, "phase": view.phase},
        "trains": present_trains(view),
        "open_doubles": [train_text(each.train) for each in view.open_doubles],
        "boneyard": tile_texts(state.boneyard),
        "hands": [tile_texts(tiles_in(hand)) for hand in state.hands],
    }
