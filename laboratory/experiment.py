"""What an experiment compares: which levels, how many seats and deals, by which rules, from which seed."""

from dataclasses import dataclass
from itertools import combinations

from rules.mexican_train.bots import BOTS
from rules.mexican_train.options import Options, must_suit

Pair = tuple[str, str]


class BadExperiment(Exception):
    """An experiment that cannot be made. The message says why."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """Every pair of levels plays the same deals.

    Raises ``BadExperiment``, or ``BadOption`` if the rules do not suit the seats. ``think_ms`` is the CPU time of a
    move after which the guard tells the bot to answer; 0 means no limit.
    """

    levels: tuple[str, ...]
    seats: int
    deals: int
    options: Options
    seed: str = "laboratory"
    think_ms: int = 150

    def __post_init__(self) -> None:
        for level in self.levels:
            if level not in BOTS:
                raise BadExperiment(f"There is no level {level!r}; the levels are {', '.join(BOTS)}.")
        if len(self.levels) < 2:
            raise BadExperiment("Name at least two levels.")
        if self.deals < 1:
            raise BadExperiment("The number of deals must be at least 1.")
        if self.think_ms < 0:
            raise BadExperiment("The time for a move must be 0 ms or more.")
        must_suit(self.options, self.seats)

    @property
    def pairs(self) -> list[Pair]:
        """Every level with every later one, each pair once. A level that is named twice is also paired with itself."""
        return list(dict.fromkeys(combinations(self.levels, 2)))
