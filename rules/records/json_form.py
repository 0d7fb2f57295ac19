"""Records as JSON, in both directions."""

import re
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final

from rules.errors import BadOption, UnknownPreset
from rules.game import Ended
from rules.mexican_train import ENGINE_VERSION
from rules.mexican_train.moves import Move, Play
from rules.mexican_train.notation import KEEPING, move_text, parse_move
from rules.mexican_train.options import MOST_SEATS, Options, hand_size, must_suit
from rules.mexican_train.presets import options_over, preset_named
from rules.records.document import Part, as_refused
from rules.records.members import RecordDocument, RecordMove, RecordRound, RecordSeat
from rules.records.record import (
    BOT,
    KINDS_OF_SEAT,
    MADE_BY,
    MOST_MOVES,
    MOST_TILES,
    PERSON,
    VERSION,
    FaultCode,
    Place,
    Record,
    RecordedMove,
    RecordedRound,
    RecordedSeat,
)
from rules.sentences import Counted, Sentence
from rules.tiles import Tile, double, parse_tile, tile_text, tile_texts

MARK: Final = "mexican_train"
"""The member that marks a document as a record, and gives the version of the format."""
WHOLE, ROUND = tuple(RecordDocument.__annotations__), tuple(RecordRound.__annotations__)
RESERVED = {"mexicantrain", "table", "preset", "rules"}
"""Names that headers may not have: the text form writes these facts in the same brackets."""
LARGEST_VERSION = 999_999_999
MOST_HEADERS, LONGEST_HEADER = 50, 1000
LONGEST_NAME, LONGEST_SEED, LONGEST_PRESET = 40, 128, 40
HEADER = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
TABLE_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
DIGEST = re.compile(r"[0-9a-f]{64}")
LEVEL = re.compile(r"(?!forfeited\Z)[a-z0-9_-]{1,16}")  # `forfeited` is another word of a seat's line


# From a record


def document_of(record: Record) -> RecordDocument:
    """A record as JSON, with every option."""
    first_of_round, rounds = 1, list[RecordRound]()
    for number, played in enumerate(record.rounds, start=1):
        rounds.append(round_document(number, played, first_of_round))
        first_of_round += len(played.moves)
    return {
        MARK: VERSION,
        "headers": dict(record.headers),
        "table": record.table,
        "preset": preset_named(record.preset, record.options),
        "options": record.options.as_dict(),
        "engine_version": record.engine_version,
        "seats": [seat_document(number, seat) for number, seat in enumerate(record.seats)],
        "rounds": rounds,
        "finished": not record.is_unfinished,
        "winners": listed(record.winners),
    }


def seat_document(number: int, seat: RecordedSeat) -> RecordSeat:
    document: RecordSeat = {"seat": number, "name": seat.name, "kind": seat.kind, "forfeited": seat.is_forfeited}
    if seat.level:
        document["level"] = seat.level
    return document


def round_document(number: int, played: RecordedRound, first: int) -> RecordRound:
    """A round as JSON. ``first`` is the number of its first move in the log."""
    return {
        "number": number,
        "engine": None if played.engine is None else tile_text(double(played.engine)),
        "first_seat": played.first_seat,
        "starter": played.starter,
        "order": tile_texts(played.order),
        "secret": played.secret,
        "commitment": played.commitment,
        "client_seeds": list(played.client_seeds),
        "moves": [move_document(place, move) for place, move in enumerate(played.moves, start=first)],
        "ended": played.ended,
        "out": played.out,
        "points": listed(played.points),
        "totals": listed(played.totals),
    }


def move_document(number: int, made: RecordedMove) -> RecordMove:
    text, kept, _ = move_text(made.move).partition(KEEPING)
    document: RecordMove = {"number": number, "seat": made.seat, "move": text, "by": made.by}
    if kept:
        document["keep_marker"] = True
    return document


def listed(values: Sequence[int] | None) -> list[int] | None:
    return None if values is None else list(values)


