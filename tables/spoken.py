"""Answers in words, in the language of the request. They use the caller's answer, and rows where needed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.utils.translation import gettext

from rules.game import AnyGame, View
from rules.tiles import parse_tile
from tables import narration, repository
from tables.models import EventKind, Round, Seat, Status, Table
from tables.models import Move as MoveRow
from tables.narration import Happened, People
from tables.presenters.game import GamePresenter
from tables.presenters.games import presenter_of
from tables.presenters.position_text import position_text as in_words
from tables.snapshots import Snapshot
from tables.translating import translated

Entry = dict[str, Any]


def last_move_said(
    snapshot: Snapshot, player: UUID | None, position: Mapping[str, Any], *, names_winners: bool = True
) -> str | None:
    """Return the sentence of the last move of a position, as its caller gets it. Runs no query."""
    entry = position["last_move"]
    if entry is None:
        return None
    before, after = spectators_view(snapshot, snapshot.before_last_move), spectators_view(snapshot, snapshot.state)
    has_moves = before is not None
    # Before the first move of a round, the last move is the one that ended the round before.
    is_round_over = snapshot.is_round_over or not has_moves
    is_end = names_winners and is_round_over and snapshot.status == Status.FINISHED
    happened = happened_in(
        snapshot.rules,
        entry,
        (before, after) if has_moves else (None, None),
        snapshot.last_result if is_round_over else None,
        (snapshot.winners, snapshot.ended_reason) if is_end else (None, None),
    )
    people = people_of(snapshot, player)
    what_it_did = presenter_of(snapshot.game).what_a_move_did(happened, people)
    return narration.move_said(happened, people, what_it_did)


def position_text(snapshot: Snapshot, player: UUID | None, position: Mapping[str, Any]) -> str:
    """Return a position in words, as its caller sees it. The winners have a line of their own."""
    last = last_move_said(snapshot, player, position, names_winners=False)
    return in_words(presenter_of(snapshot.game), position, people_of(snapshot, player), last)


def people_of(snapshot: Snapshot, player: UUID | None) -> People:
    own = snapshot.seat_of(player)
    return People(
        {seat.number: seat.name for seat in snapshot.seats},
        {seat.number: seat.kind for seat in snapshot.seats},
        None if own is None else own.number,
    )


def spectators_view(snapshot: Snapshot, state: Any) -> View[Any] | None:
    """Return the round as a spectator sees it."""
    return None if state is None else snapshot.rules.view(state, None)


def happened_in(
    rules: AnyGame,
    entry: Mapping[str, Any],
    views: tuple[View[Any] | None, View[Any] | None],
    result: Mapping[str, Any] | None,
    ending: tuple[Sequence[int] | None, str | None],
) -> Happened:
    """Return a log entry as its reader sees it, with ``views`` of the round before and after it.

    ``ending`` has the winners and the reason if this move ended the match. If a forfeit ended it, no move did.
    """
    move = rules.parse(entry["move"])
    tiles = [parse_tile(each) for each in presenter_of(rules.name).drawn_in(entry)]
    (before, after), (winners, reason) = views, ending
    return Happened(
        seat=entry["seat"],
        move=move,
        text=entry["move"],
        by=entry["by"],
        before=before,
        after=after,
        drawn=tiles,
        result=result,
        winners=winners,
        ended_reason=reason,
    )


def moves_said(
    table_id: UUID, player: UUID | None, entries: Sequence[Mapping[str, Any]], *, says_endings: bool = True
) -> list[str]:
    """Return the sentence of each of these log entries. A player who sits there is "you".

    With ``says_endings``, the last move of a round also says its result, and the last of a match also who has won.
    """
    table = Table.objects.get(pk=table_id)
    rules, presenter = repository.rules_of(table), presenter_of(table.game)
    seats = list(Seat.objects.filter(table=table).select_related("player").order_by("number"))
    people = people_at(seats, player)
    rounds = {each.number: each for each in Round.objects.filter(table=table, number__in={e["round"] for e in entries})}
    views = dict(views_of(table, len(seats), rounds.values()))
    said = []
    for entry in entries:
        before, after = views[entry["number"]]
        result = rounds[entry["round"]].result if says_endings and after.ended is not None else None
        is_end = result and table.status == Status.FINISHED and entry["number"] == table.next_number - 1
        ending = (table.winners, table.ended_reason) if is_end else (None, None)
        happened = happened_in(rules, entry, (before, after), result, ending)
        said.append(narration.move_said(happened, people, presenter.what_a_move_did(happened, people)))
    return said


def people_at(seats: Iterable[Seat], player: UUID | None = None) -> People:
    own = (seat.number for seat in seats if player is not None and seat.player_id == player)
    return People(
        {seat.number: seat.name for seat in seats},
        {seat.number: None if seat.player is None else seat.player.kind for seat in seats},
        next(own, None),
    )


def views_of(table: Table, seats: int, rounds: Iterable[Round]) -> Iterator[tuple[int, tuple[View[Any], View[Any]]]]:
    """Yield the number of each move of these rounds, with the round before and after it as a spectator sees it."""
    rules = repository.rules_of(table)
    logs: dict[int, list[tuple[int, str]]] = {}
    entries = MoveRow.objects.filter(round__in=rounds).order_by("number").values_list("round_id", "number", "text")
    for key, number, text in entries:
        logs.setdefault(key, []).append((number, text))
    for played in rounds:
        state = repository.dealt_state(table, seats, played)
        before = rules.view(state, None)
        for number, text in logs.get(played.pk, ()):
            state = rules.replay(state, [rules.parse(text)])
            after = rules.view(state, None)
            yield number, (before, after)
            before = after


def moves_text(entries: Sequence[Mapping[str, Any]], said: Sequence[str]) -> str:
    """Return the log as text, one line a move."""
    lines = [f"{entry['number']}. {text}" for entry, text in zip(entries, said, strict=True)]
    return "\n".join(lines or [gettext("No moves.")]) + "\n"


def with_said(table_id: UUID, events: Sequence[Entry]) -> list[Entry]:
    """Add its sentence to each event. All watchers receive the same, so nobody is "you".

    The end of a round or of the match is said once, by the event that follows the move.
    """
    moves = [each for each in events if each["event"] == EventKind.MOVE]
    sentences = moves_said(table_id, None, moves, says_endings=False) if moves else []
    said = dict(zip((each["version"] for each in moves), sentences, strict=True))
    seats = list(Seat.objects.filter(table=table_id).select_related("table", "player"))
    people, presenter = people_at(seats), presenter_of(seats[0].table.game)
    return [each | {"said": said.get(each["version"]) or event_said(presenter, each, people)} for each in events]


def event_said(presenter: GamePresenter, event: Entry, people: People) -> str:
    match event["event"]:
        case EventKind.ROUND if event["what"] == "dealt":
            return translated(presenter.round_begins(event, people))
        case EventKind.ROUND:
            return narration.round_over_said(event["result"], people)
        case EventKind.SEAT:
            name = event["player"] and event["player"]["name"]  # of the player who sat there then
            then = People({**people.names, event["seat"]: name}, people.kinds)
            return narration.seat_said(event["seat"], then, is_away=event["away"], is_forfeited=event["forfeited"])
    return narration.table_said(event, people)
