"""Why every move is legal or not, and the option that decides it (``rules/mexican_train/explaining.py``)."""

import random

import pytest

from rules import errors
from rules.mexican_train.explaining import explain
from rules.mexican_train.legality import legal_moves, why_not
from rules.mexican_train.moves import ANNOUNCE, DRAW, END, MEXICAN, PASS, Call, Move, Play
from rules.mexican_train.notation import move_text, parse_move
from rules.mexican_train.reasons import Reason
from rules.mexican_train.state import State
from rules.tiles import tiles_in
from tests.rules.drawing import drawn
from tests.rules.random_rules import random_deal, random_play

PLAIN = """
    engine 12-12; turn 0; boneyard 1-1
    0: 12-5 | 5-2 7-3 8-8
    1: 12-7 | 0-0
    2: marked | 4-4
    mexican: 12-9
"""


def explained(state: State) -> dict[str, tuple[errors.Reason | None, str | None]]:
    return {move_text(verdict.move): (verdict.reason, verdict.option) for verdict in explain(state)}


def test_every_tile_on_every_train_is_explained_and_then_the_other_moves() -> None:
    moves = [move_text(verdict.move) for verdict in explain(drawn(PLAIN))]
    plays = [f"{tile}>{train}" for tile in ("5-2", "7-3", "8-8") for train in ("0", "1", "2", "mexican")]
    assert moves == [*plays, "draw", "pass", "end", "announce"]


def test_a_train_that_does_not_exist_is_not_explained() -> None:
    state = drawn(PLAIN.replace("mexican: 12-9", "mexican:"), mexican_start="never")
    assert not [move for move in explained(state) if "mexican" in move]


def test_a_position_is_explained_move_by_move() -> None:
    told = explained(drawn(PLAIN))
    assert told["5-2>0"] == (None, None)
    assert told["5-2>2"] == (Reason.ENDS_DO_NOT_MATCH, None)
    assert told["7-3>1"] == (Reason.TRAIN_NOT_OPEN, "train_privacy")
    assert told["draw"] == (Reason.MUST_PLAY, "must_play")


def test_after_the_round_the_only_reason_is_that_it_is_over() -> None:
    over = drawn("engine 12-12; turn 0; ended blocked\n0: 12-5 | 5-2\n1: 12-7 | 7-7\nmexican:")
    assert set(explained(over).values()) == {(Reason.ROUND_OVER, None)}


FIRST = PLAIN.replace("turn 0", "turn 0; first 0")
UNSTARTED = PLAIN.replace("0: 12-5 |", "0: |")
NOT_BEGUN = FIRST.replace("mexican: 12-9", "mexican:").replace("5-2", "12-2")
BOUND = PLAIN.replace("turn 0", "turn 0; open 1/1").replace("12-7 |", "12-7 7-7 |")
TWO_BIND = BOUND.replace("open 1/1", "open 1/1 mexican/1").replace("12-9", "12-9 9-9").replace("8-8", "9-8")
LAID = PLAIN.replace("turn 0", "turn 0; open 0/0*").replace("12-5 |", "12-5 5-5 |").replace("8-8", "9-9 9-8")
CHAIN = LAID.replace("open 0/0*", "open 0/0* mexican/0*").replace("12-9", "12-9 9-9").replace("9-9 9-8", "9-8")
STUCK = PLAIN.replace("5-2 ", "")
DREW = STUCK.replace("turn 0", "turn 0; drew 1")
ABLE_DREW = PLAIN.replace("turn 0", "turn 0; drew 1")

