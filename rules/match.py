"""All rounds of a table in order: who comes first in each, the standings, the winners. Rounds count from 0 here."""

from collections.abc import Sequence

from rules.options import Options


def first_seat_of(options: Options, seats: int, round_index: int, first: int, standing: Sequence[int]) -> int:
    """The seat from which a round counts: the first turn goes round the table, or to the lowest total so far.

    ``first`` is that seat of the first round, ``standing`` the totals of the rounds before this one.
    """
    if options.lowest_total_begins and round_index > 0:
        return list(standing).index(min(standing))
    return (first + round_index) % seats


def totals(points_by_round: Sequence[Sequence[int]], seats: int) -> tuple[int, ...]:
    """What each seat has scored so far."""
    return tuple(sum(points[seat] for points in points_by_round) for seat in range(seats))


def winners(options: Options, points_by_round: Sequence[Sequence[int]], may_win: Sequence[bool]) -> list[int]:
    """The seats with the lowest total, among those that may still win; equal ones share the win or are told apart."""
    standing = totals(points_by_round, len(may_win))
    left = [seat for seat, may in enumerate(may_win) if may]
    leaders = [seat for seat in left if standing[seat] == min(standing[each] for each in left)]
    if not options.breaks_ties_by_rounds:
        return leaders
    keys = {seat: tie_key([points[seat] for points in points_by_round]) for seat in leaders}
    return [seat for seat in leaders if keys[seat] == min(keys.values())]


def tie_key(points: Sequence[int]) -> tuple[int, int]:
    """Most rounds without points come first, then the lowest round with points."""
    others = [each for each in points if each]
    return (len(others) - len(points), min(others, default=0))
