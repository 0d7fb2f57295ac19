"""Records as text for people, in both directions (``docs/record-format.md``).

Each line states one fact. The reader turns the lines into the document that JSON would have, and remembers the place of
each part. Only the reader of JSON checks the content of the document.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, NoReturn, TypeAlias

from rules.mexican_train.notation import move_text
from rules.mexican_train.presets import overrides_over, preset_named
from rules.records.document import Part
from rules.records.json_form import MARK, RESERVED, check_version, record_from
from rules.records.record import (
    BOT,
    MOST_CHARACTERS,
    MOST_MOVES,
    MOST_TILES,
    VERSION,
    BadRecord,
    Fault,
    FaultCode,
    Place,
    Record,
    RecordedMove,
    RecordedRound,
    RecordedSeat,
)
from rules.sentences import Sentence, quoted
from rules.tiles import double, tile_text, tile_texts

FORMAT, TABLE, PRESET, RULES = "MexicanTrain", "Table", "Preset", "Rules"
TILES_A_LINE = 15
MOST_LINES, LONGEST_LINE, MOST_WORDS = 25_000, 16_384, 120_000
"""More than any record with so many moves and headers needs, and few enough to be read in a moment."""
BLANKS = " \t\r"
SPACE = re.compile(f"[{BLANKS}]+")
COMMENT = (";", "#")
TOKEN = re.compile(r'"(?:[^"\\]|\\.?)*(?:"|$)|[^ \t\r";#][^ \t\r"]*|.')  # an unclosed quote takes the rest of the line
HEADER = re.compile(r'\[([^\s"]+)[ \t]+("(?:[^"\\]|\\.)*")[ \t]*\][ \t\r]*(?:[;#].*)?')
NUMBERED = re.compile(r"(\d{1,6})\.", re.ASCII)
SEAT = re.compile(r"(\d{1,3}):", re.ASCII)
BY = re.compile(r"\((\w+)\)", re.ASCII)
WHOLE = re.compile(r"-?\d{1,9}", re.ASCII)


# Writing


def text_of(record: Record) -> str:
    """A record as text: its headers, its options, its seats, and a block for each round."""
    seats = [seat_line(number, seat) for number, seat in enumerate(record.seats)]
    blocks = [header_lines(record), option_lines(record), seats]
    number = 1
    for at, played in enumerate(record.rounds, start=1):
        blocks.append([f"round {at}", *deal_lines(played), *move_lines(record, played, number), *result_lines(played)])
        number += len(played.moves)
    blocks.append(closing_lines(record))
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def header_lines(record: Record) -> list[str]:
    headers = [(FORMAT, str(VERSION)), *record.headers]
    headers += [] if record.table is None else [(TABLE, record.table)]
    headers += [(PRESET, preset_named(record.preset, record.options)), (RULES, str(record.engine_version))]
    return [f"[{name} {quoted(value)}]" for name, value in headers]


def option_lines(record: Record) -> list[str]:
    overrides = overrides_over(preset_named(record.preset, record.options), record.options)
    return [f"option {name} {option_text(value)}" for name, value in overrides.items()]


def option_text(value: object) -> str:
    """JSON, but a text has no quotes."""
    return value if isinstance(value, str) else json.dumps(value)


def seat_line(number: int, seat: RecordedSeat) -> str:
    words = ["seat", str(number), *([quoted(seat.name)] if seat.name else [])]
    words += [BOT, seat.level] if seat.kind == BOT else []
    return " ".join(words + (["forfeited"] if seat.is_forfeited else []))


def deal_lines(played: RecordedRound) -> Iterator[str]:
    if played.engine is not None:
        yield f"engine {tile_text(double(played.engine))}"
    for name, seat in (("first", played.first_seat), ("starter", played.starter)):
        if seat is not None:
            yield f"{name} {seat}"
    for name, digest in (("commitment", played.commitment), ("secret", played.secret)):
        if digest is not None:
            yield f"{name} {digest}"
    for number, seed in enumerate(played.client_seeds):
        if seed:
            yield f"seed {number} {quoted(seed)}"
    tiles = tile_texts(played.order)
    for at in range(0, len(tiles), TILES_A_LINE):
        yield f"order {' '.join(tiles[at : at + TILES_A_LINE])}"


def move_lines(record: Record, played: RecordedRound, number: int) -> Iterator[str]:
    """One line for consecutive moves of a seat, usually a turn."""
    for seat, made in groupby(played.moves, key=lambda move: move.seat):
        moves = list(made)
        usual = record.seats[seat].kind
        yield f"{number}. {seat}: {' '.join(made_text(move, usual) for move in moves)}"
        number += len(moves)


def made_text(made: RecordedMove, usual: str) -> str:
    return move_text(made.move) + ("" if made.by == usual else f" ({made.by})")


def result_lines(played: RecordedRound) -> Iterator[str]:
    if played.ended is not None:
        yield f"ended {played.ended}" + ("" if played.out is None else f" {played.out}")
    for name, values in (("points", played.points), ("totals", played.totals)):
        if values is not None:
            yield " ".join([name, *map(str, values)])


def closing_lines(record: Record) -> list[str]:
    lines = ["unfinished"] if record.is_unfinished else []
    return lines if record.winners is None else [*lines, " ".join(["winners", *map(str, record.winners)])]


# Reading

Document: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a quoted text of a line, and its place."""

    text: str
    place: Place

    def refuse(self, detail: Sentence, code: FaultCode = FaultCode.UNREADABLE) -> NoReturn:
        raise BadRecord(Fault(code, detail, self.place))


