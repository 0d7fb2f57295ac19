"""Every way a move can be refused has a name, a sentence and, where classic can give it, a position that does."""

import pytest

from rules.errors import SENTENCES, BadOption, BrokenLog, IllegalMove, Reason, RulesError, UnreadableText
from tests.rules.drawing import check_illegal

TWO = "engine 12-12; turn 0; boneyard 3-2\n0: 12-5 | 5-4 9-8\n1: 12-7 | 7-1\nmexican:"
STUCK = TWO.replace("5-4 9-8", "9-8")
GIVEN_BY_CLASSIC = {
    Reason.TILE_NOT_HELD: (TWO, "7-1>0"),
    Reason.NO_SUCH_TRAIN: (TWO, "5-4>2"),
    Reason.ENDS_DO_NOT_MATCH: (TWO, "9-8>0"),
    Reason.TRAIN_NOT_OPEN: (TWO, "9-8>1"),
    Reason.DOUBLE_NOT_COVERED: (TWO.replace("0: 12-5", "0: 12-5 5-5").replace("turn 0", "turn 0; open 0/0"), "9-8>1"),
    Reason.MUST_PLAY: (TWO, "pass"),
    Reason.MUST_DRAW_FIRST: (STUCK, "pass"),
    Reason.ALREADY_DREW: (STUCK.replace("turn 0", "turn 0; drew 1"), "draw"),
    Reason.BONEYARD_EMPTY: (STUCK.replace("; boneyard 3-2", ""), "draw"),
    Reason.NOTHING_TO_END: (TWO, "end"),
    Reason.NOTHING_TO_CALL: (TWO, "call 1"),
    Reason.ROUND_OVER: (TWO.replace("turn 0", "turn 0; ended blocked"), "5-4>0"),
}
LATER = {Reason.MEXICAN_NOT_YET, Reason.OWN_TRAIN_FIRST, Reason.FIRST_TURN_OWN_TRAIN, Reason.DOUBLES_LIMIT}


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_is_told_in_a_sentence(reason: Reason) -> None:
    assert reason.sentence == SENTENCES[reason]
    assert reason.sentence[0].isupper()
    assert reason.sentence.endswith(".")


def test_no_two_reasons_say_the_same() -> None:
    assert len({reason.sentence for reason in Reason}) == len(Reason) == 16


@pytest.mark.parametrize(("reason", "case"), GIVEN_BY_CLASSIC.items())
def test_a_position_gives_this_reason(reason: Reason, case: tuple[str, str]) -> None:
    position, move = case
    check_illegal(position, move, reason)


def test_classic_gives_every_reason_but_those_of_rules_that_it_has_not() -> None:
    assert set(Reason) - set(GIVEN_BY_CLASSIC) == LATER


@pytest.mark.parametrize(
    "error",
    [
        UnreadableText("x"),
        BadOption("rounds", "too many."),
        IllegalMove(Reason.MUST_PLAY),
        BrokenLog(3, Reason.MUST_PLAY),
    ],
)
def test_every_error_is_an_error_of_the_rules(error: Exception) -> None:
    assert isinstance(error, RulesError)
    assert not isinstance(error, ValueError | KeyError)


def test_a_refused_move_is_told_in_the_sentence_of_its_reason() -> None:
    assert str(IllegalMove(Reason.BONEYARD_EMPTY)) == "The boneyard is empty."
    assert str(BadOption("rounds", "too many.")) == "rounds: too many."