DECIDED: list[tuple[str, str, Reason, str, object, dict[str, object]]] = [
    (NOT_BEGUN, "12-2>mexican", Reason.MEXICAN_NOT_YET, "mexican_start", "any_turn", {"mexican_start": "second_turn"}),
    (
        UNSTARTED.replace("8-8", "9-8"),
        "9-8>mexican",
        Reason.OWN_TRAIN_FIRST,
        "own_train_required_for",
        [],
        {"own_train_required_for": ["mexican"]},
    ),
    (
        UNSTARTED.replace("8-8", "12-8"),
        "12-8>2",
        Reason.OWN_TRAIN_FIRST,
        "own_train_required_for",
        [],
        {"own_train_required_for": ["open_trains"]},
    ),
    (
        BOUND.replace("0: 12-5 |", "0: |"),
        "7-3>1",
        Reason.OWN_TRAIN_FIRST,
        "own_train_required_for",
        [],
        {"own_train_required_for": ["covering"]},
    ),
    (
        FIRST.replace("8-8", "9-8"),
        "9-8>mexican",
        Reason.FIRST_TURN_OWN_TRAIN,
        "first_turn_trains",
        "own_or_mexican",
        {"first_turn_trains": "own_only"},
    ),
    (PLAIN, "7-3>1", Reason.TRAIN_NOT_OPEN, "train_privacy", "always_public", {}),
    (
        PLAIN.replace("8-8", "12-8"),
        "12-8>2",
        Reason.TRAIN_NOT_OPEN,
        "open_empty_train_playable",
        True,
        {"open_empty_train_playable": False},
    ),
    (LAID, "9-9>mexican", Reason.DOUBLES_LIMIT, "doubles_per_turn", 2, {}),
    (LAID, "9-8>mexican", Reason.DOUBLE_NOT_COVERED, "double_follow_up", "anywhere", {}),
    (
        CHAIN,
        "9-8>mexican",
        Reason.DOUBLE_NOT_COVERED,
        "chain_follow_up",
        "last_double",
        {"doubles_per_turn": 2},
    ),
    (BOUND, "5-2>0", Reason.DOUBLE_NOT_COVERED, "double_obligation", "layer_only", {}),
    (TWO_BIND, "9-8>mexican", Reason.DOUBLE_NOT_COVERED, "double_close_order", "reverse", {}),
    (PLAIN, "draw", Reason.MUST_PLAY, "must_play", False, {}),
    (ABLE_DREW, "pass", Reason.MUST_PLAY, "drawn_tile", "may", {}),
    (DREW, "draw", Reason.ALREADY_DREW, "draw_rule", "until_playable", {}),
    (DREW, "pass", Reason.MUST_DRAW_FIRST, "draw_rule", "one", {"draw_rule": "until_playable"}),
    (PLAIN.replace("7-3 8-8", "8-8"), "announce", Reason.NOTHING_TO_CALL, "announce", "penalty", {}),
    (FIRST.replace("turn 0", "turn 0; laid 1"), "end", Reason.NOTHING_TO_END, "first_turn_length", "unlimited", {}),
    (
        FIRST.replace("turn 0", "turn 0; laid 1").replace("5-2 ", ""),
        "draw",
        Reason.MUST_PLAY,
        "first_turn_length",
        "one",
        {"first_turn_length": "unlimited"},
    ),
]


@pytest.mark.parametrize(("position", "move", "reason", "option", "instead", "rules"), DECIDED)
def test_the_option_that_is_named_would_allow_the_move_with_another_value(
    position: str, move: str, reason: Reason, option: str, instead: object, rules: dict[str, object]
) -> None:
    assert explained(drawn(position, **rules))[move] == (reason, option)
    assert why_not(drawn(position, **{**rules, option: instead}), parse_move(move)) is None


@pytest.mark.parametrize(
    ("position", "length", "move"),
    [
        (PLAIN, "one", "pass"),
        (ABLE_DREW, "one", "draw"),
        (LAID, "one", "pass"),
        (FIRST, "unlimited", "draw"),
        (FIRST, "unlimited", "pass"),
    ],
)
def test_not_playing_is_explained_by_the_duty_to_play(position: str, length: str, move: str) -> None:
    told = explained(drawn(position.replace("5-2", "12-2 5-2"), first_turn_length=length))
    assert told[move] == (Reason.MUST_PLAY, "must_play")


