"""Tiles, moves and positions as text, both ways."""

import random
from collections.abc import Sequence

import pytest

from rules.errors import UnreadableText
from rules.mexican_train.moves import DRAW, MEXICAN, PASS, Announce, Call, End, Move, Play
from rules.mexican_train.notation import (
    CLAUSES,
    laid_tiles,
    move_sentence,
    move_text,
    parse_move,
    parse_position,
    position_text,
)
from rules.mexican_train.options import Options
from rules.mexican_train.presets import rules_of
from rules.mexican_train.state import START, OpenDouble, Progress
from rules.tiles import TILES, Tile, double, parse_tile, tile, tile_text, tile_texts
from tests.cases import for_each
from tests.rules.drawing import CLASSIC, drawn
from tests.rules.random_rules import random_deal, random_play

MOVES: list[Move] = [DRAW, PASS, End(), Announce(), *map(Call, range(12))]
NASTY = [
    "",
    " ",
    "\n",
    "12-5\n",
    " 12-5",
    "12 - 5",
    "12-5 ",
    "12",
    "12-",
    "-5",
    "12--5",
    "-12-5",
    "12-5-3",
    "123-4",
    "12-345",
    "19-0",
    "0-19",
    "99-99",
    "1.0-2",
    "1e1-2",
    "0x1-2",
    "1_2-5",
    "\uff11\uff12-\uff15",
    "\u0661\u0662-\u0665",
    "\u00b9-\u00b2",
    "12\u20135",
    "12\u22125",
    "12-5\u0000",
    "\u200b12-5",
    "12-5\u200b",
    "\ud800",
    "None",
    "null",
    "[12, 5]",
    "12-5; drop table",
    "9" * 100_000,
    "1-" * 100_000,
]
NASTY_MOVES = [
    *NASTY,
    "12-5",
    "12-5>",
    ">0",
    "12-5>-1",
    "12-5>+1",
    "12-5>100",
    "12-5>Mexican",
    "12-5>MEXICAN",
    "12-5>mexican ",
    "12-5 >0",
    "12-5> 0",
    "12-5>0\n",
    "12-5>\u0660",
    "12-5>0>1",
    "19-1>0",
    "12-5>",
    "Draw",
    "draw ",
    " draw",
    "DRAW",
    "draw\n",
    "pass pass",
    "call",
    "call ",
    "call  2",
    "call -1",
    "call 100",
    "call two",
    "call \u0662",
    "call 2\n",
    "call 2 keep",
    "announce 1",
    "draw keep",
    "12-5>0keep",
    "12-5>0  keep",
    "12-5>0 keep ",
    "12-5>0 KEEP",
    "12-5>0 keep keep",
    "12-5 keep>0",
    "keep",
    "resign",
]


@for_each("each", TILES)
def test_a_tile_reads_back_with_either_end_first(each: Tile) -> None:
    assert parse_tile(tile_text(each)) is each
    assert parse_tile(f"{each.low}-{each.high}") is each


def test_a_tile_is_written_larger_end_first() -> None:
    assert tile_text(tile(5, 12)) == "12-5"
    assert tile_texts([double(0), tile(1, 3)]) == ["0-0", "3-1"]


@for_each("text", NASTY)
def test_a_text_that_is_not_a_tile_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableText, match=r"is not a tile; write a tile as 12-5") as refused:
        parse_tile(text)
    assert len(str(refused.value)) < 500


@for_each("move", MOVES)
def test_a_move_without_a_tile_reads_back(move: Move) -> None:
    assert parse_move(move_text(move)) == move


@for_each("train", [*range(12), MEXICAN])
def test_a_play_reads_back_on_every_train(train: int) -> None:
    for each in TILES:
        assert parse_move(move_text(Play(each, train))) == Play(each, train)
        keeping = Play(each, train, keep_marker=True)
        assert parse_move(move_text(keeping)) == keeping != Play(each, train)


def test_a_move_is_written_in_one_way() -> None:
    assert move_text(parse_move("5-12>mexican")) == "12-5>mexican"
    assert move_text(parse_move("5-12>0")) == "12-5>0"
    assert move_text(parse_move("5-12>0 keep")) == "12-5>0 keep"
    assert [move_text(move) for move in (DRAW, PASS, Call(2))] == ["draw", "pass", "call 2"]


@for_each("text", NASTY_MOVES)
def test_a_text_that_is_not_a_move_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableText, match=r"is not a (move|tile); write a (move|tile) as 12-5") as refused:
        parse_move(text)
    assert len(str(refused.value)) < 500


def test_moves_can_be_written_in_words() -> None:
    moves = ["12-5>0", "12-5>mexican", "12-5>0 keep", "draw", "pass", "end", "announce", "call 2"]
    assert [move_sentence(parse_move(move)) for move in moves] == [
        "lays 12-5 on train 0",
        "lays 12-5 on the Mexican Train",
        "lays 12-5 on train 0 and keeps the marker",
        "draws",
        "passes",
        "ends its first turn",
        "announces its last tile",
        "calls seat 2",
    ]