# To a record


OF_THE_MATCH = ("engine_version", "finished", "winners")
"""Members whose value may be wrong even if it can be read."""


def record_from(document: object, places: Mapping[str, Place] | None = None) -> Record:
    """The record in a document. ``places`` says where a text had each part. Raises ``BadRecord``."""
    whole = Part(document, "", places)
    check_version(whole)
    whole.members(*WHOLE)
    seats = seats_from(whole.member("seats"))
    preset = whole.member("preset").or_default(lambda part: part.text(LONGEST_PRESET), "classic")
    options = options_from(whole, preset, len(seats))
    rounds = rounds_from(whole, options, seats)
    return Record(
        preset=preset,
        options=options,
        seats=seats,
        rounds=rounds,
        engine_version=whole.member("engine_version").or_default(Part.whole, ENGINE_VERSION),
        table=whole.member("table").or_null(lambda part: part.word(TABLE_ID, Sentence("a UUID in lower case"))),
        headers=headers_from(whole.member("headers")),
        is_unfinished=not whole.member("finished").or_default(Part.truth, default=True),
        winners=whole.member("winners").or_null(lambda part: winners_from(part, len(seats))),
        places={name: whole.member(name).place for name in OF_THE_MATCH},
    )


def check_version(whole: Part) -> None:
    """Check the version before anything else, because another version may have another form."""
    if not isinstance(whole.value, dict):
        whole.refuse(
            Sentence("This is not a Mexican Train record: {value} is not an object.", value=as_refused(whole.value))
        )
    said = whole.member(MARK)
    if type(said.value) is not int:
        unsaid = Sentence("This is not a Mexican Train record: the version of the format is missing.")
        said.refuse(unsaid)
    if said.value != VERSION:
        said.refuse(other_version(said.value), FaultCode.UNKNOWN_VERSION)


def other_version(version: int) -> Sentence:
    """The refusal of another version. A number that no version will ever have is not repeated."""
    if not 0 <= version <= LARGEST_VERSION:
        return Sentence("The format version of this record is unknown.")
    return Sentence(
        "This record has format version {version}; the supported version is {known}.",
        version=version,
        known=VERSION,
    )


def headers_from(part: Part) -> tuple[tuple[str, str], ...]:
    if part.length > MOST_HEADERS:
        count = part.length
        part.refuse(
            Sentence("The record has {count} headers; at most {most} are allowed.", count=count, most=MOST_HEADERS)
        )
    headers = list[tuple[str, str]]()
    for name, value in part.pairs() if part.is_given else ():
        if not HEADER.fullmatch(name) or name.lower() in RESERVED:
            value.refuse(
                Sentence(
                    "A header's name may contain only letters, digits, _ and -, and cannot be a keyword of the format."
                )
            )
        headers.append((name, value.text(LONGEST_HEADER)))
    return tuple(headers)


def seats_from(part: Part) -> tuple[RecordedSeat, ...]:
    too_many = Sentence("A table has at most {most} seats.", most=MOST_SEATS)
    if part.value == []:
        part.refuse(Sentence("The record has no seats."))
    seats = part.items_up_to(MOST_SEATS, too_many, FaultCode.BAD_OPTION)
    return tuple(seat_from(number, each) for number, each in enumerate(seats))


def seat_from(number: int, part: Part) -> RecordedSeat:
    part.members("seat", "name", "kind", "level", "forfeited")
    check_number(part.member("seat"), number, "seat")
    kind = part.member("kind").or_default(lambda each: each.one_of(*KINDS_OF_SEAT), PERSON)
    level = part.member("level").or_default(lambda each: each.word(LEVEL, Sentence("a bot's level")), "")
    if (kind == BOT) != bool(level):
        part.refuse(Sentence("A bot must have a level, and a person cannot have one."))
    name = part.member("name").or_default(lambda each: each.name(LONGEST_NAME), "")
    return RecordedSeat(name, kind, level, part.member("forfeited").or_default(Part.truth, default=False))