@dataclass(slots=True)
class Reading:
    """The document read so far, and the place of each part."""

    document: Document = field(default_factory=dict)
    headers: Document = field(default_factory=dict)
    options: Document = field(default_factory=dict)
    seats: list[Document] = field(default_factory=list)
    played: list[Document] = field(default_factory=list)
    places: dict[str, Place] = field(default_factory=lambda: {"": Place(line=1, column=1)})
    move_count: int = 0
    word_count: int = 0

    @property
    def whole(self) -> Document:
        parts = {"headers": self.headers, "options": self.options, "seats": self.seats, "rounds": self.played}
        return self.document | parts

    def put(self, target: Document, path: str, name: str, value: object, token: Token) -> None:
        """Set a value. It is refused if it has been set before."""
        if name in target:
            token.refuse(Sentence("This occurs twice; write it only once."))
        target[name] = value
        self.places[f"{path}.{name}".lstrip(".")] = token.place

    @property
    def round_path(self) -> str:
        return f"rounds.{len(self.played) - 1}"

    def round(self, token: Token) -> Document:
        if not self.played:
            missing = Sentence("This belongs to a round, but no round has begun; write a line such as 'round 1' first.")
            token.refuse(missing)
        return self.played[-1]


def document_in(text: str) -> tuple[Document, dict[str, Place]]:
    """The document in a text, and the place of each part. Raises ``BadRecord``."""
    reading = Reading()
    lines = text.removeprefix("\ufeff").split("\n")
    if len(lines) > MOST_LINES:
        too_many = Sentence("A record has at most {most} lines.", most=MOST_LINES)
        raise BadRecord(Fault(FaultCode.UNREADABLE, too_many))
    for number, line in enumerate(lines, start=1):
        read_line(reading, line, number)
    return reading.whole, reading.places


def read_line(reading: Reading, line: str, number: int) -> None:
    content = line.strip(BLANKS)
    if not content or content.startswith(COMMENT):
        return
    whole = Token(content, Place(line=number, column=len(line) - len(line.lstrip(BLANKS)) + 1))
    if len(content) > LONGEST_LINE:
        whole.refuse(Sentence("A line has at most {most} characters.", most=LONGEST_LINE))
    is_header = content.startswith("[")
    if is_header:
        read_header(reading, whole)
    if is_header or not reading.document:  # the version is checked first
        check_version(Part(reading.document, "", reading.places))
    if not is_header:
        read_words(reading, line, whole)


