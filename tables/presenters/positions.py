"""Presents the position of a table to one caller, now or in a round that is over."""

from datetime import datetime
from typing import Annotated, Any, Literal, NotRequired, TypedDict, cast
from uuid import UUID

from django.utils.translation import gettext

from players.models import Kind
from rest.answers import Id
from rest.texts import described
from rules.game import View, tiles_taken
from rules.tiles import Tile, tile_texts, tiles_in
from tables import outages, refusals, repository
from tables.models import By, Status, Table
from tables.presenters.game import GamePresenter
from tables.presenters.games import presenter_of
from tables.presenters.mexican_train.moves import LegalMove, MoveParts, MoveText
from tables.presenters.mexican_train.trains import TrainAnswer
from tables.presenters.rounds import RoundResult, finished_round, present_result
from tables.presenters.values import PHASES, Away, Forfeited, Level, Said, TileCount, Total, WhyOver, Winners
from tables.snapshots import SeatFacts, Snapshot


@described("The round on the table.")
class RoundOnTable(TypedDict):
    number: Annotated[int, "The number of the round, from 1."]
    of: Annotated[int, "How many rounds the match has."]
    engine: Annotated[str, "The double that the round began with."]
    engine_from: Annotated[int | None, "The seat that laid the engine; `null` if it was set aside."]
    starter: Annotated[int, "The seat that has the round's first turn."]
    commitment: Annotated[str, "The SHA-256 of the secret of the deal, which is published after the round."]


@described("The turn that is being played.")
class TurnAnswer(TypedDict):
    seat: Annotated[int, "The seat to move."]
    phase: Annotated[
        str,
        Literal[PHASES],
        (
            "What the seat is expected to do. `play`: move. `drawn`: play after it has drawn. `cover`: cover an open "
            "double. `first_turn`: go on with its long first turn."
        ),
    ]
    deadline: Annotated[
        datetime | None, "When the time of the turn is over; `null` without a clock and while a bot plays the turn."
    ]
    server_time: Annotated[datetime, "The server's time when it answered, to compare the deadline with."]


@described("A seat in play.")
class SeatInPlay(TypedDict):
    seat: Annotated[int, "The seat's number, from 0."]
    name: Annotated[str | None, "The player's name at this table; `null` for a free seat."]
    kind: Annotated[Annotated[str, Kind] | None, "A person or a bot; `null` for a free seat."]
    level: Annotated[Level | None, "The level of the bot; `null` if no bot has the seat."]
    tile_count: TileCount
    total: Total
    away: Away
    forfeited: Forfeited
    announced: Annotated[bool, "Whether the seat's last tile was announced."]
    tiles: NotRequired[Annotated[list[str], "The hand, if the rules have hands_visible."]]


@described("The newest entry of the log. Only the seat that drew a tile sees it, until the round is over.")
class LastMove(MoveParts):
    number: Annotated[int, "Its place in the table's log, from 1."]
    round: Annotated[int, "The round in which it was made."]
    seat: Annotated[int, "The seat that made the move."]
    tile: NotRequired[Annotated[str, "The tile laid, or the tile drawn."]]
    tiles: NotRequired[Annotated[list[str], "The tiles that the called seat drew."]]
    by: Annotated[str, By, "Who made the move: the player, a bot, the clock, or the table's `auto_pass` (`host`)."]
    said: NotRequired[Said]


@described("What only the caller's seat sees.")
class YouAnswer(TypedDict):
    seat: Annotated[int, "The number of the caller's seat."]
    tiles: Annotated[list[str], "The caller's hand."]
    legal_moves: Annotated[list[LegalMove], "The moves that the caller may make now."]


