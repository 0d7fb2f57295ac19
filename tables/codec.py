"""Rows to rules values and back: the only file that knows both, and the one with hand-written SQL.

The playing path reads a whole table in one statement, so that what it reads is of one moment, and because the ORM
is what that path would cost most.
"""

import json
import os
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
from rules.shuffling import SECRET_BYTES, commitment_to
from rules.state import State
from rules.tiles import Tile, double_set, tiles_in
from rules.versions import Version, version_of
from tables.events import Told
from tables.models import AWAY, OUT_OF_HAND, By, Hand, Move, Round, Seat, StandIn, Status, Table
from tables.outcome import LoggedMove


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """A seat as play needs it. ``level`` is the bot's that plays here now, if one does.

    ``name`` is what the player is called here.
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

    def advanced(self, states: tuple[State, State], moves: "Sequence[NewMove]", **changes: Any) -> "Snapshot":
        """This table one write later. ``states`` are those before and after the last of these moves."""
        assert self.round is not None
        played = replace(self.round, moves=(*self.round.moves, *(move.text for move in moves)))
        last = LastMove(moves[-1].number, moves[-1].seat, moves[-1].text, moves[-1].by) if moves else self.last_move
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
                       s.stand_in_until, s.total, s.timeouts
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


@dataclass(frozen=True, slots=True)
class NewMove:
    round: int
    number: int
    seat: int
    text: str
    by: By
    at: datetime


MOVES = "insert into tables_move (table_id, round_id, number, seat, text, by, at) values "
MOVE = "(%s, %s, %s, %s, %s, %s, %s)"
EVENTS = "insert into tables_event (table_id, version, kind, data) values "
EVENT = "(%s, %s, %s, %s::jsonb)"
WRITTEN = """
where id = %s returning (select array_agg(s.number) from tables_seat s join players_player p on p.id = s.player_id
                          where s.table_id = tables_table.id and p.has_webhooks)
"""


def append_moves(table: UUID, moves: Sequence[NewMove]) -> None:
    """Write moves to the log. The table's unique numbers are the last guard against two writers."""
    with connection.cursor() as cursor:
        cursor.execute(MOVES + ", ".join([MOVE] * len(moves)), move_values(table, moves))


def update_table(table: UUID, moves: Sequence[NewMove], version: int, told: Sequence[Told], **columns: Any) -> set[int]:
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


def move_values(table: UUID, moves: Sequence[NewMove]) -> list[Any]:
    return [value for m in moves for value in (table, m.round, m.number, m.seat, m.text, m.by.value, m.at)]


def event_values(table: UUID, version: int, told: Sequence[Told]) -> list[Any]:
    numbered = enumerate(told, start=version + 1)
    return [value for number, each in numbered for value in (table, number, each.kind.value, json.dumps(each.data))]


def whole_log(table: UUID) -> list[LoggedMove]:
    """Every move of a table, in order."""
    moves = Move.objects.filter(table_id=table).order_by("number")
    return [LoggedMove(*move) for move in moves.values_list("round_id", "seat", "text", "by")]


def commit_to_round(table: UUID, number: int) -> Round:
    """Choose the secret of a round to come and publish its commitment, before anybody's contribution is fixed."""
    secret = os.urandom(SECRET_BYTES)
    return Round.objects.create(table_id=table, number=number, secret=secret, commitment=commitment_to(secret))


def deal_round(table: UUID, rules: Version, options: Options, number: int, at: datetime) -> tuple[Round, State]:
    """Deal the round that was committed to, with the seats' contributions as they are now."""
    seats = list(Seat.objects.filter(table_id=table).order_by("number"))
    earlier = list(Round.objects.filter(table_id=table, number__lt=number).order_by("number"))
    dealt = Round.objects.get(table_id=table, number=number)
    dealt.client_seeds = [seat.client_seed for seat in seats]
    dealt.first_seat = first_seat_in(rules, options, earlier, dealt, [seat.total for seat in seats])
    inputs = (bytes(dealt.secret), str(table), number, dealt.client_seeds)
    order = rules.shuffled(*inputs, options.highest_pip)
    used = [played.engine for played in earlier if played.engine is not None]
    dealt.engine = rules.choose_engine(options, len(seats), number - 1, used, dealt.first_seat, order)
    state = rules.deal(options, len(seats), dealt.engine, dealt.first_seat, order)
    dealt.starter = state.turn
    dealt.order = tiles_to(order)
    dealt.dealt_at = at
    dealt.save()
    hands = rules.hands_dealt(options, len(seats), dealt.engine, order).hands
    Hand.objects.bulk_create(
        Hand(round=dealt, seat=seat, tiles=tiles_to(tiles_in(hand))) for seat, hand in zip(seats, hands, strict=True)
    )
    return dealt, state


def first_seat_in(
    rules: Version, options: Options, earlier: Sequence[Round], dealt: Round, standing: Sequence[int]
) -> int:
    """The seat from which a round counts; chance chooses the first round's, where the rules want that."""
    first = earlier[0].first_seat if earlier else None
    if first is None:
        inputs = (bytes(dealt.secret), str(dealt.table_id), dealt.number, dealt.client_seeds)
        first = rules.drawn_seat(*inputs) if options.draws_first_seat else options.first_seat_chosen
    return rules.first_seat_of(options, len(standing), dealt.number - 1, first, standing)


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