NUMBERED = {
    "seat": "This is seat {number}, not {said}.",
    "round": "This is round {number}, not {said}.",
}


def check_number(part: Part, expected: int, what: str) -> None:
    """A number that only repeats the order may be left out, but it must not differ."""
    if part.is_given and part.whole() != expected:
        part.refuse(Sentence(NUMBERED[what], number=expected, said=part.value), FaultCode.WRONG_NUMBER)


def options_from(whole: Part, preset: str, seats: int) -> Options:
    """The rules of the record: its preset with its options. Options that equal another preset are refused."""
    part = whole.member("options")
    overrides = dict(part.pairs()) if part.is_given else {}
    try:
        options = options_over(preset, {name: each.value for name, each in overrides.items()})
        must_suit(options, seats)
    except BadOption as refusal:
        is_preset = isinstance(refusal, UnknownPreset)
        wrong = whole.member("preset") if is_preset else overrides.get(refusal.option, part)
        detail = Sentence("{option}: {fault}", option=refusal.option, fault=refusal.detail)
        wrong.refuse(detail, FaultCode.BAD_OPTION)
    assert 1 < seats <= MOST_SEATS
    if (other := preset_named(preset, options)) != preset:
        whole.member("preset").refuse(
            Sentence("These are the options of the preset {other}, not of {preset}.", other=other, preset=preset),
            FaultCode.BAD_OPTION,
        )
    return options


def winners_from(part: Part, seats: int) -> tuple[int, ...]:
    too_many = Sentence("There are more winners than seats.")
    return tuple(each.seat(seats) for each in part.items_up_to(seats, too_many))


def rounds_from(whole: Part, options: Options, seats: Sequence[RecordedSeat]) -> tuple[RecordedRound, ...]:
    rounds, first_of_round = list[RecordedRound](), 1
    for index, part in enumerate(whole.member("rounds").items()):
        if index >= options.round_count:
            detail = Counted("These rules have {count} round.", "These rules have {count} rounds.", options.round_count)
            part.refuse(detail, FaultCode.TOO_MANY_ROUNDS)
        rounds.append(round_from(part, index, options, seats, first_of_round))
        first_of_round += len(rounds[-1].moves)
    return tuple(rounds)


def round_from(
    part: Part, index: int, options: Options, seats: Sequence[RecordedSeat], first_of_round: int
) -> RecordedRound:
    part.members(*ROUND)
    check_number(part.member("number"), index + 1, "round")
    engine = part.member("engine").or_null(engine_from)
    secret = part.member("secret").or_null(lambda each: each.word(DIGEST, Sentence("64 hexadecimal digits")))
    return RecordedRound(
        order=order_from(part, options, len(seats), options.engine_wanted(index) if engine is None else engine),
        moves=moves_from(part.member("moves"), index + 1, seats, first_of_round),
        engine=engine,
        first_seat=part.member("first_seat").or_null(lambda each: each.seat(len(seats))),
        starter=part.member("starter").or_null(lambda each: each.seat(len(seats))),
        secret=secret,
        commitment=commitment_from(part.member("commitment"), secret),
        client_seeds=seeds_from(part.member("client_seeds"), secret, len(seats)),
        ended=part.member("ended").or_null(lambda each: Ended(each.one_of(*Ended))),
        out=part.member("out").or_null(lambda each: each.seat(len(seats))),
        points=part.member("points").or_null(lambda each: each.one_a_seat(len(seats), Part.whole)),
        totals=part.member("totals").or_null(lambda each: each.one_a_seat(len(seats), Part.whole)),
        place=part.place,
        places={name: part.member(name).place for name in ROUND if part.member(name).is_given},
    )


def engine_from(part: Part) -> int:
    engine = part.parsed(parse_tile)
    if not engine.is_double:
        part.refuse(Sentence("{tile} is not a double.", tile=tile_text(engine)))
    return engine.high


