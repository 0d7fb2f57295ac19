"""Converts rows to values of the rules and back. Only this file has hand-written SQL for the playing path.

That path reads a whole table in one statement, so that all of it is of one moment. Django's models would take most of
its time.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import is_
from typing import Any
from uuid import UUID

from django.db import connection

from rules.game import AnyGame, AnyOptions, AnyState, EndedRound
from rules.games import game_of
from rules.shuffling import SECRET_BYTES, commitment_to
from rules.tiles import Tile
from tables.changes import Changes, NewMove, Sources
from tables.dealing import Commitment, DealtRound, MatchFacts
from tables.events import NewEvent
from tables.models import Hand, Move, Round, Seat, StandIn, Table
from tables.outcome import MoveFacts
from tables.snapshots import LastMove, RoundFacts, SeatFacts, Snapshot, tiles_from

# The round on the table is the last one that was dealt.
SNAPSHOT = """
select t.id, t.status, t.version, t.next_number, t.options::text as options_text, t.game, t.engine_version,
       t.host_id as host, t.turn_seconds, t.on_timeout, t.on_leave, t.bot_delay_ms, t.auto_pass, t.hints,
       t.turn_on_timeout, t.visibility = 'public' as is_public,
       t.rounds_played, t.turn, t.deadline, t.winners, t.ended_reason,
       (select array_agg(row_to_json(seat)::text order by seat.number)
          from (select s.id, s.number, s.player_id as player, coalesce(nullif(s.shown_name, ''), p.name) as name,
                       p.kind, p.level as bot_level, s.stand_in,
                       case s.stand_in_until when 'round' then 'next' else s.stand_in_until end as stand_in_until,
                       s.total, s.timeouts
                  from tables_seat s left join players_player p on p.id = s.player_id
                 where s.table_id = t.id) seat) as seats,
       (select row_to_json(played)::text
          from (select r.id, r.number, r.facts, r.commitment, r."order",
                       array(select m.text from tables_move m where m.round_id = r.id order by m.number) as moves
                  from tables_round r where r.table_id = t.id and r.dealt_at is not null
                 order by r.number desc limit 1) played) as round,
       (select l.result::text from tables_round l where l.table_id = t.id and l.number = t.rounds_played)
       as last_result,
       (select n.commitment from tables_round n where n.table_id = t.id and n.dealt_at is null) as next_commitment,
       (select json_build_object('number', m.number, 'seat', m.seat, 'text', m.text, 'by', m.by)::text
          from tables_move m where m.table_id = t.id and m.number = t.next_number - 1) as last_move
  from tables_table t where t.id = %s
"""


def load(table: UUID) -> Snapshot | None:
    """Return the table's snapshot, read without a lock."""
    with connection.cursor() as cursor:
        cursor.execute(SNAPSHOT, [table])
        row = cursor.fetchone()
        return (
            None
            if row is None
            else snapshot_from({column[0]: value for column, value in zip(cursor.description, row, strict=True)})
        )


def lock(table: UUID) -> int | None:
    """Lock a table's row until this transaction ends. Returns its version, or ``None`` for an unknown table.

    It reads nothing else: a statement that waits for the lock reads other rows as they were before the wait.
    """
    with connection.cursor() as cursor:
        cursor.execute("select version from tables_table where id = %s for update", [table])
        row = cursor.fetchone()
    return None if row is None else row[0]


def lock_previous(table: UUID) -> None:
    """Lock the table of which this one is a rematch, if any. That table is always locked first."""
    list(Table.objects.select_for_update(of=("self",)).filter(next_tables=table).values_list("pk"))


def snapshot_from(row: Mapping[str, Any]) -> Snapshot:
    parts = {
        "seats": tuple(seat_facts(json.loads(text)) for text in row["seats"]),
        "round": row["round"] and round_facts(json.loads(row["round"])),
        "last_result": row["last_result"] and json.loads(row["last_result"]),
        "last_move": row["last_move"] and LastMove(**json.loads(row["last_move"])),
    }
    return Snapshot(**{**row, **parts})


def seat_facts(seat: dict[str, Any]) -> SeatFacts:
    return SeatFacts(**seat | {"player": UUID(seat["player"]) if seat["player"] else None})


def round_facts(played: dict[str, Any]) -> RoundFacts:
    return RoundFacts(**played | {"moves": tuple(played["moves"])})


@dataclass(frozen=True, slots=True)
class Caller:
    """Who sends a request, and what they may see of a table. ``is_known`` is false for an invalid token."""

    player: UUID | None
    is_known: bool
    is_found: bool
    is_member: bool
    version: int | None
    status: str | None
    game: str | None
    engine_version: int | None


