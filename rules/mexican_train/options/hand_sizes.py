"""The kind of option that says how many tiles each seat is dealt."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from rules.errors import BadOption
from rules.mexican_train.options.kinds import Option, Say, Schema
from rules.sentences import Counted, Sentence, joined, shortened


@dataclass(frozen=True, kw_only=True)
class HandSizes(Option):
    """A map from the number of seats to the tiles that each seat is dealt. Keys may be texts, as in JSON."""

    default: Mapping[int, int]
    most_seats: int

    @property
    def default_as_json(self) -> object:
        return {str(seats): tiles for seats, tiles in self.default.items()}

    def read(self, name: str, value: object) -> object:
        if not isinstance(value, Mapping) or not value:
            no_map = Sentence(
                "{value} is not an object that gives a number of tiles for each number of seats.",
                value=shortened(value),
            )
            raise BadOption(name, no_map)
        sizes = {self.number_of_seats(name, seats): tiles for seats, tiles in value.items()}
        for seats, tiles in sizes.items():
            if type(tiles) is not int or tiles < 1:
                no_hand = Sentence(
                    "{value} is not a number of tiles to deal to {seats} seats.", value=shortened(tiles), seats=seats
                )
                raise BadOption(name, no_hand)
        return dict(sorted(sizes.items()))

    def schema(self, say: Say) -> Schema:
        sizes: Schema = {
            "type": "object",
            "minProperties": 1,
            "propertyNames": {"enum": [str(seats) for seats in range(2, self.most_seats + 1)]},
            "additionalProperties": {"type": "integer", "minimum": 1},
        }
        return self.described(say, **sizes)

    def in_words(self, value: Any) -> Sentence:
        return Sentence("{tiles}.", tiles=tiles_in_words(value))

    def number_of_seats(self, name: str, seats: object) -> int:
        if str(seats) in map(str, range(2, self.most_seats + 1)):
            return int(str(seats))
        raise BadOption(
            name,
            Sentence(
                "{value} is not a number of seats from 2 to {most}.", value=shortened(seats), most=self.most_seats
            ),
        )


def tiles_in_words(sizes: Mapping[str, int]) -> Sentence:
    """How many tiles each seat is dealt: ``15 tiles each for 2 to 4 seats, 12 for 5 and 6``."""
    parts = list[Sentence]()
    for tiles, group in groupby(sizes, key=lambda seats: sizes[seats]):
        seats = run_in_words(list(group))
        if parts:
            parts.append(Sentence("{tiles} for {seats}", tiles=tiles, seats=seats))
        else:
            parts.append(
                Counted(
                    "{count} tile each for {seats} seats", "{count} tiles each for {seats} seats", tiles, seats=seats
                )
            )
    return joined(parts, between=", ")


def run_in_words(seats: Sequence[str]) -> Sentence:
    """Numbers of seats: ``2``, ``2 and 3``, ``2 to 4``."""
    first, last = seats[0], seats[-1]
    if len(seats) > 2:
        return Sentence("{first} to {last}", first=first, last=last)
    return Sentence("{first} and {last}", first=first, last=last) if len(seats) > 1 else Sentence(first)
