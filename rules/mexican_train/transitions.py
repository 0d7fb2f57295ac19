"""The state after one legal move."""

from rules.errors import IllegalMove
from rules.mexican_train.announcing import announced
from rules.mexican_train.doubles import doubles_binding, split_open_doubles
from rules.mexican_train.endings import is_out
from rules.mexican_train.legality import is_legal, may_lay, why_not
from rules.mexican_train.moves import Announce, Call, Draw, Move, Pass, Play
from rules.mexican_train.state import (
    START,
    OpenDouble,
    Progress,
    State,
    Train,
    is_dead,
    is_in_long_first_turn,
    new_state,
    new_train,
    progress,
)
from rules.mexican_train.turns import after_pass, next_turn, settled
from rules.tiles import Tile, TileSet, set_of


def apply(state: State, move: Move) -> State:
    """The state after the seat to move has made this move.

    Raises ``IllegalMove`` with the reason if it is illegal. A call may come from any seat but the called one. The
    caller makes no difference to the round.
    """
    if isinstance(move, Play):  # frequent moves first and no `match`, because replays call this often
        if state.ended is None and may_lay(state, move):
            return after_play(state, move)
    elif is_legal(state, move):
        return after_other(state, move)
    reason = why_not(state, move)
    assert reason is not None
    raise IllegalMove(reason)


FIRST_DRAW = Progress(draws=1)


def after_other(state: State, move: Move) -> State:
    """The state after a legal move that lays no tile."""
    if isinstance(move, Draw):
        return after_draw(state)
    if isinstance(move, Pass):
        return after_pass(state)
    if isinstance(move, Call):
        return after_call(state, move)
    if isinstance(move, Announce):
        return state._replace(standing=announced(state.standing, state.turn))
    return turn_over(state)


def after_play(state: State, play: Play) -> State:
    """The tile leaves the hand and joins the train. Then the same seat goes on, or its turn ends."""
    setup, trains, hands, boneyard, on_table, open_doubles, seat, standing, _, _, _ = state
    tile, name = play.tile, play.train
    left = list(hands)
    left[seat] ^= tile.bit
    hands = tuple(left)
    trains = trains_after(state, trains, seat, play)
    on_table |= tile.bit
    if name == seat and not standing.played_own >> seat & 1:
        standing = standing._replace(played_own=standing.played_own | 1 << seat)
    is_over = not (tile.is_double or (open_doubles and setup.options.coverer_goes_on) or is_in_long_first_turn(state))
    if is_over and not open_doubles:
        return next_turn(state, trains, hands, on_table, (), standing, 0)
    earlier, fresh = doubles_left_open(state, play, trains, on_table)
    if is_over:
        return next_turn(state, trains, hands, on_table, earlier + fresh, standing, 0)
    progress = progress_after(state, play, len(fresh))
    laid = new_state(setup, trains, hands, boneyard, on_table, earlier + fresh, seat, standing, progress, 0)
    if is_in_long_first_turn(laid):
        return settled(laid, seat) if laid.hands[seat] else turn_over(laid)
    if asks_for_follow_up(laid, tile):
        return settled(laid, seat)
    if is_cover(state, play) and goes_on_covering(laid):
        return settled(covering_on(laid), seat)
    return turn_over(laid)


def trains_after(state: State, trains: tuple[Train, ...], seat: int, play: Play) -> tuple[Train, ...]:
    """The train has one more tile, and the seat's own train loses its marker if the play takes it off."""
    after, tile = list(trains), play.tile
    _, _, own_is_marked = trains[seat]
    if own_is_marked and clears_marker(state, play):
        after[seat] = new_train(trains[seat].tiles, trains[seat].end, is_marked=False)
    tiles, end, is_marked = after[play.train]
    after[play.train] = new_train((*tiles, tile), tile.low if tile.high == end else tile.high, is_marked)
    return tuple(after)


def clears_marker(state: State, play: Play) -> bool:
    """Whether a play takes the marker off the seat's own train (``marker_clear``)."""
    options = state.setup.options
    if play.train != state.turn:
        return options.any_play_clears_marker
    return not (play.keep_marker and options.may_keep_marker)