def order_from(part: Part, options: Options, seats: int, engine: int) -> tuple[Tile, ...]:
    """The stated order, or an order derived from the hands and the boneyard."""
    order, hands, boneyard = part.member("order"), part.member("hands"), part.member("boneyard")
    if order.is_given == hands.is_given or boneyard.is_given != hands.is_given:
        part.refuse(Sentence("A round must have either an order, or hands and a boneyard."))
    if order.is_given:
        return tiles_from(order)
    dealt = hands.one_a_seat(seats, tiles_from)
    size = hand_size(options, seats)
    for hand, tiles in zip(hands.items(), dealt, strict=True):
        if len(tiles) != size:
            detail = Counted(
                "A hand has {count} tile; {size} are dealt.",
                "A hand has {count} tiles; {size} are dealt.",
                len(tiles),
                size=size,
            )
            hand.refuse(detail, FaultCode.WRONG_TILES)
    tiles = (*chain.from_iterable(dealt), *tiles_from(boneyard))
    is_aside = options.sets_engine_aside and double(engine) not in tiles
    return (*tiles, double(engine)) if is_aside else tiles


def tiles_from(part: Part) -> tuple[Tile, ...]:
    too_many = Sentence("No set has that many tiles.")
    return tuple(each.parsed(parse_tile) for each in part.items_up_to(MOST_TILES, too_many, FaultCode.WRONG_TILES))


def commitment_from(part: Part, secret: str | None) -> str | None:
    if part.is_given and part.value is not None and secret is None:
        part.refuse(Sentence("A commitment without its secret cannot be checked."))
    return part.or_null(lambda each: each.word(DIGEST, Sentence("64 hexadecimal digits")))


def seeds_from(part: Part, secret: str | None, seats: int) -> tuple[str, ...]:
    """One seed for each seat if there is a secret. It is "" for a seat without a seed."""
    if not part.is_given or part.value == []:
        return () if secret is None else ("",) * seats
    if secret is None:
        part.refuse(Sentence("Client seeds without a secret have no meaning; add the secret."))
    return part.one_a_seat(seats, lambda each: each.text(LONGEST_SEED))


def moves_from(
    part: Part, round_number: int, seats: Sequence[RecordedSeat], first_of_round: int
) -> tuple[RecordedMove, ...]:
    moves = list[RecordedMove]()
    for number, each in enumerate(part.items() if part.is_given else (), start=first_of_round):
        if number > MOST_MOVES:
            each.refuse(Sentence("The record has more than {most} moves.", most=MOST_MOVES), FaultCode.TOO_MANY_MOVES)
        moves.append(move_from(each, round_number, number, seats))
    return tuple(moves)


def move_from(part: Part, round_number: int, number: int, seats: Sequence[RecordedSeat]) -> RecordedMove:
    part.members("number", "seat", "move", "by", "keep_marker")
    said = part.member("number")
    seat = part.member("seat").seat(len(seats))
    by = part.member("by").or_default(lambda each: each.one_of(*MADE_BY), seats[seat].kind)
    place, read = part.place, part.member("move").parsed(parse_move)
    move = with_marker(part, read)
    where = Place(round_number, number, place.line, place.column, place.field)
    # The number is checked after the earlier moves have been replayed, so that a missing move is reported as the fault.
    return RecordedMove(seat, move, by, where, said.or_default(Part.whole, None), said.place)


def with_marker(part: Part, move: Move) -> Move:
    """A play with its ``keep_marker`` member. The log's spelling ``keep`` is refused."""
    keep = part.member("keep_marker").or_default(Part.truth, default=False)
    if not isinstance(move, Play):
        if keep:
            part.refuse(Sentence("Only a move that lays a tile can keep the marker."))
        return move
    if move.keep_marker:
        part.refuse(Sentence("To keep the marker, add keep_marker to the move."))
    return Play(move.tile, move.train, keep_marker=True) if keep else move
