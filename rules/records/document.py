"""Parts of a document from an unknown source. Each part knows its path, so that a fault can name its place."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NoReturn, TypeVar

from rules.errors import UnreadableText
from rules.mexican_train.options import MOST_SEATS
from rules.records.record import BadRecord, Fault, FaultCode, Place
from rules.sentences import Counted, Sentence, quoted, shortened

T = TypeVar("T")
NOT_GIVEN = object()
"""The value of a missing member, which is not the same as ``null``."""
LONGEST_SHOWN = 40
UNKEPT = re.compile("[\0\ud800-\udfff]")
"""Characters that databases and UTF-8 cannot store: NUL, and halves of surrogate pairs."""
UNNAMED = re.compile("[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Characters that disturb the text around a name: control characters, and those that change the reading direction."""


@dataclass(frozen=True, slots=True)
class Part:
    """A value in a document, the path to it, and the places of all parts in a text that was read."""

    value: object
    path: str = ""
    places: Mapping[str, Place] | None = None

    @property
    def place(self) -> Place:
        """The place of this part in the text, or of the nearest part around it. Without a text, it is the field."""
        if self.places is None:
            return Place(field=self.path or None)
        path = self.path
        while path and path not in self.places:
            path = path.rpartition(".")[0]
        return self.places.get(path, Place())

    def refuse(self, detail: Sentence, code: FaultCode = FaultCode.UNREADABLE) -> NoReturn:
        raise BadRecord(Fault(code, detail, self.place))

    def refuse_value(self, detail: Sentence) -> NoReturn:
        """Refuse a value of the wrong kind, or a missing member."""
        if self.is_given:
            self.refuse(detail)
        self.refuse(Sentence("{name} is missing.", name=self.path.rpartition(".")[2]))

    @property
    def is_given(self) -> bool:
        return self.value is not NOT_GIVEN

    def member(self, name: str) -> "Part":
        """A member of a map that ``members`` has checked. A missing one has the value ``NOT_GIVEN``."""
        assert isinstance(self.value, dict)
        return self.inner(name, self.value.get(name, NOT_GIVEN))

    def inner(self, name: object, value: object) -> "Part":
        """A part inside this one. Its name is shortened and escaped, because it may be any text."""
        known = quoted(str(name)[:LONGEST_SHOWN])[1:-1]
        return Part(value, f"{self.path}.{known}".lstrip("."), self.places)

    def members(self, *known: str) -> "Part":
        """This part, if it is a map with no other members than these."""
        if not isinstance(self.value, dict):
            self.refuse_value(Sentence("{value} is not an object.", value=as_refused(self.value)))
        if unknown := [name for name in self.value if name not in known]:
            among = Sentence("{value} is not among {values}.", value=as_refused(unknown[0]), values=", ".join(known))
            self.inner(unknown[0], None).refuse(among)
        return self

    def pairs(self) -> Iterator[tuple[str, "Part"]]:
        """The members of a map with any names."""
        if not isinstance(self.value, dict):
            self.refuse_value(Sentence("{value} is not an object.", value=as_refused(self.value)))
        for name, value in self.value.items():
            yield str(name), self.inner(name, value)

    @property
    def length(self) -> int:
        """The length of a list or a map, otherwise 0. It is checked before any content is read."""
        return len(self.value) if isinstance(self.value, list | dict) else 0

    def items(self) -> Iterator["Part"]:
        """The members of a list, one by one. The caller limits their number."""
        if not isinstance(self.value, list):
            self.refuse_value(Sentence("{value} is not a list.", value=as_refused(self.value)))
        for at, value in enumerate(self.value):
            yield self.inner(at, value)

    def items_up_to(self, most: int, too_many: Sentence, code: FaultCode = FaultCode.UNREADABLE) -> Iterator["Part"]:
        """The same with a limit: a list that is too long is refused before anything is read."""
        if self.length > most:
            self.refuse(too_many, code)
        return self.items()

    def one_a_seat(self, seats: int, read: Callable[["Part"], T]) -> tuple[T, ...]:
        """A list with one value for each seat."""
        if isinstance(self.value, list) and self.length != seats:
            counted = Counted(
                "There is {count} value for {seats} seats; give one for each seat.",
                "There are {count} values for {seats} seats; give one for each seat.",
                self.length,
                seats=seats,
            )
            self.refuse(counted)
        return tuple(read(each) for each in self.items())

    def or_default(self, read: Callable[["Part"], T], default: T) -> T:
        """The value, or the default if it is left out. ``null`` is read like any value, and most readers refuse it."""
        return read(self) if self.is_given else default

    def or_null(self, read: Callable[["Part"], T]) -> T | None:
        """The value; ``None`` if it is left out or ``null``."""
        return None if self.value is NOT_GIVEN or self.value is None else read(self)

    def text(self, longest: int) -> str:
        if not isinstance(self.value, str):
            self.refuse_value(Sentence("{value} is not a string.", value=as_refused(self.value)))
        if len(self.value) > longest:
            size = len(self.value)
            self.refuse(
                Sentence("This text has {count} characters; at most {most} are allowed.", count=size, most=longest)
            )
        if UNKEPT.search(self.value):
            self.refuse(Sentence("A text contains NUL or half of a surrogate pair."))
        return self.value

    def name(self, longest: int) -> str:
        """A text without characters that disturb the text around it."""
        name = self.text(longest)
        if UNNAMED.search(name):
            self.refuse(Sentence("A name cannot contain control characters."))
        return name

    def word(self, pattern: re.Pattern[str], what: Sentence) -> str:
        if not isinstance(self.value, str) or not pattern.fullmatch(self.value):
            self.refuse_value(Sentence("{value} is not {what}.", value=as_refused(self.value), what=what))
        return self.value

    def one_of(self, *values: str) -> str:
        if not isinstance(self.value, str) or self.value not in values:
            among = Sentence("{value} is not one of {values}.", value=as_refused(self.value), values=", ".join(values))
            self.refuse_value(among)
        return self.value

    def whole(self) -> int:
        if type(self.value) is not int or abs(self.value) >= 1 << 31:
            self.refuse_value(Sentence("{value} is not an integer below 2³¹.", value=as_refused(self.value)))
        return self.value

    def seat(self, seats: int = MOST_SEATS) -> int:
        if type(self.value) is not int or not 0 <= self.value < seats:
            no_seat = Sentence("{value} is not a seat from 0 to {last}.", value=as_refused(self.value), last=seats - 1)
            self.refuse_value(no_seat)
        return self.value

    def truth(self) -> bool:
        if not isinstance(self.value, bool):
            self.refuse_value(Sentence("{value} is neither true nor false.", value=as_refused(self.value)))
        return self.value

    def parsed(self, parse: Callable[[str], T]) -> T:
        """A text, parsed by one of our notations."""
        try:
            return parse(self.text(longest=200))
        except UnreadableText as unreadable:
            self.refuse(unreadable.detail)


KINDS: Mapping[type, Sentence] = {
    dict: Sentence("an object"),
    list: Sentence("a list"),
    float: Sentence("a fraction"),
}
"""Descriptions of values that a refusal does not repeat."""


def as_refused(value: object) -> str:
    """A wrong value as a refusal repeats it: shortened, with printable characters only."""
    if type(value) in KINDS:
        return KINDS[type(value)]
    if type(value) is int:
        return str(value) if abs(value) < 1 << 63 else Sentence("a number of that size")
    return shortened(value, LONGEST_SHOWN)