def is_cover(state: State, play: Play) -> bool:
    """Whether a non-double is laid on an open double."""
    return not play.tile.is_double and any(each.train == play.train for each in state.open_doubles)


def doubles_left_open(
    state: State, play: Play, trains: tuple[Train, ...], on_table: TileSet
) -> tuple[tuple[OpenDouble, ...], tuple[OpenDouble, ...]]:
    """The open doubles of earlier turns and those of this one, after a play that made these trains.

    A tile laid on an open double covers it. A double opens. Doubles that no tile can cover any more are lifted.
    """
    is_double, options = play.tile.is_double, state.setup.options
    earlier, fresh = split_open_doubles(state)
    if is_double and options.opens_doubles:
        fresh = (*fresh, OpenDouble(play.train, state.turn))

    def stays_open(each: OpenDouble) -> bool:
        pip = trains[each.train].end
        is_covered = each.train == play.train and not is_double
        return not is_covered and not (options.lifts_dead_doubles and is_dead(on_table, pip, state.setup))

    return earlier and tuple(filter(stays_open, earlier)), fresh and tuple(filter(stays_open, fresh))


def progress_after(state: State, play: Play, fresh: int) -> Progress:
    """The turn with one more tile. A draw is renewed, or used up if one was made (``draw_scope``)."""
    before = state.progress
    has_used_draw = before.has_used_draw or (before.draws > 0 and not state.setup.options.renews_draw)
    doubles = before.doubles + play.tile.is_double
    return progress(before.laid + 1, doubles, fresh, 0, has_used_draw)


def asks_for_follow_up(laid: State, tile: Tile) -> bool:
    """Whether the tile just laid is a double that needs a follow-up. A dead one that had to be covered needs none."""
    options = laid.setup.options
    if not tile.is_double or not options.opens_doubles or is_out(laid, laid.turn):
        return False
    is_lifted = options.lifts_dead_doubles and is_dead(laid.on_table, tile.high, laid.setup)
    return not (is_lifted and options.dead_double_ends_turn(laid.progress.doubles))


def goes_on_covering(laid: State) -> bool:
    """Whether a seat that has covered a double goes on with another (``cover_continues``)."""
    if not laid.setup.options.coverer_goes_on or is_out(laid, laid.turn):
        return False
    return bool(doubles_binding(covering_on(laid), laid.turn))


def covering_on(laid: State) -> State:
    """The turn after a cover: its own doubles must now be covered like those of earlier turns."""
    now = laid.progress
    return laid._replace(progress=progress(now.laid, 0, now.fresh, now.draws, now.has_used_draw))


def after_draw(state: State) -> State:
    """The front tile of the boneyard joins the hand. The same seat goes on."""
    setup, trains, hands, boneyard, on_table, open_doubles, seat, standing, before, passed, _ = state
    held = list(hands)
    held[seat] |= boneyard[0].bit
    now = FIRST_DRAW if before is START else progress_after_draw(before)
    return new_state(setup, trains, tuple(held), boneyard[1:], on_table, open_doubles, seat, standing, now, passed)


def progress_after_draw(before: Progress) -> Progress:
    """The turn with one more draw."""
    return progress(before.laid, before.doubles, before.fresh, before.draws + 1, before.has_used_draw)


def after_call(state: State, call: Call) -> State:
    """The called seat draws its penalty, as far as the boneyard goes. The turn does not change."""
    count = state.setup.options.penalty_tiles
    hands = list(state.hands)
    hands[call.seat] |= set_of(state.boneyard[:count])
    standing = state.standing._replace(exposed=None)
    return state._replace(hands=tuple(hands), boneyard=state.boneyard[count:], standing=standing)


def turn_over(state: State) -> State:
    """The next seat's turn after one that ends without a pass, unless the round is over."""
    return next_turn(state, state.trains, state.hands, state.on_table, state.open_doubles, state.standing, 0)
