"""The legal moves of the seat to move, and the reasons why other moves are illegal."""

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from rules.mexican_train.announcing import calls_of, may_announce
from rules.mexican_train.availability import trains_available, why_closed
from rules.mexican_train.doubles import (
    may_follow_up_anywhere,
    owes_follow_up,
    target_double,
    train_to_cover,
    trains_to_follow_up,
)
from rules.mexican_train.moves import (
    ANNOUNCE,
    DRAW,
    END,
    MEXICAN,
    PASS,
    Announce,
    Call,
    Draw,
    End,
    Move,
    Pass,
    Play,
    plays_on,
)
from rules.mexican_train.reasons import Reason
from rules.mexican_train.state import State, is_in_long_first_turn, is_unstarted, train_names
from rules.tiles import DOUBLES, WITH_PIP, TileSet

ANY_TILE: TileSet = -1


def legal_moves(state: State) -> list[Move]:
    """The legal moves of the seat to move (§3). There is always one until the round is over.

    Plays come first, then drawing, passing or ending the turn, then announcing and calling.
    """
    if state.ended is not None:
        return []
    options, moves = state.setup.options, list[Move]()
    for train, fitting in playable(state, state.turn):
        plays, may_keep = plays_on(train), options.may_keep_marker and is_marker_to_keep(state, train)
        tiles = fitting
        while tiles:  # as in ``tiles_in``, but bots and play-outs list moves often, and a generator takes longer
            lowest = tiles & -tiles
            play = plays[lowest.bit_length() - 1]
            moves.append(play)
            if may_keep:
                moves.append(replace(play, keep_marker=True))
            tiles ^= lowest
    is_able = bool(moves)
    moves += other_moves(state, is_able=is_able)
    if options.must_announce and may_announce(state, is_able=is_able):
        moves.append(ANNOUNCE)
    if state.exposed is not None:
        moves += calls_of(state, state.turn)
    return moves


def legal_moves_of(state: State, seat: int) -> Sequence[Move]:
    """The legal moves of any seat. A seat that is not to move may only call."""
    return legal_moves(state) if seat == state.turn else calls_of(state, seat)


def clocks_move(state: State) -> Move:
    """The move for a seat whose time is over: announce, end a long first turn, or else the first legal move."""
    legal = legal_moves(state)
    return next((move for move in (ANNOUNCE, END) if move in legal), legal[0])


def is_legal(state: State, move: Move) -> bool:
    """Whether the seat to move may make this move."""
    if state.ended is not None:
        return False
    if type(move) is Play:
        return may_lay(state, move)
    if type(move) is Call:
        return move in calls_of(state, state.turn)
    is_able = bool(playable(state, state.turn))
    if move in other_moves(state, is_able=is_able):
        return True
    return isinstance(move, Announce) and may_announce(state, is_able=is_able)


def may_lay(state: State, play: Play) -> bool:
    """Whether the tile is in the hand, fits the train, and may go there now."""
    train, bit, seat = play.train, play.tile.bit, state.turn
    if not MEXICAN <= train < state.setup.seats:
        return False
    if not state.hands[seat] & bit & WITH_PIP[state.ends[train]]:
        return False
    if state.open_doubles and (target := target_double(state, seat)):
        return train == train_to_cover(state, seat, target)
    if state.progress.doubles and owes_follow_up(state):
        return bool(bit & follow_ups(state, seat, train))
    return train == seat or why_closed(state, seat, train) is None


def playable(state: State, seat: int) -> list[tuple[int, TileSet]]:
    """The tiles that a seat could lay if it were its turn, by train.

    A double that binds the seat leaves it only one train.
    """
    hand, ends = state.hands[seat], state.ends
    if state.open_doubles and (target := target_double(state, seat)):
        train = train_to_cover(state, seat, target)
        covers = hand & WITH_PIP[ends[train]]
        return [(train, covers)] if covers else []
    if state.progress.doubles and owes_follow_up(state):
        return playable_follow_ups(state, seat)
    found, available, seats = [], trains_available(state, seat), state.setup.seats
    for at, end in enumerate(ends):
        if available >> at & 1 and (tiles := hand & WITH_PIP[end]):
            found.append((at if at < seats else MEXICAN, tiles))
    return found


def playable_follow_ups(state: State, seat: int) -> list[tuple[int, TileSet]]:
    """The tiles that a seat could lay next in a turn that owes a tile after a double, by train."""
    found = []
    for train, end in zip(train_names(state.setup.seats), state.ends, strict=True):
        fitting = state.hands[seat] & WITH_PIP[end]
        if fitting and (tiles := fitting & follow_ups(state, seat, train)):
            found.append((train, tiles))
    return found


def tiles_unbound(state: State, seat: int, train: int) -> TileSet:
    """The tiles, fitting or not, that a seat may lay on a train while no double of an earlier turn binds it."""
    if state.progress.doubles and owes_follow_up(state):
        return follow_ups(state, seat, train)
    return ANY_TILE if why_closed(state, seat, train) is None else 0