def read_words(reading: Reading, line: str, whole: Token) -> None:
    word = replace(whole, text=SPACE.split(whole.text, maxsplit=1)[0])
    if word.text == "option":
        read_option(reading, whole.text, word)
        return
    tokens = list(tokens_of(line, whole.place.line))
    reading.word_count += len(tokens)
    if reading.word_count > MOST_WORDS:
        word.refuse(Sentence("A record has at most {most} words.", most=MOST_WORDS))
    if NUMBERED.fullmatch(word.text) or SEAT.fullmatch(word.text):
        read_moves(reading, tokens)
    elif word.text in LINES:
        LINES[word.text](reading, tokens[0], tokens[1:])
    else:
        word.refuse(Sentence("No line of a record begins with {word}.", word=quoted(word.text[:40])))


def tokens_of(line: str, number: int | None) -> Iterator[Token]:
    """The words of a line up to a comment. A comment begins only where a word could begin."""
    for match in TOKEN.finditer(line):
        text = match[0]
        if text in COMMENT:
            return
        if text not in BLANKS:
            yield Token(text, Place(line=number, column=match.start() + 1))


def read_header(reading: Reading, token: Token) -> None:
    match = HEADER.fullmatch(token.text)
    if match is None:
        token.refuse(Sentence('A header looks like [Event "Sunday at Anna\'s"].'))
    name, value = match[1], unquoted(Token(match[2], token.place))
    known = {FORMAT: MARK, TABLE: "table", PRESET: "preset", RULES: "engine_version"}
    if name in known:
        is_number = name in (FORMAT, RULES) and WHOLE.fullmatch(value)
        reading.put(reading.document, "", known[name], int(value) if is_number else value, token)
    elif name.lower() in RESERVED:
        spelt = next(each for each in known if each.lower() == name.lower())
        token.refuse(Sentence("Write {name} as {spelt}.", name=quoted(name[:40]), spelt=spelt))
    else:
        reading.put(reading.headers, "headers", name, value, token)


def unquoted(token: Token) -> str:
    """A text in double quotes, with the escapes of JSON."""
    try:
        text = json.loads(token.text) if token.text.startswith('"') else None
    except ValueError:
        text = None
    if not isinstance(text, str):
        token.refuse(Sentence('Put a text in double quotes, and write a \\ before each \\ and " in it.'))
    return text


def read_option(reading: Reading, content: str, token: Token) -> None:
    """``option NAME VALUE``: the value is JSON, or a bare word."""
    _, *words = SPACE.split(content, maxsplit=2)
    if len(words) < 2:
        token.refuse(Sentence("An option looks like: option rounds 7"))
    name, written = words
    bare = SPACE.split(written, maxsplit=1)[0]
    try:
        value, end = json.JSONDecoder().raw_decode(written)
    except (ValueError, RecursionError):
        value, end = bare, len(bare)
    rest = written[end:].strip(BLANKS)
    if rest and not rest.startswith(COMMENT):
        more = quoted(rest[:40])
        token.refuse(Sentence("Remove {more}: the value of an option is JSON or one word.", more=more))
    reading.put(reading.options, "options", name, value, token)


def read_seat(reading: Reading, line: Token, tokens: Sequence[Token]) -> None:
    """``seat N ["name"] [person | bot LEVEL] [forfeited]``."""
    path = f"seats.{len(reading.seats)}"
    seat: Document = {"seat": whole_number(line, tokens[:1])}
    rest = list(tokens[1:])
    if rest and rest[0].text.startswith('"'):
        seat["name"] = unquoted(rest.pop(0))
    if rest and rest[0].text in ("person", BOT):
        seat["kind"] = rest.pop(0).text
        seat |= {"level": rest.pop(0).text} if seat["kind"] == BOT and rest else {}
    if rest and rest[0].text == "forfeited":
        seat["forfeited"] = bool(rest.pop(0))
    if rest:
        rest[0].refuse(Sentence('A seat looks like: seat 1 "Otto" bot easy'))
    reading.seats.append(seat)
    reading.places[path] = line.place


def read_round(reading: Reading, line: Token, tokens: Sequence[Token]) -> None:
    reading.played.append({"number": whole_number(line, tokens), "moves": []})
    reading.places[reading.round_path] = line.place


