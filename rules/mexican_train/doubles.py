"""Open doubles: which seats those of earlier turns bind, and what a turn owes after laying one (``rules.md`` §3)."""

from rules.mexican_train.state import OpenDouble, State, is_first_lap_over, is_in_long_first_turn, is_unstarted


def owes_follow_up(state: State) -> bool:
    """Whether the seat to move has laid a double that needs another tile. A long first turn owes nothing."""
    return state.progress.doubles > 0 and not is_in_long_first_turn(state)


def target_double(state: State, seat: int) -> OpenDouble | None:
    """The double that this seat must cover before it lays anything else, if it were its turn."""
    bound = doubles_binding(state, seat)
    if not bound:
        return None
    return bound[-1] if state.setup.options.closes_newest_first else bound[0]


def doubles_binding(state: State, seat: int) -> tuple[OpenDouble, ...]:
    """The open doubles of earlier turns that bind this seat, and its own of this turn after a cover; oldest first."""
    earlier, fresh = split_open_doubles(state)
    if earlier and not state.setup.options.always_binds_everybody:
        earlier = earlier_doubles_binding(state, seat, earlier)
    return earlier if state.progress.doubles else earlier + fresh


def earlier_doubles_binding(state: State, seat: int, earlier: tuple[OpenDouble, ...]) -> tuple[OpenDouble, ...]:
    """Those open doubles of earlier turns that bind this seat."""
    options = state.setup.options
    if options.defers_first_doubles and not is_first_lap_over(state):
        return ()
    return tuple([each for each in earlier if options.binds(is_layer=each.layer == seat)])


def split_open_doubles(state: State) -> tuple[tuple[OpenDouble, ...], tuple[OpenDouble, ...]]:
    """The open doubles that earlier turns left, and those that this turn has laid."""
    doubles, fresh = state.open_doubles, state.progress.fresh
    return (doubles[:-fresh], doubles[-fresh:]) if fresh else (doubles, ())


def train_to_cover(state: State, seat: int, target: OpenDouble) -> int:
    """The train where a bound seat must lay: the double's, or its own empty train if the options want that first."""
    if state.setup.options.own_train_before_covering and is_unstarted(state, seat):
        return seat
    return target.train


def trains_to_follow_up(state: State) -> list[int]:
    """The trains where the seat to move may cover a double of this turn next."""
    _, fresh = split_open_doubles(state)
    return [each.train for each in state.setup.options.doubles_to_follow_up(fresh)]


def may_follow_up_anywhere(state: State) -> bool:
    """Whether the tile that this turn owes may go on any available train.

    It always may if the turn's doubles are all dead.
    """
    progress = state.progress
    return progress.fresh == 0 or state.setup.options.may_follow_up_anywhere(progress.doubles)


def is_asked_to_cover_own(state: State) -> bool:
    """Whether the double that the seat to move must cover is its own, from this turn or an earlier one."""
    if owes_follow_up(state):
        return True
    target = target_double(state, state.turn)
    if target is None or target.layer != state.turn:
        return False
    return train_to_cover(state, state.turn, target) == target.train


def visible_doubles(state: State) -> tuple[OpenDouble, ...]:
    """The open doubles that everybody sees. Those of a long first turn become open doubles only when it ends."""
    return split_open_doubles(state)[0] if is_in_long_first_turn(state) else state.open_doubles