@pytest.mark.parametrize("privacy", ["marker", "public_until_own_play"])
def test_a_closed_train_is_explained_by_when_trains_are_public(privacy: str) -> None:
    assert explained(drawn(PLAIN, train_privacy=privacy))["7-3>1"] == (Reason.TRAIN_NOT_OPEN, "train_privacy")


def test_a_used_draw_is_explained_by_its_scope() -> None:
    used = LAID.replace("turn 0", "turn 0; renewed no").replace("5-2 ", "")
    assert explained(drawn(used, draw_scope="per_turn"))["draw"] == (Reason.ALREADY_DREW, "draw_scope")


def test_a_move_against_cover_continues_names_that_option() -> None:
    goes_on = LAID.replace("open 0/0*", "laid 1; doubles 0; open 0/0*")
    told = explained(drawn(goes_on, cover_continues=True))
    assert told["9-8>mexican"] == (Reason.DOUBLE_NOT_COVERED, "cover_continues")


def test_a_tile_that_fits_neither_the_double_nor_its_train_is_explained_by_the_duty_to_cover() -> None:
    assert explained(drawn(TWO_BIND))["5-2>mexican"] == (Reason.DOUBLE_NOT_COVERED, "double_obligation")
    assert explained(drawn(TWO_BIND))["5-2>1"] == (Reason.ENDS_DO_NOT_MATCH, None)


def test_a_move_that_no_option_allows_names_none() -> None:
    empty = explained(drawn(STUCK.replace("; boneyard 1-1", "")))
    assert empty["draw"] == (Reason.BONEYARD_EMPTY, None)
    assert empty["7-3>0"] == (Reason.ENDS_DO_NOT_MATCH, None)


EVERY_REASON = {reason for _, _, reason, *_ in DECIDED} | {
    Reason.ENDS_DO_NOT_MATCH,
    Reason.BONEYARD_EMPTY,
    Reason.ROUND_OVER,
}
ONLY_ELSEWHERE = {Reason.TILE_NOT_HELD, Reason.NO_SUCH_TRAIN}
"""What explaining never says: it goes through the tiles of the hand and the trains of the table."""


def test_every_reason_has_a_case_here() -> None:
    assert set(Reason) == EVERY_REASON | ONLY_ELSEWHERE


def everything(state: State) -> list[Move]:
    """What an explanation should go through, whatever its order."""
    trains = [*range(state.setup.seats), *([MEXICAN] if state.setup.options.mexican_start != "never" else [])]
    plays = [Play(tile, train) for tile in tiles_in(state.hands[state.turn]) for train in trains]
    return [*plays, DRAW, PASS, END, ANNOUNCE]


def check_explained(state: State) -> set[errors.Reason]:
    """One position of any round; the reasons that it gives."""
    verdicts = list(explain(state))
    assert [verdict.move for verdict in verdicts] == everything(state)
    legal = {move for move in legal_moves(state) if not isinstance(move, Call)}
    without_choice = {Play(move.tile, move.train) if isinstance(move, Play) else move for move in legal}
    assert {verdict.move for verdict in verdicts if verdict.reason is None} == without_choice
    assert not [verdict for verdict in verdicts if verdict.reason is None and verdict.option is not None]
    return {verdict.reason for verdict in verdicts if verdict.reason is not None}


def reasons_in_rounds(numbers: range) -> set[errors.Reason]:
    given = set[errors.Reason]()
    for number in numbers:
        chance = random.Random(f"explained {number}")
        for _, _, state in random_play(random_deal(chance).state, chance):
            given |= check_explained(state)
    return given


def test_in_some_random_rounds_exactly_the_legal_moves_have_no_reason() -> None:
    assert reasons_in_rounds(range(3)) <= EVERY_REASON


@pytest.mark.slow
def test_in_random_rounds_exactly_the_legal_moves_have_no_reason() -> None:
    assert reasons_in_rounds(range(40)) == EVERY_REASON