def follow_ups(state: State, seat: int, train: int) -> TileSet:
    """The tiles that may follow this turn's doubles on a train: a further double, or the tile that is owed."""
    may_be_double = state.setup.options.may_lay_another_double(state.progress.doubles)
    is_anywhere = may_follow_up_anywhere(state)
    is_available = (may_be_double or is_anywhere) and why_closed(state, seat, train) is None
    is_owed_here = (is_available and is_anywhere) or train in trains_to_follow_up(state)
    return (DOUBLES if is_available and may_be_double else 0) | (~DOUBLES if is_owed_here else 0)


def is_marker_to_keep(state: State, train: int) -> bool:
    """Whether the seat to move may keep its marker when it plays on this train."""
    is_own = train == state.turn and state.marked >> train & 1
    return bool(is_own) and state.setup.options.may_keep_marker


def other_moves(state: State, *, is_able: bool) -> tuple[Move, ...]:
    """What the seat to move may do besides laying a tile. ``is_able`` says whether it can lay one."""
    if state.progress.laid and is_in_long_first_turn(state):
        return (END,)
    options = state.setup.options
    if not is_able or options.may_decline:
        return (DRAW,) if state.boneyard and has_draw_left(state, is_able=is_able) else (PASS,)
    return (PASS,) if state.progress.draws and options.may_keep_drawn else ()


def has_draw_left(state: State, *, is_able: bool) -> bool:
    """Whether this turn may still draw: a first tile, or while the seat is stuck as many as the options say."""
    progress, options = state.progress, state.setup.options
    if progress.has_used_draw:
        return False
    if not progress.draws:
        return True
    if is_able or options.draws_one_tile:
        return False
    return progress.draws < options.most_draws(is_unstarted=is_unstarted(state, state.turn))


def is_anybody_able(state: State) -> bool:
    """Whether some seat could lay a tile if it were its turn."""
    return any(playable(state, seat) for seat in range(state.setup.seats))


def why_not(state: State, move: Move) -> Reason | None:
    """Why the seat to move may not make this move; ``None`` if it may."""
    if is_legal(state, move):
        return None
    if state.ended is not None:
        return Reason.ROUND_OVER
    match move:
        case Play():
            return why_not_lay(state, move)
        case Draw() | Pass():
            return why_not_draw_or_pass(state, move)
        case End():
            return Reason.NOTHING_TO_END
        case Announce() | Call():
            return Reason.NOTHING_TO_CALL
        case _:
            assert_never(move)


def why_not_lay(state: State, play: Play) -> Reason:
    """Why a tile may not be laid there: the first reason that a player would look for."""
    if not MEXICAN <= play.train < state.setup.seats:
        return Reason.NO_SUCH_TRAIN
    if not state.hands[state.turn] & play.tile.bit:
        return Reason.TILE_NOT_HELD
    target = target_double(state, state.turn)
    if target is not None:
        return why_no_cover(state, play, train_to_cover(state, state.turn, target))
    if owes_follow_up(state):
        return why_no_follow_up(state, play)
    return why_closed(state, state.turn, play.train) or Reason.ENDS_DO_NOT_MATCH


def why_no_cover(state: State, play: Play, wanted: int) -> Reason:
    """Why a bound seat may not lay there. ``wanted`` is the train where it must lay."""
    if play.train == MEXICAN and not state.setup.options.has_mexican_train:
        return Reason.NO_SUCH_TRAIN
    if play.train == wanted:
        return Reason.ENDS_DO_NOT_MATCH
    starts_own = wanted == state.turn and is_unstarted(state, wanted)
    return Reason.OWN_TRAIN_FIRST if starts_own else Reason.DOUBLE_NOT_COVERED


def why_no_follow_up(state: State, play: Play) -> Reason:
    """Why the seat that has just laid a double may not make this play next."""
    closed = why_closed(state, state.turn, play.train)
    is_fitting = play.tile.bit & WITH_PIP[state.ends[play.train]]
    if closed is Reason.NO_SUCH_TRAIN:
        return closed
    if play.tile.is_double and closed is None and is_fitting:
        return Reason.DOUBLES_LIMIT
    if may_follow_up_anywhere(state) and closed is not None:
        return closed
    is_owed_here = may_follow_up_anywhere(state) or play.train in trains_to_follow_up(state)
    return Reason.ENDS_DO_NOT_MATCH if is_owed_here else Reason.DOUBLE_NOT_COVERED


def why_not_draw_or_pass(state: State, move: Draw | Pass) -> Reason:
    """Why a seat may not draw, or may not pass yet."""
    is_able = bool(playable(state, state.turn))
    if state.progress.laid and is_in_long_first_turn(state):
        return Reason.MUST_PLAY
    if is_able and not state.setup.options.may_decline:
        return Reason.MUST_PLAY
    if isinstance(move, Pass):
        return Reason.MUST_DRAW_FIRST
    return Reason.BONEYARD_EMPTY if has_draw_left(state, is_able=is_able) else Reason.ALREADY_DREW
