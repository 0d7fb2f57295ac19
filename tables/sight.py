"""What a caller gets to see of a table. Everything that leaves the server about a round is made here."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Avg, Count, F, Q
from django.utils import timezone
from django.utils.translation import gettext

from players.models import Kind, Player
from rest import redis
from rules.bots.words import sentence
from rules.explaining import Verdict
from rules.moves import MEXICAN, Call, Draw, Move, Play
from rules.notation import KEEPING, laid_tiles, move_text, parse_move, tile_text, tile_texts, train_text
from rules.options import hand_size
from rules.state import train_names
from rules.tiles import Tile, double, tiles_in
from rules.view import View
from tables import outages, refusals, repository, schedule, thinking
from tables.models import Event, EventKind, Hand, Round, Seat, StandIn, Status, Table
from tables.models import Move as MoveRow
from tables.snapshots import SeatFacts, Snapshot
from tables.telling import told


def position(snapshot: Snapshot, player: UUID | None, now: datetime) -> dict[str, Any]:
    """Everything that this caller may know of the table now (``api.md``, *Playing*)."""
    seat = snapshot.seat_of(player)
    view = view_of(snapshot, seat)
    return {
        "table": str(snapshot.id),
        "status": snapshot.status,
        "version": snapshot.version,
        "next_number": snapshot.next_number,
        "round": round_shown(snapshot),
        "next_commitment": snapshot.next_commitment,
        "turn": turn_shown(snapshot, view, now),
        "trains": trains_shown(view) if view else [],
        "open_doubles": [train_text(each.train) for each in view.open_doubles] if view else [],
        "boneyard": view.boneyard_count if view else 0,
        "seats": [seat_shown(each, view) for each in snapshot.seats],
        "last_move": last_move_shown(snapshot, seat),
        "may_be_called": view.exposed if view and snapshot.is_playing else None,
        "you": you_shown(snapshot, seat, view),
        "last_round": snapshot.last_result and result_shown(snapshot.last_result, snapshot.seats),
        "winners": snapshot.winners,
        "ended_reason": snapshot.ended_reason or None,
    }


def view_of(snapshot: Snapshot, seat: SeatFacts | None) -> View | None:
    """The round on the table as a seat sees it, or anybody else."""
    if snapshot.state is None:
        return None
    return snapshot.rules.view_for(snapshot.state, seat.number if seat else None, None)


def round_shown(snapshot: Snapshot) -> dict[str, Any] | None:
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


def turn_shown(snapshot: Snapshot, view: View | None, now: datetime) -> dict[str, Any] | None:
    if view is None or not snapshot.is_playing:
        return None
    deadline = deadline_shown(snapshot, snapshot.seats[view.turn], now)
    return {"seat": view.turn, "phase": view.phase, "deadline": deadline, "server_time": now}


def deadline_shown(snapshot: Snapshot, mover: SeatFacts, now: datetime) -> datetime | None:
    """When the time of the turn is over; ``None`` without a clock, and where a bot plays the turn to its end."""
    deadline = snapshot.deadline
    if deadline is None or not mover.may_move_itself:
        return None
    if mover.level is not None:
        return deadline if deadline >= now else None
    return outages.as_told(snapshot.id, deadline, now)


def trains_shown(view: View) -> list[dict[str, Any]]:
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


def seat_shown(seat: SeatFacts, view: View | None) -> dict[str, Any]:
    """A seat in play; its tiles are there only where the rules have every hand open."""
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


def you_shown(snapshot: Snapshot, seat: SeatFacts | None, view: View | None) -> dict[str, Any] | None:
    if seat is None:
        return None
    moves = legal_shown(view.legal_moves) if view and snapshot.is_playing and seat.may_move_itself else []
    return {"seat": seat.number, "tiles": tile_texts(tiles_in(view.hand)) if view else [], "legal_moves": moves}


def last_move_shown(snapshot: Snapshot, seat: SeatFacts | None) -> dict[str, Any] | None:
    """The newest entry of the log as this seat may see it, or anybody else."""
    last = snapshot.last_move
    if last is None:
        return None
    move = parse_move(last.text)
    shown: dict[str, Any] = {"number": last.number, "round": snapshot.last_moves_round}
    shown |= {**move_shown(move), "seat": last.seat, "by": last.by}
    drawer = drawer_of(move, last.seat)
    is_own = seat is not None and drawer == seat.number
    taken = tiles_taken_last(snapshot) if drawer is not None and (is_own or snapshot.is_round_over) else ()
    return shown | drawn_shown(last.text, tile_texts(taken)) if taken else shown


def tiles_taken_last(snapshot: Snapshot) -> tuple[Tile, ...]:
    """What the last move of the round on the table took from the boneyard."""
    before, after = snapshot.before_last_move, snapshot.state
    if before is None or after is None:
        return ()
    return before.boneyard[: len(before.boneyard) - len(after.boneyard)]


def legal_shown(legal: Sequence[Move]) -> list[dict[str, Any]]:
    return [move_shown(move) for move in legal]


def move_shown(move: Move) -> dict[str, Any]:
    told = text_shown(move_text(move))
    if isinstance(move, Play):
        train = train_text(move.train)
        return {**told, "type": "play", "tile": tile_text(move.tile), "train": train, "place": train}
    if isinstance(move, Call):
        return {**told, "type": "call", "seat": move.seat}
    return {**told, "type": told["move"]}


def text_shown(logged: str) -> dict[str, Any]:
    """A move from the log in the words of the API, where keeping the marker is a field of its own."""
    text, kept, _ = logged.partition(KEEPING)
    return {"move": text, "keep_marker": True} if kept else {"move": text}


def explanation(snapshot: Snapshot) -> dict[str, Any]:
    """For the seat to move: every tile on every train, and whatever else it could do, legal or why not."""
    assert snapshot.state is not None
    return {
        "table": str(snapshot.id),
        "number": snapshot.next_number,
        "seat": snapshot.turn,
        "moves": [verdict_shown(each) for each in snapshot.rules.explain(snapshot.state)],
    }


def hint(snapshot: Snapshot, level: str) -> dict[str, Any]:
    """What a bot of this level would do from what the seat to move sees, and why in one sentence."""
    view, choice = thinking.advice(snapshot, level)
    names = {seat.number: seat.name for seat in snapshot.seats if seat.name}
    return {
        "table": str(snapshot.id),
        "number": snapshot.next_number,
        "level": level,
        **move_shown(choice.move),
        "why": told(sentence(view, choice, names)),
    }


def verdict_shown(verdict: Verdict) -> dict[str, Any]:
    shown = move_shown(verdict.move) | {"legal": verdict.reason is None}
    if verdict.reason is None:
        return shown
    why = {"reason": verdict.reason, "detail": told(verdict.reason.sentence), "option": verdict.option}
    return shown | why


def position_after(shown: Table, number: int) -> dict[str, Any]:
    """The position after a move of a round that is over, all hands open. Raises ``NotFound`` or ``RoundNotOver``."""
    move = shown.moves.filter(number=number).select_related("round").first()
    if move is None:
        raise refusals.NotFound(gettext("The log of this table has no move of that number."))
    played = finished_round(shown, move.round.number)
    texts = played.moves.filter(number__lte=number).order_by("number").values_list("text", flat=True)
    state = repository.state_of_round(shown, len(shown.seats.all()), played, texts)
    view = repository.rules_of(shown).view_for(state, None, None)
    return {
        "table": str(shown.id),
        "number": number,
        **text_shown(move.text),
        "by_seat": move.seat,
        "round": played.number,
        "turn": None if state.ended else {"seat": view.turn, "phase": view.phase},
        "trains": trains_shown(view),
        "open_doubles": [train_text(each.train) for each in view.open_doubles],
        "boneyard": tile_texts(state.boneyard),
        "hands": [tile_texts(tiles_in(hand)) for hand in state.hands],
    }


def table(shown: Table, caller: Player | None) -> dict[str, Any]:
    """A table as this caller sees it; only members see the invite. Its seats and their players are loaded already."""
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
        "seats": [table_seat(seat, shown.tile_counts) for seat in seats],
        "visibility": shown.visibility,
        "spectators": shown.spectators,
        "turn_seconds": shown.turn_seconds,
        "on_timeout": shown.on_timeout,
        "clock_proposal": clock_proposed(shown, seats),
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
    is_member = caller is not None and (
        caller.id == shown.host_id or any(seat.player_id == caller.id for seat in seats)
    )
    if is_member:
        result["invite"] = {"code": shown.invite_code, "url": settings.INVITE_URL.format(code=shown.invite_code)}
    return result


def clock_proposed(shown: Table, seats: Sequence[Seat]) -> dict[str, Any] | None:
    """The clock that is proposed, if one is. Who has left since is not waited for."""
    proposal = schedule.open_proposal(shown, timezone.now())
    if proposal is None:
        return None
    away = {seat.number for seat in seats if seat.is_away}
    return proposal | {"waiting_for": [number for number in proposal["waiting_for"] if number not in away]}


def invitation(shown: Table, caller: Player | None) -> dict[str, Any]:
    """What whoever has an invite sees before they sit down; the table itself only where they may see that."""
    is_visible = Table.objects.visible_to(caller).filter(pk=shown.pk).exists()
    return {
        "name": shown.name,
        "host": shown.host_name,
        "status": shown.status,
        "free_seats": sum(seat.player_id is None for seat in shown.seats.all()),
        "table": table(shown, caller) if is_visible else None,
    }


def table_seat(seat: Seat, tile_counts: list[int]) -> dict[str, Any]:
    return {
        "seat": seat.number,
        "player": seat.player and player_shown(seat.player, seat.name),
        "away": seat.is_away,
        "forfeited": seat.is_forfeited,
        "total": seat.total,
        "tile_count": tile_counts[seat.number] if tile_counts else 0,
    }


def seat_names(table_id: UUID) -> dict[int, str | None]:
    """What those who sit are called, by their seats' numbers; ``None`` for a free seat."""
    seats = Seat.objects.filter(table=table_id).select_related("player")
    return {seat.number: seat.name for seat in seats}


