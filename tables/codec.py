"""Rows to rules values and back: the only file that knows both, and the one with hand-written SQL.

The playing path reads a whole table in one statement, so that what it reads is of one moment, and because the ORM
is what that path would cost most.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any
from uuid import UUID

from django.db import connection

from players.models import Kind
from rules.dealing import EngineFound
from rules.notation import parse_move, tile_texts
from rules.options import Options, resolve
from rules.state import State
from rules.tiles import Tile, double_set
from rules.versions import Version, version_of
from tables.models import AWAY, OUT_OF_HAND, Round, StandIn, Status, Table


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """A seat as play needs it. ``level`` is the bot's that plays here now, if one does.

    ``name`` is what the player is called here. ``stand_in_until`` is ``next`` also where the player is back already
    and waits for the next round: that raises no version, so only the end of a round asks for it.
    """

    id: int
    number: int
    player: UUID | None
    name: str | None
    kind: str | None
    bot_level: str | None
    stand_in: str
    stand_in_until: str
    total: int
    timeouts: int

    @property
    def level(self) -> str | None:
        """The bot that makes this seat's moves, if a bot does."""
        return self.bot_level if self.kind == Kind.BOT else self.stand_in or None

    @property
    def is_away(self) -> bool:
        return self.stand_in_until in AWAY

    @property
    def is_forfeited(self) -> bool:
        return self.stand_in_until == StandIn.END

    @property
    def may_move_itself(self) -> bool:
        return self.stand_in_until not in OUT_OF_HAND


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """The round on the table: the one being played, or the last of a finished match."""

    id: int
    number: int
    engine: int
    first_seat: int
    starter: int
    commitment: str
    order: str
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LastMove:
    """The newest entry of the log, of whichever round."""

    number: int
    seat: int
    text: str
    by: str


@dataclass(frozen=True)
class Snapshot:
    """One table at one moment, as its rows say."""

    id: UUID
    status: str
    version: int
    next_number: int
    options_text: str
    engine_version: int
    host: UUID | None
    turn_seconds: int | None
    on_timeout: str
    on_leave: str
    bot_delay_ms: int
    auto_pass: bool
    hints: bool
    turn_on_timeout: str | None
    rounds_played: int
    turn: int | None
    deadline: datetime | None
    winners: list[int] | None
    ended_reason: str
    seats: tuple[SeatFacts, ...]
    round: RoundFacts | None
    last_result: dict[str, Any] | None
    next_commitment: str | None
    last_move: LastMove | None

    @cached_property
    def options(self) -> Options:
        return options_from(self.options_text, self.engine_version)

    @cached_property
    def rules(self) -> Version:
        """Those that the table began with."""
        return version_of(self.engine_version)

    @cached_property
    def state(self) -> State | None:
        """The round on the table, played again from its deal."""
        return self._replayed and self._replayed[1]

    @property
    def before_last_move(self) -> State | None:
        """The round on the table before its last move, ``None`` if it has none yet."""
        return self._replayed[0] if self._replayed and self.round and self.round.moves else None

    @cached_property
    def _replayed(self) -> tuple[State, State] | None:
        """The round on the table before its last move and after it, from one replay."""
        if self.round is None:
            return None
        *earlier, last = map(parse_move, self.round.moves) if self.round.moves else (None,)
        before = self.rules.replay(self.dealt(self.round), earlier)
        return before, before if last is None else self.rules.replay(before, [last])

    @cached_property
    def engine_from(self) -> int | None:
        """The seat that has laid the engine of the round on the table; ``None`` if it was set aside."""
        if self.round is None or self.options.sets_engine_aside:
            return None
        order = tiles_from(self.round.order)
        found = self.rules.engine_found(self.options, len(self.seats), self.round.engine, self.round.first_seat, order)
        return found.holder

    def dealt(self, played: RoundFacts) -> State:
        order = tiles_from(played.order)
        return self.rules.deal(self.options, len(self.seats), played.engine, played.first_seat, order)

    @property
    def is_playing(self) -> bool:
        return self.status == Status.PLAYING

    @property
    def turns_on_timeout(self) -> str:
        """What happens if the turn that is on takes too long; a clock that was changed since holds from the next on."""
        return self.turn_on_timeout or self.on_timeout

    @property
    def last_moves_round(self) -> int:
        """The round of the log's newest entry: the one before, if that on the table has no move yet."""
        return self.round.number if self.round is not None and self.round.moves else self.rounds_played

    @property
    def is_round_over(self) -> bool:
        """Whether the round on the table has ended, so that nothing of it is hidden any more."""
        return self.state is not None and self.state.ended is not None

    def advanced(self, states: tuple[State, State], moves: Sequence[LastMove], **changes: Any) -> "Snapshot":
        """This table one write later. ``states`` are those before and after the last of these moves."""
        assert self.round is not None
        played = replace(self.round, moves=(*self.round.moves, *(move.text for move in moves)))
        last = moves[-1] if moves else self.last_move
        later = replace(self, round=played, last_move=last, **changes)
        later.__dict__["_replayed"] = states  # known already; another replay would double the cost of a move
        return later

    def seat_of(self, player: UUID | None) -> SeatFacts | None:
        return next((seat for seat in self.seats if player and seat.player == player), None)


