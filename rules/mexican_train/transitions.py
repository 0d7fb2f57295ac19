"""The state after one legal move."""

from rules.errors import IllegalMove
from rules.mexican_train.announcing import announced
from rules.mexican_train.doubles import doubles_binding, split_open_doubles
from rules.mexican_train.endings import is_out
from rules.mexican_train.legality import is_legal, why_not
from rules.mexican_train.moves import Announce, Call, Draw, Move, Pass, Play
from rules.mexican_train.state import (
    OpenDouble,
    Progress,
    Standing,
    State,
    Train,
    is_dead,
    is_in_long_first_turn,
    progress,
)
from rules.mexican_train.turns import after_pass, next_turn, settled
from rules.tiles import Tile, TileSet, set_of


def apply(state: State, move: Move) -> State:
    """The state after the seat to move has made this move.

    Raises ``IllegalMove`` with the reason if it is illegal. A call may come from any seat but the called one. The
    caller makes no difference to the round.
    """
    if not is_legal(state, move):
        reason = why_not(state, move)
        assert reason is not None
        raise IllegalMove(reason)
    if isinstance(move, Play):  # frequent moves first and no `match`, because replays call this often
        return after_play(state, move)
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
    seat, tile = state.turn, play.tile
    hands = list(state.hands)
    hands[seat] ^= tile.bit
    trains = trains_after(state, play)
    on_table = state.on_table | tile.bit
    standing = standing_after_own_play(state.standing, seat) if play.train == seat else state.standing
    if not (tile.is_double or state.open_doubles or is_in_long_first_turn(state)):
        return next_turn(state, trains, tuple(hands), on_table, (), standing, passed=0)
    earlier, fresh = doubles_left_open(state, play, trains, on_table)
    laid = State(
        state.setup,
        trains,
        tuple(hands),
        state.boneyard,
        on_table,
        earlier + fresh,
        seat,
        standing,
        progress_after(state, play, len(fresh)),
    )
    if is_in_long_first_turn(laid):
        return settled(laid, seat) if laid.hands[seat] else turn_over(laid)
    if asks_for_follow_up(laid, tile):
        return settled(laid, seat)
    if is_cover(state, play) and goes_on_covering(laid):
        return settled(covering_on(laid), seat)
    return turn_over(laid)


def trains_after(state: State, play: Play) -> tuple[Train, ...]:
    """The train has one more tile, and the seat's own train loses its marker if the play takes it off."""
    trains, seat = list(state.trains), state.turn
    train, own = trains[play.train], trains[seat]
    if own.is_marked and clears_marker(state, play):
        trains[seat] = Train(own.tiles, own.end, is_marked=False)
    is_marked = trains[play.train].is_marked
    trains[play.train] = Train((*train.tiles, play.tile), play.tile.other_end(train.end), is_marked)
    return tuple(trains)


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
    if not (state.open_doubles or play.tile.is_double):
        return (), ()
    earlier, fresh = split_open_doubles(state)
    options = state.setup.options
    if play.tile.is_double and options.opens_doubles:
        fresh = (*fresh, OpenDouble(play.train, state.turn))

    def stays_open(each: OpenDouble) -> bool:
        pip = trains[each.train].end
        is_covered = each.train == play.train and not play.tile.is_double
        return not is_covered and not (options.lifts_dead_doubles and is_dead(on_table, pip, state.setup))

    return tuple(filter(stays_open, earlier)), tuple(filter(stays_open, fresh))


def standing_after_own_play(standing: Standing, seat: int) -> Standing:
    """Record that a seat has laid on its own train."""
    if standing.played_own >> seat & 1:
        return standing
    return standing._replace(played_own=standing.played_own | 1 << seat)


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
    before = state.progress
    hands = list(state.hands)
    hands[state.turn] |= state.boneyard[0].bit
    return State(
        state.setup,
        state.trains,
        tuple(hands),
        state.boneyard[1:],
        state.on_table,
        state.open_doubles,
        state.turn,
        state.standing,
        progress(before.laid, before.doubles, before.fresh, before.draws + 1, before.has_used_draw),
        state.passed,
    )


def after_call(state: State, call: Call) -> State:
    """The called seat draws its penalty, as far as the boneyard goes. The turn does not change."""
    count = state.setup.options.penalty_tiles
    hands = list(state.hands)
    hands[call.seat] |= set_of(state.boneyard[:count])
    standing = state.standing._replace(exposed=None)
    return state._replace(hands=tuple(hands), boneyard=state.boneyard[count:], standing=standing)


def turn_over(state: State) -> State:
    """The next seat's turn after one that ends without a pass, unless the round is over."""
    return next_turn(state, state.trains, state.hands, state.on_table, state.open_doubles, state.standing, passed=0)