def player_shown(player: Player, name: str | None = None) -> dict[str, Any]:
    """A player by the name that they have at a table, by their own where there is none."""
    shown = {"id": str(player.id), "name": name or player.name, "kind": player.kind}
    return shown | ({"level": player.level} if player.level else {})


def events(table_id: UUID, after: int, until: int) -> list[dict[str, Any]]:
    """What the versions after one, up to another, have changed: the same for everybody who may see the table."""
    told = list(Event.objects.filter(table=table_id, version__gt=after, version__lte=until).order_by("version"))
    named = {kind: [each.data for each in told if each.kind == kind] for kind in EventKind}
    numbers = [data["number"] for data in named[EventKind.MOVE]]
    log = {
        row.number: row for row in MoveRow.objects.filter(table=table_id, number__in=numbers).select_related("round")
    }
    of_rounds = {data["round"] for data in named[EventKind.ROUND]}
    played = {row.number: row for row in Round.objects.filter(table=table_id, number__in=of_rounds)}
    sitting = players_shown(table_id, {data["player"] for data in named[EventKind.SEAT] if data["player"]})
    return [{"event": each.kind, "version": each.version, **event_shown(each, log, played, sitting)} for each in told]


def players_shown(table_id: UUID, wanted: Collection[str]) -> dict[str, dict[str, Any]]:
    """Players by id: those who sit at the table as they are called there, those who sat there by their own names."""
    players = Player.objects.in_bulk(wanted)
    here = {seat.player_id: seat.shown_name for seat in Seat.objects.filter(table=table_id, player__in=players)}
    return {str(key): player_shown(player, here.get(key)) for key, player in players.items()}


