"""The *expert* bot: it tries its moves in possible worlds, and makes the *hard* bot's move unless another is better."""

from collections.abc import Sequence

from rules.mexican_train.bots.choice import Choice, Grounds, Why
from rules.mexican_train.bots.fast_rules import FastRules, rules_for
from rules.mexican_train.bots.hard import spare_first
from rules.mexican_train.bots.plans import Planned, planned
from rules.mexican_train.bots.playout import Playout
from rules.mexican_train.bots.racing import Race
from rules.mexican_train.bots.worlds import World, Worlds
from rules.mexican_train.moves import Announce, Call, Move, Play
from rules.mexican_train.view import View
from rules.thinking import Chance, Guard

PLAYOUTS, BY_OTHER_RULES, AT_LARGE_TABLES = 800, 300, 160
"""How many play-outs a choice may use.

``PLAYOUTS`` is for options with at most one open double, where only markers open trains. With other options a play-out
takes up to three times as long; on recorded values, fewer play-outs choose nearly as well.
"""
LARGE_TABLE = 9
OWN_STEPS = 300


def searched(view: View, chance: Chance, guard: Guard) -> Choice:
    """The *hard* bot's move, or a move that does clearly better in as many worlds as time allows."""
    ready = spare_first(view, chance, guard)
    moves = moves_to_try(view, ready.move)
    if len(moves) < 2:
        return ready
    trials = Trials(view, moves)
    return raced(trials, Worlds(view, chance), moves, ready, guard)


def moves_to_try(view: View, ready: Move) -> list[Move]:
    """The moves to compare. If the ready move calls, announces or lays the last tile, it is the only one."""
    if isinstance(ready, Announce | Call) or (isinstance(ready, Play) and view.hand.bit_count() == 1):
        return [ready]
    return [move for move in view.legal_moves if not isinstance(move, Announce | Call)]


def raced(trials: "Trials", worlds: Worlds, moves: Sequence[Move], ready: Choice, guard: Guard) -> Choice:
    """Compare the moves in world after world, until one is clearly best or the play-outs or the time are used up."""
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
    """How many play-outs a choice may use by these rules."""
    if rules.seats >= LARGE_TABLE:
        return AT_LARGE_TABLES
    return PLAYOUTS if rules.has_one_double and rules.is_plain else BY_OTHER_RULES


class Trials:
    """The moves to compare, and the seat's plan after each.

    The plans are made once, because they are the same in every world.
    """

    def __init__(self, view: View, moves: Sequence[Move]) -> None:
        assert view.seat is not None
        self.seat, self.moves = view.seat, moves
        self.root = Playout(rules_for(view.setup.options, view.setup.seats), view)
        self.planned = [self.planned_after(move) for move in moves]

    def planned_after(self, move: Move) -> Planned:
        """The seat's plan after a move, made from the tiles that it certainly holds."""
        hand, end = self.root.hands[self.seat], self.root.ends[self.seat]
        if isinstance(move, Play):
            hand ^= move.tile.bit
            end = move.tile.other_end(end) if move.train == self.seat else end
        return planned(hand, end, OWN_STEPS)

    def values(self, world: World, moves: Sequence[int]) -> list[float]:
        """For each of these moves, how many points fewer the seat scores in this world than its rivals on average."""
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
