"""The end of a turn: a marker after a pass, then the next seat's turn or the end of the round (``rules.md`` §3, §4).

The functions named by a verb change the state that they are given, for ``rules.mexican_train.transitions.change``.
"""

from rules.game import Ended
from rules.mexican_train.announcing import has_announced
from rules.mexican_train.doubles import is_asked_to_cover_own
from rules.mexican_train.endings import seat_out
from rules.mexican_train.legality import is_anybody_able, playable
from rules.mexican_train.options import Options
from rules.mexican_train.state import (
    START,
    OpenDouble,
    State,
    all_have_passed,
    is_first_lap_over,
)


def end_turn(state: State, *, has_passed: bool = False) -> None:
    """It is the next seat's turn, unless the round is over. ``has_passed`` says that this turn ended with a pass."""
    mover = state.turn
    begin_next_turn(state)
    if 0 in state.hands or state.first_out is not None or (has_passed and not state.boneyard):
        settle(state, mover, has_passed=has_passed)


def begin_next_turn(state: State) -> None:
    """It is the next seat's turn. Nobody checks whether the round is over."""
    options, seat = state.setup.options, state.turn
    following = (seat + 1) % state.setup.seats
    if state.open_doubles:
        state.open_doubles = doubles_not_lapsed(options, state.open_doubles, following)
    if options.must_announce:
        expose(state)
    state.had_first_turn |= 1 << seat
    state.turn = following
    state.progress = START


def pass_turn(state: State) -> None:
    """The seat's train is marked, unless the options spare it, and its turn is over."""
    mark(state)
    state.passed |= 1 << state.turn
    end_turn(state, has_passed=True)


def mark(state: State) -> None:
    """Mark the train of the seat to move, which passes, unless the options spare it."""
    if not state.marked >> state.turn & 1 and earns_marker(state):
        state.marked |= 1 << state.turn


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


def expose(state: State) -> None:
    """The seat to move may be called if it ends its turn with one tile and did not announce.

    With another number of tiles, its announcement ends. An earlier seat can no longer be called.
    """
    seat = state.turn
    if state.hands[seat].bit_count() == 1:
        state.exposed = None if has_announced(state, seat) else seat
    else:
        state.announced &= ~(1 << seat)
        state.exposed = None


def settle(state: State, mover: int, *, has_passed: bool = False) -> None:
    """Find the seat that is out by now, and end the round if its end has come."""
    if 0 in state.hands and state.first_out is None:
        state.first_out = seat_out(state, mover)
    if has_passed or state.first_out is not None:
        state.ended = how_it_ended(state)


def how_it_ended(state: State) -> Ended | None:
    """A round ends when a seat is out, at once or after the first lap. After a pass, it may also be blocked."""
    if state.first_out is not None:
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
    imagined = state.copy()
    for _ in range(2 * state.setup.seats):
        mover = imagined.turn
        if playable(imagined, mover):
            return True
        mark(imagined)
        begin_next_turn(imagined)
        if 0 in imagined.hands and seat_out(imagined, mover) is not None:
            return True
    return False