@lru_cache(maxsize=1024)
def options_from(text: str, engine_version: int) -> Options:
    """A table's rules from the JSON they are kept as, with the answers of the version that plays them."""
    return version_of(engine_version).own_options(resolve(json.loads(text)))


TILE_FROM_TEXT = dict(zip(tile_texts(double_set(18)), double_set(18), strict=True))


def tiles_from(text: str) -> list[Tile]:
    return [TILE_FROM_TEXT[word] for word in text.split()]


def tiles_to(tiles: Iterable[Tile]) -> str:
    return " ".join(tile_texts(tiles))


# One statement, so that rows read together belong together. The round on the table is the last one that was dealt.
SNAPSHOT = """
select t.id, t.status, t.version, t.next_number, t.options::text, t.engine_version, t.host_id, t.turn_seconds,
       t.on_timeout, t.on_leave, t.bot_delay_ms, t.auto_pass, t.hints, t.turn_on_timeout,
       t.rounds_played, t.turn, t.deadline, t.winners,
       t.ended_reason,
       (select array_agg(row_to_json(seat)::text order by seat.number)
          from (select s.id, s.number, s.player_id as player, coalesce(nullif(s.shown_name, ''), p.name) as name,
                       p.kind, p.level as bot_level, s.stand_in,
                       case s.stand_in_until when 'round' then 'next' else s.stand_in_until end as stand_in_until,
                       s.total, s.timeouts
                  from tables_seat s left join players_player p on p.id = s.player_id
                 where s.table_id = t.id) seat),
       r.id, r.number, r.engine, r.first_seat, r.starter, r.commitment, r."order",
       (select array_agg(m.text order by m.number) from tables_move m where m.round_id = r.id),
       l.result::text, n.commitment,
       (select json_build_object('number', m.number, 'seat', m.seat, 'text', m.text, 'by', m.by)::text
          from tables_move m where m.table_id = t.id and m.number = t.next_number - 1)
  from tables_table t
  left join lateral (select * from tables_round dealt where dealt.table_id = t.id and dealt.dealt_at is not null
                      order by dealt.number desc limit 1) r on true
  left join tables_round l on l.table_id = t.id and l.number = t.rounds_played
  left join tables_round n on n.table_id = t.id and n.dealt_at is null
 where t.id = %s
"""


def load(table: UUID) -> Snapshot | None:
    """The table as it is now, without a lock."""
    with connection.cursor() as cursor:
        cursor.execute(SNAPSHOT, [table])
        row = cursor.fetchone()
    return None if row is None else snapshot_from(row)


def lock(table: UUID) -> int | None:
    """Lock a table's row until this transaction ends. Returns the version it has now, ``None`` for an unknown table.

    It reads nothing else: a statement that waits for the lock reads other rows as they were before it waited.
    """
    with connection.cursor() as cursor:
        cursor.execute("select version from tables_table where id = %s for update", [table])
        row = cursor.fetchone()
    return None if row is None else row[0]


