"""Decides what a move, the clock, a bot or a start changes at a table. Nothing is written here."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Protocol

from players.models import Kind
from rules.errors import IllegalMove
from rules.game import AnyGame, AnyState, EndedRound, Facts, totals
from rules.tiles import tile_texts, tiles_in
from tables import dealing, events, refusals
from tables.changes import Changes, NewMove, Sources, add_seat_event, reseat
from tables.dealing import Commitment, DealtRound
from tables.models import TIMEOUTS_BEFORE_AWAY, By, OnTimeout, StandIn, Status, until_back
from tables.outcome import Decided, MoveFacts, cut_short, decided, seats_left
from tables.snapshots import RoundFacts, Snapshot


def started(snapshot: Snapshot, sources: Sources, at: datetime) -> Changes:
    """Return the changes of a match's start: the first round is dealt, and a seat has the turn."""
    facts = sources.match(snapshot.id)
    dealt, state = dealing.deal_coming(snapshot.id, snapshot.rules, snapshot.options, facts, len(snapshot.seats))
    changes = Changes(
        snapshot=snapshot,
        sources=sources,
        at=at,
        state=state,
        round=dealt.number,
        next_number=snapshot.next_number,
        rounds_played=0,
        deadline=None,
        seats=list(snapshot.seats),
        turn_begins=snapshot.next_number,
        match=facts,
        columns={"status": Status.PLAYING, "started_at": at, "changed_at": at},
    )
    changes.events.append(events.changed_in_match(snapshot.host, changes.columns, ["status"]))
    put_deal(changes, dealt)
    pass_for_the_stuck(changes)
    return changes


# What a move does


def make(changes: Changes, move: Any, by: By, caller: int | None = None) -> None:
    """Apply a legal move and append it to the log. Settles the round if it ends. Raises ``Illegal``.

    ``caller`` is the seat that makes the move, if that is not the seat to move.
    """
    seat, changes.before = changes.state.turn, changes.state
    try:
        changes.state = changes.snapshot.rules.apply(changes.state, move)
    except IllegalMove as refusal:
        raise refusals.Illegal(changes.snapshot, refusal.reason) from refusal
    mover, text = seat if caller is None else caller, changes.snapshot.rules.text(move)
    changes.moves.append(NewMove(changes.round, changes.next_number, mover, text, by, changes.at))
    turn = None if changes.state.ended is not None else changes.state.turn
    changes.events.append(events.moved(changes.next_number, turn))
    changes.next_number += 1
    if changes.state.turn != seat or changes.state.ended is not None:
        end_turn(changes, seat)
    if changes.state.ended is not None:
        end_round(changes)


def pass_for_the_stuck(changes: Changes) -> None:
    """With ``auto_pass``, pass for a person whose only legal move is to pass."""
    rules = changes.snapshot.rules
    while changes.snapshot.auto_pass and changes.is_playing and changes.seat.level is None:
        passing = rules.forced_pass(changes.state)
        if passing is None:
            break
        make(changes, passing, By.HOST)


def end_turn(changes: Changes, seat: int) -> None:
    """Stop the seat's time. A bot that stood in for this one turn leaves."""
    changes.deadline = None
    changes.turn_begins = changes.next_number
    if changes.seats[seat].stand_in_until == StandIn.TURN:
        reseat(changes, seat, stand_in="", stand_in_until=StandIn.NOBODY)


# What the clock does


def let_clock_play(changes: Changes) -> None:
    """Do what ``on_timeout`` says when the time of the seat to move is over."""
    if changes.snapshot.turns_on_timeout == OnTimeout.AUTO:
        play_turn_out(changes)
    else:
        let_bot_stand_in(changes)


def play_turn_out(changes: Changes) -> None:
    """Make the clock's moves until the seat's turn, or the round, is over."""
    begins = (changes.round, changes.state.turn)
    while changes.is_playing and (changes.round, changes.state.turn) == begins:
        make(changes, changes.snapshot.rules.clocks_move(changes.state), By.TIMEOUT)
    pass_for_the_stuck(changes)


def let_bot_stand_in(changes: Changes) -> None:
    """Let a bot take over: for the turn, until the player is back, or to the end of the match."""
    timeouts = changes.seat.timeouts + 1
    is_away = timeouts >= TIMEOUTS_BEFORE_AWAY
    until = until_back(hints=changes.snapshot.hints) if is_away else StandIn.TURN
    if changes.snapshot.turns_on_timeout == OnTimeout.FORFEIT:
        until = StandIn.END
    seat = changes.state.turn
    reseat(changes, seat, stand_in=changes.snapshot.on_leave, stand_in_until=until, timeouts=timeouts)
    if not changes.seat.is_away:
        add_seat_event(changes, changes.seat)  # ``is_away`` stays false, but the position loses its deadline
    if changes.seat.is_forfeited:
        end_if_nobody_can_win(changes)


