"""The rounds of a match in order: the first seat of each, the totals, and the winners. Rounds count from 0 here."""

from collections.abc import Sequence

from rules.game import totals
from rules.mexican_train.options import Options


def first_seat_of(options: Options, seats: int, round_index: int, first: int, standing: Sequence[int]) -> int:
    """The first seat of a round: the next seat each round, or the seat with the lowest total so far.

    ``first`` is the first seat of the first round. ``standing`` are the totals of the rounds before this one.
    """
    if options.lowest_total_begins and round_index > 0:
        return list(standing).index(min(standing))
    return (first + round_index) % seats


def winners(options: Options, points_by_round: Sequence[Sequence[int]], may_win: Sequence[bool]) -> list[int]:
    """The seats with the lowest total among those that may win.

    Seats with equal totals share the win, or the tie is broken.
    """
    standing = totals(points_by_round, len(may_win))
    left = [seat for seat, may in enumerate(may_win) if may]
    leaders = [seat for seat in left if standing[seat] == min(standing[each] for each in left)]
    if not options.breaks_ties_by_rounds:
        return leaders
    keys = {seat: tie_key([points[seat] for points in points_by_round]) for seat in leaders}
    return [seat for seat in leaders if keys[seat] == min(keys.values())]


def tie_key(points: Sequence[int]) -> tuple[int, int]:
    """The order of seats with equal totals: more rounds without points first, then the lowest round with points."""
    others = [each for each in points if each]
    return (len(others) - len(points), min(others, default=0))
