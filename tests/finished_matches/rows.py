"""A finished match as rows."""

from copy import copy
from dataclasses import replace
from itertools import chain, count
from uuid import UUID

from django.utils import timezone

from tables.audit import StoredTable, first_difference
from tables.models import By, Hand, Move, Round, Seat, StandIn, Status, Table
from tests.finished_matches.files import Match, moves_in

MOVES_AT_ONCE = 2000
FACTS = ("first_seat", "engine", "starter")
ROUND_IDS = count(1_000_000_000)  # far from those that the database gives


def taken_from(table: Table) -> Match:
    """A finished table's rows as a file has them."""
    return {
        "table": str(table.pk),
        "preset": table.preset,
        "engine_version": table.engine_version,
        "seats": table.seats.count(),
        "options": table.options,
        "winners": table.winners,
        "forfeited": list(table.seats.filter(stand_in_until=StandIn.END).values_list("number", flat=True)),
        "rounds": [round_taken_from(played) for played in table.rounds.order_by("number")],
    }


def round_taken_from(played: Round) -> Match:
    moves = played.moves.order_by("number").values_list("seat", "text")
    return {
        "secret": bytes(played.secret).hex(),
        "commitment": played.commitment,
        "client_seeds": played.client_seeds,
        **{fact: played.facts[fact] for fact in FACTS},
        "order": played.order,
        "hands": list(played.hands.order_by("seat__number").values_list("tiles", flat=True)),
        "result": played.result,
        "moves": " ".join(f"{seat}:{text}" for seat, text in moves),
    }


def put_into_rows(match: Match) -> Table:
    """A finished match in the database. Its seats have no players, because the log does not need them."""
    rows = rows_of(match)
    rows.table.save(force_insert=True)
    Seat.objects.bulk_create(rows.seats)
    Round.objects.bulk_create(rows.rounds)
    Hand.objects.bulk_create(chain.from_iterable(rows.hands.values()))
    Move.objects.bulk_create(chain.from_iterable(rows.moves.values()), batch_size=MOVES_AT_ONCE)
    return rows.table


def rows_of(match: Match) -> StoredTable:
    """The same without a database, as the check would read it from one."""
    table = table_of(match)
    seats = seats_of(match, table)
    rounds = [round_of(table, number, each) for number, each in enumerate(match["rounds"], start=1)]
    numbers, hands, moves = count(1), dict[int, list[Hand]](), dict[int, list[Move]]()
    for played, each in zip(rounds, match["rounds"], strict=True):
        dealt = zip(seats, each["hands"], each["result"]["points"], strict=True)
        hands[played.pk] = [Hand(round=played, seat=seat, tiles=tiles, points=points) for seat, tiles, points in dealt]
        moves[played.pk] = [move_of(played, next(numbers), *made) for made in moves_in(each["moves"])]
    return StoredTable(table, seats, rounds, hands, moves, goes_beyond=False)


def tells_from(rows: StoredTable, option: str, value: object) -> bool:
    """Whether the match could not have been played as it was if the option, or the version, had this value."""
    table = copy(rows.table)
    if option == "engine_version":
        assert isinstance(value, int)
        table.engine_version = value
    else:
        table.options = {**table.options, option: value}
    return first_difference(replace(rows, table=table)) is not None


def seats_of(match: Match, table: Table) -> list[Seat]:
    totals, forfeited = match["rounds"][-1]["result"]["totals"], match["forfeited"]
    return [
        Seat(table=table, number=number, total=total, stand_in_until=StandIn.END if number in forfeited else "")
        for number, total in enumerate(totals)
    ]


def table_of(match: Match) -> Table:
    now = timezone.now()
    return Table(
        id=UUID(match["table"]),
        status=Status.FINISHED,
        preset=match["preset"],
        options=match["options"],
        engine_version=match["engine_version"],
        next_number=1 + sum(len(moves_in(each["moves"])) for each in match["rounds"]),
        rounds_played=len(match["rounds"]),
        tile_counts=[len(hand) for hand in match["rounds"][-1]["result"]["hands"]],
        winners=match["winners"],
        ended_reason="played",
        started_at=now,
        ended_at=now,
    )


def round_of(table: Table, number: int, each: Match) -> Round:
    columns = ("commitment", "client_seeds", "order", "result")
    return Round(
        id=next(ROUND_IDS),
        table=table,
        number=number,
        secret=bytes.fromhex(each["secret"]),
        dealt_at=table.started_at,
        ended_at=table.ended_at,
        facts={fact: each[fact] for fact in FACTS},
        **{name: each[name] for name in columns},
    )


def move_of(played: Round, number: int, seat: int, text: str) -> Move:
    at = played.table.started_at
    assert at is not None
    return Move(table=played.table, round=played, number=number, seat=seat, text=text, by=By.BOT, at=at)