# The end of a round and of a match


def end_round(changes: Changes) -> None:
    """Store the result, then deal the next round or end the match. From now on the round's secret is public."""
    snapshot, facts, played = changes.snapshot, changes.match_facts, round_on_table(changes)
    changes.rounds_played += 1
    points = list(snapshot.rules.round_points(changes.state))
    ended = (*facts.ended, EndedRound(played.facts, points))
    changes.match = replace(facts, ended=ended)
    standing = totals([each.points for each in ended], len(points))
    for seat, total in zip(list(changes.seats), standing, strict=True):
        reseat(changes, seat.number, total=total)
    forfeited = [seat.is_forfeited for seat in changes.seats]
    changes.results.append(
        round_result(snapshot.rules, changes.state, played, points, standing, forfeited),
    )
    changes.events.append(events.round_ended(played.number))
    points_by_round = changes.match_facts.points_by_round
    if snapshot.rules.is_over(snapshot.options, points_by_round):
        end_match(changes, decided(snapshot.rules, snapshot.options, points_by_round, forfeited))
    else:
        return_seats(changes)
        deal_next(changes)


def return_seats(changes: Changes) -> None:
    """Give their seats back to players who came back while a bot played the round to its end."""
    for seat in list(changes.seats):
        if seat.number in changes.match_facts.back:
            reseat(changes, seat.number, stand_in="", stand_in_until=StandIn.NOBODY, timeouts=0)


def round_on_table(changes: Changes) -> DealtRound | RoundFacts:
    """Return the round in play: the one dealt in this transaction, or the one of the snapshot."""
    if changes.deals:
        return changes.deals[-1]
    assert changes.snapshot.round is not None
    return changes.snapshot.round


class PlayedRound(Protocol):
    """A dealt round: its number, and the facts of its deal."""

    @property
    def number(self) -> int: ...
    @property
    def facts(self) -> Facts: ...


def round_result(
    rules: AnyGame,
    state: AnyState,
    played: PlayedRound,
    points: Sequence[int],
    standing: Sequence[int],
    forfeited: Sequence[bool],
) -> dict[str, Any]:
    """Return a round's result as it is stored and presented. Lists have one value a seat."""
    return {
        "number": played.number,
        **rules.public_facts(played.facts),
        "ended": state.ended,
        "out": state.out,
        "points": points,
        "totals": standing,
        "hands": [tile_texts(tiles_in(hand)) for hand in state.hands],
        "forfeited": forfeited,
    }


def deal_next(changes: Changes) -> None:
    """Deal the next round, whose commitment has been published."""
    snapshot, facts = changes.snapshot, changes.match_facts
    dealt, changes.state = dealing.deal_coming(
        snapshot.id, snapshot.rules, snapshot.options, facts, len(snapshot.seats)
    )
    put_deal(changes, dealt)


def put_deal(changes: Changes, dealt: DealtRound) -> None:
    """Put a dealt round on the table, and commit to the one after it."""
    changes.deals.append(dealt)
    changes.round = dealt.number
    changes.events.append(events.round_dealt(dealt.number))
    coming, rounds = None, changes.snapshot.rules.round_count(changes.snapshot.options)
    if rounds is None or dealt.number < rounds:
        coming = Commitment(dealt.number + 1, changes.sources.secret())
        changes.commitments.append(coming)
    changes.match = replace(changes.match_facts, coming=coming)


def end_if_nobody_can_win(changes: Changes) -> None:
    """End the match at once if every person has forfeited or is deleted. The round on the table stays unfinished."""
    persons = [seat for seat in changes.seats if seat.kind == Kind.PERSON and not seat.is_forfeited]
    if all(seat.number in changes.match_facts.deleted for seat in persons):
        snapshot, bots = changes.snapshot, [seat.kind == Kind.BOT for seat in changes.seats]
        end_match(changes, cut_short(snapshot.rules, snapshot.options, changes.match_facts.points_by_round, bots))


def end_match(changes: Changes, end: Decided) -> None:
    log = [
        *changes.sources.log(changes.snapshot.id),
        *(MoveFacts(each.round, each.seat, each.text, each.by) for each in changes.moves),
    ]
    persons = [seat.number for seat in changes.seats if seat.kind == Kind.PERSON]
    changes.left = seats_left(changes.snapshot.rules, log, persons)
    ending = {"status": Status.FINISHED, "winners": end.winners, "ended_reason": end.reason}
    changes.columns |= ending | {"ended_at": changes.at}
    changes.events.append(events.changed_in_match(changes.snapshot.host, changes.columns, ending))
