"""What the moves of a round reveal to everybody: the most tiles of each pip that each seat can hold.

Only the table and the moves are used, never a hand or the tiles of the boneyard.
"""

from collections.abc import Iterable
from typing import TypeAlias

from rules.mexican_train.doubles import target_double, train_to_cover
from rules.mexican_train.legality import tiles_unbound
from rules.mexican_train.moves import Call, Draw, Move, Pass, Play
from rules.mexican_train.options import Options
from rules.mexican_train.state import State, train_names
from rules.mexican_train.transitions import apply
from rules.tiles import DOUBLES, TILES, WITH_PIP, Tile, double

NO_LIMIT = len(TILES)
SeatLimits: TypeAlias = tuple[int, ...]
"""For each pip, the most tiles with that pip that the seat can hold; ``NO_LIMIT`` if nothing is known."""
Limits: TypeAlias = tuple[SeatLimits, ...]
"""The limits of every seat."""


def nothing_known(options: Options, seats: int) -> Limits:
    """The limits at the deal, when nobody knows anything about the hands."""
    return ((NO_LIMIT,) * (options.highest_pip + 1),) * seats


def known_after(dealt: State, moves: Iterable[Move]) -> Limits:
    """What everybody knows after these moves. Raises ``IllegalMove`` if a move is illegal."""
    state, known = dealt, nothing_known(dealt.setup.options, dealt.setup.seats)
    for move in moves:
        known = learnt(known, state, move)
        state = apply(state, move)
    return known


def learnt(known: Limits, before: State, move: Move) -> Limits:
    """What everybody knows after one more legal move, made in the state ``before``."""
    match move:
        case Play():
            return with_seat(known, before.turn, after_play(known[before.turn], before, move.tile))
        case Draw():
            return with_seat(known, before.turn, after_draw(known[before.turn], before))
        case Pass():
            return with_seat(known, before.turn, after_pass(known[before.turn], before))
        case Call():
            taken = min(before.setup.options.penalty_tiles, len(before.boneyard))
            return with_seat(known, move.seat, with_unknown_tiles(known[move.seat], taken))
        case _:
            return known


def with_seat(known: Limits, seat: int, limits: SeatLimits) -> Limits:
    return known if limits is known[seat] else (*known[:seat], limits, *known[seat + 1 :])


def after_play(limits: SeatLimits, before: State, tile: Tile) -> SeatLimits:
    """The hand has one tile fewer of its pips.

    If it is the tile just drawn, all limits fall, because the draw raised them all.
    """
    gone = range(len(limits)) if has_laid_drawn(before) else (tile.high, tile.low)
    return tuple(most - 1 if pip in gone and most < NO_LIMIT else most for pip, most in enumerate(limits))


def after_draw(limits: SeatLimits, before: State) -> SeatLimits:
    """A seat that must draw can lay no tile. Then its hand has one more tile."""
    return with_unknown_tiles(limits if is_voluntary_draw(before) else without_playable(limits, before), 1)


def after_pass(limits: SeatLimits, before: State) -> SeatLimits:
    """A seat that must pass can lay no tile, not even one that it drew. A seat that chooses to pass reveals nothing."""
    return limits if is_voluntary_pass(before) else without_playable(limits, before)


def has_laid_drawn(before: State) -> bool:
    """Whether a tile laid now is the one just drawn.

    After a forced draw it is, because the seat could lay nothing else.
    """
    return before.progress.draws > 0 and not before.setup.options.may_decline


def is_voluntary_draw(before: State) -> bool:
    """Whether a seat could draw now although it can lay a tile. A second draw is always forced."""
    return before.setup.options.may_decline and not before.progress.draws


def is_voluntary_pass(before: State) -> bool:
    """Whether a seat could pass now although it can lay a tile."""
    options = before.setup.options
    return options.may_decline or (before.progress.draws > 0 and options.may_keep_drawn)


def with_unknown_tiles(limits: SeatLimits, count: int) -> SeatLimits:
    """The limits with this many more tiles, which may have any pip."""
    return tuple(most + count if most < NO_LIMIT else most for most in limits)


def without_playable(limits: SeatLimits, before: State) -> SeatLimits:
    """A stuck seat holds no tile that it could lay now."""
    stuck = most_if_stuck(before)
    return tuple(min(most, stuck.get(pip, most)) for pip, most in enumerate(limits))


def most_if_stuck(state: State) -> dict[int, int]:
    """For each pip that the seat to move could lay, the most tiles with it that a stuck seat can hold.

    This is 0, or 1 if the pip's double may not be laid and is not on the table. A pip of which only the double may be
    laid is left out.
    """
    if target := target_double(state, state.turn):
        return {state.ends[train_to_cover(state, state.turn, target)]: 0}
    found = dict[int, int]()
    for train in train_names(state.setup.seats):
        end, allowed = state.ends[train], tiles_unbound(state, state.turn, train)
        if allowed & WITH_PIP[end] & ~DOUBLES:
            is_double_left = not (allowed | state.on_table) & double(end).bit
            found[end] = min(found.get(end, 1), int(is_double_left))
    return found
