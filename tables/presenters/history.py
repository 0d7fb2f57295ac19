"""Presents the log and the events of a table."""

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from players.models import Player
from rules.mexican_train.notation import parse_move, tile_text, tile_texts
from rules.tiles import double
from tables import repository
from tables.models import Event, EventKind, Round, Seat, Table
from tables.models import Move as MoveRow
from tables.presenters.mexican_train.moves import drawer_of, present_drawn, present_move
from tables.presenters.rounds import result_of
from tables.presenters.tables import SeatedPlayer, present_player


def present_events(table_id: UUID, after: int, until: int) -> list[dict[str, Any]]:
    """Present the events after one version, up to another. They are the same for everybody who may see the table."""
    told = list(Event.objects.filter(table=table_id, version__gt=after, version__lte=until).order_by("version"))
    named = {kind: [each.data for each in told if each.kind == kind] for kind in EventKind}
    numbers = [data["number"] for data in named[EventKind.MOVE]]
    log = {
        row.number: row for row in MoveRow.objects.filter(table=table_id, number__in=numbers).select_related("round")
    }
    of_rounds = {data["round"] for data in named[EventKind.ROUND]}
    played = {row.number: row for row in Round.objects.filter(table=table_id, number__in=of_rounds)}
    sitting = present_players(table_id, {data["player"] for data in named[EventKind.SEAT] if data["player"]})
    return [{"event": each.kind, "version": each.version, **present_event(each, log, played, sitting)} for each in told]


def present_players(table_id: UUID, wanted: Collection[str]) -> dict[str, SeatedPlayer]:
    """Return players by id. Those who sit at the table have their names there, the others their own names."""
    players = Player.objects.in_bulk(wanted)
    here = {seat.player_id: seat.shown_name for seat in Seat.objects.filter(table=table_id, player__in=players)}
    return {str(key): present_player(player, here.get(key)) for key, player in players.items()}


def present_event(
    told: Event, log: Mapping[int, MoveRow], played: Mapping[int, Round], sitting: Mapping[str, SeatedPlayer]
) -> dict[str, Any]:
    """Present one event, with the facts of the move, round or player that it refers to."""
    data: dict[str, Any] = told.data
    match told.kind:
        case EventKind.MOVE:
            return present_entry(log[data["number"]]) | {"turn": data["turn"]}
        case EventKind.ROUND:
            return present_round_event(played[data["round"]], data["what"])
        case EventKind.SEAT:
            player = data["player"] and sitting[data["player"]]
            return {"forfeited": False} | data | {"player": player}  # the first release did not store it
    return data


def present_round_event(played: Round, what: str) -> dict[str, Any]:
    """Present that a round was dealt, or how it ended."""
    told: dict[str, Any] = {"what": what, "round": played.number}
    if what == "ended":
        return told | {"result": result_of(played)}
    assert played.engine is not None
    engine = tile_text(double(played.engine))
    return told | {"engine": engine, "starter": played.starter, "commitment": played.commitment}


def present_entry(row: MoveRow) -> dict[str, Any]:
    """Present a log entry as everybody may see it. For a call, ``seat`` is the seat that calls."""
    return {
        "number": row.number,
        "round": row.round.number,
        **present_move(parse_move(row.text)),
        "seat": row.seat,
        "by": row.by,
        "at": row.at,
    }


def present_log(table_id: UUID, player: UUID | None, after: int, limit: int) -> list[dict[str, Any]]:
    """Present at most ``limit`` log entries from after this place.

    Drawn tiles are presented to their drawer, and to everybody after the round.
    """
    entries = MoveRow.objects.filter(table=table_id, number__gt=after).select_related("round")
    rows = list(entries.order_by("number")[:limit])
    own = (
        Seat.objects.filter(table=table_id, player=player).values_list("number", flat=True).first() if player else None
    )
    seen = [row.round for row in rows if may_see_drawn(row, own)]
    drawn = tiles_drawn(table_id, {each.pk: each for each in seen}) if seen else {}
    return [
        present_entry(row) | (present_drawn(row.text, drawn[row.number]) if may_see_drawn(row, own) else {})
        for row in rows
    ]


def may_see_drawn(row: MoveRow, own: int | None) -> bool:
    """Whether a caller in this seat may see the tiles that a move took from the boneyard. False if it took none."""
    drawer = drawer_of(parse_move(row.text), row.seat)
    return drawer is not None and (drawer == own or row.round.ended_at is not None)


def tiles_drawn(table_id: UUID, rounds: dict[int, Round]) -> dict[int, list[str]]:
    """Return the tiles that each move of these rounds took from the boneyard, by its number in the log."""
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
