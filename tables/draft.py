"""What one transaction is about to write at a table: moves applied one by one, then put into the rows at once."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone

from players.models import Kind, Player
from rules.errors import IllegalMove
from rules.match import totals
from rules.moves import PASS, Move
from rules.notation import move_text, tile_texts
from rules.state import State
from rules.tiles import tiles_in
from tables import codec, events, notices, refusals, schedule, snapshots, watching
from tables.codec import NewMove, SeatFacts, Snapshot
from tables.events import Told
from tables.models import By, Hand, Round, Seat, StandIn, Status
from tables.outcome import Decided, cut_short, decided, seats_left


@dataclass(slots=True)
class Draft:
    """What one transaction is about to write: the moves, and where they leave the table.

    ``at`` is when the moves take effect, after the table's lock was won. ``deadline`` is that of the turn which goes
    on; it is ``None`` once a turn has ended. ``waits_since`` is set for the mover's own move: the time from then on is
    not taken from its turn. ``before`` is the state before the newest of the moves.
    ``turn_begins`` is the log's place where the turn begins that is on at the end, if it begins in this draft.
    """

    snapshot: Snapshot
    at: datetime
    waits_since: datetime | None
    state: State
    round_id: int
    next_number: int
    rounds_played: int
    deadline: datetime | None
    seats: list[SeatFacts]
    moves: list[NewMove] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    unwritten: int = 0
    turn_begins: int | None = None
    ending: dict[str, Any] = field(default_factory=dict)
    before: State | None = None

    @property
    def is_playing(self) -> bool:
        return not self.ending

    @property
    def to_append(self) -> list[NewMove]:
        """The moves that are not in the log yet."""
        return self.moves[self.unwritten :]

    @property
    def version(self) -> int:
        """The table's version once this is written: one more for each thing told."""
        return self.snapshot.version + len(self.told)

    @property
    def seat(self) -> SeatFacts:
        """The seat to move."""
        return self.seats[self.state.turn]


def draft_of(snapshot: Snapshot, at: datetime) -> Draft:
    """A draft for a locked table. ``at`` is when the request was received; its moves take effect now."""
    assert snapshot.state is not None
    assert snapshot.round is not None
    return Draft(
        snapshot,
        max(at, timezone.now()),
        None,
        snapshot.state,
        snapshot.round.id,
        snapshot.next_number,
        snapshot.rounds_played,
        snapshot.deadline,
        list(snapshot.seats),
    )


def reseat(draft: Draft, number: int, **changes: Any) -> None:
    """Change facts of a seat, in its row and in the draft; whether its player is there is told."""
    before = draft.seats[number]
    Seat.objects.filter(pk=before.id).update(**changes)
    seat = draft.seats[number] = replace(before, **changes)
    if (seat.is_away, seat.is_forfeited) != (before.is_away, before.is_forfeited):
        tell_of_seat(draft, seat)


def tell_of_seat(draft: Draft, seat: SeatFacts) -> None:
    facts = {"is_away": seat.is_away, "is_forfeited": seat.is_forfeited}
    draft.told.append(events.seat_changed(seat.number, seat.player, **facts))


def append(draft: Draft, move: Move, by: By, caller: int | None = None) -> None:
    """Apply a legal move and put it at the end of the draft's log; a round that ends is settled. Raises ``Illegal``.

    ``caller`` is the seat whose move it is where that is not the seat to move.
    """
    seat, draft.before = draft.state.turn, draft.state
    try:
        draft.state = draft.snapshot.rules.apply(draft.state, move)
    except IllegalMove as refusal:
        raise refusals.Illegal(draft.snapshot, refusal.reason) from refusal
    mover = seat if caller is None else caller
    draft.moves.append(NewMove(draft.round_id, draft.next_number, mover, move_text(move), by, draft.at))
    turn = None if draft.state.ended is not None else draft.state.turn
    draft.told.append(events.moved(draft.next_number, turn))
    draft.next_number += 1
    if draft.state.turn != seat or draft.state.ended is not None:
        end_turn(draft, seat)
    if draft.state.ended is not None:
        end_round(draft)


def end_turn(draft: Draft, seat: int) -> None:
    """The seat's time stops; a bot that stood in for this one turn goes."""
    draft.deadline = None
    draft.turn_begins = draft.next_number
    if draft.seats[seat].stand_in_until == StandIn.TURN:
        reseat(draft, seat, stand_in="", stand_in_until=StandIn.NOBODY)