def event_shown(
    told: Event, log: Mapping[int, MoveRow], played: Mapping[int, Round], sitting: Mapping[str, dict[str, Any]]
) -> dict[str, Any]:
    """One event, with what the rows it names have to say."""
    data: dict[str, Any] = told.data
    match told.kind:
        case EventKind.MOVE:
            return logged_shown(log[data["number"]]) | {"turn": data["turn"]}
        case EventKind.ROUND:
            return round_told(played[data["round"]], data["what"])
        case EventKind.SEAT:
            player = data["player"] and sitting[data["player"]]
            return {"forfeited": False} | data | {"player": player}  # the first release did not keep that
    return data


def round_told(played: Round, what: str) -> dict[str, Any]:
    """That a round was dealt, or has ended and how."""
    told: dict[str, Any] = {"what": what, "round": played.number}
    if what == "ended":
        return told | {"result": result_of(played)}
    assert played.engine is not None
    engine = tile_text(double(played.engine))
    return told | {"engine": engine, "starter": played.starter, "commitment": played.commitment}


def result_of(played: Round) -> dict[str, Any]:
    """The result of a round that is over; the seats are asked for only where it was written by the first release."""
    result = dict(played.result or {})
    return result_shown(result, () if "forfeited" in result else Seat.objects.filter(table=played.table_id))