@described("All that the caller may see of a table now.")
class PositionAnswer(TypedDict):
    table: Annotated[Id, "The table's id."]
    status: Annotated[str, Status, "Whether the table is open, the match is running, or how it has ended."]
    version: Annotated[int, "Grows with every change of the table, its seats or its match."]
    next_number: Annotated[int, "The number that the next move has in the log."]
    round: Annotated[RoundOnTable | None, "The round on the table; `null` before the match."]
    next_commitment: Annotated[str | None, "The SHA-256 of the secret of the next deal; `null` if no deal follows."]
    turn: Annotated[TurnAnswer | None, "The turn that is being played; `null` unless the match is running."]
    trains: Annotated[list[TrainAnswer], "The trains: those of the seats, then the Mexican Train."]
    open_doubles: Annotated[list[str], "The trains that end in an open double, the oldest first."]
    boneyard: Annotated[int, "How many tiles are left to draw."]
    seats: Annotated[list[SeatInPlay], "The seats, in the order of their numbers."]
    last_move: Annotated[LastMove | None, "The newest entry of the log; `null` before the first move."]
    may_be_called: Annotated[int | None, "The seat that did not announce its last tile; `null` if there is none."]
    you: Annotated[YouAnswer | None, "The caller's seat; `null` if the caller does not sit at the table."]
    last_round: Annotated[RoundResult | None, "The result of the last round that is over; `null` before that."]
    winners: Winners
    ended_reason: WhyOver


@described("The turn after a move of the past.")
class PastTurn(TypedDict):
    seat: Annotated[int, "The seat to move."]
    phase: Annotated[str, Literal[PHASES], "What the seat was expected to do."]


@described("A position of a round that is over: nothing is hidden. `turn` is `null` after the round's last move.")
class PastPositionAnswer(MoveText):
    table: Annotated[Id, "The table's id."]
    number: Annotated[int, "The place of the move in the table's log, from 1."]
    by_seat: Annotated[int, "The seat that made the move."]
    round: Annotated[int, "The number of the round, from 1."]
    turn: Annotated[PastTurn | None, "The turn after the move; `null` if the move ended the round."]
    trains: Annotated[list[TrainAnswer], "The trains: those of the seats, then the Mexican Train."]
    open_doubles: Annotated[list[str], "The trains that end in an open double, the oldest first."]
    boneyard: Annotated[list[str], "The tiles left to draw, in the order in which they are drawn."]
    hands: Annotated[list[list[str]], "The tiles of each seat."]


def present_position(snapshot: Snapshot, player: UUID | None, now: datetime) -> PositionAnswer:
    """Present everything that this caller may know of the table now (``api.md``, *Playing*)."""
    seat = snapshot.seat_of(player)
    view, presenter = view_of(snapshot, seat), presenter_of(snapshot.game)
    presented = {
        "table": str(snapshot.id),
        "status": snapshot.status,
        "version": snapshot.version,
        "next_number": snapshot.next_number,
        "round": present_round(snapshot, presenter),
        "next_commitment": snapshot.next_commitment,
        "turn": present_turn(snapshot, view, now),
        **presenter.present_view(view),
        "boneyard": view.boneyard_count if view else 0,
        "seats": [present_seat(each, view, presenter) for each in snapshot.seats],
        "last_move": present_last_move(snapshot, seat, presenter),
        **presenter.present_duties(view if snapshot.is_playing else None),
        "you": present_you(snapshot, seat, view, presenter),
        "last_round": present_result(snapshot.last_result, snapshot.seats) if snapshot.last_result else None,
        "winners": snapshot.winners,
        "ended_reason": snapshot.ended_reason or None,
    }
    return cast("PositionAnswer", presented)


def view_of(snapshot: Snapshot, seat: SeatFacts | None) -> View[Any] | None:
    """Return the round on the table as this seat sees it; without a seat, as a spectator sees it."""
    if snapshot.state is None:
        return None
    view: View[Any] = snapshot.rules.view(snapshot.state, seat.number if seat else None)
    return view


