"""What one legal move makes of a state."""

from dataclasses import replace

from rules.errors import IllegalMove
from rules.legality import is_anybody_able, legal_moves, why_not
from rules.moves import Draw, Move, Pass, Play
from rules.state import Ended, OpenDouble, State, Train, all_have_passed, is_dead, next_seat


def apply(state: State, move: Move) -> State:
    """The state after the seat to move has done this. Raises ``IllegalMove`` with the reason if it may not."""
    if move not in legal_moves(state):
        reason = why_not(state, move)
        assert reason is not None
        raise IllegalMove(reason)
    if isinstance(move, Play):
        return after_play(state, move)
    if isinstance(move, Draw):
        return after_draw(state)
    assert isinstance(move, Pass)
    return after_pass(state)


def after_play(state: State, play: Play) -> State:
    """The tile leaves the hand and joins the train; the last tile ends the round, an open double keeps the turn."""
    seat = state.turn
    hands, trains = list(state.hands), list(state.trains)
    hands[seat] ^= play.tile.bit
    trains[play.train] = extended(trains[play.train], play, seat)
    on_table = state.on_table | play.tile.bit
    open_doubles = doubles_left_open(state, play, on_table)
    goes_on = len(open_doubles) > len(state.open_doubles)
    return State(
        state.setup,
        tuple(trains),
        tuple(hands),
        state.boneyard,
        on_table,
        open_doubles,
        seat if goes_on or not hands[seat] else next_seat(state),
        ended=None if hands[seat] else Ended.OUT,
    )


def extended(train: Train, play: Play, seat: int) -> Train:
    """A train with one tile more; a seat's own play takes its marker off (``marker_clear``)."""
    is_marked = train.is_marked and play.train != seat
    return Train((*train.tiles, play.tile), play.tile.other_end(train.end), is_marked)


def doubles_left_open(state: State, play: Play, on_table: int) -> tuple[OpenDouble, ...]:
    """A tile laid on an open double covers it; a double opens; one that nothing can cover any more binds nobody."""
    still_open = state.open_doubles
    if play.tile.is_double:
        is_coverable = not is_dead(on_table, play.tile.high, state.setup)
        return (*still_open, OpenDouble(play.train, state.turn)) if is_coverable else still_open
    return tuple([each for each in still_open if each.train != play.train]) if still_open else still_open


def after_draw(state: State) -> State:
    """The front tile of the boneyard joins the hand, and the same seat goes on."""
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
        state.draws + 1,
        state.passed,
    )


def after_pass(state: State) -> State:
    """The seat's train gets its marker and the next seat moves, unless the round is blocked."""
    seat = state.turn
    own = state.trains[seat]
    trains = list(state.trains)
    trains[seat] = Train(own.tiles, own.end, is_marked=True)
    passed = State(
        state.setup,
        tuple(trains),
        state.hands,
        state.boneyard,
        state.on_table,
        state.open_doubles,
        next_seat(state),
        passed=state.passed | 1 << seat,
    )
    return replace(passed, ended=Ended.BLOCKED) if is_blocked(passed) else passed


def is_blocked(state: State) -> bool:
    """No tile to draw, every seat has passed since the last tile was laid, and nobody could lay one now.

    A lap of passes alone is not enough: the passes themselves open trains.
    """
    return not state.boneyard and all_have_passed(state) and not is_anybody_able(state)
