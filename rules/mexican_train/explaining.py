"""Why each move is legal or illegal, tile by tile and train by train, and which option decides it."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from rules.game import Verdict
from rules.mexican_train.availability import is_open
from rules.mexican_train.doubles import doubles_binding, split_open_doubles, target_double
from rules.mexican_train.legality import why_not
from rules.mexican_train.moves import ANNOUNCE, DRAW, END, MEXICAN, PASS, Draw, Move, Pass, Play
from rules.mexican_train.options import OPTIONS
from rules.mexican_train.options.kinds import OneOf
from rules.mexican_train.reasons import Reason
from rules.mexican_train.state import State, is_in_long_first_turn, train_names
from rules.tiles import WITH_PIP, tiles_in

OPTION_BEHIND = {
    Reason.NO_SUCH_TRAIN: "mexican_start",
    Reason.MEXICAN_NOT_YET: "mexican_start",
    Reason.OWN_TRAIN_FIRST: "own_train_required_for",
    Reason.FIRST_TURN_OWN_TRAIN: "first_turn_trains",
    Reason.DOUBLES_LIMIT: "doubles_per_turn",
    Reason.MUST_DRAW_FIRST: "draw_rule",
    Reason.NOTHING_TO_END: "first_turn_length",
    Reason.NOTHING_TO_CALL: "announce",
}
"""Reasons that come from one option, if an option decides at all. For other reasons, the position says which option."""
BY_HISTORY = {
    (Reason.ALREADY_DREW, "draw_scope"),
    (Reason.DOUBLE_NOT_COVERED, "cover_continues"),
    (Reason.MUST_PLAY, "first_turn_length"),
}
"""Cases in which the option decided earlier in this turn. With another value, the position itself would differ."""


def explain(state: State) -> Iterator[Verdict[Move]]:
    """Verdicts on every tile of the seat to move on every train, then on the other moves."""
    has_mexican = state.setup.options.has_mexican_train
    trains = [train for train in train_names(state.setup.seats) if train != MEXICAN or has_mexican]
    for tile in tiles_in(state.hands[state.turn]):
        for train in trains:
            yield verdict_on(state, Play(tile, train))
    others: list[Move] = [DRAW, PASS, END, ANNOUNCE]
    for move in others:
        yield verdict_on(state, move)


def verdict_on(state: State, move: Move) -> Verdict[Move]:
    reason = why_not(state, move)
    return Verdict(move, reason, None if reason is None else deciding_option(state, move, reason))


def deciding_option(state: State, move: Move, reason: Reason) -> str | None:
    """The option that would remove this reason if it had another value; ``None`` if there is none."""
    option = option_behind(state, move, reason)
    if option is None or (reason, option) in BY_HISTORY:
        return option
    others = (why_not(by_rule(state, option, value), move) for value in values_of(option))
    return option if any(other is not reason for other in others) else None


def values_of(option: str) -> Iterable[object]:
    """The values to try for an option. For a list of prohibitions, this is only the empty list."""
    declared = OPTIONS[option]
    return declared.values if isinstance(declared, OneOf) else [()]


def by_rule(state: State, option: str, value: object) -> State:
    """The same position with another value of one option."""
    changed: dict[str, Any] = {option: value}
    return replace(state, setup=replace(state.setup, options=replace(state.setup.options, **changed)))


def option_behind(state: State, move: Move, reason: Reason) -> str | None:
    """The option that this reason may come from."""
    match move, reason:
        case Play(), Reason.TRAIN_NOT_OPEN:
            return "open_empty_train_playable" if is_open(state, move.train) else "train_privacy"
        case Play(), Reason.DOUBLE_NOT_COVERED:
            return option_behind_double(state, move)
        case Draw() | Pass(), Reason.MUST_PLAY:
            return option_behind_playing(state, move)
        case Draw(), Reason.ALREADY_DREW:
            return "draw_scope" if state.progress.has_used_draw else "draw_rule"
    return OPTION_BEHIND.get(reason)


def option_behind_double(state: State, play: Play) -> str:
    """The option that binds the seat to a double: follow-up in this turn, order of doubles, or obligation."""
    target = target_double(state, state.turn)
    if target is None:
        return "double_follow_up" if state.progress.doubles == 1 else "chain_follow_up"
    is_fitting = play.tile.bit & WITH_PIP[state.ends[play.train]]
    if is_fitting and any(each.train == play.train for each in doubles_binding(state, state.turn)):
        return "double_close_order"
    return "cover_continues" if target in split_open_doubles(state)[1] else "double_obligation"


def option_behind_playing(state: State, move: Draw | Pass) -> str:
    """The option that forbids a seat to draw or pass while it can lay a tile."""
    if is_in_long_first_turn(state) and state.progress.laid:
        return "first_turn_length"
    return "drawn_tile" if isinstance(move, Pass) and state.progress.draws else "must_play"
