"""Converts a table's match to a record, and a record to the rows of a finished table."""

from collections.abc import Sequence
from datetime import datetime
from itertools import chain, count
from uuid import NAMESPACE_URL, UUID, uuid5

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from players.models import Kind, Player
from players.names import BadName, in_one_form
from rules import games
from rules.game import AnyGame, Ended
from rules.records.checking import Checked, check_record
from rules.records.record import Record, RecordedMove, RecordedRound, RecordedSeat, recorded_options
from rules.records.text_form import text_of
from rules.tiles import tiles_in
from tables import events, names, refusals, repository, snapshots
from tables.deciding import round_result
from tables.models import TABLE_NAME_LENGTH, By, EndedReason, Hand, Round, Seat, StandIn, Status, Table
from tables.models import Move as MoveRow
from tables.outcome import decided, seats_left

ROWS_AT_ONCE = 1000
RECORDED = games.DEFAULT
"""The game whose matches have records."""
RECORDED_FACTS = ("engine", "first_seat", "starter")
EVENT, SITE, DATE, TERMINATION = "Event", "Site", "Date", "Termination"


class NotImported(Exception):
    """A correct record that this server cannot store. The message says why."""


# From rows


def record_of(table: Table) -> Record:
    """Return the record of the rounds that are over. The table's seats and players must be loaded.

    Raises ``NotFound`` if the game has no records.
    """
    if table.game != RECORDED:
        raise refusals.NotFound(gettext("There are no records of this game."))
    rules, options = repository.rules_of(table), recorded_options(table.options)
    seats = tuple(seat_of(seat) for seat in sorted(table.seats.all(), key=lambda seat: seat.number))
    over = list(table.rounds.filter(ended_at__isnull=False).order_by("number"))
    moves: dict[int, list[RecordedMove]] = {each.pk: [] for each in over}
    for row in MoveRow.objects.filter(round__in=over).order_by("number"):
        moves[row.round_id].append(RecordedMove(row.seat, rules.parse(row.text), row.by))
    is_over = len(over) == rules.round_count(options)
    return Record(
        preset=table.preset,
        options=options,
        seats=seats,
        rounds=tuple(round_of(each, moves[each.pk]) for each in over),
        engine_version=table.engine_version,
        table=str(table.pk),
        headers=headers_of(table),
        is_unfinished=not is_over,
        winners=tuple(table.winners or ()) if is_over else None,
    )


def seat_of(seat: Seat) -> RecordedSeat:
    if seat.player is None:
        return RecordedSeat(is_forfeited=seat.is_forfeited)
    return RecordedSeat(seat.name or "", seat.player.kind, seat.player.level, seat.is_forfeited)


def round_of(played: Round, moves: Sequence[RecordedMove]) -> RecordedRound:
    assert played.result is not None
    result = played.result
    return RecordedRound(
        order=tuple(snapshots.tiles_from(played.order)),
        moves=tuple(moves),
        **{fact: played.facts[fact] for fact in RECORDED_FACTS},
        secret=bytes(played.secret).hex() or None,
        commitment=played.commitment or None,
        client_seeds=tuple(played.client_seeds),
        ended=Ended(result["ended"]),
        out=result["out"],
        points=tuple(result["points"]),
        totals=tuple(result["totals"]),
    )


def headers_of(table: Table) -> tuple[tuple[str, str], ...]:
    """Return the headers of an imported record, or what this server knows of the occasion."""
    if table.imported_at is not None:
        return tuple((name, value) for name, value in table.record_headers)
    date = table.started_at.date().isoformat() if table.started_at else ""
    ended = "" if table.ended_reason == EndedReason.PLAYED else table.ended_reason
    headers = ((EVENT, table.name), (SITE, settings.PUBLIC_URL), (DATE, date), (TERMINATION, ended))
    return tuple((name, value) for name, value in headers if value)


# To rows


@transaction.atomic
def import_record(record: Record) -> Table:
    """Store a whole match as a finished table without a host. Raises ``BadRecord`` or ``NotImported``."""
    found = check_record(record)
    if record.is_unfinished:
        raise NotImported("Only a whole match can be stored, and this one is unfinished.")
    now = timezone.now()
    table, is_new = Table.objects.get_or_create(id=id_of(found.record), defaults=fields_of(found, now))
    if not is_new:
        raise NotImported(f"Table {table.pk} is here already.")
    events.keep_first(table)
    write_rounds(table, found, seat_rows(table, found), now)
    persons = [seat for seat, said in enumerate(record.seats) if said.kind == Kind.PERSON and said.name]
    left = seats_left(repository.rules_of(table), repository.whole_log(table.id), persons)
    table.seats.filter(number__in=left).update(has_left=True)
    return table


def id_of(record: Record) -> UUID:
    """Return the id of the table that dealt the match; without one, an id that follows from the record's text."""
    return uuid5(NAMESPACE_URL, text_of(record)) if record.table is None else UUID(record.table)