# Always returns one row, so that an unknown table differs from an unknown token. Uses indexed look-ups only. Repeats
# the rule of ``TableQuerySet.visible_to``, which would take a second query; a test compares the two.
GLANCE = """
select t.id is not null, t.version, t.status, t.game, t.engine_version,
       t.spectators = 'open' or (t.visibility = 'public' and t.status = 'open'),
       p.id, t.host_id = p.id, s.id is not null
  from (select %s::uuid as id, %s::text as digest) asked
  left join tables_table t on t.id = asked.id
  left join knox_authtoken k on k.digest = asked.digest and (k.expiry is null or k.expiry > now())
  left join players_player p on p.id = k.user_id and p.is_active
  left join tables_seat s on s.table_id = t.id and s.player_id = p.id
"""


def glance(table: UUID, digest: str | None) -> Caller:
    """Return who asks for a table, whether they may see it, and its version, with one indexed query."""
    with connection.cursor() as cursor:
        cursor.execute(GLANCE, [table, digest])
        exists, version, status, game, engine_version, watchable, player, hosts, sits = cursor.fetchone()
    is_member = bool(hosts or sits)
    return Caller(
        player=player,
        is_known=digest is None or player is not None,
        is_found=exists and (watchable or is_member),
        is_member=is_member,
        version=version,
        status=status,
        game=game,
        engine_version=engine_version,
    )


SEAT = ("stand_in", "stand_in_until", "timeouts", "total")
"""The columns of a seat that play changes."""


def match_facts(table: UUID) -> MatchFacts:
    """Load the rounds that have ended, and what the next deal is made from."""
    rounds = Round.objects.filter(table_id=table).order_by("number")
    seats = list(Seat.objects.filter(table_id=table).select_related("player").order_by("number"))
    ended = rounds.filter(ended_at__isnull=False).values_list("facts", "result__points")
    coming = rounds.filter(dealt_at__isnull=True).first()
    return MatchFacts(
        ended=tuple(EndedRound(facts, points) for facts, points in ended),
        coming=None if coming is None else Commitment(coming.number, bytes(coming.secret)),
        client_seeds=[seat.client_seed for seat in seats],
        back=frozenset(seat.number for seat in seats if seat.stand_in_until == StandIn.ROUND),
        deleted=frozenset(seat.number for seat in seats if seat.player and seat.player.deleted_at),
    )


def whole_log(table: UUID) -> list[MoveFacts]:
    """Load every move of a table, in order."""
    moves = Move.objects.filter(table_id=table).order_by("number")
    return [MoveFacts(*move) for move in moves.values_list("round__number", "seat", "text", "by")]


def new_secret() -> bytes:
    return os.urandom(SECRET_BYTES)


SOURCES = Sources(match=match_facts, log=whole_log, secret=new_secret)


def publish_commitment(table: UUID, commitment: Commitment) -> None:
    """Store the secret of a coming round and publish its commitment, before any client seed is fixed."""
    published = commitment_to(commitment.secret)
    Round.objects.create(table_id=table, number=commitment.number, secret=commitment.secret, commitment=published)


def write_rows(changes: Changes, columns: dict[str, Any]) -> set[int]:
    """Write everything that was decided for a locked table. Returns the seats whose players have webhooks."""
    table, at = changes.snapshot.id, changes.at
    for before, seat in zip(changes.snapshot.seats, changes.seats, strict=True):
        if changed := {name: getattr(seat, name) for name in SEAT if getattr(seat, name) != getattr(before, name)}:
            Seat.objects.filter(pk=seat.id).update(**changed)
    for commitment in changes.commitments:
        publish_commitment(table, commitment)
    for dealt in changes.deals:
        write_deal(table, dealt, [seat.id for seat in changes.seats], at)
    for result in changes.results:
        rounds = Round.objects.filter(table_id=table, number=result["number"])
        rounds.update(result=result, ended_at=at)
        for seat, points in zip(changes.seats, result["points"], strict=True):
            Hand.objects.filter(round__in=rounds, seat_id=seat.id).update(points=points)
    if changes.left:
        Seat.objects.filter(table_id=table, number__in=changes.left).update(has_left=True)
    webhooks = update_table(table, logged(changes), changes.snapshot.version, changes.events, columns)
    assert webhooks is not None
    return webhooks


def write_moves(changes: Changes, columns: dict[str, Any]) -> bool:
    """Write moves within a round, without a lock and in one statement, if that is all that must be written.

    Returns False and writes nothing if more has changed, if the table is locked or has another version than the one
    that was decided on, or if a player at the table has webhooks: their messages must be written in the same
    transaction.
    """
    others = (changes.commitments, changes.deals, changes.results, changes.left)
    if any(others) or not all(map(is_, changes.seats, changes.snapshot.seats)):
        return False
    table, version = changes.snapshot.id, changes.snapshot.version
    return update_table(table, logged(changes), version, changes.events, columns, NO_WEBHOOKS) is not None


def write_deal(table: UUID, dealt: DealtRound, seats: Sequence[int], at: datetime) -> None:
    """Write a deal to its round and its hands. ``seats`` are the primary keys of the seats, in order."""
    row = Round.objects.get(table_id=table, number=dealt.number)
    row.client_seeds, row.order, row.dealt_at = dealt.client_seeds, dealt.order, at
    row.facts = dict(dealt.facts)
    row.save(update_fields=("client_seeds", "order", "dealt_at", "facts"))
    hands = zip(seats, dealt.hands, strict=True)
    Hand.objects.bulk_create(Hand(round=row, seat_id=seat, tiles=tiles) for seat, tiles in hands)


