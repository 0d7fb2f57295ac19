"""Tiles, moves and positions as text, in both directions.

A tile is ``12-5``. A move is ``12-5>0``, ``12-5>mexican``, ``draw``, ``pass``, ``end``, ``announce`` or ``call 2``. A
play that keeps its marker is logged as ``12-5>0 keep``. A position has one line for each train: the tiles in the
direction in which they were laid, then a bar and the seat's hand::

    engine 12-12; turn 0; open 0/1; boneyard 1-1 3-2
    0: 12-5 5-5 | 5-3 4-4
    1: 12-7 marked | 9-5
    mexican: 12-4

``open 0/1`` is a double on train 0 laid by seat 1. ``open 0/1*`` is one that the seat laid in this turn. Further words
give the facts that the lines do not contain. About the turn: ``laid 2``, ``doubles 1``, ``drew 1``, and ``renewed no``
if the seat drew before its last tile and may not draw again. About the round: ``first 2 3`` (seats that have not
finished their first turn), ``waiting 1`` (seats on whose trains only others have played), ``announced 1``,
``exposed 2``, ``out 0``, ``passed 0 1``, ``ended out``.
"""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import assert_never

from rules.errors import UnreadableText
from rules.game import Ended
from rules.mexican_train.moves import ANNOUNCE, DRAW, END, MEXICAN, PASS, Announce, Call, Draw, End, Move, Pass, Play
from rules.mexican_train.options import Options
from rules.mexican_train.state import OpenDouble, Progress, Setup, State, Train, everybody, train_names
from rules.sentences import Sentence, quoted
from rules.tiles import Tile, TileSet, double, parse_tile, set_of, tile_text, tile_texts, tiles_in

MEXICAN_NAME = "mexican"
KEEPING = " keep"
"""Follows a play that keeps the seat's marker."""
NUMBER = r"0|[1-9]\d?"
PLAY = re.compile(rf"(.{{3,5}})>({NUMBER}|mexican)({KEEPING})?", re.ASCII)
CALL = re.compile(rf"call ({NUMBER})", re.ASCII)
TURN_CLAUSES = {"turn", "open", "laid", "doubles", "drew", "renewed"}
CLAUSES = TURN_CLAUSES | {"engine", "first", "waiting", "announced", "exposed", "out", "passed", "ended", "boneyard"}
WORDS: dict[str, Move] = {"draw": DRAW, "pass": PASS, "end": END, "announce": ANNOUNCE}


def train_text(train: int) -> str:
    return MEXICAN_NAME if train == MEXICAN else str(train)


def parse_train(text: str) -> int:
    return MEXICAN if text == MEXICAN_NAME else int(text)


def move_text(move: Move) -> str:
    """The one spelling of a move: the larger end of a tile comes first."""
    match move:
        case Play():
            return f"{tile_text(move.tile)}>{train_text(move.train)}{KEEPING if move.keep_marker else ''}"
        case Call():
            return f"call {move.seat}"
        case Draw():
            return "draw"
        case Pass():
            return "pass"
        case End():
            return "end"
        case Announce():
            return "announce"
        case _:
            assert_never(move)


@lru_cache(maxsize=8192)  # a log has few different moves, and replays read them often
def parse_move(text: str) -> Move:
    """A move from its text. Raises ``UnreadableText``."""
    if text in WORDS:
        return WORDS[text]
    if match := PLAY.fullmatch(text):
        return Play(parse_tile(match[1]), parse_train(match[2]), keep_marker=match[3] is not None)
    if match := CALL.fullmatch(text):
        return Call(int(match[1]))
    raise UnreadableText(
        Sentence("{text} is not a move; write a move as 12-5>0, 12-5>mexican, draw or pass.", text=quoted(text[:40]))
    )


def move_sentence(move: Move) -> str:
    """A move as a phrase for people, such as "lays 12-5 on train 0"."""
    match move:
        case Play(train=train):
            where = "the Mexican Train" if train == MEXICAN else f"train {train}"
            return f"lays {tile_text(move.tile)} on {where}{' and keeps the marker' if move.keep_marker else ''}"
        case Call():
            return f"calls seat {move.seat}"
        case Draw():
            return "draws"
        case Pass():
            return "passes"
        case End():
            return "ends its first turn"
        case Announce():
            return "announces its last tile"
        case _:
            assert_never(move)


def laid_tiles(train: Sequence[Tile], engine: int) -> list[str]:
    """A train's tiles as they lie, each with the end towards the engine first."""
    texts = []
    end = engine
    for each in train:
        free = each.other_end(end)
        texts.append(f"{end}-{free}")
        end = free
    return texts


def position_text(state: State) -> str:
    """A whole state with every hand visible, for tests and for developers of the rules."""
    clauses = [
        ("engine", [tile_text(double(state.setup.engine))]),
        ("turn", [str(state.turn)]),
        *turn_clauses(state),
        *round_clauses(state),
        ("boneyard", tile_texts(state.boneyard)),
    ]
    header = "; ".join(" ".join([name, *values]) for name, values in clauses if values)
    return "\n".join([header, *(train_line(state, name) for name in train_names(state.setup.seats))])


def turn_clauses(state: State) -> Iterator[tuple[str, list[str]]]:
    """What the seat to move has done in this turn, apart from what its open doubles say."""
    progress = state.progress
    earlier = len(state.open_doubles) - progress.fresh
    stars = ["*" if at >= earlier else "" for at in range(len(state.open_doubles))]
    yield "open", [open_double_text(each) + star for each, star in zip(state.open_doubles, stars, strict=True)]
    yield "laid", [str(progress.laid)] if progress.laid != progress.fresh else []
    yield "doubles", [str(progress.doubles)] if progress.doubles != progress.fresh else []
    yield "drew", [str(progress.draws)] if progress.draws else []
    yield "renewed", ["no"] if progress.has_used_draw else []