def read_tiles(reading: Reading, line: Token, tokens: Sequence[Token]) -> None:
    """``order`` and ``boneyard`` may continue on further lines."""
    tiles = reading.round(line).setdefault(line.text, [])
    reading.places.setdefault(f"{reading.round_path}.{line.text}", line.place)
    append_tiles(reading, f"{reading.round_path}.{line.text}", tiles, tokens)


def append_tiles(reading: Reading, path: str, tiles: list[str], tokens: Sequence[Token]) -> None:
    for token in tokens:
        if len(tiles) >= MOST_TILES:
            token.refuse(Sentence("No set has that many tiles."), FaultCode.WRONG_TILES)
        reading.places[f"{path}.{len(tiles)}"] = token.place
        tiles.append(token.text)


def read_hand(reading: Reading, line: Token, tokens: Sequence[Token]) -> None:
    """``hand N TILES``, in the order of the seats."""
    hands = reading.round(line).setdefault("hands", [])
    if whole_number(line, tokens[:1]) != len(hands):
        tokens[0].refuse(Sentence("The next hand must be that of seat {seat}.", seat=len(hands)))
    path = f"{reading.round_path}.hands.{len(hands)}"
    reading.places[path] = line.place
    hands.append([])
    append_tiles(reading, path, hands[-1], tokens[1:])


def read_seed(reading: Reading, line: Token, tokens: Sequence[Token]) -> None:
    """``seed N "text"``. Seats without a line have no seed."""
    seeds = reading.round(line).setdefault("client_seeds", [""] * len(reading.seats))
    seat = whole_number(line, tokens[:1])
    if len(tokens) != 2 or not 0 <= seat < len(seeds) or seeds[seat]:
        line.refuse(Sentence('A seed looks like: seed 0 "my own words", once for a seat.'))
    seeds[seat] = unquoted(tokens[1])
    reading.places[f"{reading.round_path}.client_seeds.{seat}"] = line.place


def read_word(reading: Reading, line: Token, tokens: Sequence[Token]) -> None:
    """``engine``, ``commitment`` and ``secret``, each with one word."""
    if len(tokens) != 1:
        line.refuse(Sentence("Write exactly one word after {word}.", word=line.text))
    reading.put(reading.round(line), reading.round_path, line.text, tokens[0].text, tokens[0])


def read_first(reading: Reading, line: Token, tokens: Sequence[Token]) -> None:
    name = {"first": "first_seat"}.get(line.text, line.text)
    reading.put(reading.round(line), reading.round_path, name, whole_number(line, tokens), line)


def read_ended(reading: Reading, line: Token, tokens: Sequence[Token]) -> None:
    """``ended out N`` or ``ended blocked``."""
    if not 1 <= len(tokens) <= 2:
        line.refuse(Sentence("The end of a round looks like: ended out 1"))
    target, path = reading.round(line), reading.round_path
    reading.put(target, path, "ended", tokens[0].text, tokens[0])
    if tokens[1:]:
        reading.put(target, path, "out", whole_number(line, tokens[1:]), tokens[1])


def read_numbers(reading: Reading, line: Token, tokens: Sequence[Token]) -> None:
    """``points`` and ``totals``, with one number for each seat."""
    values = [whole_number(line, [token]) for token in tokens]
    reading.put(reading.round(line), reading.round_path, line.text, values, line)


def read_winners(reading: Reading, line: Token, tokens: Sequence[Token]) -> None:
    reading.put(reading.document, "", "winners", [whole_number(line, [token]) for token in tokens], line)


def read_unfinished(reading: Reading, line: Token, tokens: Sequence[Token]) -> None:
    if tokens:
        tokens[0].refuse(Sentence("Write nothing after unfinished."))
    reading.put(reading.document, "", "finished", False, line)


def whole_number(line: Token, tokens: Sequence[Token]) -> int:
    """The single integer that is expected here."""
    if len(tokens) != 1 or not WHOLE.fullmatch(tokens[0].text):
        (tokens[0] if tokens else line).refuse(Sentence("Write an integer here."))
    return int(tokens[0].text)