def logged(changes: Changes) -> list[tuple[int, NewMove]]:
    """Return the new moves, each with the primary key of its round."""
    played = changes.snapshot.round
    keys = {} if played is None else {played.number: played.id}
    if changes.deals:
        keys |= dict(Round.objects.filter(table_id=changes.snapshot.id).values_list("number", "id"))
    return [(keys[move.round], move) for move in changes.moves]


WEBHOOKS = """
from tables_seat s join players_player p on p.id = s.player_id where s.table_id = tables_table.id and p.has_webhooks
"""
NO_WEBHOOKS = f"and not exists (select {WEBHOOKS})"
# It never waits for another transaction's lock: what was decided holds for the time before the wait.
UPDATE = f"""
update tables_table set {{names}}
 where id = (select id from tables_table where id = %s and version = %s for update skip locked) {{condition}}
returning (select array_agg(s.number) {WEBHOOKS}) as seats
"""  # noqa: S608  # of constants
MOVES = """
insert into tables_move (table_id, round_id, number, seat, text, by, at) select new.* from written, (values {}) as new
"""
MOVE = "(%s::uuid, %s::bigint, %s::integer, %s::smallint, %s, %s, %s::timestamptz)"
EVENTS = "insert into tables_event (table_id, version, kind, data) select new.* from written, (values {}) as new"
EVENT = "(%s::uuid, %s::integer, %s, %s::jsonb)"


def update_table(
    table: UUID,
    moves: Sequence[tuple[int, NewMove]],
    version: int,
    new_events: Sequence[NewEvent],
    columns: Mapping[str, Any],
    condition: str = "",
) -> set[int] | None:
    """Set columns of the table and append moves and events, in one statement. ``version`` is the version before it.

    Returns the seats whose players have webhooks. A snapshot cannot hold them, because they may change without a new
    version of the table. If the table has another version, or another transaction has locked it, or the condition is
    false, nothing is written, and ``None`` is returned.
    """
    columns = {**columns, "version": version + len(new_events)}
    written = (json.dumps(value) if isinstance(value, dict) else value for value in columns.values())
    values = [*written, table, version, *move_values(table, moves), *event_values(table, version, new_events)]
    names = ", ".join(f"{name} = %s" for name in columns)
    parts = [f"written as ({UPDATE.format(names=names, condition=condition)})"]
    parts += [f"moved as ({MOVES.format(', '.join([MOVE] * len(moves)))})"] if moves else []
    parts.append(f"events as ({EVENTS.format(', '.join([EVENT] * len(new_events)))})")
    with connection.cursor() as cursor:
        cursor.execute(f"with {', '.join(parts)} select seats from written", values)  # noqa: S608
        row = cursor.fetchone()
    return None if row is None else set(row[0] or ())


def move_values(table: UUID, moves: Sequence[tuple[int, NewMove]]) -> list[Any]:
    return [value for key, m in moves for value in (table, key, m.number, m.seat, m.text, m.by.value, m.at)]


def event_values(table: UUID, version: int, new_events: Sequence[NewEvent]) -> list[Any]:
    numbered = enumerate(new_events, start=version + 1)
    return [value for number, each in numbered for value in (table, number, each.kind.value, json.dumps(each.data))]


def state_of_round(table: Table, seats: int, played: Round, moves: Iterable[str]) -> AnyState:
    """Return the state of any round of a table after these of its moves."""
    rules = rules_of(table)
    return rules.replay(dealt_state(table, seats, played), map(rules.parse, moves))


def drawn_last(table: Table, seats: int, played: Round, moves: Iterable[str]) -> tuple[Tile, ...]:
    """Return the tiles that the last of these moves of a round took from the boneyard."""
    *_, drawn = drawn_tiles(table, seats, played, moves)
    return drawn


def drawn_tiles(table: Table, seats: int, played: Round, moves: Iterable[str]) -> Iterator[tuple[Tile, ...]]:
    """For each of these moves of a round, return the tiles that it took from the boneyard."""
    rules = rules_of(table)
    return rules.drawn_tiles(dealt_state(table, seats, played), map(rules.parse, moves))


def dealt_state(table: Table, seats: int, played: Round) -> AnyState:
    """Return the first state of a round. The round must be dealt."""
    assert played.dealt_at is not None
    return rules_of(table).dealt(options_of(table), seats, tiles_from(played.order), played.facts)


def rules_of(table: Table) -> AnyGame:
    """Return the game of a table, in the version of its rules that the table began with."""
    return game_of(table.game, table.engine_version)


def options_of(table: Table) -> AnyOptions:
    """Return a table's options from its row."""
    return rules_of(table).stored_options(table.options)
