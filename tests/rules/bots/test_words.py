"""Why a move was chosen, in words: a sentence for every reason, and nothing in it but what decided."""

import pytest

from rules.mexican_train.bots.choice import Choice, Grounds, Why
from rules.mexican_train.bots.words import SENTENCES, sentence
from rules.mexican_train.moves import Call
from rules.mexican_train.notation import parse_move
from rules.mexican_train.view import view_for
from rules.tiles import parse_tile
from tests.rules.bots.asking import move_and_reason
from tests.rules.drawing import drawn

OPEN = "engine 12-12; turn 0; boneyard 3-2\n0: 12-5 | {}\n1: 12-9 marked | 8-7 7-6 6-2\nmexican:"
MARKED = OPEN.replace("12-5", "12-5 marked")
COVERING = "engine 12-12; turn 0; open 1/1; boneyard 3-2\n0: 12-5 | {}\n1: 12-9 9-9 | 8-7 7-6 6-2\nmexican:"
COVERING_OWN = "engine 12-12; turn 0; open 0/0*; boneyard 3-2\n0: 12-5 5-5 | {}\n1: 12-9 | 8-7 7-6 6-2\nmexican:"
CAUGHT = OPEN.replace("turn 0", "turn 0; exposed 1").replace("8-7 7-6 6-2", "8-7")


@pytest.mark.parametrize(
    ("level", "position", "hand", "words"),
    [
        ("hard", OPEN, "8-3", "draw: is the only legal move"),
        ("random", OPEN, "5-1 9-8", "5-1>0: is one of two legal moves, chosen at random"),
        ("easy", OPEN, "5-1 9-8", "9-8>1: gets rid of 17 pips, the most that you can lay"),
        ("easy", OPEN, "5-1 1-0", "5-1>0: is the only legal move"),
        ("medium", OPEN, "5-1 12-0", "5-1>0: keeps your train going"),
        ("medium", OPEN, "5-1 1-0 12-2", "5-1>0: keeps your train of two going"),
        ("hard", OPEN, "5-5 5-4 5-2 2-0", "5-5>0: keeps your train of three going; 5-5 is covered by 5-2"),
        ("hard", MARKED, "5-1 1-0 12-2", "5-1>0: closes your train of two to the others and keeps it going"),
        ("hard", OPEN, "5-1 1-0 12-2", "12-2>mexican: gets rid of 14 pips that your train of two has no use for"),
        ("hard", OPEN, "12-2 9-1", "12-2>mexican: gets rid of 14 pips; you have no plan for your own train"),
        (
            "hard",
            OPEN.replace(" 6-2", ""),
            "5-1 12-2",
            "12-2>mexican: gets rid of 14 pips because seat 2 has two tiles left",
        ),
        ("hard", COVERING_OWN, "5-1 5-0 1-0", "5-1>0: covers 5-5 with the next tile of your train of three"),
        ("hard", COVERING, "5-1 9-8 9-3", "9-8>1: covers 9-9 with 9-8, which your train has no use for"),
        ("hard", COVERING, "9-8 9-3", "9-8>1: covers 9-9 with 9-8, your heaviest that can"),
        (
            "hard",
            COVERING,
            "5-9 9-8",
            "9-8>1: covers 9-9 with 9-8, which costs your train of two less than other moves would",
        ),
        (
            "hard",
            OPEN,
            "5-5 12-2 8-3",
            "5-5>0: gets rid of ten pips on your own train, for which you have no better plan",
        ),
    ],
)
def test_a_choice_in_words(level: str, position: str, hand: str, words: str) -> None:
    assert move_and_reason(level, position.format(hand)) == words


def test_the_sentences_of_moves_without_a_tile() -> None:
    caught = move_and_reason("hard", CAUGHT.format("5-1 1-0"), announce="penalty")
    assert caught == "call 1: calls seat 2, who did not announce the last tile"
    last = move_and_reason("hard", OPEN.format("5-1"), announce="penalty")
    assert last == "announce: announces your last tile, so that nobody can call you"


def test_a_double_that_is_kept() -> None:
    kept = move_and_reason(
        "hard", OPEN.format("5-5").replace("turn 0", "turn 0; drew 1"), finish_on_double="must_cover", drawn_tile="may"
    )
    assert kept == "pass: keeps your last double, because you are not out before somebody covers it"


def test_a_tile_that_breaks_the_plan() -> None:
    after_double = "engine 12-12; turn 0; open mexican/0*\n0: 12-5 | 5-5 5-4 5-2 2-0\n1: 12-9 | 8-7\nmexican: 12-1 1-1"
    assert move_and_reason("hard", after_double, double_follow_up="anywhere") == (
        "5-2>0: lays 5-2, which costs your train of three less than other moves would"
    )


def test_points_where_a_tile_does_not_count_its_pips() -> None:
    blank = OPEN.format("5-1 1-2 0-0").replace("12-9", "12-0")
    assert move_and_reason("hard", blank, double_blank_points=50) == (
        "0-0>1: gets rid of 50 points that your train of two has no use for"
    )


def test_the_sentence_of_a_search() -> None:
    view = view_for(drawn(OPEN.format("5-1 12-2")), 0)
    found = Choice(parse_move("5-1>0"), Grounds(Why.SEARCHED, worlds=312, gain=3.44))
    assert sentence(view, found) == "comes out best in 312 deals of the tiles that you cannot see, 3.4 points ahead"
    found = Choice(found.move, Grounds(Why.SEARCHED, worlds=312, gain=-0.2))
    assert sentence(view, found) == "is as good as any other in 312 deals of the tiles that you cannot see"


def test_a_player_is_called_by_name() -> None:
    view = view_for(drawn(OPEN.format("5-1 12-2")), 0)
    call = Choice(Call(1), Grounds(Why.CALL, seat=1))
    assert sentence(view, call, {1: "Ada"}) == "calls Ada, who did not announce the last tile"
    assert sentence(view, call, {0: "Ada"}) == "calls seat 2, who did not announce the last tile"


@pytest.mark.parametrize("why", Why)
def test_every_reason_has_its_sentence_with_and_without_a_train(why: Why) -> None:
    view = view_for(drawn(COVERING.format("5-1 9-2")), 0)
    for train in (0, 1, 14):
        grounds = Grounds(why, train, parse_tile("9-2"), seat=1, left=1, worlds=20, gain=1)
        words = sentence(view, Choice(parse_move("9-2>1"), grounds))
        assert words.endswith("; 9-2 is covered by 9-2")
        assert "{" not in words
    assert why in SENTENCES
