"""Whole rounds as text records: dealt from a known secret, played by easy bots, with known points."""

from dataclasses import dataclass

import pytest

from rules.mexican_train.bots import choose
from rules.mexican_train.dealing import deal
from rules.mexican_train.log import replay
from rules.mexican_train.moves import Move
from rules.mexican_train.notation import move_text, parse_move
from rules.mexican_train.presets import rules_of
from rules.mexican_train.scoring import round_points
from rules.mexican_train.state import State
from rules.mexican_train.transitions import apply
from rules.mexican_train.view import view_for
from rules.shuffling import shuffled
from rules.tiles import tile_texts, tiles_in

SECRET = bytes(range(32))


@dataclass(frozen=True)
class Record:
    """What a round was dealt from, its moves, and what was left in the end: hands seat by seat, boneyard, points."""

    max_pip: int
    seats: int
    tiles_each: int
    engine: int
    starter: int
    number: int
    moves: str
    ended: str
    hands: list[str]
    boneyard: str
    points: tuple[int, ...]


RECORDS = {
    "two seats, double-six: out on a double": Record(
        max_pip=6,
        seats=2,
        tiles_each=8,
        engine=6,
        starter=0,
        number=2,
        moves="""
            6-4>0 6-5>1 6-0>mexican 5-5>1 draw pass 5-3>1 3-1>1 5-0>mexican 6-1>1 5-2>mexican 4-2>mexican draw
            pass 4-4>0 4-1>0 5-1>0 draw pass draw 6-2>1 2-2>1 2-1>1 draw pass 1-1>1
        """,
        ended="out",
        hands=["2-0 3-0 3-2 3-3", ""],
        boneyard="4-3 6-3 1-0 0-0 5-4 4-0",
        points=(16, 0),
    ),
    "three seats, double-nine, engine 8-8: blocked": Record(
        max_pip=9,
        seats=3,
        tiles_each=11,
        engine=8,
        starter=2,
        number=5,
        moves="""
            9-8>2 8-7>0 8-6>1 9-4>2 7-7>0 draw 9-7>0 9-6>1 7-4>2 9-5>0 8-5>mexican 7-5>2 5-2>0 5-4>mexican
            6-4>mexican 9-2>0 6-1>mexican 3-1>mexican 3-3>mexican 3-0>mexican 8-0>mexican draw pass 5-0>2 draw
            8-1>mexican 6-0>2 draw pass 4-1>mexican 6-6>2 draw pass draw pass draw 6-3>2 9-3>2 4-2>mexican
            2-1>mexican 1-1>mexican draw pass draw pass draw pass draw pass draw pass draw pass draw 1-0>mexican
            4-0>mexican 4-4>mexican 4-3>mexican 5-3>mexican 6-5>mexican draw 9-1>1 draw pass 7-6>mexican
            7-3>mexican draw 9-9>2 draw pass draw 9-0>2 7-0>2 7-2>2 8-3>mexican draw 5-1>1 8-4>mexican draw pass
            pass 8-2>2 pass pass 5-5>1 pass pass pass
        """,
        ended="blocked",
        hands=["2-2 3-2 6-2", "2-0", "0-0 7-1"],
        boneyard="",
        points=(17, 2, 8),
    ),
    "four seats, classic: out": Record(
        max_pip=12,
        seats=4,
        tiles_each=15,
        engine=12,
        starter=0,
        number=3,
        moves="""
            12-9>0 draw pass 12-11>2 12-7>3 10-9>0 draw pass 11-11>2 11-6>2 10-7>3 12-5>1 10-5>1 12-4>mexican
            10-3>3 8-4>mexican 11-10>1 9-6>2 8-6>mexican 7-6>mexican 11-9>1 9-9>2 draw pass 9-7>2 7-2>2 9-5>1
            7-3>mexican 12-2>2 5-3>mexican 6-5>1 12-3>2 11-5>mexican draw pass 10-8>0 8-0>0 6-3>3 5-0>0
            11-3>mexican 3-1>2 6-0>3 5-1>0 8-3>mexican 12-1>2 9-0>3 9-1>0 8-8>mexican draw pass draw pass draw
            pass 8-2>mexican 11-2>mexican 12-10>2 11-1>mexican 9-2>0 10-1>mexican 10-10>2 10-0>2 draw pass 6-4>1
            10-4>1 draw 9-8>3 8-7>3 6-2>0 10-2>1 draw pass 7-7>3 7-5>3 3-0>2 2-1>1 draw pass 3-3>2 draw pass
            draw pass draw 3-2>2 6-6>0 6-1>0 1-0>0 5-2>2 11-0>0 draw 10-6>mexican draw pass draw pass 5-4>2
            4-2>2 draw 12-6>mexican 12-0>mexican draw 11-7>0 2-0>2 4-0>mexican 7-1>0
        """,
        ended="out",
        hands=["", "4-4 7-4", "4-1", "9-3 9-4"],
        boneyard="5-5 11-8 12-8 2-2 1-1 7-0 8-1 11-4 8-5 0-0 4-3",
        points=(0, 19, 5, 25),
    ),
}


def dealt(record: Record) -> State:
    differences = {"set_max_pip": record.max_pip, "hand_sizes": {str(record.seats): record.tiles_each}}
    order = shuffled(SECRET, "record", record.number, [], record.max_pip)
    return deal(rules_of("classic", differences), record.seats, record.engine, record.starter, order)


def easy_moves(state: State) -> list[Move]:
    """The moves that easy bots make from here to the end of the round."""
    moves = []
    while state.ended is None:
        moves.append(choose("easy", view_for(state, state.turn), lambda bound: bound - 1))
        state = apply(state, moves[-1])
    return moves


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_a_record_is_legal_to_its_end_and_has_the_stated_points(record: Record) -> None:
    state = replay(dealt(record), map(parse_move, record.moves.split()))
    assert state.ended == record.ended
    assert [" ".join(tile_texts(tiles_in(hand))) for hand in state.hands] == record.hands
    assert " ".join(tile_texts(state.boneyard)) == record.boneyard
    assert round_points(state) == record.points


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_easy_bots_play_this_very_round(record: Record) -> None:
    assert [move_text(move) for move in easy_moves(dealt(record))] == record.moves.split()


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_the_points_are_the_pips_of_the_hands_left(record: Record) -> None:
    pips = [sum(int(end) for tile in hand.split() for end in tile.split("-")) for hand in record.hands]
    assert tuple(pips) == record.points
