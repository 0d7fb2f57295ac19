"""Points for the tiles left in hand (``rules.md`` §4)."""

from rules.game import Ended
from rules.mexican_train.options import Options
from rules.mexican_train.state import State
from rules.tiles import TileSet, tiles_in


def round_points(state: State) -> tuple[int, ...]:
    """What each seat scores in a finished round: the tiles left in its hand, adjusted by the options."""
    options = state.setup.options
    points = tuple(hand_points(options, hand) for hand in state.hands)
    if state.ended is Ended.BLOCKED and options.lowest_of_blocked_scores_nothing:
        return tuple(0 if each == min(points) else each for each in points)
    return tuple(options.points_for_going_out if seat == state.out else each for seat, each in enumerate(points))


def hand_points(options: Options, hand: TileSet) -> int:
    return sum(options.points_of(tile) for tile in tiles_in(hand))
