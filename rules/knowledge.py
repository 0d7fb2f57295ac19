"""What the moves of a round have shown to everybody: the most tiles of each pip that each seat can hold.

Only what lies on the table and what a seat did is read here, never a hand or the boneyard's tiles.
"""

from collections.abc import Iterable
from typing import TypeAlias

from rules.doubles import target_double, train_to_cover
from rules.legality import tiles_unbound
from rules.moves import Call, Draw, Move, Pass, Play
from rules.options import Options
from rules.state import State, train_names
from rules.tiles import DOUBLES, TILES, WITH_PIP, Tile, double
from rules.transitions import apply

NO_LIMIT = len(TILES)
SeatLimits: TypeAlias = tuple[int, ...]
"""For each pip, the most tiles that bear it and can be in the seat's hand; ``NO_LIMIT`` if nothing is known."""
Limits: TypeAlias = tuple[SeatLimits, ...]
"""The limits of every seat."""


def nothing_known(options: Options, seats: int) -> Limits:
    """What everybody knows of the hands at the deal."""
    return ((NO_LIMIT,) * (options.highest_pip + 1),) * seats


def known_after(dealt: State, moves: Iterable[Move]) -> Limits:
    """What everybody knows after these moves. Raises ``IllegalMove`` where one is not legal."""
    state, known = dealt, nothing_known(dealt.setup.options, dealt.setup.seats)
    for move in moves:
        known = learnt(known, state, move)
        state = apply(state, move)
    return known


def learnt(known: Limits, before: State, move: Move) -> Limits:
    """What everybody knows after one legal move more, made in the state ``before``."""
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
    """One tile less of its pips. If it is the one just drawn, the hand is what it was: that had counted for any pip."""
    gone = range(len(limits)) if has_laid_drawn(before) else (tile.high, tile.low)
    return tuple(most - 1 if pip in gone and most < NO_LIMIT else most for pip, most in enumerate(limits))


def after_draw(limits: SeatLimits, before: State) -> SeatLimits:
    """Who must draw can lay nothing; then its hand has one tile more."""
    return with_unknown_tiles(limits if is_voluntary_draw(before) else without_playable(limits, before), 1)


def after_pass(limits: SeatLimits, before: State) -> SeatLimits:
    """Who must pass can lay nothing, the tile that it drew included; who chose to pass shows nothing."""
    return limits if is_voluntary_pass(before) else without_playable(limits, before)


def has_laid_drawn(before: State) -> bool:
    """Whether a seat that lays now lays the tile it drew last: it does if it had to draw, being stuck."""
    return before.progress.draws > 0 and not before.setup.options.may_decline


def is_voluntary_draw(before: State) -> bool:
    """Whether a seat that could lay a tile could draw now all the same. A second tile is drawn only by who is stuck."""
    return before.setup.options.may_decline and not before.progress.draws


def is_voluntary_pass(before: State) -> bool:
    """Whether a seat that could lay a tile could pass now all the same."""
    options = before.setup.options
    return options.may_decline or (before.progress.draws > 0 and options.may_keep_drawn)


def with_unknown_tiles(limits: SeatLimits, count: int) -> SeatLimits:
    """So many tiles more, which may bear any pip."""
    return tuple(most + count if most < NO_LIMIT else most for most in limits)


def without_playable(limits: SeatLimits, before: State) -> SeatLimits:
    """A seat that is stuck holds no tile that it could lay now."""
    stuck = most_if_stuck(before)
    return tuple(min(most, stuck.get(pip, most)) for pip, most in enumerate(limits))


def most_if_stuck(state: State) -> dict[int, int]:
    """For the pips that the seat to move could lay, the most tiles it can hold if it lays none.

    That is none; or the double alone, where that may not be laid. Where only a double may be laid, its pip tells
    nothing.
    """
    if target := target_double(state, state.turn):
        return {state.trains[train_to_cover(state, state.turn, target)].end: 0}
    found = dict[int, int]()
    for train in train_names(state.setup.seats):
        end, allowed = state.trains[train].end, tiles_unbound(state, state.turn, train)
        if allowed & WITH_PIP[end] & ~DOUBLES:
            is_double_left = not (allowed | state.on_table) & double(end).bit
            found[end] = min(found.get(end, 1), int(is_double_left))
    return found
