"""Checking a record: every round is dealt and played again by the rules that the record names."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

from rules.game import totals
from rules.mexican_train.explaining import deciding_option
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
from rules.replaying import (
    CannotMake,
    Entry,
    LogFault,
    LoggedRound,
    NoTable,
    NotLegal,
    NotOver,
    Replay,
    ReplayedRound,
    WrongFact,
    WrongOrder,
    WrongTiles,
)
from rules.sentences import Counted, Sentence
from rules.shuffling import commitment_to
from rules.tiles import Tile, TileSet, tile_text


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


def first_fault(record: Record) -> Fault | None:
    """The first fault of a record, or ``None``."""
    try:
        check_record(record)
    except BadRecord as bad:
        return bad.fault
    return None


def check_record(record: Record) -> Checked:
    """The record with all facts that can be derived. Raises ``BadRecord`` at the first fault."""
    replay = Replay(rules_of(record), record.options, len(record.seats), record.table)
    check_length(record)
    rounds, played = [], []
    for number, said in enumerate(record.rounds, start=1):
        try:
            found = replay.play(logged(said))
        except LogFault as fault:
            raise BadRecord(fault_of(fault, said, number)) from fault
        rounds.append(with_facts(said, found, replay.totals))
        played.append(PlayedRound(found.deal.hands, found.state))
    whole = replace(record, rounds=tuple(rounds), winners=winners_of(record, replay))
    return Checked(whole, tuple(played))


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


def logged(said: RecordedRound) -> LoggedRound:
    """A round as the replay reads it."""
    return LoggedRound(
        order=said.order,
        entries=[Entry(made.seat, made.move, made.number) for made in said.moves],
        stated={name: value for name in EXPECTED if (value := getattr(said, name)) is not None},
        secret=bytes.fromhex(said.secret or ""),
        client_seeds=said.client_seeds,
    )


def with_facts(said: RecordedRound, found: ReplayedRound, standing: tuple[int, ...]) -> RecordedRound:
    """The round with every fact that follows from its order and its moves."""
    state, secret = found.state, bytes.fromhex(said.secret or "")
    return replace(
        said,
        **found.deal.facts,
        commitment=commitment_to(secret) if secret else None,
        ended=state.ended,
        out=state.out,
        points=found.points,
        totals=standing,
    )


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


def value_text(value: object) -> str:
    if value is None or value == ():
        return Sentence("nobody")
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def fault_of(fault: LogFault, said: RecordedRound, number: int) -> Fault:
    """The first fault of a round, with its place: the round, the move, and where it was read."""
    if fault.at is not None:
        made = said.moves[fault.at]
        read = made.number_place if is_about(fault, "number") and made.number_place != NOWHERE else made.place
        return replace(fault_of_move(fault, made), place=replace(read, round=number, number=fault.number))
    found = fault_of_round(fault, said)
    known = said.place if found.place == NOWHERE else found.place
    return replace(found, place=replace(known, round=number, number=fault.number))


def is_about(fault: LogFault, fact: str) -> bool:
    return isinstance(fault, WrongFact) and fault.fact == fact


def fault_of_round(fault: LogFault, said: RecordedRound) -> Fault:
    order = said.places.get("order", NOWHERE)
    match fault:
        case WrongTiles():
            wrong = Sentence(
                "The order must contain each tile of the set once: {difference}.",
                difference=difference(said.order, fault.whole),
            )
            return Fault(FaultCode.WRONG_TILES, wrong, order)
        case NoTable():
            unsaid = Sentence("The shuffle cannot be checked because the record has no table id.")
            return Fault(FaultCode.WRONG_SHUFFLE, unsaid)
        case WrongOrder():
            return Fault(FaultCode.WRONG_SHUFFLE, other_tile(said.order, fault.expected), order)
        case NotOver():
            on = Sentence("The moves do not end the round: it is the turn of seat {seat}.", seat=fault.turn)
            return Fault(FaultCode.ROUND_NOT_OVER, on)
    assert isinstance(fault, WrongFact)
    code, template = EXPECTED[fault.fact]
    values = (fault.expected, fault.stated)
    expected, stated = (f"{each}-{each}" if fault.fact == "engine" else value_text(each) for each in values)
    return Fault(code, Sentence(template, expected=expected, said=stated), said.places.get(fault.fact, NOWHERE))


def other_tile(order: Sequence[Tile], expected: Sequence[Tile]) -> Sentence:
    """The first tile of the order that differs."""
    places = enumerate(zip(order, expected, strict=True), start=1)
    place, tile = next((place, other) for place, (tile, other) in places if tile is not other)
    return Sentence(
        "The secret and the seeds give a different order: tile {place} is {tile}.", place=place, tile=tile_text(tile)
    )


def difference(order: Sequence[Tile], whole: Sequence[Tile]) -> Sentence:
    """The first tile that is not in the set or occurs twice; otherwise the first missing tile."""
    for tile in order:
        if tile not in whole:
            return Sentence("{tile} is not in the set", tile=tile_text(tile))
        if order.count(tile) > 1:
            return Sentence("{tile} occurs {count} times", tile=tile_text(tile), count=order.count(tile))
    missing = next(tile_text(tile) for tile in whole if tile not in order)
    return Sentence("{tile} is missing", tile=missing)


def fault_of_move(fault: LogFault, made: RecordedMove) -> Fault:
    match fault:
        case WrongFact(fact="number"):
            other = Sentence("This is move {number}, not {said}.", number=fault.expected, said=fault.stated)
            return Fault(FaultCode.WRONG_NUMBER, other)
        case WrongFact(fact="seat"):
            turn = Sentence(
                "It is the turn of seat {turn}, not of seat {seat}.", turn=fault.expected, seat=fault.stated
            )
            return Fault(FaultCode.WRONG_SEAT, turn)
        case CannotMake():
            return Fault(FaultCode.WRONG_SEAT, Sentence("A seat cannot call itself."))
    assert isinstance(fault, NotLegal)
    return illegal(fault, made)


def illegal(fault: NotLegal, made: RecordedMove) -> Fault:
    reason = fault.refusal.reason
    assert isinstance(reason, Reason)
    option = None if fault.state.ended else deciding_option(fault.state, made.move, reason)
    detail = Sentence(
        "{move} by seat {seat} is illegal: {reason}",
        move=move_text(made.move),
        seat=made.seat,
        reason=Sentence(reason.sentence),
    )
    if option:
        detail = Sentence("{fault} The option {option} decides this.", fault=detail, option=option)
    return Fault(FaultCode.ILLEGAL_MOVE, detail, reason=reason, option=option)


def winners_of(record: Record, replay: Replay) -> tuple[int, ...] | None:
    """The winners. A forfeited seat cannot win, and an unfinished match has no winners."""
    place = record.places.get("winners", NOWHERE)
    if record.is_unfinished:
        if record.winners is not None:
            refuse(FaultCode.WRONG_WINNERS, Sentence("An unfinished match has no winners."), place)
        return None
    may_win = [not seat.is_forfeited for seat in record.seats]
    winners = tuple(replay.rules.winners(record.options, replay.points, may_win))
    if record.winners is not None and sorted(record.winners) != list(winners):
        texts = {"expected": value_text(winners), "said": value_text(record.winners)}
        refuse(FaultCode.WRONG_WINNERS, Sentence("The winners should be {expected}, not {said}.", **texts), place)
    return winners