def lock_previous(table: UUID) -> None:
    """Lock the table of which this one is a rematch, if there is one. It is always locked first."""
    list(Table.objects.select_for_update(of=("self",)).filter(next_tables=table).values_list("pk"))


def snapshot_from(row: Sequence[Any]) -> Snapshot:
    *table, seats, round_id, number, engine, first_seat, starter, commitment, order, moves = row[:-3]
    result, next_commitment, last_move = row[-3:]
    played = RoundFacts(round_id, number, engine, first_seat, starter, commitment, order, tuple(moves or ()))
    decoded = [
        tuple(seat_facts(json.loads(text)) for text in seats),
        None if round_id is None else played,
        None if result is None else json.loads(result),
        next_commitment,
        None if last_move is None else LastMove(**json.loads(last_move)),
    ]
    return Snapshot(*[*table, *decoded])


def seat_facts(seat: dict[str, Any]) -> SeatFacts:
    return SeatFacts(**seat | {"player": UUID(seat["player"]) if seat["player"] else None})


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks, and what a table says of them at a glance. ``is_known``: the token, if any, is good."""

    player: UUID | None
    is_known: bool
    is_found: bool
    is_member: bool
    version: int | None
    status: str | None


# Always one row, so that an unknown table and an unknown token can be told apart. Kept to indexed look-ups. Who may
# see a table is said here once more, for ``TableQuerySet.visible_to`` would cost a second query; a test compares them.
GLANCE = """
select t.id is not null, t.version, t.status, t.spectators = 'open' or (t.visibility = 'public' and t.status = 'open'),
       p.id, t.host_id = p.id, s.id is not null
  from (select %s::uuid as id, %s::text as digest) asked
  left join tables_table t on t.id = asked.id
  left join knox_authtoken k on k.digest = asked.digest and (k.expiry is null or k.expiry > now())
  left join players_player p on p.id = k.user_id and p.is_active
  left join tables_seat s on s.table_id = t.id and s.player_id = p.id
"""


def glance(table: UUID, digest: str | None) -> Caller:
    """Who asks for a table, whether they may see it, and its version: one indexed query."""
    with connection.cursor() as cursor:
        cursor.execute(GLANCE, [table, digest])
        exists, version, status, watchable, player, hosts, sits = cursor.fetchone()
    is_member = bool(hosts or sits)
    return Caller(
        player=player,
        is_known=digest is None or player is not None,
        is_found=exists and (watchable or is_member),
        is_member=is_member,
        version=version,
        status=status,
    )


def state_of_round(table: Table, seats: int, played: Round, moves: Iterable[str]) -> State:
    """The state of any round of a table after these of its moves."""
    return rules_of(table).replay(dealt_state(table, seats, played), map(parse_move, moves))


def drawn_last(table: Table, seats: int, played: Round, moves: Iterable[str]) -> tuple[Tile, ...]:
    """The tiles that the last of these moves of any round took from the boneyard."""
    *_, drawn = rules_of(table).drawn_tiles(dealt_state(table, seats, played), map(parse_move, moves))
    return drawn


def dealt_state(table: Table, seats: int, played: Round) -> State:
    return rules_of(table).deal(*dealt_from(table, seats, played))


def engine_found_in(table: Table, seats: int, played: Round) -> EngineFound:
    """How a round of these rows came by its engine."""
    return rules_of(table).engine_found(*dealt_from(table, seats, played))


def dealt_from(table: Table, seats: int, played: Round) -> tuple[Options, int, int, int, list[Tile]]:
    """What a round that has been dealt was dealt from."""
    assert played.engine is not None
    assert played.first_seat is not None
    return options_of(table.options), seats, played.engine, played.first_seat, tiles_from(played.order)


def rules_of(table: Table) -> Version:
    """The version of the rules that the table began with."""
    return version_of(table.engine_version)


def options_of(stored: Mapping[str, Any]) -> Options:
    """A table's rules from its row."""
    return resolve(stored)
