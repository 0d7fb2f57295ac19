"""The state after one legal move.

Functions that return no state change the one that they are given.
"""

from rules.errors import IllegalMove
from rules.mexican_train.doubles import doubles_binding, split_open_doubles
from rules.mexican_train.endings import is_out
from rules.mexican_train.legality import is_legal, may_lay, why_not
from rules.mexican_train.moves import Announce, Call, Draw, Move, Pass, Play
from rules.mexican_train.state import (
    OpenDouble,
    Progress,
    State,
    is_dead,
    is_in_long_first_turn,
    open_double,
    progress,
)
from rules.mexican_train.turns import end_turn, pass_turn, settle
from rules.tiles import Tile, set_of


def apply(state: State, move: Move) -> State:
    """The state after the seat to move has made this move.

    Raises ``IllegalMove`` with the reason if it is illegal. A call may come from any seat but the called one. The
    caller makes no difference to the round.
    """
    after = state.copy()
    change(after, move)
    return after


def change(state: State, move: Move) -> None:
    """Make this move in a state that nobody else holds.

    Raises ``IllegalMove`` before anything changes.
    """
    # Replays call this often, and ``isinstance`` takes long to say no. So the classes are compared.
    if type(move) is Play:
        if state.ended is None and may_lay(state, move):
            return lay(state, move)
    elif is_legal(state, move):
        if type(move) is Draw:
            return draw(state)
        if type(move) is Pass:
            return pass_turn(state)
        return make_rare(state, move)
    reason = why_not(state, move)
    assert reason is not None
    raise IllegalMove(reason)


def make_rare(state: State, move: Move) -> None:
    """Make a legal move that is neither a play, nor a draw, nor a pass."""
    if isinstance(move, Call):
        draw_penalty(state, move.seat)
    elif isinstance(move, Announce):
        state.announced |= 1 << state.turn
    else:
        end_turn(state)


def lay(state: State, play: Play) -> None:
    """The tile leaves the hand and joins the train. Then the same seat goes on, or its turn ends."""
    tile, seat = play.tile, state.turn
    if play.train == seat:
        state.played_own |= 1 << seat
    state.hands[seat] ^= tile.bit
    state.on_table |= tile.bit
    state.passed = 0
    extend_train(state, play)
    if (tile.is_double or state.open_doubles or is_in_long_first_turn(state)) and continue_turn(state, play):
        settle(state, seat)
    else:
        end_turn(state)


def continue_turn(state: State, play: Play) -> bool:
    """Count the tile just laid; open, cover and lift doubles. The result says whether the seat goes on."""
    is_covering = state.setup.options.coverer_goes_on and is_cover(state, play)
    change_open_doubles(state, play)
    if is_in_long_first_turn(state):
        return bool(state.hands[state.turn])
    if play.tile.is_double and asks_for_follow_up(state, play.tile):
        return True
    if not is_covering or is_out(state, state.turn):
        return False
    state.progress = covering_on(state.progress)
    return bool(doubles_binding(state, state.turn))


def extend_train(state: State, play: Play) -> None:
    """The train has one more tile, and the seat's own train loses its marker if the play takes it off."""
    tile, train, ends = play.tile, play.train, state.ends
    state.tiles[train] += (tile,)
    ends[train] = tile.low if tile.high == ends[train] else tile.high
    if state.marked >> state.turn & 1 and clears_marker(state, play):
        state.marked ^= 1 << state.turn


def clears_marker(state: State, play: Play) -> bool:
    """Whether a play takes the marker off the seat's own train (``marker_clear``)."""
    options = state.setup.options
    if play.train != state.turn:
        return options.any_play_clears_marker
    return not (play.keep_marker and options.may_keep_marker)


def is_cover(state: State, play: Play) -> bool:
    """Whether a non-double is laid on an open double."""
    return not play.tile.is_double and any(each.train == play.train for each in state.open_doubles)


def change_open_doubles(state: State, play: Play) -> None:
    """A double opens, and another tile covers the open double that it is laid on.

    Doubles that no tile can cover any more are lifted. The turn has one more tile.
    """
    options, train = state.setup.options, play.train
    earlier, fresh = split_open_doubles(state)
    if not play.tile.is_double:
        earlier = tuple([each for each in earlier if each.train != train])
        fresh = tuple([each for each in fresh if each.train != train])
    elif options.opens_doubles:
        fresh += (open_double(train, state.turn),)
    if options.lifts_dead_doubles:
        earlier, fresh = doubles_alive(state, earlier), doubles_alive(state, fresh)
    state.open_doubles = earlier + fresh
    state.progress = progress_after(state, play.tile, len(fresh))


def doubles_alive(state: State, doubles: tuple[OpenDouble, ...]) -> tuple[OpenDouble, ...]:
    """Those of these doubles that some tile can still cover."""
    if not doubles:
        return doubles
    return tuple([each for each in doubles if not is_dead(state.on_table, state.ends[each.train], state.setup)])


def progress_after(state: State, tile: Tile, fresh: int) -> Progress:
    """The turn with one more tile. A draw is renewed, or used up if one was made (``draw_scope``)."""
    before = state.progress
    has_used_draw = before.has_used_draw or (before.draws > 0 and not state.setup.options.renews_draw)
    return progress(before.laid + 1, before.doubles + tile.is_double, fresh, 0, has_used_draw)


def asks_for_follow_up(state: State, tile: Tile) -> bool:
    """Whether the double just laid needs a follow-up. A dead one that had to be covered needs none."""
    options = state.setup.options
    if not options.opens_doubles or is_out(state, state.turn):
        return False
    is_lifted = options.lifts_dead_doubles and is_dead(state.on_table, tile.high, state.setup)
    return not (is_lifted and options.dead_double_ends_turn(state.progress.doubles))


def covering_on(now: Progress) -> Progress:
    """The turn after a cover: its own doubles must now be covered like those of earlier turns."""
    return progress(now.laid, 0, now.fresh, now.draws, now.has_used_draw)


def draw(state: State) -> None:
    """The front tile of the boneyard joins the hand. The same seat goes on."""
    boneyard, before = state.boneyard, state.progress
    state.hands[state.turn] |= boneyard[0].bit
    state.boneyard = boneyard[1:]
    state.progress = progress(before.laid, before.doubles, before.fresh, before.draws + 1, before.has_used_draw)


def draw_penalty(state: State, seat: int) -> None:
    """A called seat draws its penalty, as far as the boneyard goes. The turn does not change."""
    count = state.setup.options.penalty_tiles
    state.hands[seat] |= set_of(state.boneyard[:count])
    state.boneyard = state.boneyard[count:]
    state.exposed = None