def end_round(draft: Draft) -> None:
    """Write the result down, which opens the secret, and deal the next round or end the match."""
    flush_moves(draft)
    draft.rounds_played += 1
    played = Round.objects.get(pk=draft.round_id)
    points = draft.snapshot.rules.round_points(draft.state)
    earlier = Round.objects.filter(table_id=draft.snapshot.id, ended_at__isnull=False).order_by("number")
    points_by_round = [*earlier.values_list("result__points", flat=True), list(points)]
    standing = totals(points_by_round, len(points))
    for seat, scored, total in zip(list(draft.seats), points, standing, strict=True):
        Hand.objects.filter(round=played, seat_id=seat.id).update(points=scored)
        reseat(draft, seat.number, total=total)
    forfeited = [seat.is_forfeited for seat in draft.seats]
    played.result = result_of(draft.state, played, points, standing, forfeited)
    played.ended_at = draft.at
    played.save(update_fields=("result", "ended_at"))
    draft.told.append(events.round_ended(played.number))
    if draft.rounds_played == draft.snapshot.options.round_count:
        end_match(draft, decided(draft.snapshot.rules, draft.snapshot.options, points_by_round, forfeited))
    else:
        bring_back(draft)
        deal_next(draft)


def bring_back(draft: Draft) -> None:
    """Who came back while a bot played the round to its end plays again."""
    for seat in list(draft.seats):
        if seat.stand_in_until == StandIn.ROUND:
            reseat(draft, seat.number, stand_in="", stand_in_until=StandIn.NOBODY, timeouts=0)


def result_of(
    state: State, played: Round, points: Sequence[int], standing: Sequence[int], forfeited: Sequence[bool]
) -> dict[str, Any]:
    """A round's result, as every caller gets it from now on; lists have one value a seat."""
    return {
        "number": played.number,
        "engine": f"{played.engine}-{played.engine}",
        "starter": played.starter,
        "ended": state.ended,
        "out": state.out,
        "points": points,
        "totals": standing,
        "hands": [tile_texts(tiles_in(hand)) for hand in state.hands],
        "forfeited": forfeited,
    }


def end_if_nobody_can_win(draft: Draft) -> None:
    """End the match at once when every person has forfeited, or is deleted. The round on the table stays as it lies."""
    persons = [seat for seat in draft.seats if seat.kind == Kind.PERSON]
    left = [seat.player for seat in persons if seat.player and not seat.is_forfeited]
    if Player.objects.filter(pk__in=left, deleted_at=None).exists():
        return
    over = Round.objects.filter(table_id=draft.snapshot.id, ended_at__isnull=False).order_by("number")
    points_by_round = list(over.values_list("result__points", flat=True))
    bots = [seat.kind == Kind.BOT for seat in draft.seats]
    end_match(draft, cut_short(draft.snapshot.rules, draft.snapshot.options, points_by_round, bots))


def end_match(draft: Draft, end: Decided) -> None:
    note_who_left(draft)
    draft.ending = {
        "status": Status.FINISHED,
        "winners": end.winners,
        "ended_reason": end.reason,
        "ended_at": draft.at,
    }
    draft.told.append(events.match_ended(draft.snapshot.host, draft.ending))


def note_who_left(draft: Draft) -> None:
    """Note in the seats which of them were mostly played by others, for the records of their players."""
    flush_moves(draft)
    persons = [seat.number for seat in draft.seats if seat.kind == Kind.PERSON]
    if left := seats_left(codec.whole_log(draft.snapshot.id), persons):
        Seat.objects.filter(table_id=draft.snapshot.id, number__in=left).update(has_left=True)


def deal_next(draft: Draft) -> None:
    """Deal the round that was committed to, and commit to the one after it."""
    options, number = draft.snapshot.options, draft.rounds_played + 1
    dealt, draft.state = codec.deal_round(draft.snapshot.id, draft.snapshot.rules, options, number, draft.at)
    draft.round_id = dealt.pk
    draft.told.append(events.round_dealt(number))
    if number < options.round_count:
        codec.commit_to_round(draft.snapshot.id, number + 1)