def round_clauses(state: State) -> Iterator[tuple[str, list[str]]]:
    """What the seats have done in this round, apart from what the trains say."""
    seats = state.setup.seats
    started = sum(1 << seat for seat in range(seats) if state.tiles[seat])
    yield "first", seat_texts(everybody(seats) ^ state.had_first_turn)
    yield "waiting", seat_texts(started ^ state.played_own)
    yield "announced", seat_texts(state.announced)
    yield "exposed", [] if state.exposed is None else [str(state.exposed)]
    yield "out", [] if state.first_out in (None, plainly_out(state.hands, state.ended)) else [str(state.first_out)]
    yield "passed", seat_texts(state.passed)
    yield "ended", [state.ended] if state.ended else []


def seat_texts(seats: int) -> list[str]:
    """The numbers of the seats in a set that holds one bit a seat."""
    return [str(seat) for seat in range(seats.bit_length()) if seats >> seat & 1]


def open_double_text(each: OpenDouble) -> str:
    return f"{train_text(each.train)}/{each.layer}"


def train_line(state: State, name: int) -> str:
    is_marked = name != MEXICAN and state.marked >> name & 1
    words = laid_tiles(state.tiles[name], state.setup.engine) + (["marked"] if is_marked else [])
    if name != MEXICAN:
        words += ["|", *tile_texts(tiles_in(state.hands[name]))]
    return " ".join([f"{train_text(name)}:", *words])


def parse_position(text: str, options: Options) -> State:
    """The state that a position describes. Raises ``UnreadableText`` with the part that cannot be read."""
    header, *lines = text.strip().splitlines() or [""]
    clauses = dict(clause.strip().partition(" ")[::2] for clause in header.split(";"))
    try:
        return position_of(clauses, lines, options)
    except (KeyError, ValueError) as missing:
        lacks = Sentence("The position lacks {part} or has something else in its place.", part=missing)
        raise UnreadableText(lacks) from missing


def position_of(clauses: Mapping[str, str], lines: Sequence[str], options: Options) -> State:
    if unknown := clauses.keys() - CLAUSES:
        raise UnreadableText(Sentence("{word} is not a part of a position.", word=quoted(min(unknown)[:40])))
    engine = parse_tile(clauses["engine"]).high
    drawn = dict(parse_line(line, engine) for line in lines)
    seats = len(lines) - 1
    trains = tuple(drawn[name][0] for name in train_names(seats))
    hands = [drawn[seat][1] for seat in range(seats)]
    opened = clauses.get("open", "").split()
    return State(
        Setup(options, seats, engine),
        [train.tiles for train in trains],
        [train.end for train in trains],
        sum(1 << seat for seat in range(seats) if trains[seat].is_marked),
        hands,
        tuple(parse_tile(word) for word in clauses.get("boneyard", "").split()),
        set_of([double(engine), *(each for train in trains for each in train.tiles)]),
        tuple(parse_open_double(word.removesuffix("*"), seats) for word in opened),
        parse_seat(clauses["turn"], seats),
        parse_progress(clauses, opened),
        parse_seats(clauses, "passed", seats),
        Ended(clauses["ended"]) if "ended" in clauses else None,
        everybody(seats) ^ parse_seats(clauses, "first", seats),
        sum(1 << seat for seat in range(seats) if trains[seat].tiles) ^ parse_seats(clauses, "waiting", seats),
        parse_seats(clauses, "announced", seats),
        parse_seat(clauses["exposed"], seats) if "exposed" in clauses else None,
        parse_seat(clauses["out"], seats) if "out" in clauses else plainly_out(hands, clauses.get("ended")),
    )


def parse_progress(clauses: Mapping[str, str], opened: Sequence[str]) -> Progress:
    stars = [word.endswith("*") for word in opened]
    if stars != sorted(stars):
        raise ValueError("the doubles of this turn are the newest")
    fresh = sum(stars)
    return Progress(
        parse_count(clauses.get("laid", str(fresh))),
        parse_count(clauses.get("doubles", str(fresh))),
        fresh,
        parse_count(clauses.get("drew", "0")),
        {"no": True, "": False}[clauses.get("renewed", "")],
    )


def plainly_out(hands: Sequence[TileSet], ended: str | None) -> int | None:
    """The seat that is out unless the text names one: the first seat without tiles, in a round that ended ``out``."""
    return hands.index(0) if ended == Ended.OUT else None


def parse_seats(clauses: Mapping[str, str], name: str, seats: int) -> int:
    return sum(1 << parse_seat(word, seats) for word in clauses.get(name, "").split())


def parse_seat(word: str, seats: int) -> int:
    return range(seats).index(int(word))


def parse_count(word: str) -> int:
    return range(sys.maxsize).index(int(word))


def parse_line(line: str, engine: int) -> tuple[int, tuple[Train, int]]:
    """A train and, after the bar, its seat's hand."""
    name, _, rest = line.partition(":")
    laid, _, hand = rest.partition("|")
    words = laid.split()
    tiles = tuple(parse_tile(word) for word in words if word != "marked")
    end = engine
    for each in tiles:
        if end not in (each.high, each.low):
            misfit = Sentence("{tile} does not fit the {end} that it is drawn against.", tile=tile_text(each), end=end)
            raise UnreadableText(misfit)
        end = each.other_end(end)
    return parse_train(name.strip()), (Train(tiles, end, "marked" in words), set_of(map(parse_tile, hand.split())))


def parse_open_double(text: str, seats: int) -> OpenDouble:
    train, _, layer = text.partition("/")
    name = parse_train(train)
    return OpenDouble(name if name == MEXICAN else parse_seat(train, seats), parse_seat(layer, seats))
