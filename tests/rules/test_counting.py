"""Counting: how many ways there are to begin a round, told twice.

``count`` asks the engine. ``count_by_the_book`` is written from the rules' text and shares nothing with the engine
but the order of the tiles: a tile is a pair of numbers, and a train a list of them.
"""

import random
from copy import deepcopy
from dataclasses import dataclass, field

import pytest

from rules.dealing import deal
from rules.legality import legal_moves
from rules.moves import MEXICAN, Draw, Move, Play
from rules.presets import rules_of
from rules.shuffling import shuffled
from rules.state import State
from rules.tiles import tiles_in
from rules.transitions import apply

SECRET = bytes(range(32))
Pair = tuple[int, int]
Label = tuple[Pair, int]
DRAW: Label = ((-1, -1), 0)
PASS: Label = ((-1, -1), 1)


@dataclass
class Table:
    """A round as one would keep it at a kitchen table."""

    seats: int
    highest: int
    ends: list[int]
    hands: list[list[Pair]]
    boneyard: list[Pair]
    laid: list[Pair]
    turn: int
    markers: set[int] = field(default_factory=set)
    open_double: int | None = None
    has_drawn: bool = False
    passes: int = 0
    is_over: bool = False

    @property
    def mexican(self) -> int:
        return self.seats


def plays_of(table: Table, seat: int) -> list[tuple[Pair, int]]:
    """Every tile of a hand on every train that its seat may play on."""
    if table.open_double is not None:
        trains = [table.open_double]
    else:
        trains = [each for each in range(table.seats) if each == seat or each in table.markers] + [table.mexican]
    return [(tile, train) for train in trains for tile in table.hands[seat] if table.ends[train] in tile]


def lay(table: Table, tile: Pair, train: int) -> None:
    one, other = tile
    seat = table.turn
    table.hands[seat].remove(tile)
    table.laid.append(tile)
    table.ends[train] = other if table.ends[train] == one else one
    if train == seat:
        table.markers.discard(seat)
    table.passes, table.has_drawn = 0, False
    table.open_double = train if one == other and is_alive(table, one) else None
    if not table.hands[seat]:
        table.is_over = True
    elif table.open_double is None:
        table.turn = (seat + 1) % table.seats


def is_alive(table: Table, pip: int) -> bool:
    """Whether a tile with this pip is still to come."""
    return len([tile for tile in table.laid if pip in tile]) < table.highest + 1


def give_up(table: Table) -> None:
    table.markers.add(table.turn)
    table.turn = (table.turn + 1) % table.seats
    table.has_drawn = False
    table.passes += 1
    is_lap = table.passes >= table.seats
    table.is_over = is_lap and not table.boneyard and not any(plays_of(table, seat) for seat in range(table.seats))


def moves_of(table: Table) -> list[Label]:
    """What the seat to move may do."""
    if table.is_over:
        return []
    can_draw = table.boneyard and not table.has_drawn
    return list(plays_of(table, table.turn)) or [DRAW if can_draw else PASS]


def made(table: Table, move: Label) -> Table:
    """The table after a move."""
    later = deepcopy(table)
    if move == DRAW:
        later.hands[later.turn].append(later.boneyard.pop(0))
        later.has_drawn = True
    elif move == PASS:
        give_up(later)
    else:
        lay(later, *move)
    return later


def count_by_the_book(table: Table, depth: int) -> int:
    moves = moves_of(table)
    return len(moves) if depth == 1 else sum(count_by_the_book(made(table, move), depth - 1) for move in moves)


def count(state: State, depth: int) -> int:
    moves = list(legal_moves(state))
    return len(moves) if depth == 1 else sum(count(apply(state, move), depth - 1) for move in moves)


def dealt(max_pip: int, seats: int, each: int, number: int) -> tuple[State, Table]:
    """The same deal, twice."""
    options = rules_of("classic", {"set_max_pip": max_pip, "hand_sizes": {str(seats): each}})
    order = shuffled(SECRET, "counting", number, [], max_pip)
    tiles = [(tile.high, tile.low) for tile in order if (tile.high, tile.low) != (max_pip, max_pip)]
    table = Table(
        seats,
        max_pip,
        ends=[max_pip] * (seats + 1),
        hands=[tiles[seat * each : (seat + 1) * each] for seat in range(seats)],
        boneyard=tiles[seats * each :],
        laid=[(max_pip, max_pip)],
        turn=0,
    )
    return deal(options, seats, max_pip, 0, order), table


DEALS = [
    pytest.param((12, 2, 15, 3), (6, 11, 31, 72, 167, 335), id="double-twelve, two seats"),
    pytest.param((9, 4, 10, 2), (4, 28, 48, 92, 209, 675), id="double-nine, four seats"),
    pytest.param((6, 3, 7, 5), (4, 12, 30, 73, 161, 355), id="double-six, three seats"),
]


@pytest.mark.parametrize(("which", "counts"), DEALS)
def test_ways_to_begin_a_round(which: tuple[int, int, int, int], counts: tuple[int, ...]) -> None:
    state, table = dealt(*which)
    assert tuple(count(state, depth) for depth in range(1, 7)) == counts
    assert tuple(count_by_the_book(table, depth) for depth in range(1, 7)) == counts


def label(move: Move, seats: int) -> Label:
    """An engine's move as the book names it."""
    if isinstance(move, Play):
        return (move.tile.high, move.tile.low), seats if move.train == MEXICAN else move.train
    return DRAW if isinstance(move, Draw) else PASS


def check_one_round(state: State, table: Table, chance: random.Random) -> None:
    """A random round, move by move in both: the same moves are legal, and the same is left in the end."""
    while moves := list(legal_moves(state)):
        labels = [label(move, table.seats) for move in moves]
        assert (sorted(labels), state.turn) == (sorted(moves_of(table)), table.turn)
        at = chance.randrange(len(moves))
        state, table = apply(state, moves[at]), made(table, labels[at])
    assert (table.is_over, moves_of(table)) == (True, [])
    left = [[(tile.high, tile.low) for tile in tiles_in(hand)] for hand in state.hands]
    assert left == [sorted(hand) for hand in table.hands]


@pytest.mark.parametrize(("max_pip", "seats", "each"), [(6, 2, 12), (6, 2, 8), (6, 4, 4), (9, 3, 11), (12, 8, 10)])
def test_the_book_and_the_engine_agree_to_the_end_of_a_round(max_pip: int, seats: int, each: int) -> None:
    for number in range(1, 16):
        check_one_round(*dealt(max_pip, seats, each, number), random.Random(number))