def test_a_train_is_written_in_the_direction_it_was_laid() -> None:
    assert laid_tiles([tile(12, 5), tile(9, 5), double(9), tile(9, 0)], 12) == ["12-5", "5-9", "9-9", "9-0"]
    assert laid_tiles([], 12) == []


POSITIONS = [
    "engine 12-12; turn 0\n0: |\n1: |\nmexican:",
    "engine 0-0; turn 1; drew 1; boneyard 1-1 0-0\n0: marked |\n1: 0-6 marked | 3-1 5-0\nmexican: 0-12 12-7",
    "engine 12-12; turn 2; open 0/2 mexican/1; passed 0 2\n0: 12-5 5-5 | 1-0\n1: |\n2: marked | 9-9\nmexican: 12-4 4-4",
    "engine 12-12; turn 0; ended out\n0: 12-5 |\n1: | 8-8\nmexican:",
    "engine 12-12; turn 0; passed 0 1; ended blocked\n0: 12-5 marked | 9-8\n1: marked | 9-6\nmexican:",
    "engine 12-12; turn 0; open mexican/1 0/0*; laid 2; doubles 0\n0: 12-5 5-5 |\n1: | 0-0\nmexican: 12-4 4-4",
    "engine 12-12; turn 1; laid 3; doubles 2; drew 2; renewed no\n0: |\n1: | 2-2\nmexican:",
    "engine 12-12; turn 1; first 1 2; waiting 0; announced 0 2; exposed 1\n0: 12-1 | 2-1\n1: | 2-2\n2: |\nmexican:",
    "engine 12-12; turn 0; first 1; out 1\n0: | 1-0\n1: |\nmexican:",
    "engine 12-12; turn 1; out 1; ended out\n0: |\n1: |\nmexican:",
]


@pytest.mark.parametrize("text", POSITIONS)
def test_a_position_reads_back(text: str) -> None:
    assert position_text(drawn(text)) == text
    assert drawn(position_text(drawn(text))) == drawn(text)


def test_a_position_may_be_indented_spaced_and_drawn_with_the_mexican_train_first() -> None:
    loose = "\n  engine 12-12 ;turn 0\n   mexican: 12-4\n 1:|9-9\n  0 :  12-5   marked  |1-0\n\n"
    tight = "engine 12-12; turn 0\n0: 12-5 marked | 1-0\n1: | 9-9\nmexican: 12-4"
    assert position_text(drawn(loose)) == tight


HEAD, BODY = "engine 12-12; turn 0", "0: | 1-1\n1: | 2-2\nmexican:"


def test_the_stars_give_the_facts_of_the_turn_unless_more_is_written() -> None:
    two = "engine 12-12; turn 0; open 1/1 mexican/0* 0/0*\n0: 12-5 5-5 |\n1: 12-6 6-6 |\nmexican: 12-4 4-4"
    state = drawn(two)
    assert state.open_doubles == (OpenDouble(1, 1), OpenDouble(MEXICAN, 0), OpenDouble(0, 0))
    assert state.progress == Progress(laid=2, doubles=2, fresh=2)
    more = drawn(two.replace("0/0*", "0/0*; laid 4; doubles 3; drew 1; renewed no"))
    assert more.progress == Progress(laid=4, doubles=3, fresh=2, draws=1, has_used_draw=True)
    assert drawn(f"{HEAD}\n{BODY}").progress == START


def test_every_seat_except_the_named_ones_has_had_its_first_turn() -> None:
    assert drawn(f"{HEAD}\n{BODY}").standing.had_first_turn == 0b11
    assert drawn(f"{HEAD}; first 0\n{BODY}").standing.had_first_turn == 0b10
    assert drawn(f"{HEAD}; first 0 1\n{BODY}").standing.had_first_turn == 0


def test_a_seat_has_played_on_its_own_train_if_that_is_started_and_it_is_not_waiting() -> None:
    started = f"{HEAD}\n{BODY}".replace("0: ", "0: 12-5 ")
    assert drawn(f"{HEAD}\n{BODY}").standing.played_own == 0
    assert drawn(started).standing.played_own == 0b01
    assert drawn(started.replace("turn 0", "turn 0; waiting 0")).standing.played_own == 0


def test_announcements_and_the_seat_that_may_be_called_are_written() -> None:
    standing = drawn(f"{HEAD}; announced 1; exposed 0\n{BODY}").standing
    assert (standing.announced, standing.exposed) == (0b10, 0)
    standing = drawn(f"{HEAD}\n{BODY}").standing
    assert (standing.announced, standing.exposed) == (0, None)


def test_the_first_empty_hand_is_out_unless_another_is_named() -> None:
    ended = "engine 12-12; turn 0; ended out\n0: | 1-0\n1: |\n2: |\nmexican:"
    assert drawn(ended).out == 1
    assert drawn(ended.replace("turn 0", "turn 0; out 2")).out == 2
    waiting = drawn(ended.replace("ended out", "first 0; out 2"))
    assert (waiting.out, waiting.standing.out) == (None, 2)
    assert drawn(ended.replace("; ended out", "")).standing.out is None


