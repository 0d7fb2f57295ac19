"""A match as a record: what was dealt and played, in any written form (``docs/record-format.md``)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rules.errors import Reason, RulesError
from rules.game import Ended
from rules.mexican_train import ENGINE_VERSION
from rules.mexican_train.moves import Move
from rules.mexican_train.options import Options, resolve
from rules.sentences import Sentence, joined
from rules.tiles import LARGEST_PIP, Tile, set_size

VERSION = 1
"""The version of the format. A reader refuses other versions. Additions to a version are headers."""
MOST_CHARACTERS = 1024 * 1024
MOST_MOVES = 20_000
"""Six times the length of the longest match. Where seats may decline to play, a round may never end by itself."""
MOST_TILES = set_size(LARGEST_PIP)
PERSON, BOT = "person", "bot"
KINDS_OF_SEAT = (PERSON, BOT)
MADE_BY = (PERSON, BOT, "timeout", "host")


class FaultCode(StrEnum):
    """What can be wrong with a record. The API sends these values."""

    UNREADABLE = "unreadable"
    UNKNOWN_VERSION = "unknown_version"
    BAD_OPTION = "bad_option"
    UNKNOWN_RULES = "unknown_rules"
    WRONG_NUMBER = "wrong_number"
    TOO_MANY_MOVES = "too_many_moves"
    TOO_MANY_ROUNDS = "too_many_rounds"
    TOO_FEW_ROUNDS = "too_few_rounds"
    NOT_UNFINISHED = "not_unfinished"
    WRONG_TILES = "wrong_tiles"
    WRONG_COMMITMENT = "wrong_commitment"
    WRONG_SHUFFLE = "wrong_shuffle"
    WRONG_FIRST_SEAT = "wrong_first_seat"
    WRONG_ENGINE = "wrong_engine"
    WRONG_STARTER = "wrong_starter"
    WRONG_SEAT = "wrong_seat"
    ILLEGAL_MOVE = "illegal_move"
    ROUND_NOT_OVER = "round_not_over"
    WRONG_ENDING = "wrong_ending"
    WRONG_POINTS = "wrong_points"
    WRONG_TOTALS = "wrong_totals"
    WRONG_WINNERS = "wrong_winners"


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a record: the round, the move's number in the log, the line and column of a text, the JSON field."""

    round: int | None = None
    number: int | None = None
    line: int | None = None
    column: int | None = None
    field: str | None = None

    @property
    def sentence(self) -> Sentence:
        """The known parts, from the largest to the smallest.

        A place with a line omits the field, which a text does not show.
        """
        known = [
            (self.round, Sentence("round {number}", number=self.round)),
            (self.number, Sentence("move {number}", number=self.number)),
            (self.line, Sentence("line {number}", number=self.line)),
            (self.column, Sentence("column {number}", number=self.column)),
            (self.field if self.line is None else None, Sentence("field {name}", name=self.field)),
        ]
        return joined([sentence for value, sentence in known if value is not None], between=", ")


NOWHERE = Place()


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a record, and where. An illegal move also has its reason, and the option that decides."""

    code: FaultCode
    detail: Sentence
    place: Place = NOWHERE
    reason: Reason | None = None
    option: str | None = None

    def __str__(self) -> str:
        return self.sentence

    @property
    def sentence(self) -> Sentence:
        where = self.place.sentence
        return Sentence("{place}: {fault}", place=where, fault=self.detail) if where else self.detail


class BadRecord(RulesError):
    """A record that cannot be read or does not follow the rules. ``fault`` says what is wrong, and where."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault

    def __str__(self) -> str:
        return str(self.fault)


@dataclass(frozen=True, slots=True)
class RecordedSeat:
    """A seat of a record. The name is optional. A bot has a level. A seat that was forfeited cannot win."""

    name: str = ""
    kind: str = PERSON
    level: str = ""
    is_forfeited: bool = False


@dataclass(frozen=True, slots=True)
class RecordedMove:
    """A move, the seat that made it, and who acted for the seat.

    Moves are equal wherever they were read. ``number`` is the number in the log that the record states, or ``None``. It
    is only checked.
    """

    seat: int
    move: Move
    by: str
    place: Place = field(default=NOWHERE, compare=False)
    number: int | None = field(default=None, compare=False)
    number_place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class RecordedRound:
    """The order of the whole set, and the moves.

    All other facts follow from these; ``None`` means not stated. ``secret`` and ``commitment`` are hexadecimal. With a
    secret there is one client seed for each seat, otherwise none. ``place`` and ``places`` say where the round and each
    of its facts were read.
    """

    order: tuple[Tile, ...]
    moves: tuple[RecordedMove, ...]
    engine: int | None = None
    first_seat: int | None = None
    starter: int | None = None
    secret: str | None = None
    commitment: str | None = None
    client_seeds: tuple[str, ...] = ()
    ended: Ended | None = None
    out: int | None = None
    points: tuple[int, ...] | None = None
    totals: tuple[int, ...] | None = None
    place: Place = field(default=NOWHERE, compare=False)
    places: Mapping[str, Place] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Record:
    """A match, or its finished rounds.

    Rounds and moves count from 1. ``table`` is the table id with which the deals were made. ``headers`` are facts
    without effect, such as event, date and annotator. ``places`` says where facts of the whole match were read.
    """

    preset: str
    options: Options
    seats: tuple[RecordedSeat, ...]
    rounds: tuple[RecordedRound, ...]
    engine_version: int = ENGINE_VERSION
    table: str | None = None
    headers: tuple[tuple[str, str], ...] = ()
    is_unfinished: bool = False
    winners: tuple[int, ...] | None = None
    places: Mapping[str, Place] = field(default_factory=dict, compare=False, repr=False)


def recorded_options(stored: Mapping[str, object]) -> Options:
    """The options of a record from their JSON: the same for every version, which the record names apart from them."""
    return resolve(stored)
