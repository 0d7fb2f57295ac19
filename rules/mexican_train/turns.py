"""The end of a turn: a marker after a pass, then the next seat's turn or the end of the round (``rules.md`` §3, §4)."""

from rules.game import Ended
from rules.mexican_train.announcing import after_turn_of
from rules.mexican_train.doubles import is_asked_to_cover_own
from rules.mexican_train.endings import seat_out
from rules.mexican_train.legality import is_anybody_able, playable
from rules.mexican_train.options import Options
from rules.mexican_train.state import (
    START,
    OpenDouble,
    Standing,
    State,
    Train,
    all_have_passed,
    is_first_lap_over,
    new_state,
    new_train,
)
from rules.tiles import TileSet


def next_turn(
    state: State,
    trains: tuple[Train, ...],
    hands: tuple[TileSet, ...],
    on_table: TileSet,
    open_doubles: tuple[OpenDouble, ...],
    standing: Standing,
    passed: int,
) -> State:
    """The next seat's turn, unless the round is over.

    ``passed`` are the seats that have passed since the last tile was laid, if this turn ended with a pass; otherwise 0.
    """
    later = turn_of_next(state, trains, hands, on_table, open_doubles, standing, passed)
    if (passed and not state.boneyard) or 0 in hands or standing.out is not None:
        return settled(later, state.turn, has_passed=passed > 0)
    return later


def turn_of_next(
    state: State,
    trains: tuple[Train, ...],
    hands: tuple[TileSet, ...],
    on_table: TileSet,
    open_doubles: tuple[OpenDouble, ...],
    standing: Standing,
    passed: int,
) -> State:
    """The same without checking whether the round is over."""
    setup, seat = state.setup, state.turn
    following, options = (seat + 1) % setup.seats, setup.options
    if open_doubles:
        open_doubles = doubles_not_lapsed(options, open_doubles, following)
    if options.must_announce or not standing.had_first_turn >> seat & 1:
        standing = standing_after_turn(options, standing, seat, hands[seat])
    return new_state(setup, trains, hands, state.boneyard, on_table, open_doubles, following, standing, START, passed)


def after_pass(state: State) -> State:
    """The seat's train is marked, unless the options spare it, and its turn is over."""
    trains, passed = trains_after_pass(state), state.passed | 1 << state.turn
    return next_turn(state, trains, state.hands, state.on_table, state.open_doubles, state.standing, passed)


def trains_after_pass(state: State) -> tuple[Train, ...]:
    seat, trains = state.turn, state.trains
    own = trains[seat]
    if own.is_marked or not earns_marker(state):
        return trains
    return (*trains[:seat], new_train(own.tiles, own.end, is_marked=True), *trains[seat + 1 :])


def earns_marker(state: State) -> bool:
    """Whether the seat to move is marked if it passes."""
    options = state.setup.options
    if options.spares_layer and is_asked_to_cover_own(state):
        return False
    return options.marks_stuck(has_laid=state.progress.laid > 0, is_boneyard_empty=not state.boneyard)


def doubles_not_lapsed(
    options: Options, open_doubles: tuple[OpenDouble, ...], following: int
) -> tuple[OpenDouble, ...]:
    """The open doubles that bind or may bind later turns, now that this seat is next (``double_obligation``)."""
    if options.lapses_at_once:
        return ()
    if options.lapses_at_layer:
        return tuple(each for each in open_doubles if each.layer != following)
    return open_doubles


def standing_after_turn(options: Options, standing: Standing, seat: int, hand: TileSet) -> Standing:
    """A seat has had its first turn. If it did not announce its last tile, it may be called."""
    if not standing.had_first_turn >> seat & 1:
        standing = standing._replace(had_first_turn=standing.had_first_turn | 1 << seat)
    return after_turn_of(standing, seat, hand.bit_count()) if options.must_announce else standing


def settled(state: State, mover: int, *, has_passed: bool = False) -> State:
    """The state with the seat that is out by now, and with the end of the round if it has come."""
    if 0 in state.hands and state.standing.out is None:
        out = seat_out(state, mover)
        state = state if out is None else state._replace(standing=state.standing._replace(out=out))
    if state.standing.out is None and not has_passed:
        return state
    ended = how_it_ended(state)
    return state if ended is None else state._replace(ended=ended)


def how_it_ended(state: State) -> Ended | None:
    """A round ends when a seat is out, at once or after the first lap. After a pass, it may also be blocked."""
    if state.standing.out is not None:
        is_waiting = state.setup.options.finishes_first_lap and not is_first_lap_over(state)
        return None if is_waiting else Ended.OUT
    return Ended.BLOCKED if is_blocked(state) else None


def is_blocked(state: State) -> bool:
    """A round is blocked if the boneyard is empty, every seat has passed, and further passes let no seat play.

    The options may drop the second or the third condition. A lap of passes alone proves little, because passes open
    trains.
    """
    options = state.setup.options
    if state.boneyard or (options.needs_lap_of_passes and not all_have_passed(state)):
        return False
    if not options.needs_nobody_able:
        return True
    return not (do_passes_lead_on(state) if options.looks_past_passes else is_anybody_able(state))


def do_passes_lead_on(state: State) -> bool:
    """Whether a seat could lay a tile or would be out in one of the next turns if all seats only passed.

    Two laps of passes bring about all that passes can: first turns end, deferred doubles begin to bind, doubles lapse,
    and trains are marked.
    """
    for _ in range(2 * state.setup.seats):
        if playable(state, state.turn):
            return True
        mover, state = state.turn, after_imagined_pass(state)
        if 0 in state.hands and seat_out(state, mover) is not None:
            return True
    return False


def after_imagined_pass(state: State) -> State:
    """The state after a pass, without checking whether the round is over."""
    left = (state.hands, state.on_table, state.open_doubles, state.standing)
    return turn_of_next(state, trains_after_pass(state), *left, state.passed)
