"""Checking a record: every round is dealt and played again by the rules that the record names."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import NoReturn

from rules.errors import IllegalMove
from rules.game import totals
from rules.mexican_train.explaining import deciding_option
from rules.mexican_train.moves import Call
from rules.mexican_train.notation import move_text
from rules.mexican_train.reasons import Reason
from rules.mexican_train.state import State
from rules.mexican_train.versions import VERSIONS, MexicanTrain
from rules.records.record import (
    NOWHERE,
    BadRecord,
    Fault,
    FaultCode,
    Place,
    Record,
    RecordedMove,
    RecordedRound,
)
from rules.sentences import Counted, Sentence
from rules.shuffling import commitment_to
from rules.tiles import Tile, TileSet, double_set, tile_text


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """The hands of a round as they were dealt, and its last state."""

    hands: tuple[TileSet, ...]
    last: State


@dataclass(frozen=True, slots=True)
class Checked:
    """A record that follows the rules, with all facts that can be derived filled in."""

    record: Record
    played: tuple[PlayedRound, ...]

    @property
    def move_count(self) -> int:
        return sum(len(each.moves) for each in self.record.rounds)

    @property
    def totals(self) -> tuple[int, ...]:
        return totals([each.points or () for each in self.record.rounds], len(self.record.seats))

    @property
    def fair(self) -> str:
        """Whether the shuffles were verified from their secrets: of all rounds, of some, or of none."""
        has_secret = [each.secret is not None for each in self.record.rounds]
        return "not_stated" if not any(has_secret) else "verified" if all(has_secret) else "partly_verified"


@dataclass(slots=True)
class Walk:
    """The progress of a check: what has been played again so far."""

    record: Record
    rules: MexicanTrain
    rounds: list[RecordedRound] = field(default_factory=list)
    played: list[PlayedRound] = field(default_factory=list)
    engines: list[int] = field(default_factory=list)
    points: list[tuple[int, ...]] = field(default_factory=list)
    first_seat: int | None = None
    number: int = 1

    @property
    def seats(self) -> int:
        return len(self.record.seats)


def first_fault(record: Record) -> Fault | None:
    """The first fault of a record, or ``None``."""
    try:
        check_record(record)
    except BadRecord as bad:
        return bad.fault
    return None


def check_record(record: Record) -> Checked:
    """The record with all facts that can be derived. Raises ``BadRecord`` at the first fault."""
    walk = Walk(record, rules_of(record))
    check_length(record)
    for number, each in enumerate(record.rounds, start=1):
        check_round(walk, number, each)
    whole = replace(record, rounds=tuple(walk.rounds), winners=winners_of(walk))
    return Checked(whole, tuple(walk.played))


def refuse(code: FaultCode, detail: Sentence, place: Place = NOWHERE) -> NoReturn:
    raise BadRecord(Fault(code, detail, place))


def rules_of(record: Record) -> MexicanTrain:
    if record.engine_version not in VERSIONS:
        detail = Sentence(
            "Engine version {number} is unknown; this server plays {known}.",
            number=record.engine_version,
            known=", ".join(map(str, VERSIONS)),
        )
        refuse(FaultCode.UNKNOWN_RULES, detail, record.places.get("engine_version", NOWHERE))
    return VERSIONS[record.engine_version]


def check_length(record: Record) -> None:
    """A record has as many rounds as its rules say. It may have fewer only if it says that the match is unfinished."""
    there, of = len(record.rounds), record.options.round_count
    if there < of and not record.is_unfinished:
        few = Sentence(
            "The record has {there} of the {of} rounds that these rules need. Is the match unfinished?",
            of=of,
            there=there,
        )
        refuse(FaultCode.TOO_FEW_ROUNDS, few)
    if there == of and record.is_unfinished:
        all_here = Counted(
            "The record has the only round, so the match is finished.",
            "The record has all {count} rounds, so the match is finished.",
            of,
        )
        refuse(FaultCode.NOT_UNFINISHED, all_here, record.places.get("finished", NOWHERE))


def check_round(walk: Walk, number: int, said: RecordedRound) -> None:
    """Check one round, from its order to its points."""
    place = replace(said.place, round=number)
    with at(place):
        commitment = check_order(walk, number, said)
        first = check_first_seat(walk, number, said)
        engine, hands, dealt = check_deal(walk, number, said, first)
    state = check_moves(walk, number, said, dealt)
    with at(place):
        points = check_result(walk, said, state)
    ending = {"ended": state.ended, "out": state.out, "points": points, "totals": totals(walk.points, walk.seats)}
    facts = {"engine": engine, "first_seat": first, "starter": dealt.turn, "commitment": commitment, **ending}
    walk.rounds.append(replace(said, **facts))  # type: ignore[arg-type]  # each has the type of its field
    walk.played.append(PlayedRound(hands, state))


@contextmanager
def at(place: Place) -> Iterator[None]:
    """Add the place to a fault raised inside: the round, the move, and where it was read unless that is known."""
    try:
        yield
    except BadRecord as bad:
        known = bad.fault.place
        whole = place if known == NOWHERE else replace(known, round=place.round, number=place.number)
        raise BadRecord(replace(bad.fault, place=whole)) from bad


EXPECTED = {
    "engine": (FaultCode.WRONG_ENGINE, "The engine should be {expected}, not {said}."),
    "first_seat": (FaultCode.WRONG_FIRST_SEAT, "The first seat should be {expected}, not {said}."),
    "starter": (FaultCode.WRONG_STARTER, "The starter should be {expected}, not {said}."),
    "commitment": (FaultCode.WRONG_COMMITMENT, "The commitment should be {expected}, not {said}."),
    "ended": (FaultCode.WRONG_ENDING, "The end of the round should be {expected}, not {said}."),
    "out": (FaultCode.WRONG_ENDING, "The seat that is out should be {expected}, not {said}."),
    "points": (FaultCode.WRONG_POINTS, "The points should be {expected}, not {said}."),
    "totals": (FaultCode.WRONG_TOTALS, "The totals should be {expected}, not {said}."),
}
"""The facts of a round that can be derived, with the code and the text for one that is wrong."""


def expect(said: RecordedRound, name: str, expected: object) -> None:
    """A fact that the record states must equal the derived one."""
    value = getattr(said, name)
    if value is not None and value != expected:
        texts = [f"{each}-{each}" if name == "engine" else value_text(each) for each in (expected, value)]
        code, template = EXPECTED[name]
        refuse(code, Sentence(template, expected=texts[0], said=texts[1]), said.places.get(name, NOWHERE))


def value_text(value: object) -> str:
    if value is None or value == ():
        return Sentence("nobody")
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def check_order(walk: Walk, number: int, said: RecordedRound) -> str | None:
    """The order must be the whole set, and agree with the secret if there is one. Returns the commitment."""
    whole = double_set(walk.record.options.highest_pip)
    if sorted(said.order) != list(whole):
        detail = Sentence(
            "The order must contain each tile of the set once: {difference}.", difference=difference(said.order, whole)
        )
        refuse(FaultCode.WRONG_TILES, detail, said.places.get("order", NOWHERE))
    if said.secret is None:
        return None
    secret = bytes.fromhex(said.secret)
    expect(said, "commitment", commitment_to(secret))
    if walk.record.table is None:
        unsaid = Sentence("The shuffle cannot be checked because the record has no table id.")
        refuse(FaultCode.WRONG_SHUFFLE, unsaid)
    inputs = (secret, walk.record.table, number, said.client_seeds)
    order = walk.rules.shuffled(walk.record.options, *inputs)
    for place, (tile, other) in enumerate(zip(said.order, order, strict=True), start=1):
        if tile is not other:
            detail = Sentence(
                "The secret and the seeds give a different order: tile {place} is {tile}.",
                place=place,
                tile=tile_text(other),
            )
            refuse(FaultCode.WRONG_SHUFFLE, detail, said.places.get("order", NOWHERE))
    return commitment_to(secret)


def difference(order: Sequence[Tile], whole: Sequence[Tile]) -> Sentence:
    """The first tile that is not in the set or occurs twice; otherwise the first missing tile."""
    for tile in order:
        if tile not in whole:
            return Sentence("{tile} is not in the set", tile=tile_text(tile))
        if order.count(tile) > 1:
            return Sentence("{tile} occurs {count} times", tile=tile_text(tile), count=order.count(tile))
    missing = next(tile_text(tile) for tile in whole if tile not in order)
    return Sentence("{tile} is missing", tile=missing)


def check_first_seat(walk: Walk, number: int, said: RecordedRound) -> int:
    """The first seat of a round: chosen or drawn by lot in round 1, later derived from that or from the totals."""
    options = walk.record.options
    if walk.first_seat is None:
        walk.first_seat = first_of_all(walk, number, said)
    standing = totals(walk.points, walk.seats)
    first = walk.rules.first_seat_of(options, walk.seats, number - 1, walk.first_seat, standing)
    expect(said, "first_seat", first)
    return first


def first_of_all(walk: Walk, number: int, said: RecordedRound) -> int:
    if not walk.record.options.draws_first_seat:
        return walk.record.options.first_seat_chosen
    if said.secret is None:
        return said.first_seat or 0
    assert walk.record.table is not None
    return walk.rules.drawn_seat(bytes.fromhex(said.secret), walk.record.table, number, said.client_seeds)


def check_deal(walk: Walk, number: int, said: RecordedRound, first: int) -> tuple[int, tuple[TileSet, ...], State]:
    """The engine, the hands as dealt, and the state before the first move."""
    options, seats, order = walk.record.options, walk.seats, said.order
    engine = walk.rules.choose_engine(options, seats, number - 1, walk.engines, first, order)
    expect(said, "engine", engine)
    dealt = walk.rules.dealt(options, seats, order, {"engine": engine, "first_seat": first})
    expect(said, "starter", dealt.turn)
    walk.engines.append(engine)
    return engine, walk.rules.hands_dealt(options, seats, engine, order).hands, dealt


def check_moves(walk: Walk, number: int, said: RecordedRound, dealt: State) -> State:
    state = dealt
    for made in said.moves:
        place = replace(made.place, round=number, number=walk.number)
        with at(place):
            check_number(made, walk.number)
            check_mover(made, state)
            state = after(walk, made, state)
        walk.number += 1
    if state.ended is None:
        place = replace(said.place, round=number, number=walk.number)
        on = Sentence("The moves do not end the round: it is the turn of seat {seat}.", seat=state.turn)
        refuse(FaultCode.ROUND_NOT_OVER, on, place)
    return state


def check_number(made: RecordedMove, number: int) -> None:
    """The number of a move only repeats its place in the log."""
    if made.number not in (None, number):
        other = Sentence("This is move {number}, not {said}.", number=number, said=made.number)
        refuse(FaultCode.WRONG_NUMBER, other, made.number_place)


def check_mover(made: RecordedMove, state: State) -> None:
    """Any seat but the called one may call. Every other move is made by the seat to move."""
    if isinstance(made.move, Call):
        if made.seat == made.move.seat:
            refuse(FaultCode.WRONG_SEAT, Sentence("A seat cannot call itself."))
    elif state.ended is None and made.seat != state.turn:
        other = Sentence("It is the turn of seat {turn}, not of seat {seat}.", turn=state.turn, seat=made.seat)
        refuse(FaultCode.WRONG_SEAT, other)


def after(walk: Walk, made: RecordedMove, state: State) -> State:
    try:
        return walk.rules.apply(state, made.move)
    except IllegalMove as refusal:
        reason = refusal.reason
        assert isinstance(reason, Reason)
        option = None if state.ended else deciding_option(state, made.move, reason)
        detail = Sentence(
            "{move} by seat {seat} is illegal: {reason}",
            move=move_text(made.move),
            seat=made.seat,
            reason=Sentence(reason.sentence),
        )
        if option:
            detail = Sentence("{fault} The option {option} decides this.", fault=detail, option=option)
        raise BadRecord(Fault(FaultCode.ILLEGAL_MOVE, detail, reason=reason, option=option)) from refusal


def check_result(walk: Walk, said: RecordedRound, state: State) -> tuple[int, ...]:
    expect(said, "ended", state.ended)
    expect(said, "out", state.out)
    points = walk.rules.round_points(state)
    walk.points.append(points)
    expect(said, "points", points)
    expect(said, "totals", totals(walk.points, walk.seats))
    return points


def winners_of(walk: Walk) -> tuple[int, ...] | None:
    """The winners. A forfeited seat cannot win, and an unfinished match has no winners."""
    record, place = walk.record, walk.record.places.get("winners", NOWHERE)
    if record.is_unfinished:
        if record.winners is not None:
            refuse(FaultCode.WRONG_WINNERS, Sentence("An unfinished match has no winners."), place)
        return None
    may_win = [not seat.is_forfeited for seat in record.seats]
    winners = tuple(walk.rules.winners(record.options, walk.points, may_win))
    if record.winners is not None and sorted(record.winners) != list(winners):
        texts = {"expected": value_text(winners), "said": value_text(record.winners)}
        refuse(FaultCode.WRONG_WINNERS, Sentence("The winners should be {expected}, not {said}.", **texts), place)
    return winners
