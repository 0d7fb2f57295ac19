"""A race between moves: values in the same worlds, until one is clearly best."""

from collections.abc import Sequence
from math import inf, sqrt

FIRST_CHECK, EVERY = 24, 8
DROPPED_AT = 3.0
"""Standard errors behind the leader at which a move leaves the race."""
CLEARLY = 1.0
"""Standard errors that a move must be ahead of the one that was ready without a race. One as far behind it leaves.

Such a move could hardly win any more. Over recorded values, to wait for 3 gained nothing and took twice the worlds.
"""


class Race:
    """Moves are numbered, ``ready`` is the one that would be made without a race.

    ``values`` are those of each move, world by world; the moves ``alive`` are still compared.
    """

    def __init__(self, moves: int, ready: int) -> None:
        self.values: list[list[float]] = [[] for _ in range(moves)]
        self.alive = list(range(moves))
        self.ready = ready
        self.worlds = 0

    def note(self, values: Sequence[float]) -> None:
        """The values of the moves that are alive in one world more. From time to time the hopeless leave."""
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
        """The best move in the race, the first among equals."""
        return max(self.alive, key=lambda move: sum(self.values[move]))

    def gaps(self, one: int, other: int) -> list[float]:
        """How much better one move is than another in each world that both were tried in."""
        return [mine - theirs for mine, theirs in zip(self.values[one], self.values[other], strict=False)]

    def lead(self, one: int, other: int) -> float:
        """The same in standard errors."""
        gaps = self.gaps(one, other)
        count, total = len(gaps), sum(gaps)
        squares = sum(gap * gap for gap in gaps) - total * total / count
        if squares <= 0:
            return inf if total > 0 else 0.0
        return total / sqrt(squares * count / (count - 1))

    def winner(self) -> int:
        """The leader, unless the ready move is alive and not clearly worse, or the race was cut short."""
        if self.worlds < FIRST_CHECK:
            return self.ready
        leader = self.leader()
        return self.ready if self.ready in self.alive and self.lead(leader, self.ready) < CLEARLY else leader

    def gain(self, move: int) -> float:
        """How much better a move is on average than the best of the others."""
        others = [self.gaps(move, other) for other in range(len(self.values)) if other != move]
        return min(sum(gaps) / len(gaps) for gaps in others)
