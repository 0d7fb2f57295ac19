"""Checks whether stored tables still follow from their logs: replays each round with the rules that it was played by.

Nothing is written or locked. Log entries before a table's ``next_number`` never change. ``read`` loads the table first,
so moves made meanwhile lie beyond that number; the next check covers them.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NoReturn
from uuid import UUID

from players.models import Kind
from rules.errors import RulesError
from rules.game import AnyGame, AnyOptions, AnyState
from rules.replaying import (
    CannotMake,
    Entry,
    IsOver,
    LogFault,
    LoggedRound,
    NotLegal,
    NotOver,
    Replay,
    ReplayedRound,
    WrongFact,
    WrongOrder,
    WrongTiles,
)
from rules.shuffling import commitment_to
from rules.tiles import Tile, double_set, tile_texts, tiles_in
from tables import repository, snapshots
from tables.models import By, EndedReason, Hand, Round, Seat, Status, Table
from tables.models import Move as MoveRow
from tables.outcome import MoveFacts, cut_short, decided, seats_left

CHUNK = 1000
MOST_SHOWN = 300


class Differs(Exception):
    """A stored value differs from what the rules make of the log. The message says where, and what was expected."""


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table's rows as of one moment. ``goes_beyond``: its log has entries at ``next_number`` or later."""

    table: Table
    seats: Sequence[Seat]
    rounds: Sequence[Round]
    hands: dict[int, list[Hand]]
    moves: dict[int, list[MoveRow]]
    goes_beyond: bool

    @property
    def dealt(self) -> int:
        """The number of rounds dealt: those played to the end, and the one on the table."""
        is_on = self.table.started_at is not None and (self.table.status != Status.FINISHED or self.is_cut_short)
        return self.table.rounds_played + is_on

    @property
    def is_cut_short(self) -> bool:
        """Whether the match ended while a round was on the table."""
        on_table = self.table.rounds_played + 1
        is_dealt = any(each.number == on_table and each.dealt_at is not None for each in self.rounds)
        return self.table.status == Status.FINISHED and is_dealt

    @property
    def forfeited(self) -> list[bool]:
        return [seat.is_forfeited for seat in self.seats]

    @property
    def persons(self) -> list[int]:
        return [seat.number for seat in self.seats if seat.player is not None and seat.player.kind == Kind.PERSON]

    @property
    def bots(self) -> list[bool]:
        return [seat.number not in self.persons for seat in self.seats]

    def is_deleted(self, seat: int) -> bool:
        player = self.seats[seat].player
        return player is not None and player.deleted_at is not None


@dataclass(slots=True)
class Walk:
    """How far the replay of one table's log has come."""

    rows: StoredTable
    replay: Replay
    forfeited: list[bool] = field(default_factory=list)
    state: AnyState | None = None

    @property
    def rules(self) -> AnyGame:
        return self.replay.rules

    @property
    def options(self) -> AnyOptions:
        return self.replay.options

    @property
    def seats(self) -> int:
        return self.replay.seats


def table_ids() -> Iterator[UUID]:
    """Yield the id of every table, in chunks.

    It keeps no cursor open, because a pooler may give each query another session.
    """
    chunk = list(Table.objects.order_by("pk").values_list("pk", flat=True)[:CHUNK])
    while chunk:
        yield from chunk
        chunk = list(Table.objects.order_by("pk").filter(pk__gt=chunk[-1]).values_list("pk", flat=True)[:CHUNK])


def read(table_id: UUID) -> StoredTable | None:
    """Read a table's rows as of one moment, even while it is being played."""
    # One statement for the table and its seats, because a seat's total changes together with the table.
    seats = list(Seat.objects.filter(table=table_id).select_related("table", "player").order_by("number"))
    table = seats[0].table if seats else Table.objects.filter(pk=table_id).first()
    if table is None:
        return None
    hands, moves = defaultdict[int, list[Hand]](list), defaultdict[int, list[MoveRow]](list)
    for hand in Hand.objects.filter(round__table=table_id).order_by("seat__number"):
        hands[hand.round_id].append(hand)
    for move in MoveRow.objects.filter(table=table_id, number__lt=table.next_number).order_by("number"):
        moves[move.round_id].append(move)
    rounds = list(Round.objects.filter(table=table_id, number__lte=table.rounds_played + 2).order_by("number"))
    return StoredTable(table, seats, rounds, hands, moves, goes_beyond(table))


