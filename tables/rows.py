"""What is written of a table, and what only the end of a round or of a match needs to be read."""

import json
import os
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from rules.shuffling import SECRET_BYTES, commitment_to
from tables.changes import Changes, NewMove
from tables.dealing import Commitment, Deal, EndedRound, MatchFacts
from tables.events import Told
from tables.models import Hand, Move, Round, Seat, StandIn
from tables.outcome import LoggedMove

SEAT = ("stand_in", "stand_in_until", "timeouts", "total")
"""What play changes of a seat."""


def match_facts(table: UUID) -> MatchFacts:
    """The rounds so far, and what the next deal is made from."""
    rounds = Round.objects.filter(table_id=table).order_by("number")
    seats = list(Seat.objects.filter(table_id=table).select_related("player").order_by("number"))
    ended = rounds.filter(ended_at__isnull=False).values_list("engine", "first_seat", "result__points")
    coming = rounds.filter(dealt_at__isnull=True).first()
    return MatchFacts(
        ended=tuple(EndedRound(*each) for each in ended),  # type: ignore[arg-type]  # the deal has set them
        coming=None if coming is None else Commitment(coming.number, bytes(coming.secret)),
        client_seeds=[seat.client_seed for seat in seats],
        back=frozenset(seat.number for seat in seats if seat.stand_in_until == StandIn.ROUND),
        deleted=frozenset(seat.number for seat in seats if seat.player and seat.player.deleted_at),
    )


def whole_log(table: UUID) -> list[LoggedMove]:
    """Every move of a table, in order."""
    moves = Move.objects.filter(table_id=table).order_by("number")
    return [LoggedMove(*move) for move in moves.values_list("round__number", "seat", "text", "by")]


def new_secret() -> bytes:
    return os.urandom(SECRET_BYTES)


def commit(table: UUID, commitment: Commitment) -> None:
    """Keep the secret of a round to come and publish its commitment, before anybody's contribution is fixed."""
    published = commitment_to(commitment.secret)
    Round.objects.create(table_id=table, number=commitment.number, secret=commitment.secret, commitment=published)


def write_rows(changes: Changes, columns: dict[str, Any]) -> set[int]:
    """Write all that was decided for a locked table. Returns the seats whose players have webhooks."""
    table, at = changes.snapshot.id, changes.at
    for before, seat in zip(changes.snapshot.seats, changes.seats, strict=True):
        if changed := {name: getattr(seat, name) for name in SEAT if getattr(seat, name) != getattr(before, name)}:
            Seat.objects.filter(pk=seat.id).update(**changed)
    for commitment in changes.commitments:
        commit(table, commitment)
    for dealt in changes.deals:
        write_deal(table, dealt, [seat.id for seat in changes.seats], at)
    for result in changes.results:
        rounds = Round.objects.filter(table_id=table, number=result["number"])
        rounds.update(result=result, ended_at=at)
        for seat, points in zip(changes.seats, result["points"], strict=True):
            Hand.objects.filter(round__in=rounds, seat_id=seat.id).update(points=points)
    if changes.left:
        Seat.objects.filter(table_id=table, number__in=changes.left).update(has_left=True)
    return update_table(table, logged(changes), changes.snapshot.version, changes.told, **columns)


def write_deal(table: UUID, dealt: Deal, seats: Sequence[int], at: datetime) -> None:
    """Write a deal into its round and its hands. ``seats`` are the keys of the seats' rows, in order."""
    row = Round.objects.get(table_id=table, number=dealt.number)
    row.client_seeds, row.order, row.dealt_at = dealt.client_seeds, dealt.order, at
    row.engine, row.first_seat, row.starter = dealt.engine, dealt.first_seat, dealt.starter
    row.save(update_fields=("client_seeds", "order", "dealt_at", "engine", "first_seat", "starter"))
    hands = zip(seats, dealt.hands, strict=True)
    Hand.objects.bulk_create(Hand(round=row, seat_id=seat, tiles=tiles) for seat, tiles in hands)


def logged(changes: Changes) -> list[tuple[int, NewMove]]:
    """The new moves, each with the key of its round's row."""
    played = changes.snapshot.round
    keys = {} if played is None else {played.number: played.id}
    if changes.deals:
        keys |= dict(Round.objects.filter(table_id=changes.snapshot.id).values_list("number", "id"))
    return [(keys[move.round], move) for move in changes.moves]


MOVES = "insert into tables_move (table_id, round_id, number, seat, text, by, at) values "
MOVE = "(%s, %s, %s, %s, %s, %s, %s)"
EVENTS = "insert into tables_event (table_id, version, kind, data) values "
EVENT = "(%s, %s, %s, %s::jsonb)"
WRITTEN = """
where id = %s returning (select array_agg(s.number) from tables_seat s join players_player p on p.id = s.player_id
                          where s.table_id = tables_table.id and p.has_webhooks)
"""


def update_table(
    table: UUID, moves: Sequence[tuple[int, NewMove]], version: int, told: Sequence[Told], **columns: Any
) -> set[int]:
    """Append moves, keep what is told of a table after ``version``, and set its columns: all in one statement.

    Returns the seats whose players have webhooks. No version of the table says that, so no snapshot may.
    """
    columns["version"] = version + len(told)
    values = [*move_values(table, moves), *event_values(table, version, told), *columns.values(), table]
    parts = [f"moved as ({MOVES}{', '.join([MOVE] * len(moves))})"] if moves else []
    parts.append(f"told as ({EVENTS}{', '.join([EVENT] * len(told))})")
    names = ", ".join(f"{name} = %s" for name in columns)
    with connection.cursor() as cursor:
        cursor.execute(f"with {', '.join(parts)} update tables_table set {names} {WRITTEN}", values)  # noqa: S608
        (webhooks,) = cursor.fetchone()
    return set(webhooks or ())


def move_values(table: UUID, moves: Sequence[tuple[int, NewMove]]) -> list[Any]:
    return [value for key, m in moves for value in (table, key, m.number, m.seat, m.text, m.by.value, m.at)]


def event_values(table: UUID, version: int, told: Sequence[Told]) -> list[Any]:
    numbered = enumerate(told, start=version + 1)
    return [value for number, each in numbered for value in (table, number, each.kind.value, json.dumps(each.data))]