LINES: dict[str, Callable[[Reading, Token, Sequence[Token]], None]] = {
    "seat": read_seat,
    "round": read_round,
    "engine": read_word,
    "first": read_first,
    "starter": read_first,
    "commitment": read_word,
    "secret": read_word,
    "seed": read_seed,
    "order": read_tiles,
    "hand": read_hand,
    "boneyard": read_tiles,
    "ended": read_ended,
    "points": read_numbers,
    "totals": read_numbers,
    "winners": read_winners,
    "unfinished": read_unfinished,
}


def read_moves(reading: Reading, tokens: Sequence[Token]) -> None:
    """``12. 0: 12-7>0 draw pass (timeout)``: an optional number of the first move, the seat, and its moves."""
    moves = reading.round(tokens[0])["moves"]
    numbered = NUMBERED.fullmatch(tokens[0].text)
    rest = list(tokens[1:] if numbered else tokens)
    seat = SEAT.fullmatch(rest[0].text) if rest else None
    if seat is None or len(rest) < 2:
        tokens[0].refuse(Sentence("Moves look like: 12. 0: 12-7>0, with the seat before the colon."))
    first = len(moves)
    for words, by in made_in(rest[1:]):
        text, kept, _ = " ".join(token.text for token in words).partition(" keep")
        reading.places[f"{reading.round_path}.moves.{len(moves)}"] = words[0].place
        moves.append({"seat": int(seat[1]), "move": text})
        moves[-1] |= ({"keep_marker": True} if kept else {}) | ({"by": by} if by else {})
        reading.move_count += 1
        if reading.move_count > MOST_MOVES:
            words[0].refuse(
                Sentence("The record has more than {most} moves.", most=MOST_MOVES), FaultCode.TOO_MANY_MOVES
            )
    if numbered:
        moves[first]["number"] = int(numbered[1])


def made_in(tokens: Sequence[Token]) -> Iterator[tuple[list[Token], str | None]]:
    """The words of each move, and who made it if that is stated."""
    rest = list(tokens)
    while rest:
        words = [rest.pop(0)]
        if words[0].text == "call" and rest:
            words.append(rest.pop(0))
        if rest and rest[0].text == "keep":
            words.append(rest.pop(0))
        by = BY.fullmatch(rest[0].text) if rest else None
        if by:
            rest.pop(0)
        yield words, by and by[1]


# Either form


def record_in(text: str) -> Record:
    """The record in a text, which is JSON or lines. Raises ``BadRecord`` for every text that is not a record."""
    if len(text) > MOST_CHARACTERS:
        too_long = Sentence("A record has at most {most} characters.", most=MOST_CHARACTERS)
        raise BadRecord(Fault(FaultCode.UNREADABLE, too_long))
    try:
        if text.removeprefix("\ufeff").lstrip().startswith("{"):
            return record_from(json_in(text.removeprefix("\ufeff")))
        return record_from(*document_in(text))
    except RecursionError as deep:
        raise BadRecord(Fault(FaultCode.UNREADABLE, Sentence("The JSON is nested too deeply."))) from deep


def json_in(text: str) -> object:
    try:
        return json.loads(text, object_pairs_hook=each_once)
    except json.JSONDecodeError as error:
        place = Place(line=error.lineno, column=error.colno)
        raise BadRecord(
            Fault(FaultCode.UNREADABLE, Sentence("This is not valid JSON: the error is here."), place)
        ) from error
    except ValueError as error:  # such as a number of thousands of digits
        raise BadRecord(Fault(FaultCode.UNREADABLE, Sentence("This is not valid JSON."))) from error


def each_once(members: list[tuple[str, Any]]) -> Document:
    """A map of JSON. Raises ``BadRecord`` for a repeated name, because readers differ in which value they take."""
    document = dict(members)
    if len(document) < len(members):
        names = [name for name, _ in members]
        twice = next(name for name in names if names.count(name) > 1)
        detail = Sentence("The name {name} occurs twice in one object.", name=quoted(twice[:40]))
        raise BadRecord(Fault(FaultCode.UNREADABLE, detail))
    return document