def goes_beyond(table: Table) -> bool:
    """Whether the log has an entry at ``next_number`` or later.

    An entry that was made since the table was read does not count.
    """
    if not MoveRow.objects.filter(table=table, number__gte=table.next_number).exists():
        return False
    return Table.objects.filter(pk=table.pk, next_number=table.next_number).exists()


def first_difference(rows: StoredTable) -> str | None:
    """Return the first difference between the stored rows and a replay of the log; ``None`` if there is none."""
    try:
        with at(f"table {rows.table.pk}"):
            check(rows)
    except Differs as difference:
        return str(difference)
    return None


@contextmanager
def at(place: str) -> Iterator[None]:
    """Add the place to every difference found in the block. An exception of the rules counts as a difference too."""
    try:
        yield
    except (Differs, RulesError) as found:
        raise Differs(f"{place}: {found}") from found
    except Exception as fault:
        raise Differs(f"{place}: the rules fail with {fault!r}") from fault


def expect(what: str, stored: object, expected: object) -> None:
    if stored != expected:
        raise Differs(f"{what} is {in_short(stored)}, expected {in_short(expected)}")


def in_short(value: object) -> str:
    """Return a value as one line of limited length."""
    text = json.dumps(value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"


def expect_hidden(what: str, stored: str, expected: str) -> None:
    """Like ``expect``, for tiles that must stay hidden during the round: the message names only the place."""
    if stored == expected:
        return
    pairs = enumerate(zip(stored.split(), expected.split(), strict=False), start=1)
    place = next((place for place, (one, other) in pairs if one != other), None)
    where = "in length or spacing" if place is None else f"from tile {place} on"
    raise Differs(f"{what} is not as expected, {where}")


def check(rows: StoredTable) -> None:
    """Raise ``Differs`` at the first difference."""
    rules, options = repository.rules_of(rows.table), options_in(rows)
    walk = Walk(rows, Replay(rules, options, len(rows.seats), str(rows.table.pk)))
    expect("the seats' numbers", [seat.number for seat in rows.seats], list(range(walk.seats)))
    check_count(walk)
    for played in rows.rounds:
        with at(f"round {played.number}"):
            check_commitment(rows.table, played)
            if played.number <= rows.dealt:
                check_round(walk, played)
    check_table(walk)


def check_commitment(table: Table, played: Round) -> None:
    """Check a round's secret and commitment. Only a round of an imported record may have no secret."""
    secret = bytes(played.secret)
    if not secret and table.imported_at is None:
        raise Differs("it has no secret, though it was dealt here")
    expect("the commitment", played.commitment, commitment_to(secret) if secret else "")


def options_in(rows: StoredTable) -> AnyOptions:
    stored: Any = rows.table.options
    with at("options"):
        if not isinstance(stored, dict):
            raise Differs(f"{in_short(stored)} is not an object of options")
        options = repository.options_of(rows.table)
        repository.rules_of(rows.table).must_suit(options, len(rows.seats))
    return options


def check_count(walk: Walk) -> None:
    """Check that every dealt round exists, and also the next one, which is committed to in advance."""
    table, of = walk.rows.table, walk.rules.round_count(walk.options)
    has_played = table.status in {Status.PLAYING, Status.FINISHED} or walk.rows.moves
    if table.started_at is None and has_played:
        raise Differs("it has been played, but no time is stored at which it started")
    if table.status == Status.FINISHED and not may_be_cut_short(walk.rows):
        expect("rounds_played", table.rounds_played, table.rounds_played if of is None else of)
    if of is not None and walk.rows.dealt > of:
        raise Differs(f"rounds_played is {table.rounds_played}, expected fewer than {of}")
    coming = walk.rows.dealt + 1
    expected = range(1, (coming if of is None else min(coming, of)) + 1)
    numbers = [each.number for each in walk.rows.rounds]
    if missing := [number for number in expected if number not in numbers]:
        raise Differs(f"round {missing[0]}: missing")
    if of is not None and numbers[-1] > of:
        raise Differs(f"round {numbers[-1]}: one too many, the match has {of}")


def may_be_cut_short(rows: StoredTable) -> bool:
    """Whether the match may have ended early, because forfeits left no person's seat that could win it."""
    may_win = any(not rows.forfeited[seat] and not rows.is_deleted(seat) for seat in rows.persons)
    return rows.is_cut_short and any(rows.forfeited) and not may_win


def check_round(walk: Walk, played: Round) -> None:
    expect("the number of client seeds", len(played.client_seeds), walk.seats if played.secret else 0)
    logged = LoggedRound(
        order=order_in(played.order),
        entries=entries(walk, played),
        stated=played.facts,
        secret=bytes(played.secret),
        client_seeds=played.client_seeds,
        is_over=played.number <= walk.rows.table.rounds_played,
    )
    try:
        found = walk.replay.play(logged)
    except LogFault as fault:
        with at_entry(walk, played, fault.at):
            report(walk, played, logged, fault)
    walk.state = found.state
    check_deal(walk, played, found)
    if found.points is not None:
        check_end(walk, played, found)


def order_in(text: str) -> Sequence[Tile]:
    """Return the tiles of an order, or none if it is not written as the server writes it."""
    try:
        tiles = snapshots.tiles_from(text)
    except KeyError:
        return ()
    return tiles if snapshots.tiles_to(tiles) == text else ()


def entries(walk: Walk, played: Round) -> Iterator[Entry]:
    for at_move, row in enumerate(walk.rows.moves.get(played.pk, ())):
        with at_entry(walk, played, at_move):
            move = walk.rules.parse(row.text)
        yield Entry(row.seat, move, row.number)


@contextmanager
def at_entry(walk: Walk, played: Round, index: int | None) -> Iterator[None]:
    """Add the entry, if any, to every difference found in the block."""
    if index is None:
        yield
        return
    row = walk.rows.moves[played.pk][index]
    with at(f"move {row.number}, {in_short(row.text)}"):
        yield


def report(walk: Walk, played: Round, logged: LoggedRound, fault: LogFault) -> NoReturn:
    """Raise the fault of a log as a difference."""
    match fault:
        case WrongTiles() | WrongOrder():
            report_order(walk, played, logged)
        case WrongFact(fact="first_seat", stated=stated, expected=None):
            raise Differs(f"the first seat is {in_short(stated)}, which is none of {walk.seats}")
        case WrongFact(fact=fact, stated=stated, expected=expected):
            name = "its number" if fact == "number" else f"the {fact.replace('_', ' ')}"
            raise Differs(f"{name} is {in_short(stated)}, expected {in_short(expected)}")
        case CannotMake(seat=seat):
            raise Differs(f"by seat {seat}, which cannot make this move")
        case NotLegal(refusal=refusal):
            raise Differs(f"illegal: {refusal.reason}")
        case NotOver(turn=turn):
            raise Differs(f"its moves do not end it, seat {turn} is to move")
        case IsOver(ended=ended):
            raise Differs(f"its moves end it ({ended}), but it is the round on the table")
    raise fault


def report_order(walk: Walk, played: Round, logged: LoggedRound) -> None:
    """Report a wrong order: compare it with the order that the secret gives, and its tiles with the whole set."""
    if played.secret:
        expect_hidden("the order", played.order, snapshots.tiles_to(walk.replay.shuffled(logged)))
    whole = double_set(walk.options.highest_pip)
    expect("the set that was dealt", sorted(played.order.split()), sorted(tile_texts(whole)))


def check_deal(walk: Walk, played: Round, found: ReplayedRound) -> None:
    """Compare the rows of a deal with the deal that the order gives."""
    expect("the facts of the deal", sorted(played.facts), sorted(found.deal.facts))
    stored = walk.rows.hands.get(played.pk, [])
    expect("the number of hands", len(stored), walk.seats)
    for seat, (hand, dealt) in enumerate(zip(stored, found.deal.hands, strict=True)):
        expect_hidden(f"the hand of seat {seat}", hand.tiles, snapshots.tiles_to(tiles_in(dealt)))
    if played.dealt_at is None:
        raise Differs("it has been dealt, but no time is stored at which it was")


def check_end(walk: Walk, played: Round, found: ReplayedRound) -> None:
    """Check that the result and the points of a round that has ended are those of its hands."""
    if played.ended_at is None:
        raise Differs("it has ended, but no time is stored at which it did")
    state, points = found.state, list(found.points or ())
    facts = {
        "number": played.number,
        **walk.rules.public_facts(played.facts),
        "ended": state.ended,
        "out": state.out,
        "points": points,
        "totals": list(walk.replay.totals),
        "hands": [tile_texts(tiles_in(hand)) for hand in state.hands],
    }
    result: Any = played.result
    if not isinstance(result, dict):
        raise Differs(f"the result is {in_short(result)}, expected a map of facts")
    for name, fact in facts.items():
        expect(f"the result's {name}", result.get(name), fact)
    check_forfeits(walk, played, result.get("forfeited"))
    expect("the points of its hands", [hand.points for hand in walk.rows.hands[played.pk]], points)


def check_forfeits(walk: Walk, played: Round, stored: object) -> None:
    """Check that a seat stays forfeited, and that only a bot moves for it afterwards.

    The first release stored no forfeits.
    """
    if stored is None:
        return
    table = walk.rows.table
    is_last = table.status == Status.FINISHED and not walk.rows.is_cut_short and played.number == table.rounds_played
    said = stored if isinstance(stored, list) and len(stored) == walk.seats else [False] * walk.seats
    seats = zip(walk.forfeited or [False] * walk.seats, walk.rows.forfeited, said, strict=True)
    expect(
        "the result's forfeited",
        stored,
        [was or (now and (is_last or bool(forfeited))) for was, now, forfeited in seats],
    )
    for row in walk.rows.moves.get(played.pk, ()):
        if walk.forfeited and walk.forfeited[row.seat] and row.by != By.BOT:
            raise Differs(f"move {row.number}: by {row.by}, though seat {row.seat} was forfeited before this round")
    walk.forfeited = said


def check_table(walk: Walk) -> None:
    """Check the columns of the table and of its seats that repeat facts of the log."""
    table, state = walk.rows.table, walk.state
    expect("next_number", table.next_number, walk.replay.number)
    if walk.rows.goes_beyond:
        raise Differs(f"next_number is {table.next_number}, but the log goes on from there")
    expect("turn", table.turn, state.turn if state and table.status == Status.PLAYING else None)
    expect("tile_counts", table.tile_counts, [hand.bit_count() for hand in state.hands] if state else [])
    for seat, total in zip(walk.rows.seats, walk.replay.totals, strict=True):
        expect(f"the total of seat {seat.number}", seat.total, total)
    check_ending(walk, table)
    check_who_left(walk, table)


def check_who_left(walk: Walk, table: Table) -> None:
    """Check who is stored as having left: by the log, or a host who cancelled while another person sat there."""
    rows, stored = walk.rows, [seat.number for seat in walk.rows.seats if seat.has_left]
    if table.status == Status.FINISHED:
        log = [MoveFacts(row.round_id, row.seat, row.text, row.by) for moves in rows.moves.values() for row in moves]
        if walk.forfeited or rows.is_cut_short:  # the first release did not store it
            expect("the seats that were left", stored, sorted(seats_left(walk.rules, log, rows.persons)))
    elif table.ended_reason == EndedReason.CANCELLED_BY_HOST and table.started_at is not None:
        has_others = any(rows.seats[seat].player_id != table.host_id for seat in rows.persons)
        hosts = [seat.number for seat in rows.seats if has_others and seat.player_id == table.host_id]
        expect("the seats that were left", stored, hosts if stored else [])
    else:
        expect("the seats that were left", stored, [])


def check_ending(walk: Walk, table: Table) -> None:
    """Check the winners and the reason of the end. The first release stored ``played`` for every match."""
    if table.status != Status.FINISHED:
        expect("winners", table.winners, None)
        return
    rows = walk.rows
    if rows.is_cut_short:
        end = cut_short(walk.rules, walk.options, walk.replay.points, rows.bots)
    else:
        end = decided(walk.rules, walk.options, walk.replay.points, rows.forfeited)
    expect("winners", table.winners, end.winners)
    if not rows.is_cut_short and not walk.rules.is_over(walk.options, walk.replay.points):
        raise Differs(f"the match is not over after {len(walk.replay.points)} rounds")
    is_told = walk.forfeited or rows.is_cut_short
    expect("ended_reason", table.ended_reason, end.reason if is_told else EndedReason.PLAYED)
