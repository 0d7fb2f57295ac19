"""The members of a record as JSON, with their meaning. Those that follow from others may be missing."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from rules.game import Ended
from rules.records.record import KINDS_OF_SEAT, MADE_BY


class RecordSeat(TypedDict):
    seat: NotRequired[Annotated[int, "The seat's number, from 0."]]
    name: NotRequired[Annotated[str, "The player's name; empty if it is not known."]]
    kind: NotRequired[Annotated[str, Literal[KINDS_OF_SEAT], "A person or a bot; a person by default."]]
    level: NotRequired[Annotated[str, "The level, for a bot."]]
    forfeited: NotRequired[Annotated[bool, "Whether the seat was forfeited, so that it cannot win."]]


class RecordMove(TypedDict):
    number: NotRequired[Annotated[int, "Its place in the table's log, from 1."]]
    seat: Annotated[int, "The seat that made the move."]
    move: Annotated[str, "The move as text, such as `12-7>0`, `draw` or `call 2`."]
    keep_marker: NotRequired[Annotated[bool, "Whether a play keeps the marker on the own train."]]
    by: NotRequired[
        Annotated[
            str,
            Literal[MADE_BY],
            "Who made the move: the player, a bot, the clock, or the table's `auto_pass` (`host`).",
        ]
    ]


class RecordRound(TypedDict):
    number: NotRequired[Annotated[int, "The number of the round, from 1."]]
    engine: NotRequired[Annotated[str | None, "The double that the round began with."]]
    first_seat: NotRequired[Annotated[int | None, "The first seat of the round, which also draws first."]]
    starter: NotRequired[Annotated[int | None, "The seat that had the first turn."]]
    order: NotRequired[Annotated[list[str], "The whole set, shuffled."]]
    hands: NotRequired[Annotated[list[list[str]], "The hands as dealt, one per seat."]]
    boneyard: NotRequired[Annotated[list[str], "The tiles of the boneyard, in the order in which they are drawn."]]
    secret: NotRequired[Annotated[str | None, "The secret of the shuffle, in hexadecimal; `null` if it is not known."]]
    commitment: NotRequired[Annotated[str | None, "The SHA-256 of the secret; `null` if it is not known."]]
    client_seeds: NotRequired[
        Annotated[list[str], "The seats' own contributions to the shuffle, in their order; empty without a secret."]
    ]
    moves: Annotated[list[RecordMove], "The moves, in the order in which they were made."]
    ended: NotRequired[
        Annotated[Ended | None, "How the round ended: a seat was `out` of tiles, or the round was `blocked`."]
    ]
    out: NotRequired[Annotated[int | None, "The seat that was out of tiles; `null` if the round was blocked."]]
    points: NotRequired[Annotated[list[int] | None, "The points of each seat in this round."]]
    totals: NotRequired[Annotated[list[int] | None, "The points of each seat in all rounds so far."]]


class RecordDocument(TypedDict):
    mexican_train: Annotated[int, "The version of the format: 1."]
    headers: NotRequired[Annotated[dict[str, str], "Facts without effect, such as event, date and annotator, by name."]]
    table: NotRequired[
        Annotated[
            str | None,
            {"format": "uuid"},
            "The table's id, from which the shuffles were made; `null` if it is not known.",
        ]
    ]
    preset: NotRequired[Annotated[str, "The name of the rule set; *classic* by default."]]
    options: NotRequired[Annotated[dict[str, Any], "The options that differ from the preset, or all, by name."]]
    engine_version: NotRequired[Annotated[int, "The version of the rules that the match was played with."]]
    seats: Annotated[list[RecordSeat], "The seats, in the order of their numbers."]
    rounds: Annotated[list[RecordRound], "The rounds, in the order in which they were played."]
    finished: NotRequired[Annotated[bool, "Whether the match is over. If not, the record has its finished rounds."]]
    winners: NotRequired[Annotated[list[int] | None, "The seats that won; `null` if the match is not finished."]]
