"""Records for tests: of random matches by random rules, and of the finished matches in the files."""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rules.game import Ended, totals
from rules.mexican_train.announcing import calls_of
from rules.mexican_train.dealing import choose_engine, deal
from rules.mexican_train.legality import legal_moves
from rules.mexican_train.match import first_seat_of, winners
from rules.mexican_train.moves import Move
from rules.mexican_train.notation import parse_move
from rules.mexican_train.options import Options, resolve
from rules.mexican_train.presets import PRESETS
from rules.mexican_train.scoring import round_points
from rules.mexican_train.state import State
from rules.mexican_train.transitions import apply
from rules.records.record import BOT, MADE_BY, PERSON, Record, RecordedMove, RecordedRound, RecordedSeat
from rules.shuffling import commitment_to, drawn_seat, shuffled
from rules.tiles import Tile, parse_tile
from tests.finished_matches.files import moves_in
from tests.rules.random_rules import most_moves, random_rules

TABLE = "00000000-0000-4000-8000-000000000001"
MOST_ROUNDS = 3
NAMES = ("", "Alice", 'Bob "the train" \\o/', "zoë 🚂 e\u0301", "; # no comment", "a\u00a0b\u2028c", "round 1")
SEEDS = ("", "", "alice", ' "quoted" \\', "two\nlines", "# ;")
HEADERS = (("Event", "Sunday"), ("Site", "[here]"), ("Annotator", 'says "hm" \\ # ; x'), ("x-y_1", ""))


def random_record(chance: random.Random) -> Record:
    """A whole match, or its first rounds, with everything said that a server's own record says."""
    options, seats = random_rules(chance)
    options = replace(options, rounds=min(options.round_count, MOST_ROUNDS))
    sitting = tuple(random_seat(chance) for _ in range(seats))
    is_fair = chance.random() < 0.5
    rounds = list[RecordedRound]()
    for _ in range(options.round_count if chance.random() < 0.8 else options.round_count - 1):
        rounds.append(random_round(chance, options, sitting, rounds, is_fair=is_fair))
    points = [each.points or () for each in rounds]
    is_unfinished = len(rounds) < options.round_count
    may_win = [not seat.is_forfeited for seat in sitting]
    return Record(
        preset=chance.choice(list(PRESETS)),
        options=options,
        seats=sitting,
        rounds=tuple(rounds),
        table=TABLE if is_fair else None,
        headers=tuple(chance.sample(HEADERS, chance.randint(0, 4))),
        is_unfinished=is_unfinished,
        winners=None if is_unfinished else tuple(winners(options, points, may_win)),
    )


def random_seat(chance: random.Random) -> RecordedSeat:
    kind = chance.choice((PERSON, BOT))
    return RecordedSeat(chance.choice(NAMES), kind, "easy" if kind == BOT else "", is_forfeited=chance.random() < 0.1)


def random_round(
    chance: random.Random,
    options: Options,
    seats: Sequence[RecordedSeat],
    earlier: Sequence[RecordedRound],
    *,
    is_fair: bool,
) -> RecordedRound:
    """The next round of a match, dealt and played by chance."""
    index, count = len(earlier), len(seats)
    secret, seeds = chance.randbytes(32), tuple(chance.choice(SEEDS) for _ in seats)
    inputs = (secret, TABLE, index + 1, seeds)
    order = shuffled(*inputs, options.highest_pip)
    drawn = drawn_seat(*inputs) if is_fair else chance.randrange(count)
    chosen = drawn if options.draws_first_seat else options.first_seat_chosen
    began = (earlier[0].first_seat or 0) if earlier else chosen
    points = [each.points or () for each in earlier]
    first = first_seat_of(options, count, index, began, totals(points, count))
    engine = choose_engine(options, count, index, [each.engine or 0 for each in earlier], first, order)
    dealt = deal(options, count, engine, first, order)
    moves, last = random_moves(chance, dealt, seats)
    scored = round_points(last)
    return RecordedRound(
        order=tuple(order),
        moves=moves,
        engine=engine,
        first_seat=first,
        starter=dealt.turn,
        secret=secret.hex() if is_fair else None,
        commitment=commitment_to(secret) if is_fair else None,
        client_seeds=seeds if is_fair else (),
        ended=last.ended,
        out=last.out,
        points=scored,
        totals=totals([*points, scored], count),
    )


def random_moves(
    chance: random.Random, dealt: State, seats: Sequence[RecordedSeat]
) -> tuple[tuple[RecordedMove, ...], State]:
    """Legal moves to the end of a round, calls out of turn among them."""
    made, state = list[RecordedMove](), dealt
    while state.ended is None:
        assert len(made) < 3 * most_moves(dealt)
        seat, move = random_move(chance, state)
        by = seats[seat].kind if chance.random() < 0.8 else chance.choice(MADE_BY)
        made.append(RecordedMove(seat, move, by))
        state = apply(state, move)
    return tuple(made), state


def random_move(chance: random.Random, state: State) -> tuple[int, Move]:
    calls = [(seat, call) for seat in range(state.setup.seats) for call in calls_of(state, seat)]
    if calls and chance.random() < 0.3:
        return chance.choice(calls)
    return state.turn, chance.choice(list(legal_moves(state)))


def record_of_match(match: dict[str, Any]) -> Record:
    """The record of a match that this project keeps in a file."""
    forfeited = match["forfeited"]
    return Record(
        preset=match["preset"],
        options=resolve(match["options"]),
        seats=tuple(RecordedSeat(is_forfeited=seat in forfeited) for seat in range(match["seats"])),
        rounds=tuple(map(recorded_round, match["rounds"])),
        engine_version=match["engine_version"],
        table=match["table"],
        winners=tuple(match["winners"]),
    )


def recorded_round(each: dict[str, Any]) -> RecordedRound:
    result = each["result"]
    return RecordedRound(
        order=tiles_of(each["order"]),
        moves=tuple(RecordedMove(seat, parse_move(text), PERSON) for seat, text in moves_in(each["moves"])),
        engine=each["engine"],
        first_seat=each["first_seat"],
        starter=each["starter"],
        secret=each["secret"],
        commitment=each["commitment"],
        client_seeds=tuple(each["client_seeds"]),
        ended=Ended(result["ended"]),
        out=result["out"],
        points=tuple(result["points"]),
        totals=tuple(result["totals"]),
    )


def tiles_of(text: str) -> tuple[Tile, ...]:
    return tuple(map(parse_tile, text.split()))


def bare(record: Record) -> Record:
    """Only the required facts: the deal and the moves."""
    rounds = tuple(RecordedRound(each.order, each.moves) for each in record.rounds)
    begins = record.rounds[0].first_seat if record.rounds else None
    rounds = tuple(replace(each, first_seat=begins if not at else None) for at, each in enumerate(rounds))
    return replace(record, rounds=rounds, winners=None, table=None)
