"""Tiles, moves and positions as text, both ways.

A tile is ``12-5``; a move ``12-5>0``, ``12-5>mexican``, ``draw``, ``pass``, ``end``, ``announce`` or ``call 2``. A
position is drawn a line a train, tiles in the direction they were laid, then the seat's hand behind a bar::

    engine 12-12; turn 0; open 0/1; boneyard 1-1 3-2
    0: 12-5 5-5 | 5-3 4-4
    1: 12-7 marked | 9-5
    mexican: 12-4

``open 0/1`` is a double on train 0 laid by seat 1; ``drew 1``, ``passed 0 1`` and ``ended out`` say the rest.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import assert_never

from rules.errors import UnreadableText
from rules.moves import DRAW, MEXICAN, PASS, Announce, Call, Draw, End, Move, Pass, Play
from rules.options import Options
from rules.state import Ended, OpenDouble, Setup, State, Train, train_names
from rules.tiles import Tile, double, set_of, tile, tiles_in

MEXICAN_NAME = "mexican"
NUMBER = r"0|[1-9]\d?"
TILE = re.compile(rf"({NUMBER})-({NUMBER})", re.ASCII)
PLAY = re.compile(rf"(.{{3,5}})>({NUMBER}|mexican)", re.ASCII)
CALL = re.compile(rf"call ({NUMBER})", re.ASCII)
CLAUSES = {"engine", "turn", "drew", "open", "passed", "ended", "boneyard"}
WORDS: dict[str, Move] = {"draw": DRAW, "pass": PASS, "end": End(), "announce": Announce()}


def tile_text(tile: Tile) -> str:
    return f"{tile.high}-{tile.low}"


def parse_tile(text: str) -> Tile:
    """A tile, ends in either order. Raises ``UnreadableText``."""
    match = TILE.fullmatch(text)
    try:
        if match:
            return tile(int(match[1]), int(match[2]))
    except IndexError:
        pass
    raise UnreadableText(f"{text[:40]!r} is not a tile; one looks like 12-5.")


def train_text(train: int) -> str:
    return MEXICAN_NAME if train == MEXICAN else str(train)


def parse_train(text: str) -> int:
    return MEXICAN if text == MEXICAN_NAME else int(text)


def move_text(move: Move) -> str:
    """The one way a move is written: the tile's larger end first."""
    match move:
        case Play():
            return f"{tile_text(move.tile)}>{train_text(move.train)}"
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


@lru_cache(maxsize=8192)  # a log is read again for every position, and its moves are few in kind
def parse_move(text: str) -> Move:
    """A move from its text. Raises ``UnreadableText``."""
    if text in WORDS:
        return WORDS[text]
    if match := PLAY.fullmatch(text):
        return Play(parse_tile(match[1]), parse_train(match[2]))
    if match := CALL.fullmatch(text):
        return Call(int(match[1]))
    raise UnreadableText(f"{text[:40]!r} is not a move; one looks like 12-5>0, 12-5>mexican, draw or pass.")


def move_sentence(move: Move) -> str:
    """A move as a person tells it."""
    match move:
        case Play(train=train):
            return f"lays {tile_text(move.tile)} on " + ("the Mexican Train" if train == MEXICAN else f"train {train}")
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
    """A train's tiles as they lie, the end towards the engine first."""
    texts = []
    end = engine
    for each in train:
        free = each.other_end(end)
        texts.append(f"{end}-{free}")
        end = free
    return texts


def tile_texts(tiles: Iterable[Tile]) -> list[str]:
    return [tile_text(each) for each in tiles]


def position_text(state: State) -> str:
    """A whole state, every hand open: for tests, and for the people who keep the rules."""
    clauses = [("engine", [tile_text(double(state.setup.engine))]), ("turn", [str(state.turn)])]
    clauses += [("drew", [str(state.draws)])] if state.draws else []
    clauses += [("open", [f"{train_text(each.train)}/{each.layer}" for each in state.open_doubles])]
    clauses += [("passed", [str(seat) for seat in range(state.setup.seats) if state.passed >> seat & 1])]
    clauses += [("ended", [state.ended])] if state.ended else []
    clauses += [("boneyard", tile_texts(state.boneyard))]
    header = "; ".join(" ".join([name, *values]) for name, values in clauses if values)
    return "\n".join([header, *(train_line(state, name) for name in train_names(state.setup.seats))])


def train_line(state: State, name: int) -> str:
    train = state.trains[name]
    words = laid_tiles(train.tiles, state.setup.engine) + (["marked"] if train.is_marked else [])
    if name != MEXICAN:
        words += ["|", *tile_texts(tiles_in(state.hands[name]))]
    return " ".join([f"{train_text(name)}:", *words])


def parse_position(text: str, options: Options) -> State:
    """The state that a drawn position shows. Raises ``UnreadableText`` naming the part that could not be read."""
    header, *lines = text.strip().splitlines() or [""]
    clauses = dict(clause.strip().partition(" ")[::2] for clause in header.split(";"))
    try:
        return position_of(clauses, lines, options)
    except (KeyError, ValueError) as missing:
        raise UnreadableText(f"The position lacks {missing} or has something else in its place.") from missing


def position_of(clauses: Mapping[str, str], lines: Sequence[str], options: Options) -> State:
    if unknown := clauses.keys() - CLAUSES:
        raise UnreadableText(f"{min(unknown)[:40]!r} is nothing that a position says.")
    engine = parse_tile(clauses["engine"]).high
    drawn = dict(parse_line(line, engine) for line in lines)
    trains = tuple(drawn[name][0] for name in train_names(len(lines) - 1))
    hands = tuple(drawn[seat][1] for seat in range(len(lines) - 1))
    return State(
        Setup(options, len(hands), engine),
        trains,
        hands,
        tuple(parse_tile(word) for word in clauses.get("boneyard", "").split()),
        set_of([double(engine), *(each for train in trains for each in train.tiles)]),
        tuple(parse_open_double(word) for word in clauses.get("open", "").split()),
        range(len(hands)).index(int(clauses["turn"])),
        int(clauses.get("drew", 0)),
        sum(1 << int(seat) for seat in clauses.get("passed", "").split()),
        Ended(clauses["ended"]) if "ended" in clauses else None,
    )


def parse_line(line: str, engine: int) -> tuple[int, tuple[Train, int]]:
    """One train and, behind the bar, its seat's hand."""
    name, _, rest = line.partition(":")
    laid, _, hand = rest.partition("|")
    words = laid.split()
    tiles = tuple(parse_tile(word) for word in words if word != "marked")
    end = engine
    for each in tiles:
        if end not in (each.high, each.low):
            raise UnreadableText(f"{tile_text(each)} does not fit the {end} that it is drawn against.")
        end = each.other_end(end)
    return parse_train(name.strip()), (Train(tiles, end, "marked" in words), set_of(map(parse_tile, hand.split())))


def parse_open_double(text: str) -> OpenDouble:
    train, _, layer = text.partition("/")
    return OpenDouble(parse_train(train), int(layer))
