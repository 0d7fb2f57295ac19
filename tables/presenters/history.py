"""Presents the log and the events of a table."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypedDict, TypeVar, cast
from uuid import UUID

from django.db.models import F, Model, QuerySet

from players.models import Player
from rest.answers import Id
from rest.texts import described
from rules.game import AnyGame
from rules.games import game_of
from rules.tiles import tile_texts
from tables import repository
from tables.events import EVENT_FIELDS
from tables.models import By, Event, EventKind, Round, Seat, Status, Table
from tables.models import Move as MoveRow
from tables.presenters.games import presenter_of
from tables.presenters.mexican_train.moves import Drawn, MoveParts
from tables.presenters.rounds import RoundResult, present_round_result
from tables.presenters.tables import SeatedPlayer, present_player
from tables.presenters.values import Forfeited, Said, WhyOver, Winners

Row = TypeVar("Row", bound=Model)
DEALT, ENDED = ("dealt",), ("ended",)


class LogEntry(MoveParts):
    number: Annotated[int, "Its place in the table's log, from 1."]
    round: Annotated[int, "The number of the round, from 1."]
    seat: Annotated[int, "The seat that made the move."]
    by: Annotated[str, By, "Who made the move: the player, a bot, the clock, or the table's `auto_pass` (`host`)."]
    at: Annotated[datetime, "When the server accepted the move."]
    tile: NotRequired[
        Annotated[
            str,
            (
                "The tile laid or drawn. Only the seat that drew a tile sees it, until the round is over; events never "
                "have it."
            ),
        ]
    ]


@described("An entry of the log. Only the seat that drew a tile sees it, until the round is over.")
class LoggedMove(LogEntry):
    tiles: NotRequired[
        Annotated[
            list[str],
            "For a call: the tiles that the called seat drew. Only that seat sees them, until the round is over.",
        ]
    ]
    said: NotRequired[Said]


class Versioned(TypedDict):
    version: Annotated[int, "The version of the table; also the `id` of the event."]
    said: NotRequired[Annotated[str, "The change as a sentence, with `said=true`."]]


@described("`move`: an entry of the log, and the seat to move after it.")
class MoveEvent(Versioned, LogEntry):
    turn: Annotated[int | None, "The seat to move now; `null` if the round is over."]


@described("`round`: a round was dealt.")
class RoundDealtEvent(Versioned):
    what: Annotated[str, Literal[DEALT], "Always `dealt`."]
    round: Annotated[int, "The number of the round, from 1."]
    engine: Annotated[str, "The double that the round begins with."]
    starter: Annotated[int, "The seat that has the first turn."]
    commitment: Annotated[str, "The SHA-256 of the secret of the deal."]


@described("`round`: a round has ended.")
class RoundEndedEvent(Versioned):
    what: Annotated[str, Literal[ENDED], "Always `ended`."]
    round: Annotated[int, "The number of the round, from 1."]
    result: Annotated[RoundResult, "The result of the round."]


@described("`seat`: somebody sat down, left or came back.")
class SeatEvent(Versioned):
    seat: Annotated[int, "The number of the seat, from 0."]
    player: Annotated[SeatedPlayer | None, "Who sits there now; `null` for a free seat."]
    away: Annotated[bool, "Whether a bot plays for the player."]
    forfeited: Forfeited


@described("`table`: the table started, ended or changed in another way.")
class TableEvent(Versioned):
    changed: Annotated[list[Annotated[str, Literal[EVENT_FIELDS]]], "The fields of the table that changed."]
    status: Annotated[str, Status, "Whether the table is open, the match is running, or how it has ended."]
    host: Annotated[Id | None, "The id of the player who is the host; `null` if there is none."]
    winners: Winners
    ended_reason: WhyOver
    next_table: NotRequired[Annotated[Id, "The table of the rematch, unless that has ended."]]


StoredEvent: TypeAlias = MoveEvent | RoundDealtEvent | RoundEndedEvent | SeatEvent | TableEvent


def present_events(table_id: UUID, after: int, until: int) -> list[dict[str, Any]]:
    """Present the events after one version, up to another. They are the same for everybody who may see the table."""
    rows = list(Event.objects.filter(table=table_id, version__gt=after, version__lte=until).order_by("version"))
    named = {kind: [each.data for each in rows if each.kind == kind] for kind in EventKind}
    numbers = [data["number"] for data in named[EventKind.MOVE]]
    log = {
        row.number: row
        for row in with_game(MoveRow.objects.filter(table=table_id, number__in=numbers).select_related("round"))
    }
    of_rounds = {data["round"] for data in named[EventKind.ROUND]}
    played = {row.number: row for row in with_game(Round.objects.filter(table=table_id, number__in=of_rounds))}
    sitting = present_players(table_id, {data["player"] for data in named[EventKind.SEAT] if data["player"]})
    return [{"event": each.kind, **present_event(each, log, played, sitting)} for each in rows]


def with_game(rows: QuerySet[Row]) -> QuerySet[Row]:
    """Add the game of the table to each row, and the version of its rules."""
    return cast("QuerySet[Row]", rows.annotate(game=F("table__game"), engine_version=F("table__engine_version")))


def rules_of(row: Any) -> AnyGame:
    """Return the game of a row that ``with_game`` has loaded."""
    return game_of(row.game, row.engine_version)


def present_players(table_id: UUID, wanted: Collection[str]) -> dict[str, SeatedPlayer]:
    """Return players by id. Those who sit at the table have their names there, the others their own names."""
    players = Player.objects.in_bulk(wanted)
    here = {seat.player_id: seat.shown_name for seat in Seat.objects.filter(table=table_id, player__in=players)}
    return {str(key): present_player(player, here.get(key)) for key, player in players.items()}


def present_event(
    event: Event, log: Mapping[int, MoveRow], played: Mapping[int, Round], sitting: Mapping[str, SeatedPlayer]
) -> StoredEvent:
    """Present one event, with the facts of the move, round or player that it refers to."""
    data: dict[str, Any] = event.data
    match event.kind:
        case EventKind.MOVE:
            return {"version": event.version, **present_entry(log[data["number"]]), "turn": data["turn"]}
        case EventKind.ROUND:
            return present_round_event(event.version, played[data["round"]], data["what"])
        case EventKind.SEAT:
            return {
                "version": event.version,
                "seat": data["seat"],
                "player": sitting[data["player"]] if data["player"] else None,
                "away": data["away"],
                "forfeited": data.get("forfeited", False),  # the first release did not store it
            }
    return cast("TableEvent", {"version": event.version, **data})


def present_round_event(version: int, played: Round, what: str) -> RoundDealtEvent | RoundEndedEvent:
    """Present that a round was dealt, or how it ended."""
    if what == "ended":
        return {"version": version, "what": "ended", "round": played.number, "result": present_round_result(played)}
    facts = rules_of(played).public_facts(played.facts)
    presented = {
        "version": version,
        "what": "dealt",
        "round": played.number,
        **facts,
        "commitment": played.commitment,
    }
    return cast("RoundDealtEvent", presented)


def present_entry(row: MoveRow) -> LogEntry:
    """Present a log entry as everybody may see it. For a move out of turn, ``seat`` is the seat that makes it."""
    rules = rules_of(row)
    return {
        "number": row.number,
        "round": row.round.number,
        **presenter_of(rules.name).present_move(rules, rules.parse(row.text)),
        "seat": row.seat,
        "by": row.by,
        "at": row.at,
    }


def present_log(table_id: UUID, player: UUID | None, after: int, limit: int) -> list[LoggedMove]:
    """Present at most ``limit`` log entries from after this place.

    Drawn tiles are presented to their drawer, and to everybody after the round.
    """
    entries = with_game(MoveRow.objects.filter(table=table_id, number__gt=after).select_related("round"))
    rows = list(entries.order_by("number")[:limit])
    own = (
        Seat.objects.filter(table=table_id, player=player).values_list("number", flat=True).first() if player else None
    )
    seen = [row.round for row in rows if may_see_drawn(row, own)]
    drawn = tiles_drawn(table_id, {each.pk: each for each in seen}) if seen else {}
    return [
        {**present_entry(row), **present_drawn(row, drawn[row.number])}
        if may_see_drawn(row, own)
        else {**present_entry(row)}
        for row in rows
    ]


def present_drawn(row: MoveRow, tiles: list[str]) -> Drawn:
    return presenter_of(rules_of(row).name).present_drawn(row.text, tiles)


def may_see_drawn(row: MoveRow, own: int | None) -> bool:
    """Whether a caller in this seat may see the tiles that a move took from the boneyard. False if it took none."""
    rules = rules_of(row)
    drawer = rules.drawer(rules.parse(row.text), row.seat)
    return drawer is not None and (drawer == own or row.round.ended_at is not None)


def tiles_drawn(table_id: UUID, rounds: dict[int, Round]) -> dict[int, list[str]]:
    """Return the tiles that each move of these rounds took from the boneyard, by its number in the log."""
    table = Table.objects.only("game", "options", "engine_version").get(pk=table_id)
    seats = Seat.objects.filter(table=table_id).count()
    logs: dict[int, list[tuple[int, str]]] = {key: [] for key in rounds}
    entries = MoveRow.objects.filter(round_id__in=rounds).order_by("number")
    for key, number, text in entries.values_list("round_id", "number", "text"):
        logs[key].append((number, text))
    result: dict[int, list[str]] = {}
    for key, log in logs.items():
        taken = repository.drawn_tiles(table, seats, rounds[key], [text for _, text in log])
        result |= {number: tile_texts(tiles) for (number, _), tiles in zip(log, taken, strict=True)}
    return result
