"""The rule sheet of a table: every rule that it plays by, in the order in which a person would read them aloud."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rules.mexican_train.options import Options, hand_size
from rules.mexican_train.sheet_lines import ONE_EACH, SECTIONS, SEVERAL_EACH, Fact, Line
from rules.mexican_train.wording import in_words
from rules.sentences import Counted, Sentence, as_sentence
from rules.tiles import set_size


class SheetPart(NamedTuple):
    """A section of the sheet: its title and its sentences."""

    title: Sentence
    sentences: list[Sentence]


def sheet(options: Options, seats: int, names: Sequence[str | None] = ()) -> list[SheetPart]:
    """The whole sheet for this number of seats.

    Raises ``BadOption`` if they cannot be dealt their hands. ``names`` are the players' names by seat. A seat without a
    name is called by its number, counted from 1.
    """
    first = options.first_seat_chosen
    beginner = (names[first] if first < len(names) else None) or Sentence("seat {number}", number=first + 1)
    parts = [SheetPart(Sentence(title), [*sentences_of(lines, options, beginner)]) for title, lines in SECTIONS]
    dealt = Counted(ONE_EACH, SEVERAL_EACH, hand_size(options, seats), seats=seats, boneyard=boneyard(options, seats))
    parts[0].sentences.insert(1 + options.sets_engine_aside, dealt)
    parts[-1].sentences.insert(0, in_words("rounds", options.round_count))
    return parts


def boneyard(options: Options, seats: int) -> int:
    """How many tiles are left after the deal. An engine that is set aside does not count."""
    return set_size(options.highest_pip) - options.sets_engine_aside - seats * hand_size(options, seats)


def sentences_of(lines: tuple[Line | Fact, ...], options: Options, beginner: str) -> Iterator[Sentence]:
    """The sentences of these lines that apply to these rules."""
    facts = {
        "highest": options.highest_pip,
        "all": set_size(options.highest_pip),
        "engine": options.engine_wanted(0),
        "beginner": beginner,
    }
    for line in lines:
        if line.matters(options):
            yield from (as_sentence(text, **facts) for text in texts_of(line, options.as_dict()) if text)


def texts_of(line: Line | Fact, values: Mapping[str, Any]) -> list[str]:
    if isinstance(line, Fact):
        return [line.text]
    value = values[line.option]
    return [line.texts[each] for each in (value if isinstance(value, list) else [value])]
