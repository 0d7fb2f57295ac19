"""Every way a move can be refused has a name, a sentence, and a position that gives it."""

import pickle
from copy import copy

import pytest

from rules import errors
from rules.errors import BadMoveField, BadOption, BrokenLog, IllegalMove, RulesError, UnknownVersion, UnreadableText
from rules.mexican_train.reasons import SENTENCES, Reason
from rules.records.record import BadRecord, Fault, FaultCode
from rules.replaying import LogFault
from rules.sentences import Sentence
from tests.rules.drawing import check_illegal, drawn, refusal

TWO = "engine 12-12; turn 0; boneyard 3-2\n0: 12-5 | 5-4 9-8\n1: 12-7 | 7-1\nmexican:"
STUCK = TWO.replace("5-4 9-8", "9-8")
OWN_DOUBLE = TWO.replace("0: 12-5", "0: 12-5 5-5").replace("turn 0", "turn 0; open 0/0*")
OTHER_DOUBLE = "engine 12-12; turn 0; open 1/1\n0: | 12-5 7-1\n1: 12-7 7-7 | 7-2\nmexican:"
START = "engine 12-12; turn 0; first 0 1\n0: | 12-5\n1: marked | 7-1\nmexican:"
GIVEN_BY_CLASSIC = {
    Reason.TILE_NOT_HELD: (TWO, "7-1>0"),
    Reason.NO_SUCH_TRAIN: (TWO, "5-4>2"),
    Reason.ENDS_DO_NOT_MATCH: (TWO, "9-8>0"),
    Reason.TRAIN_NOT_OPEN: (TWO, "9-8>1"),
    Reason.DOUBLE_NOT_COVERED: (OWN_DOUBLE, "9-8>1"),
    Reason.DOUBLES_LIMIT: (OWN_DOUBLE.replace("mexican:", "mexican: 12-9").replace("9-8", "9-9"), "9-9>mexican"),
    Reason.MUST_PLAY: (TWO, "pass"),
    Reason.MUST_DRAW_FIRST: (STUCK, "pass"),
    Reason.ALREADY_DREW: (STUCK.replace("turn 0", "turn 0; drew 1"), "draw"),
    Reason.BONEYARD_EMPTY: (STUCK.replace("; boneyard 3-2", ""), "draw"),
    Reason.NOTHING_TO_END: (TWO, "end"),
    Reason.NOTHING_TO_CALL: (TWO, "call 1"),
    Reason.ROUND_OVER: (TWO.replace("turn 0", "turn 0; ended blocked"), "5-4>0"),
}
# Here classic accepts the move, or refuses it for another reason.
GIVEN_BY_OPTIONS: list[tuple[Reason, str, str, dict[str, object]]] = [
    (Reason.MEXICAN_NOT_YET, START, "12-5>mexican", {"mexican_start": "second_turn"}),
    (Reason.MEXICAN_NOT_YET, START.replace("; first 0 1", ""), "12-5>mexican", {"mexican_start": "all_trains_started"}),
    (Reason.FIRST_TURN_OWN_TRAIN, START, "12-5>mexican", {"first_turn_trains": "own_only"}),
    (Reason.FIRST_TURN_OWN_TRAIN, START, "12-5>1", {"first_turn_trains": "own_or_mexican"}),
    (Reason.OWN_TRAIN_FIRST, START, "12-5>mexican", {"own_train_required_for": ["mexican"]}),
    (Reason.OWN_TRAIN_FIRST, START, "12-5>1", {"own_train_required_for": ["open_trains"]}),
    (Reason.OWN_TRAIN_FIRST, OTHER_DOUBLE, "7-1>1", {"own_train_required_for": ["covering"]}),
    (Reason.NO_SUCH_TRAIN, START, "12-5>mexican", {"mexican_start": "never"}),
    (Reason.NO_SUCH_TRAIN, OTHER_DOUBLE, "12-5>mexican", {"mexican_start": "never"}),
    (Reason.NO_SUCH_TRAIN, OWN_DOUBLE, "9-8>mexican", {"mexican_start": "never"}),
    (Reason.MUST_PLAY, STUCK.replace("turn 0", "turn 0; first 0; laid 1"), "draw", {"first_turn_length": "unlimited"}),
    (Reason.TRAIN_NOT_OPEN, OWN_DOUBLE, "9-8>1", {"double_follow_up": "anywhere"}),
    (Reason.TRAIN_NOT_OPEN, START, "12-5>1", {"open_empty_train_playable": False}),
    (Reason.ENDS_DO_NOT_MATCH, OWN_DOUBLE, "9-8>mexican", {"double_follow_up": "anywhere"}),
]


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_has_a_sentence(reason: Reason) -> None:
    assert reason.sentence == SENTENCES[reason]
    assert reason.sentence[0].isupper()
    assert reason.sentence.endswith(".")


def test_no_two_reasons_have_the_same_sentence() -> None:
    assert len({reason.sentence for reason in Reason}) == len(Reason) == 16


@pytest.mark.parametrize(("reason", "case"), GIVEN_BY_CLASSIC.items())
def test_a_position_gives_this_reason(reason: Reason, case: tuple[str, str]) -> None:
    position, move = case
    check_illegal(position, move, reason)


@pytest.mark.parametrize(("reason", "position", "move", "options"), GIVEN_BY_OPTIONS)
def test_an_option_gives_this_reason(reason: Reason, position: str, move: str, options: dict[str, object]) -> None:
    check_illegal(position, move, reason, **options)
    assert refusal(drawn(position), move) is not reason


def test_classic_gives_every_reason_except_those_of_other_options() -> None:
    missing = set(Reason) - set(GIVEN_BY_CLASSIC)
    assert missing == {Reason.MEXICAN_NOT_YET, Reason.OWN_TRAIN_FIRST, Reason.FIRST_TURN_OWN_TRAIN}
    assert missing < {reason for reason, _, _, _ in GIVEN_BY_OPTIONS}


ERRORS: list[RulesError] = [
    BadMoveField("keep_marker", Sentence("{what}", what="{x}")),
    UnreadableText(Sentence("{what}", what="{x}")),
    BadOption("rounds", Sentence("too many.")),
    IllegalMove(Reason.MUST_PLAY),
    BrokenLog(3, Reason.MUST_PLAY),
    BadRecord(Fault(FaultCode.ILLEGAL_MOVE, Sentence("{what}", what="{x}"), reason=Reason.MUST_PLAY)),
    UnknownVersion("mexican_train", 99, [1, 2]),
    LogFault(),
]


def test_these_are_all_errors_of_the_rules() -> None:
    assert {type(error) for error in ERRORS} == set(RulesError.__subclasses__())


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_goes_through_pickle_as_between_processes(error: RulesError) -> None:
    for again in (copy(error), pickle.loads(pickle.dumps(error))):
        assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_every_error_is_an_error_of_the_rules(error: Exception) -> None:
    assert isinstance(error, RulesError)
    assert not isinstance(error, ValueError | KeyError)


def test_the_message_of_an_illegal_move_is_the_sentence_of_its_reason() -> None:
    assert str(IllegalMove(Reason.BONEYARD_EMPTY)) == "The boneyard is empty."
    assert str(BadOption("rounds", Sentence("too many."))) == "rounds: too many."


class Unsaid(errors.Reason):
    WHY = "why"


def test_a_reason_without_a_sentence_is_found_at_once() -> None:
    with pytest.raises(NotImplementedError):
        Unsaid.WHY.sentence  # noqa: B018
