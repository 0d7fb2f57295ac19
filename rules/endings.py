"""When a round is over: somebody is out, or it is blocked (``rules.md`` §3, §4)."""

from rules.legality import is_anybody_able
from rules.state import Ended, State, all_have_passed, is_first_lap_over


def seat_out(state: State, mover: int) -> int | None:
    """The seat that is out now, if nobody was before: the first from the mover on."""
    seats = state.setup.seats
    return next((seat for seat in ((mover + step) % seats for step in range(seats)) if is_out(state, seat)), None)


def is_out(state: State, seat: int) -> bool:
    """A hand is empty; where the last double must be covered, none that this seat laid is open any more."""
    if state.hands[seat]:
        return False
    must_cover = state.setup.options.last_double_must_be_covered
    return not must_cover or all(each.layer != seat for each in state.open_doubles)


def how_it_ended(state: State, *, has_passed: bool) -> Ended | None:
    """Out at once, or when the first lap is finished; blocked is looked for after a pass, while nobody is out."""
    if state.standing.out is not None:
        is_waiting = state.setup.options.finishes_first_lap and not is_first_lap_over(state)
        return None if is_waiting else Ended.OUT
    return Ended.BLOCKED if has_passed and is_blocked(state) else None


def is_blocked(state: State) -> bool:
    """No tile to draw, every seat has passed since the last tile was laid, and nobody could lay one now.

    A lap of passes alone is not enough unless the rules say so: the passes themselves open trains.
    """
    options = state.setup.options
    if state.boneyard or (options.needs_lap_of_passes and not all_have_passed(state)):
        return False
    return not (options.needs_nobody_able and is_anybody_able(state))
