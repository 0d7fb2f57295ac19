"""The deals of an experiment in the order of matches: engines fall, and the first turn rotates."""

import hashlib
from collections.abc import Sequence

from laboratory.experiment import Experiment
from rules.mexican_train.dealing import choose_engine, deal
from rules.mexican_train.state import State
from rules.shuffling import drawn_seat, shuffled
from rules.tiles import Tile


def deal_number(experiment: Experiment, number: int) -> State:
    """The first state of this deal. It follows from the seed, whichever levels play."""
    match, index = divmod(number, experiment.options.round_count)
    first, used, order = first_seat(experiment, match), list[int](), list[Tile]()
    for each in range(index + 1):
        order = order_of(experiment, match, each)
        used.append(engine_of(experiment, each, used, first, order))
    return deal(experiment.options, experiment.seats, used[-1], turn_of(experiment, index, first), order)


def engine_of(experiment: Experiment, index: int, used: Sequence[int], first: int, order: Sequence[Tile]) -> int:
    """The engine of a match's round. A double that has been an engine is not used again."""
    begins = turn_of(experiment, index, first)
    return choose_engine(experiment.options, experiment.seats, index, used, begins, order)


def turn_of(experiment: Experiment, index: int, first: int) -> int:
    """The first seat of a round.

    It rotates even where the options let the lowest total begin: totals depend on the seating, and both seatings of a
    deal must have the same starter.
    """
    return (first + index) % experiment.seats


def first_seat(experiment: Experiment, match: int) -> int:
    if not experiment.options.draws_first_seat:
        return 0
    return drawn_seat(secret_of(experiment), str(match), 1, [""] * experiment.seats)


def order_of(experiment: Experiment, match: int, index: int) -> list[Tile]:
    return shuffled(secret_of(experiment), str(match), index + 1, [], experiment.options.highest_pip)


def secret_of(experiment: Experiment) -> bytes:
    return hashlib.sha256(experiment.seed.encode()).digest()
