"""Which seat is out (``rules.md`` §4)."""

from rules.mexican_train.state import State


def seat_out(state: State, mover: int) -> int | None:
    """The seat that is out now, if there is one: the first from the mover on."""
    seats = state.setup.seats
    return next((seat for seat in ((mover + step) % seats for step in range(seats)) if is_out(state, seat)), None)


def is_out(state: State, seat: int) -> bool:
    """A seat is out if its hand is empty and, where the last double must be covered, no double that it laid is open."""
    if state.hands[seat]:
        return False
    must_cover = state.setup.options.last_double_must_be_covered
    return not must_cover or all(each.layer != seat for each in state.open_doubles)
