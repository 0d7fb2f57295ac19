"""The trains that a seat may lay on while no double must be covered or followed up (``rules.md`` §3, *available*)."""

from rules.mexican_train.moves import MEXICAN
from rules.mexican_train.reasons import Reason
from rules.mexican_train.state import State, is_first_turn, is_unstarted, train_names


def why_closed(state: State, seat: int, train: int) -> Reason | None:
    """Why a seat may not lay on a train; ``None`` if it may. A seat may always lay on its own train."""
    if train == seat:
        return None
    options = state.setup.options
    if train == MEXICAN:
        return None if options.is_mexican_always_open else why_mexican_closed(state, seat)
    if state.marked >> train & 1 and options.are_marked_always_open:
        return None
    return why_others_closed(state, seat, train)


def trains_available(state: State, seat: int) -> int:
    """The trains that a seat may lay on, one bit each. The last bit is that of the Mexican Train."""
    setup = state.setup
    if setup.options.only_markers_decide:
        return state.marked | 1 << seat | 1 << setup.seats
    names = enumerate(train_names(setup.seats))
    return sum(1 << at for at, train in names if why_closed(state, seat, train) is None)


def why_mexican_closed(state: State, seat: int) -> Reason | None:
    """Every seat may lay on the Mexican Train once it is started, unless the options keep the seat to its own train."""
    options = state.setup.options
    if not options.has_mexican_train:
        return Reason.NO_SUCH_TRAIN
    if is_kept_to_own(state, seat, may_use=options.first_turn_may_use_mexican):
        return Reason.FIRST_TURN_OWN_TRAIN
    if not (state.tiles[MEXICAN] or may_start_mexican(state, seat)):
        return Reason.MEXICAN_NOT_YET
    if is_unstarted(state, seat) and options.own_train_before_mexican:
        return Reason.OWN_TRAIN_FIRST
    return None


def may_start_mexican(state: State, seat: int) -> bool:
    """Whether this seat may lay the Mexican Train's first tile now."""
    return state.setup.options.may_start_mexican(
        is_first_turn=is_first_turn(state, seat),
        are_all_started=are_all_started(state),
    )


def are_all_started(state: State) -> bool:
    """Whether every seat's own train holds a tile."""
    return all(state.tiles[:MEXICAN])


def is_kept_to_own(state: State, seat: int, *, may_use: bool) -> bool:
    """Whether a seat may use only its own train for now (``first_turn_trains``).

    ``may_use`` says whether the options let the seat use the other train in its first turn.
    """
    if state.setup.options.waits_for_all_trains:
        return not are_all_started(state)
    return not may_use and is_first_turn(state, seat)


def why_others_closed(state: State, seat: int, train: int) -> Reason | None:
    """Another seat's train is open while it carries a marker or is public."""
    options = state.setup.options
    if not is_open(state, train) or (is_unstarted(state, train) and not options.may_start_others_train):
        return Reason.TRAIN_NOT_OPEN
    if is_kept_to_own(state, seat, may_use=options.first_turn_may_use_others):
        return Reason.FIRST_TURN_OWN_TRAIN
    if is_unstarted(state, seat) and options.own_train_before_others:
        return Reason.OWN_TRAIN_FIRST
    return None


def is_open(state: State, owner: int) -> bool:
    """Whether a seat's train is open to others, by its marker and by ``train_privacy``."""
    if state.marked >> owner & 1:
        return True
    return state.setup.options.is_public(has_owner_played=bool(state.played_own >> owner & 1))
