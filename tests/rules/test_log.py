"""Replaying a log (``design.md``: the log is the truth)."""

import pytest

from rules.errors import BrokenLog
from rules.mexican_train.log import replay
from rules.mexican_train.moves import Move
from rules.mexican_train.notation import parse_move
from rules.mexican_train.reasons import Reason
from rules.mexican_train.state import State
from rules.mexican_train.versions import VERSIONS
from rules.tiles import tile_texts
from tests.rules.drawing import after, drawn

DEAL = drawn("engine 12-12; turn 0; boneyard 3-3 12-1\n0: | 11-5 9-9\n1: | 12-6 1-0\nmexican:")
EXPOSED = "engine 12-12; turn 1; exposed 0; boneyard 3-3 2-2 1-1\nmexican:\n0: 12-5 | 9-8\n1: 12-7 | 7-6 4-4"


def log(*moves: str) -> list[Move]:
    return [parse_move(move) for move in moves]


def test_a_log_without_moves_is_the_deal() -> None:
    assert replay(DEAL, []) == DEAL


def test_replaying_a_log_is_making_its_moves_one_by_one() -> None:
    legal = ["draw", "pass", "12-6>0", "draw", "12-1>mexican"]
    for played in range(len(legal) + 1):
        assert replay(DEAL, log(*legal[:played])) == after(DEAL, *legal[:played])


def test_a_replay_and_a_move_leave_the_state_as_it_was_from_which_they_begin() -> None:
    before = DEAL.copy()
    replay(before, log("draw", "pass", "12-6>0"))
    later = after(before, "draw", "pass")
    assert before == DEAL
    assert after(later, "12-6>0") != later == after(before, "draw", "pass")


@pytest.mark.parametrize(
    ("moves", "played", "reason"),
    [
        (["pass"], 0, Reason.MUST_DRAW_FIRST),
        (["draw", "draw", "pass"], 1, Reason.ALREADY_DREW),
        (["draw", "pass", "12-6>0", "draw", "12-1>0"], 4, Reason.ENDS_DO_NOT_MATCH),
        (["draw", "pass", "draw"], 2, Reason.MUST_PLAY),
    ],
)
def test_a_broken_log_says_how_many_moves_were_legal_and_what_was_wrong(
    moves: list[str], played: int, reason: Reason
) -> None:
    with pytest.raises(BrokenLog) as broken:
        replay(DEAL, log(*moves))
    assert (broken.value.played, broken.value.reason) == (played, reason)
    assert str(broken.value) == f"The first {played} moves are legal; the next is not: {reason.sentence}"


def test_moves_after_the_end_of_a_round_break_its_log() -> None:
    last = drawn("engine 12-12; turn 0\n0: | 12-5\n1: | 1-0\nmexican:")
    with pytest.raises(BrokenLog) as broken:
        replay(last, log("12-5>0", "draw"))
    assert (broken.value.played, broken.value.reason) == (1, Reason.ROUND_OVER)


def taken(dealt: State, *moves: str) -> list[list[str]]:
    """What each move took from the boneyard."""
    return [tile_texts(tiles) for tiles in VERSIONS[2].drawn_tiles(dealt, log(*moves))]


def test_each_draw_has_its_tile_and_other_moves_have_none() -> None:
    assert taken(DEAL, "draw", "pass", "12-6>0", "draw") == [["3-3"], [], [], ["12-1"]]


@pytest.mark.parametrize(("penalty", "called"), [(1, ["3-3"]), (2, ["3-3", "2-2"])])
def test_a_call_has_its_penalty_tiles(penalty: int, called: list[str]) -> None:
    exposed = drawn(EXPOSED, announce="penalty", announce_penalty_tiles=penalty)
    assert taken(exposed, "call 0", "7-6>1", "draw")[:2] == [called, []]


def test_a_penalty_takes_no_more_than_the_boneyard_has() -> None:
    for left, called in ((" 3-3", ["3-3"]), ("", [])):
        exposed = drawn(EXPOSED.replace(" 3-3 2-2 1-1", left), announce="penalty")
        assert taken(exposed, "call 0", "7-6>1") == [called, []]