def write(draft: Draft) -> Snapshot:
    """Put the draft into the rows; watchers and bot are told after the commit. Returns the table as it is then."""
    pass_for_the_stuck(draft)
    now = max(draft.at, timezone.now())
    clocks = clocks_of(draft, now)
    columns = {
        "next_number": draft.next_number,
        "rounds_played": draft.rounds_played,
        "turn": draft.state.turn if draft.is_playing else None,
        "tile_counts": [hand.bit_count() for hand in draft.state.hands],
        "deadline": clocks.deadline,
        "due_at": clocks.due_at,
        "turn_on_timeout": None if draft.turn_begins else draft.snapshot.turn_on_timeout,
        "looks": 0,
        **({"deadline_set_at": now} if clocks.deadline != draft.snapshot.deadline else {}),
        **draft.ending,
    }
    webhooks = codec.update_table(draft.snapshot.id, draft.to_append, draft.snapshot.version, draft.told, **columns)
    watching.announce_after_commit(draft.snapshot.id, draft.version, lists_of(draft))
    tell_players(draft, webhooks, clocks.deadline)
    if draft.is_playing and draft.seat.level is not None:
        schedule.nudge_after_commit(draft.snapshot.id, draft.next_number, draft.snapshot.bot_delay_ms)
    written = after(draft, columns)
    snapshots.keep_after_commit(written)
    return written


def lists_of(draft: Draft) -> list[UUID]:
    """Whose lists this table stands in; and the lobby's, from which an end may take it or to which it may bring it."""
    persons = [seat.player for seat in draft.seats if seat.player and seat.kind == Kind.PERSON]
    return persons if draft.is_playing else [*persons, watching.LOBBY]


def tell_players(draft: Draft, webhooks: set[int], deadline: datetime | None) -> None:
    """Send the players in these seats, who have webhooks, that the match is over or that their turn has begun."""
    if not draft.is_playing and webhooks:
        notices.table_is_over(draft.snapshot.id, draft.at)
    elif draft.is_playing and draft.turn_begins and draft.seat.number in webhooks and draft.seat.level is None:
        notices.turn_begins(draft.snapshot.id, draft.turn_begins, draft.seat.number, deadline, draft.at)


def pass_for_the_stuck(draft: Draft) -> None:
    """With ``auto_pass``, a person who can only pass is spared saying so."""
    while draft.snapshot.auto_pass and draft.is_playing and draft.seat.level is None:
        if list(draft.snapshot.rules.legal_moves_of(draft.state, draft.state.turn)) != [PASS]:
            break
        append(draft, PASS, By.HOST)


def spare_the_stuck(table: UUID, at: datetime) -> None:
    """The same for the first turn of a match, which no move has gone before."""
    snapshot = snapshots.load(table)
    assert snapshot is not None
    draft = draft_of(snapshot, at)
    pass_for_the_stuck(draft)
    if draft.moves:
        write(draft)


def clocks_of(draft: Draft, now: datetime) -> schedule.Clocks:
    """The clocks as they begin now, right before the rows are written: what went before costs the next seat nothing."""
    if not draft.is_playing:
        return schedule.STOPPED
    if draft.seat.level is not None:
        return schedule.clocks_for_bot(now, draft.snapshot.bot_delay_ms, draft.deadline)
    if draft.deadline is None and draft.turn_begins is None and draft.snapshot.turn_on_timeout:
        return schedule.STOPPED  # the turn goes on as it began: without the clock that was agreed on since
    return schedule.clocks_for_person(now, draft.snapshot.turn_seconds, deadline_kept(draft, now))


def deadline_kept(draft: Draft, now: datetime) -> datetime | None:
    """The deadline of a turn that goes on. A move that was received in time and answered late is not lost at once."""
    if draft.deadline is None or draft.waits_since is None:
        return draft.deadline
    return max(schedule.carried_on(draft.deadline, draft.waits_since, now), now + schedule.LEAST)


def flush_moves(draft: Draft) -> None:
    """Append what is not in the log yet, for a round or match that ends needs its whole log."""
    if draft.to_append:
        codec.append_moves(draft.snapshot.id, draft.to_append)
    draft.unwritten = len(draft.moves)


def after(draft: Draft, columns: dict[str, Any]) -> Snapshot:
    """The table as written: known without asking, unless a round or the match has ended."""
    snapshot = draft.snapshot
    if draft.rounds_played != snapshot.rounds_played or not draft.is_playing:
        fresh = codec.load(snapshot.id)
        assert fresh is not None
        return fresh
    return snapshot.advanced(
        (draft.before or snapshot.before_last_move or draft.state, draft.state),
        draft.moves,
        version=draft.version,
        seats=tuple(draft.seats),
        next_number=columns["next_number"],
        turn=columns["turn"],
        deadline=columns["deadline"],
        turn_on_timeout=columns["turn_on_timeout"],
    )