def result_shown(result: dict[str, Any], seats: Iterable[Seat | SeatFacts]) -> dict[str, Any]:
    """The first release did not note which seats were forfeited by then: of its rounds, those that are by now."""
    if "forfeited" in result:
        return result
    return result | {"forfeited": [seat.is_forfeited for seat in sorted(seats, key=lambda seat: seat.number)]}


def results(shown: Table) -> list[dict[str, Any]]:
    """Those of the rounds that are over, in order. The table's seats are loaded already."""
    over = shown.rounds.filter(ended_at__isnull=False).order_by("number")
    return [result_shown(result or {}, shown.seats.all()) for result in over.values_list("result", flat=True)]


def logged_shown(row: MoveRow) -> dict[str, Any]:
    """An entry of the log as everybody sees it; of a call, ``seat`` is who calls."""
    return {
        "number": row.number,
        "round": row.round.number,
        **move_shown(parse_move(row.text)),
        "seat": row.seat,
        "by": row.by,
        "at": row.at,
    }


def moves(table_id: UUID, player: UUID | None, after: int, limit: int) -> list[dict[str, Any]]:
    """The log from a place on. Drawn tiles are told to whose hand they came, and to everybody after the round."""
    entries = MoveRow.objects.filter(table=table_id, number__gt=after).select_related("round")
    rows = list(entries.order_by("number")[:limit])
    own = (
        Seat.objects.filter(table=table_id, player=player).values_list("number", flat=True).first() if player else None
    )
    seen = [row.round for row in rows if may_see_drawn(row, own)]
    drawn = tiles_drawn(table_id, {each.pk: each for each in seen}) if seen else {}
    return [
        logged_shown(row) | (drawn_shown(row.text, drawn[row.number]) if may_see_drawn(row, own) else {})
        for row in rows
    ]


def may_see_drawn(row: MoveRow, own: int | None) -> bool:
    """Whether a caller in this seat may know which tiles a move took from the boneyard, if it took any."""
    drawer = drawer_of(parse_move(row.text), row.seat)
    return drawer is not None and (drawer == own or row.round.ended_at is not None)


def drawer_of(move: Move, mover: int) -> int | None:
    """The seat to whose hand a move of this seat brings tiles from the boneyard, if it does."""
    match move:
        case Draw():
            return mover
        case Call(seat=called):
            return called
    return None


def drawn_shown(text: str, tiles: list[str]) -> dict[str, Any]:
    """A draw takes one tile; a call has its seat take as many as there are, up to the penalty."""
    return {"tile": tiles[0]} if text == "draw" else {"tiles": tiles}


def tiles_drawn(table_id: UUID, rounds: dict[int, Round]) -> dict[int, list[str]]:
    """What each move of these rounds took from the boneyard, by its number in the log."""
    table = Table.objects.only("options", "engine_version").get(pk=table_id)
    seats = Seat.objects.filter(table=table_id).count()
    logs: dict[int, list[tuple[int, str]]] = {key: [] for key in rounds}
    entries = MoveRow.objects.filter(round_id__in=rounds).order_by("number")
    for key, number, text in entries.values_list("round_id", "number", "text"):
        logs[key].append((number, text))
    result: dict[int, list[str]] = {}
    for key, log in logs.items():
        dealt = repository.dealt_state(table, seats, rounds[key])
        taken = repository.rules_of(table).drawn_tiles(dealt, [parse_move(text) for _, text in log])
        result |= {number: tile_texts(tiles) for (number, _), tiles in zip(log, taken, strict=True)}
    return result


