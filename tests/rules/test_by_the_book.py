"""The engine against a second one, written from the rules' text alone: the same at every step of random rounds."""

import random

import pytest

from rules.mexican_train.doubles import visible_doubles
from rules.mexican_train.legality import legal_moves_of
from rules.mexican_train.notation import move_text, train_text
from rules.mexican_train.scoring import round_points
from rules.mexican_train.state import State, train_names
from rules.tiles import Tile, tiles_in
from tests.cases import slow_after
from tests.rules.by_the_book import Book
from tests.rules.random_rules import RandomDeal, random_deal, random_play

pytestmark = pytest.mark.by_chance

BATCHES = 20
ROUNDS_A_BATCH = 100


def pair(tile: Tile) -> tuple[int, int]:
    return tile.high, tile.low


def book_of(dealt: RandomDeal) -> Book:
    """The same deal as the book makes it."""
    wanted = dealt.options.engine_wanted(dealt.round_index)
    order = [pair(tile) for tile in dealt.order]
    return Book.dealt(dealt.options.as_dict(), dealt.seats, dealt.first, wanted, set(dealt.used), order)


def facts(state: State) -> dict[str, object]:
    """What both must agree on while a round is on, and ``ended_facts`` after it."""
    names = train_names(state.setup.seats)
    trains = {train_text(name): state.trains[name] for name in names}
    return {
        "turn": state.turn,
        "engine": state.setup.engine,
        "hands": [sorted(map(pair, tiles_in(hand))) for hand in state.hands],
        "boneyard": [pair(tile) for tile in state.boneyard],
        "trains": {name: [pair(tile) for tile in train.tiles] for name, train in trains.items()},
        "ends": {name: train.end for name, train in trains.items()},
        "marked": {name for name, train in trains.items() if train.is_marked},
        "open_doubles": [(train_text(each.train), each.layer) for each in visible_doubles(state)],
        "exposed": state.standing.exposed,
        "legal": {seat: {move_text(move) for move in legal_moves_of(state, seat)} for seat in range(state.setup.seats)},
    }


def book_facts(book: Book) -> dict[str, object]:
    return {
        "turn": book.turn,
        "engine": book.engine,
        "hands": [sorted(hand) for hand in book.hands],
        "boneyard": book.boneyard,
        "trains": book.trains,
        "ends": book.ends,
        "marked": book.marked,
        "open_doubles": book.open_doubles,
        "exposed": book.exposed,
        "legal": {seat: book.legal() if seat == book.turn else book.calls(seat) for seat in range(len(book.hands))},
    }


def ended_facts(state: State) -> tuple[object, ...]:
    hands = [sorted(map(pair, tiles_in(hand))) for hand in state.hands]
    return state.ended, state.out, hands, list(round_points(state))


def check_one_round(dealt: RandomDeal, chance: random.Random) -> None:
    book = book_of(dealt)
    assert book_facts(book) == facts(dealt.state)
    log = []
    for _, move, after in random_play(dealt.state, chance):
        log.append(move_text(move))
        book.make(log[-1])
        assert book.ended == after.ended, log
        if after.ended is None:
            assert book_facts(book) == facts(after), log
        else:
            assert (book.ended, book.out, [sorted(hand) for hand in book.hands], book.points()) == ended_facts(after)


FEW = (0, 20)
ALL = [(batch, ROUNDS_A_BATCH) for batch in range(BATCHES)]


@pytest.mark.parametrize(("batch", "rounds"), slow_after(1, [FEW, *ALL]))
def test_the_book_and_the_engine_agree_at_every_step(batch: int, rounds: int) -> None:
    for number in range(rounds):
        chance = random.Random(f"book {batch} {number}")
        check_one_round(random_deal(chance), chance)