def fields_of(found: Checked, now: datetime) -> dict[str, object]:
    record = found.record
    return {
        "name": dict(record.headers).get(EVENT, "")[:TABLE_NAME_LENGTH],
        "status": Status.FINISHED,
        "preset": record.preset,
        "options": record.options.as_dict(),
        "engine_version": record.engine_version,
        "next_number": found.move_count + 1,
        "rounds_played": len(found.played),
        "tile_counts": [hand.bit_count() for hand in found.played[-1].last.hands],
        "winners": list(record.winners or ()),
        "ended_reason": reason_of(found),
        "started_at": now,
        "ended_at": now,
        "imported_at": now,
        "record_headers": record.headers,
    }


def reason_of(found: Checked) -> EndedReason:
    record = found.record
    points = [each.points or () for each in record.rounds]
    forfeited = [seat.is_forfeited for seat in record.seats]
    return decided(rules_of(record), record.options, points, forfeited).reason


def rules_of(record: Record) -> AnyGame:
    return games.game_of(RECORDED, record.engine_version)


def seat_rows(table: Table, found: Checked) -> list[Seat]:
    players = players_for(found.record.seats)
    places = enumerate(zip(found.record.seats, players, found.totals, strict=True))
    seats = [
        Seat(
            table=table,
            number=number,
            player=player,
            total=total,
            stand_in_until=StandIn.END if seat.is_forfeited else StandIn.NOBODY,
        )
        for number, (seat, player, total) in places
    ]
    names.settle(seats, None)
    return Seat.objects.bulk_create(seats)


def players_for(seats: Sequence[RecordedSeat]) -> list[Player | None]:
    """Return a player for each seat.

    A bot is the one of its level and name. A person is a new, inactive player of that name; without a name the seat
    stays empty.
    """
    bots = [(seat.level, seat.name) for seat in seats if seat.kind == Kind.BOT]
    if len(set(bots)) < len(bots):
        raise NotImported("Two seats have the same bot. Give bots of the same level different names.")
    return [bot_of(seat) if seat.kind == Kind.BOT else person_of(seat) for seat in seats]


def name_of(seat: RecordedSeat) -> str:
    """Return the name in the form in which names are stored. Raises ``NotImported`` if it is not a valid name."""
    try:
        return in_one_form(seat.name)
    except BadName as bad:
        raise NotImported(str(bad)) from bad


def bot_of(seat: RecordedSeat) -> Player:
    unusable = {"password": make_password(None)}
    bot, _ = Player.objects.get_or_create(kind=Kind.BOT, level=seat.level, name=name_of(seat), defaults=unusable)
    return bot


def person_of(seat: RecordedSeat) -> Player | None:
    return Player.objects.create_user(None, name=name_of(seat), is_active=False) if seat.name else None


def write_rounds(table: Table, found: Checked, seats: Sequence[Seat], now: datetime) -> None:
    rules, numbers = rules_of(found.record), count(1)
    for index, (said, played) in enumerate(zip(found.record.rounds, found.played, strict=True), start=1):
        row = round_row(table, index, said, now)
        points = said.points or ()
        later = found.record.rounds[index:]
        forfeited = [is_forfeited_by(seat, number, later) for number, seat in enumerate(found.record.seats)]
        row.result = round_result(rules, played.last, row, points, said.totals or (), forfeited)
        row.save(force_insert=True)
        dealt = zip(seats, map(tiles_in, played.hands), points, strict=True)
        Hand.objects.bulk_create(
            Hand(round=row, seat=seat, tiles=snapshots.tiles_to(tiles), points=scored) for seat, tiles, scored in dealt
        )
        moves = (move_row(rules, row, next(numbers), made, now) for made in said.moves)
        MoveRow.objects.bulk_create(moves, batch_size=ROWS_AT_ONCE)


def is_forfeited_by(seat: RecordedSeat, number: int, later: Sequence[RecordedRound]) -> bool:
    """Whether a seat was forfeited when a round ended. ``later`` are the rounds after it.

    A record says only whether a seat was forfeited at any time. From then on a bot makes every move of the seat.
    """
    moves = chain.from_iterable(each.moves for each in later)
    return seat.is_forfeited and all(made.by == By.BOT for made in moves if made.seat == number)


def round_row(table: Table, number: int, said: RecordedRound, now: datetime) -> Round:
    return Round(
        table=table,
        number=number,
        secret=bytes.fromhex(said.secret or ""),
        commitment=said.commitment or "",
        facts={fact: getattr(said, fact) for fact in RECORDED_FACTS},
        client_seeds=list(said.client_seeds),
        order=snapshots.tiles_to(said.order),
        dealt_at=now,
        ended_at=now,
    )


def move_row(rules: AnyGame, played: Round, number: int, made: RecordedMove, now: datetime) -> MoveRow:
    text = rules.text(made.move)
    return MoveRow(table_id=played.table_id, round=played, number=number, seat=made.seat, text=text, by=made.by, at=now)