def finished_round(shown: Table, number: int) -> Round:
    """A round that is over. Raises ``NotFound`` or ``RoundNotOver``."""
    played = shown.rounds.filter(number=number, dealt_at__isnull=False).first()
    if played is None:
        raise refusals.NotFound(gettext("This table has played no round of that number."))
    if played.ended_at is None:
        raise refusals.RoundNotOver
    return played


def deal(shown: Table, number: int) -> dict[str, Any]:
    """Everything that a finished round was dealt from, so that anybody can check it (``docs/fair-deals.md``).

    A round of an imported record may have no secret; then there is nothing to check it by.
    """
    played = finished_round(shown, number)
    options = repository.options_of(shown.options)
    hands = Hand.objects.filter(round=played).order_by("seat__number")
    found = repository.engine_found_in(shown, len(hands), played)
    return {
        "table": str(shown.id),
        "round": played.number,
        "dealt_here": shown.imported_at is None,
        "commitment": played.commitment or None,
        "secret": bytes(played.secret).hex() or None,
        "client_seeds": played.client_seeds,
        "set_max_pip": options.highest_pip,
        "order": played.order.split(),
        "hands": [hand.tiles.split() for hand in hands],
        "engine": tile_text(found.engine),
        "engine_set_aside": options.sets_engine_aside,
        "engine_from": found.holder,
        "engine_draws": [{"seat": seat, "tile": tile_text(tile)} for seat, tile in found.draws],
        "first_seat": played.first_seat,
        "first_seat_drawn": options.draws_first_seat,
        "starter": played.starter,
        **{
            option: options.as_dict()[option] for option in ("engine_selection", "round_starter", "first_round_starter")
        },
        "hand_size": hand_size(options, len(hands)),
    }


def is_turn_of(shown: Table, player: Player) -> bool:
    """Whether the table waits for this player; not where a bot plays their turn out, or their seat to the end."""
    sat = (seat for seat in shown.seats.all() if seat.player_id == player.id)
    return any(seat.number == shown.turn and seat.may_move_itself for seat in sat)


BOTS_RECORD_KEPT = 600
"""Seconds for which what a bot has done is not counted again: it sits at more tables than anybody, and ever more."""


def record_of(player: Player) -> dict[str, Any]:
    """A player as everybody sees them, and how they have done in matches played to the end."""
    return player_shown(player) | (kept_results_of(player) if player.kind == Kind.BOT else results_of(player))


def kept_results_of(bot: Player) -> dict[str, Any]:
    """Those of some minutes ago. Without Redis they are counted every time."""
    key = f"mexican-train:record-2:{bot.id}"  # the number is that of the fields it holds
    if kept := redis.ask(lambda cache: cache.get(key), "bots' records are counted anew"):
        return dict(json.loads(kept))
    counted = results_of(bot)
    redis.ask(lambda cache: cache.set(key, json.dumps(counted), ex=BOTS_RECORD_KEPT), "bots' records are not kept")
    return counted


def results_of(player: Player) -> dict[str, Any]:
    """How the player has done. A win is counted only in a match that they played themselves."""
    is_over, is_forfeited = Q(table__status=Status.FINISHED), Q(stand_in_until=StandIn.END)
    has_played = is_over & Q(has_left=False) & ~is_forfeited
    counted = Seat.objects.filter(player=player).aggregate(
        matches=Count("pk", filter=is_over),
        played=Count("pk", filter=has_played),
        left=Count("pk", filter=Q(has_left=True) & ~(is_over & is_forfeited)),
        forfeited=Count("pk", filter=is_over & is_forfeited),
        wins=Count("pk", filter=has_played & Q(table__winners__contains=[F("number")])),
    )
    hands = Hand.objects.filter(seat__player=player, seat__has_left=False, points__isnull=False)
    points = hands.exclude(seat__stand_in_until=StandIn.END).aggregate(average=Avg("points"))["average"]
    return counted | {"average_points_a_round": None if points is None else round(float(points), 1)}