def present_round(snapshot: Snapshot, presenter: GamePresenter) -> RoundOnTable | None:
    played = snapshot.round
    if played is None:
        return None
    presented = {
        "number": played.number,
        "of": snapshot.rules.round_count(snapshot.options),
        **presenter.present_round(snapshot),
        "commitment": played.commitment,
    }
    return cast("RoundOnTable", presented)


def present_turn(snapshot: Snapshot, view: View[Any] | None, now: datetime) -> TurnAnswer | None:
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


def present_seat(seat: SeatFacts, view: View[Any] | None, presenter: GamePresenter) -> SeatInPlay:
    """Present a seat in play. It has ``tiles`` only where the rules keep every hand open."""
    presented = {
        "seat": seat.number,
        "name": seat.name,
        "kind": seat.kind,
        "level": seat.bot_level or None,
        "tile_count": view.hand_counts[seat.number] if view else 0,
        "total": seat.total,
        "away": seat.is_away,
        "forfeited": seat.is_forfeited,
        **presenter.present_seat(seat.number, view),
    }
    if view is not None and view.hands is not None:
        presented["tiles"] = tile_texts(tiles_in(view.hands[seat.number]))
    return cast("SeatInPlay", presented)


def present_you(
    snapshot: Snapshot, seat: SeatFacts | None, view: View[Any] | None, presenter: GamePresenter
) -> YouAnswer | None:
    if seat is None:
        return None
    legal = view.legal_moves if view and snapshot.is_playing and seat.may_move_itself else ()
    moves = [presenter.present_move(snapshot.rules, move) for move in legal]
    return {"seat": seat.number, "tiles": tile_texts(tiles_in(view.hand)) if view else [], "legal_moves": moves}


def present_last_move(snapshot: Snapshot, seat: SeatFacts | None, presenter: GamePresenter) -> LastMove | None:
    """Present the newest log entry as this seat may see it; without a seat, as a spectator may."""
    last = snapshot.last_move
    if last is None:
        return None
    move = snapshot.rules.parse(last.text)
    presented: LastMove = {
        "number": last.number,
        "round": snapshot.last_moves_round,
        **presenter.present_move(snapshot.rules, move),
        "seat": last.seat,
        "by": last.by,
    }
    drawer = snapshot.rules.drawer(move, last.seat)
    is_own = seat is not None and drawer == seat.number
    drawn = tiles_taken_last(snapshot) if drawer is not None and (is_own or snapshot.is_round_over) else ()
    return {**presented, **presenter.present_drawn(last.text, tile_texts(drawn))} if drawn else presented


def tiles_taken_last(snapshot: Snapshot) -> tuple[Tile, ...]:
    """Return the tiles that the last move of the round on the table took from the boneyard."""
    before, after = snapshot.before_last_move, snapshot.state
    if before is None or after is None:
        return ()
    return tiles_taken(before, after)


def present_past_position(table: Table, number: int) -> PastPositionAnswer:
    """Present the position after a move of a round that is over, with all hands open.

    Raises ``NotFound`` or ``RoundNotOver``.
    """
    move = table.moves.filter(number=number).select_related("round").first()
    if move is None:
        raise refusals.NotFound(gettext("The log of this table has no move with this number."))
    played = finished_round(table, move.round.number)
    texts = played.moves.filter(number__lte=number).order_by("number").values_list("text", flat=True)
    state = repository.state_of_round(table, len(table.seats.all()), played, texts)
    view, presenter = repository.rules_of(table).view(state, None), presenter_of(table.game)
    answer = {
        "table": str(table.id),
        "number": number,
        **presenter.present_text(move.text),
        "by_seat": move.seat,
        "round": played.number,
        "turn": None if state.ended else {"seat": view.turn, "phase": view.phase},
        **presenter.present_view(view),
        "boneyard": tile_texts(state.boneyard),
        "hands": [tile_texts(tiles_in(hand)) for hand in state.hands],
    }
    return cast("PastPositionAnswer", answer)
