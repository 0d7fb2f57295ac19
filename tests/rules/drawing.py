"""Positions drawn as text, and what may be done in them. ``notation`` says how a position is drawn."""

from rules import errors
from rules.errors import IllegalMove
from rules.mexican_train.legality import legal_moves, why_not
from rules.mexican_train.notation import move_text, parse_move, parse_position, position_text
from rules.mexican_train.presets import rules_of
from rules.mexican_train.reasons import Reason
from rules.mexican_train.state import State
from rules.mexican_train.transitions import apply

CLASSIC = rules_of("classic", {})


def drawn(position: str, **options: object) -> State:
    """The state that a drawing shows, under the classic rules with these differences."""
    return parse_position(position, rules_of("classic", options))


def after(state: State, *moves: str) -> State:
    for move in moves:
        state = apply(state, parse_move(move))
    return state


def legal_texts(state: State) -> list[str]:
    return sorted(move_text(move) for move in legal_moves(state))


def refusal(state: State, move: str) -> errors.Reason | None:
    """The reason that applying this move gives, ``None`` if it is accepted."""
    try:
        apply(state, parse_move(move))
    except IllegalMove as refused:
        return refused.reason
    return None


def check_legal(position: str, *moves: str, **options: object) -> None:
    """These are all the legal moves of the seat to move, and each is accepted."""
    state = drawn(position, **options)
    assert legal_texts(state) == sorted(moves)
    for move in moves:
        assert why_not(state, parse_move(move)) is None
        assert refusal(state, move) is None


def check_illegal(position: str, move: str, reason: Reason, **options: object) -> None:
    """The rules refuse this move, and say why."""
    state = drawn(position, **options)
    assert parse_move(move) not in legal_moves(state)
    assert why_not(state, parse_move(move)) is reason
    assert refusal(state, move) is reason


def check_after(position: str, *moves: str, then: str, **options: object) -> None:
    """These moves, one after another, lead to exactly that position."""
    state = after(drawn(position, **options), *moves)
    expected = drawn(then, **options)
    assert position_text(state) == position_text(expected)
    assert state == expected
