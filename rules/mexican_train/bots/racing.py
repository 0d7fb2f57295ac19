"""A race between moves: their values in the same worlds are compared until one is clearly best."""

from collections.abc import Sequence
from math import inf, sqrt

FIRST_CHECK, EVERY = 24, 8
DROPPED_AT = 3.0
"""A move that is this many standard errors behind the leader leaves the race."""
CLEARLY = 1.0
"""A move replaces the ready move only if it leads by this many standard errors.

While the ready move leads, a move this far behind leaves the race, because it could hardly win any more. On recorded
values, waiting for 3 standard errors gained nothing and took twice as many worlds.
"""


class Race:
    """A comparison of moves by number.

    ``ready`` is the move that would be made without a race. ``values`` are those of each move, world by world. The
    moves ``alive`` are still compared.
    """

    def __init__(self, moves: int, ready: int) -> None:
        self.values: list[list[float]] = [[] for _ in range(moves)]
        self.alive = list(range(moves))
        self.ready = ready
        self.worlds = 0

    def note(self, values: Sequence[float]) -> None:
        """Record the values of the moves alive in one more world. At intervals, moves that are too far behind leave."""
        for move, value in zip(self.alive, values, strict=True):
            self.values[move].append(value)
        self.worlds += 1
        if self.worlds >= FIRST_CHECK and self.worlds % EVERY == 0:
            self.drop_hopeless()

    def drop_hopeless(self) -> None:
        leader = self.leader()
        most = CLEARLY if leader == self.ready else DROPPED_AT
        self.alive = [move for move in self.alive if self.lead(leader, move) < most]

    def leader(self) -> int:
        """The best move alive; the first among equals."""
        return max(self.alive, key=lambda move: sum(self.values[move]))

    def gaps(self, one: int, other: int) -> list[float]:
        """How much better one move is than another, in each world in which both were tried."""
        return [mine - theirs for mine, theirs in zip(self.values[one], self.values[other], strict=False)]

    def lead(self, one: int, other: int) -> float:
        """The mean lead of one move over another, in standard errors."""
        gaps = self.gaps(one, other)
        count, total = len(gaps), sum(gaps)
        squares = sum(gap * gap for gap in gaps) - total * total / count
        if squares <= 0:
            return inf if total > 0 else 0.0
        return total / sqrt(squares * count / (count - 1))

    def winner(self) -> int:
        """The leader; or the ready move, if the race was cut short or the ready move is alive and not clearly worse."""
        if self.worlds < FIRST_CHECK:
            return self.ready
        leader = self.leader()
        return self.ready if self.ready in self.alive and self.lead(leader, self.ready) < CLEARLY else leader

    def gain(self, move: int) -> float:
        """How much better a move is on average than the best of the others."""
        others = [self.gaps(move, other) for other in range(len(self.values)) if other != move]
        return min(sum(gaps) / len(gaps) for gaps in others)