# Somebody is soon out, and the others finish the first lap: too rare in rounds by any rules.
SHORT = rules_of("classic", {"set_max_pip": 6, "hand_sizes": {"4": 1}, "first_turn_out": "finish_lap"}), 4


def test_every_position_and_every_move_of_some_random_rounds_reads_back() -> None:
    assert clauses_read_back([None] * 6 + [SHORT]) <= CLAUSES


@pytest.mark.slow
def test_every_position_and_every_move_of_random_rounds_reads_back() -> None:
    assert clauses_read_back([None] * 60 + [SHORT] * 5) == CLAUSES


def clauses_read_back(rules: Sequence[tuple[Options, int] | None]) -> set[str]:
    """Read back rounds by these rules, at every moment: two positions that look the same are the same."""
    clauses = set[str]()
    for number, given in enumerate(rules):
        chance = random.Random(f"notation {number}")
        dealt = random_deal(chance, given)
        assert parse_position(position_text(dealt.state), dealt.options) == dealt.state
        for _, move, state in random_play(dealt.state, chance):
            text = position_text(state)
            assert parse_position(text, dealt.options) == state
            assert parse_move(move_text(move)) == move
            clauses |= {clause.strip().partition(" ")[0] for clause in text.splitlines()[0].split(";")}
    return clauses


@for_each(
    "text",
    [
        "",
        " \n ",
        HEAD,
        BODY,
        f"turn 0\n{BODY}",
        f"engine 12-12\n{BODY}",
        f"engine 12; turn 0\n{BODY}",
        f"engine; turn 0\n{BODY}",
        f"engine 12-12; turn\n{BODY}",
        f"engine 12-12; turn x\n{BODY}",
        f"engine 12-12; turn 2\n{BODY}",
        f"engine 12-12; turn -1\n{BODY}",
        f"{HEAD}; drew x\n{BODY}",
        f"{HEAD}; opne 0/0\n{BODY}",
        f"{HEAD}; {'x' * 5000}\n{BODY}",
        f"{HEAD}; open 0\n{BODY}",
        f"{HEAD}; open x/0\n{BODY}",
        f"{HEAD}; open 0/x\n{BODY}",
        f"{HEAD}; open 0/*\n{BODY}",
        f"{HEAD}; open 0/0* 1/1\n{BODY}",
        f"{HEAD}; open 0/2\n{BODY}",
        f"{HEAD}; open 7/0\n{BODY}",
        f"{HEAD}; laid -1\n{BODY}",
        f"{HEAD}; laid x\n{BODY}",
        f"{HEAD}; laid\n{BODY}",
        f"{HEAD}; doubles x\n{BODY}",
        f"{HEAD}; renewed yes\n{BODY}",
        f"{HEAD}; first x\n{BODY}",
        f"{HEAD}; waiting x\n{BODY}",
        f"{HEAD}; announced -1\n{BODY}",
        f"{HEAD}; exposed\n{BODY}",
        f"{HEAD}; exposed x\n{BODY}",
        f"{HEAD}; exposed 2\n{BODY}",
        f"{HEAD}; passed 9\n{BODY}",
        f"{HEAD}; out x\n{BODY}",
        f"{HEAD}; ended out\n{BODY}",
        f"{HEAD}; passed x\n{BODY}",
        f"{HEAD}; passed -1\n{BODY}",
        f"{HEAD}; ended\n{BODY}",
        f"{HEAD}; ended won\n{BODY}",
        f"{HEAD}; boneyard 1-1 x\n{BODY}",
        f"{HEAD}\n0: | 1-1\n1: | 2-2",
        f"{HEAD}\n0: | 1-1\n2: | 2-2\nmexican:",
        f"{HEAD}\n0: | 1-1\n0: | 2-2\nmexican:",
        f"{HEAD}\n0: | 1-1\n1: | 2-2\nMexican:",
        f"{HEAD}\nx: | 1-1\n1: | 2-2\nmexican:",
        f"{HEAD}\n0: open | 1-1\n1: | 2-2\nmexican:",
        f"{HEAD}\n0: | 1-1 marked\n1: | 2-2\nmexican:",
        f"{HEAD}\n0: 12-5 4-3 | 1-1\n1: | 2-2\nmexican:",
        f"{HEAD}\n0: 5-4 | 1-1\n1: | 2-2\nmexican:",
    ],
)
def test_a_text_that_is_not_a_position_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableText) as refused:
        parse_position(text, CLASSIC)
    assert len(str(refused.value)) < 500


def test_the_error_of_a_wrong_train_names_the_tile_that_does_not_fit() -> None:
    with pytest.raises(UnreadableText, match="4-3 does not fit the 5 that it is drawn against"):
        parse_position(f"{HEAD}\n0: 12-5 4-3 | 1-1\n1: | 2-2\nmexican:", CLASSIC)
