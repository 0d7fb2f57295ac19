"""Counts of the ways to begin a round, for every preset from ten fixed deals, made by two engines.

``counts.json`` holds a line a preset, and in it for each deal the number of seats and how many sequences of one to
four legal moves there are. ``python -m tests.rules.test_counting`` writes it anew, for when a rule was meant to change.
"""

import json
from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path

import pytest

from rules.mexican_train.dealing import choose_engine, deal
from rules.mexican_train.legality import legal_moves
from rules.mexican_train.options import Options
from rules.mexican_train.presets import PRESETS, rules_of
from rules.mexican_train.state import State
from rules.mexican_train.transitions import apply
from rules.shuffling import shuffled
from tests.cases import slow_after
from tests.rules.by_the_book import Book
from tests.rules.random_rules import RandomDeal
from tests.rules.test_by_the_book import book_of

pytestmark = pytest.mark.by_chance

COUNTS = Path(__file__).parent / "counts.json"
SECRET = bytes(range(32))
DEALS = 10
DEPTHS = range(1, 5)


def count(state: State, depth: int) -> int:
    """How many sequences of so many legal moves there are; none that a round's end cuts short."""
    moves = list(legal_moves(state))
    return len(moves) if depth == 1 else sum(count(apply(state, move), depth - 1) for move in moves)


def count_by_the_book(book: Book, depth: int) -> int:
    moves = book.legal()
    return len(moves) if depth == 1 else sum(count_by_the_book(made(book, move), depth - 1) for move in moves)


def made(book: Book, move: str) -> Book:
    """The book after a move; the rules in it are the same ones, to be quick."""
    later = deepcopy(book, {id(book.options): book.options})
    later.make(move)
    return later


def fixed_deal(options: Options, seats: int, number: int, used: Sequence[int]) -> RandomDeal:
    """Round ``number`` of a match, which begins with 1 here, after rounds with these engines."""
    first = (number - 1) % seats
    order = tuple(shuffled(SECRET, "counting", number, [], options.set_max_pip))
    engine = choose_engine(options, seats, number - 1, used, first, order)
    state = deal(options, seats, engine, first, order)
    return RandomDeal(options, seats, number - 1, tuple(used), first, order, engine, state)


def ten_deals(preset: str) -> list[RandomDeal]:
    """The first rounds of a match, with each number of seats in turn that the preset allows."""
    options, deals = rules_of(preset, {}), list[RandomDeal]()
    allowed = list(options.hand_sizes)
    for number in range(1, DEALS + 1):
        seats = allowed[number % len(allowed)]
        deals.append(fixed_deal(options, seats, number, [each.engine for each in deals]))
    return deals


def line(dealt: RandomDeal, counts: list[int]) -> str:
    return f"{dealt.seats} seats: {' '.join(map(str, counts))}"


def counted(preset: str) -> list[str]:
    return [line(dealt, [count(dealt.state, depth) for depth in DEPTHS]) for dealt in ten_deals(preset)]


def counted_by_the_book(preset: str) -> list[str]:
    deals = ten_deals(preset)
    return [line(dealt, [count_by_the_book(book_of(dealt), depth) for depth in DEPTHS]) for dealt in deals]


def recorded() -> dict[str, list[str]]:
    counts: dict[str, list[str]] = json.loads(COUNTS.read_text())
    return counts


def record() -> None:
    lines = [f"{json.dumps(preset)}: {json.dumps(counted(preset))}" for preset in PRESETS]
    COUNTS.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def test_ten_deals_of_every_preset_are_recorded_at_all_its_numbers_of_seats() -> None:
    assert list(recorded()) == list(PRESETS)
    for preset, lines in recorded().items():
        assert len(lines) == DEALS
        assert {int(each.split()[0]) for each in lines} == set(rules_of(preset, {}).hand_sizes)


@pytest.mark.parametrize("preset", slow_after(3, PRESETS))
def test_the_ways_to_begin_a_round_are_as_many_as_recorded(preset: str) -> None:
    assert counted(preset) == recorded()[preset]


@pytest.mark.parametrize("preset", slow_after(0, PRESETS))
def test_the_second_engine_counts_the_same(preset: str) -> None:
    assert counted_by_the_book(preset) == recorded()[preset]


CLASSIC_DEALS = [
    pytest.param((12, 2, 15, 3), (6, 11, 31, 72, 167, 335), id="double-twelve, two seats"),
    pytest.param((9, 4, 10, 2), (4, 28, 48, 92, 209, 675), id="double-nine, four seats"),
    pytest.param((6, 3, 7, 5), (4, 12, 30, 73, 161, 355), id="double-six, three seats"),
]


@pytest.mark.parametrize(("which", "counts"), slow_after(0, CLASSIC_DEALS))
def test_ways_to_begin_a_classic_round_further_on(which: tuple[int, int, int, int], counts: tuple[int, ...]) -> None:
    """Counted before there were options: they have changed nothing for tables that want none."""
    max_pip, seats, each, number = which
    options = rules_of("classic", {"set_max_pip": max_pip, "hand_sizes": {seats: each}})
    order = tuple(shuffled(SECRET, "counting", number, [], max_pip))
    state = deal(options, seats, max_pip, 0, order)
    book = book_of(RandomDeal(options, seats, 0, (), 0, order, max_pip, state))
    assert tuple(count(state, depth) for depth in range(1, 7)) == counts
    assert tuple(count_by_the_book(book, depth) for depth in range(1, 7)) == counts


if __name__ == "__main__":
    record()
