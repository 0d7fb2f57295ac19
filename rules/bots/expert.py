"""The bot that tries its moves out in possible worlds, and departs from the *hard* level where another does better."""

from collections.abc import Sequence

from rules.bots.choice import Chance, Choice, Grounds, Guard, Why
from rules.bots.fast_rules import FastRules, rules_for
from rules.bots.hard import spare_first
from rules.bots.plans import Planned, planned
from rules.bots.playout import Playout
from rules.bots.racing import Race
from rules.bots.worlds import World, Worlds
from rules.moves import Announce, Call, Move, Play
from rules.view import View

PLAYOUTS, BY_OTHER_RULES, AT_LARGE_TABLES = 800, 300, 160
"""How many a choice is worth: 800 where one double at most is open and markers alone decide what is open to whom.
Elsewhere one takes up to three times as long, and over recorded values fewer choose nearly as well.
"""
LARGE_TABLE = 9
OWN_STEPS = 300


def searched(view: View, chance: Chance, guard: Guard) -> Choice:
    """The *hard* level's move, or the one that does clearly better in as many worlds as there is time for."""
    ready = spare_first(view, chance, guard)
    moves = moves_to_try(view, ready.move)
    if len(moves) < 2:
        return ready
    trials = Trials(view, moves)
    return raced(trials, Worlds(view, chance), moves, ready, guard)


def moves_to_try(view: View, ready: Move) -> list[Move]:
    """Every way to go on. What is said costs nothing, and the last tile is simply laid."""
    if isinstance(ready, Announce | Call) or (isinstance(ready, Play) and view.hand.bit_count() == 1):
        return [ready]
    return [move for move in view.legal_moves if not isinstance(move, Announce | Call)]


def raced(trials: "Trials", worlds: Worlds, moves: Sequence[Move], ready: Choice, guard: Guard) -> Choice:
    """The moves against each other in world after world, while it is open which is best and there is time."""
    race, playouts = Race(len(moves), moves.index(ready.move)), playouts_for(trials.root.rules)
    while len(race.alive) > 1 and playouts > 0 and not guard():
        values = trials.values(worlds.deal(), race.alive)
        playouts -= len(values)
        race.note(values)
    best = race.winner()
    if moves[best] == ready.move:
        return ready
    return Choice(moves[best], Grounds(Why.SEARCHED, worlds=race.worlds, gain=race.gain(best)))


def playouts_for(rules: FastRules) -> int:
    """The budget of a choice by these rules."""
    if rules.seats >= LARGE_TABLE:
        return AT_LARGE_TABLES
    return PLAYOUTS if rules.has_one_double and rules.is_plain else BY_OTHER_RULES


class Trials:
    """The moves to be tried, and what the seat plans after each: that is the same in every world."""

    def __init__(self, view: View, moves: Sequence[Move]) -> None:
        assert view.seat is not None
        self.seat, self.moves = view.seat, moves
        self.root = Playout(rules_for(view.setup.options, view.setup.seats), view)
        self.planned = [self.planned_after(move) for move in moves]

    def planned_after(self, move: Move) -> Planned:
        """The seat's plan after a move, with the tiles that it holds for certain."""
        hand, end = self.root.hands[self.seat], self.root.ends[self.seat]
        if isinstance(move, Play):
            hand ^= move.tile.bit
            end = move.tile.other_end(end) if move.train == self.seat else end
        return planned(hand, end, OWN_STEPS)

    def values(self, world: World, moves: Sequence[int]) -> list[float]:
        """How much better the seat does than its rivals on average, after each of these moves in this world."""
        base = self.root.copy()
        base.hands, base.boneyard = world.hands, world.boneyard
        for seat in range(base.seats):
            if seat != self.seat:
                base.plan(seat)
        return [self.value(base.copy(), move) for move in moves]

    def value(self, trial: Playout, move: int) -> float:
        trial.take_plan(self.seat, self.planned[move])
        trial.make(self.moves[move])
        points = trial.finish()
        own = points[self.seat]
        return (sum(points) - own) / (trial.seats - 1) - own
