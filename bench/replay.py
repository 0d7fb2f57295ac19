"""Validated replay of a round with the rules' own ``replay`` against the tight engine, on the same logs in one run."""

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from random import Random
from statistics import median

from bench import tight_engine
from bench.measure import Measure, conclude, median_ratio
from bench.scripts import played_out
from rules.game import Ended
from rules.mexican_train.dealing import deal
from rules.mexican_train.legality import legal_moves
from rules.mexican_train.log import replay
from rules.mexican_train.moves import DRAW, MEXICAN, Move, Play
from rules.mexican_train.notation import move_text, parse_move
from rules.mexican_train.options import hand_size
from rules.mexican_train.presets import rules_of
from rules.mexican_train.state import State
from rules.mexican_train.transitions import change
from rules.tiles import Tile as RulesTile
from rules.tiles import TileSet, double_set

OPTIONS = rules_of("classic", {})
SEATS = 4
SIZE = hand_size(OPTIONS, SEATS)
DEALS_AN_ENGINE = 30
ROUNDS = 9
MOVES = 200
PLAYOUT_SECONDS = 1.0


@dataclass(frozen=True)
class Log:
    """One round as both engines and the database represent it."""

    engine: int
    starter: int
    order: list[RulesTile]
    moves: list[Move]
    texts: list[str]
    tight_order: list[int]
    actions: list[int]

    @property
    def dealt(self) -> State:
        return deal(OPTIONS, SEATS, self.engine, self.starter, self.order)

    @property
    def tight(self) -> tight_engine.Round:
        return tight_engine.Round(self.engine, self.tight_order, SEATS, SIZE, self.starter)


def logs(chance: Random) -> Iterator[Log]:
    for engine in range(OPTIONS.highest_pip + 1):
        for starter in range(DEALS_AN_ENGINE):
            order = list(double_set(OPTIONS.highest_pip))
            chance.shuffle(order)
            dealt = deal(OPTIONS, SEATS, engine, starter % SEATS, order)
            moves = [move for _, move in played_out(dealt, chance)]
            texts = [move_text(move) for move in moves]
            tight_order = [number_of(tile) for tile in order]
            yield Log(engine, starter % SEATS, order, moves, texts, tight_order, [action_of(move) for move in moves])


def number_of(tile: RulesTile) -> int:
    return tile.bit.bit_length() - 1


def action_of(move: Move) -> int:
    if isinstance(move, Play):
        return number_of(move.tile) << 4 | (SEATS if move.train == MEXICAN else move.train)
    return tight_engine.DRAW if move == DRAW else tight_engine.PASS


Facts = tuple[list[TileSet], list[list[int]], list[int], int, int, list[int], int, int, bool, int, bool]


def facts(state: State) -> Facts:
    """A state of the rules in the terms of the tight engine."""
    laid = [[number_of(tile) for tile in train.tiles] for train in state.trains]
    marked = sum(1 << seat for seat, train in enumerate(state.trains) if train.is_marked) | 1 << SEATS
    assert len(state.open_doubles) <= 1
    open_double = state.open_doubles[0].train % (SEATS + 1) if state.open_doubles else tight_engine.NONE
    boneyard = [number_of(tile) for tile in reversed(state.boneyard)]
    ends = [train.end for train in state.trains]
    is_over = state.ended is not None
    return (
        list(state.hands),
        laid,
        ends,
        marked,
        state.on_table,
        boneyard,
        open_double,
        tight_engine.NONE if is_over else state.turn,
        bool(state.progress.draws),
        state.passed,
        is_over,
    )


def tight_facts(tight: tight_engine.Round) -> Facts:
    return (
        tight.hands,
        tight.laid,
        tight.ends,
        tight.marked,
        tight.on_table,
        tight.boneyard,
        tight.open_double,
        tight_engine.NONE if tight.is_over else tight.turn,
        tight.has_drawn,
        tight.passed,
        tight.is_over,
    )


def check_agreement(log: Log) -> None:
    """Both engines must end in the same state, and so must the log read from text."""
    ours = replay(log.dealt, log.moves)
    tight = tight_engine.replay(log.tight, log.actions)
    assert facts(ours) == tight_facts(tight), f"engine {log.engine}: the engines disagree"
    assert ours == replay(log.dealt, map(parse_move, log.texts))


def cpu_per_move(work: Callable[[Log], object], all_logs: list[Log]) -> float:
    began = time.process_time()
    for log in all_logs:
        work(log)
    return (time.process_time() - began) / sum(len(log.moves) for log in all_logs)


def measure() -> list[Measure]:
    all_logs = list(logs(Random(1)))
    for log in all_logs:
        check_agreement(log)
    endings = {replay(log.dealt, log.moves).ended for log in all_logs}
    assert endings == set(Ended), "the logs are to show both ways in which a round ends"
    ours: list[tuple[float, float, float]] = [
        (
            cpu_per_move(lambda log: replay(log.dealt, log.moves), all_logs),
            cpu_per_move(lambda log: replay(log.dealt, map(parse_move, log.texts)), all_logs),
            cpu_per_move(lambda log: tight_engine.replay(log.tight, log.actions), all_logs),
        )
        for _ in range(ROUNDS)
    ]
    tight = f"tight engine {MOVES * 1000 * median(row[2] for row in ours):.3f} ms"
    names = ("replay of 200 moves", "the same from text")
    return [
        Measure(
            name,
            f"{MOVES * 1000 * median(row[at] for row in ours):.3f} ms",
            tight,
            median_ratio((row[at], row[2]) for row in ours),
            floor=4,
            goal=3,
        )
        for at, name in enumerate(names)
    ] + playouts(Random(2))


def playouts(chance: Random) -> list[Measure]:
    """Rounds of random legal moves to their end, against the ``dominoes`` package if it is installed."""
    if find_spec("dominoes") is None:
        return []
    pairs = [(rate(lambda: play_ours(chance)), rate(lambda: play_dominoes(chance))) for _ in range(3)]
    ours, theirs = (median(column) for column in zip(*pairs, strict=True))
    ratio = median_ratio(pairs)
    reference = f"dominoes {theirs:,.0f}/s"
    return [Measure("moves of playouts", f"{ours:,.0f}/s", reference, ratio, floor=1, goal=2, at_least=True)]


def rate(playout: Callable[[], int]) -> float:
    """Moves per second of CPU."""
    moves, began = 0, time.process_time()
    while time.process_time() - began < PLAYOUT_SECONDS:
        moves += playout()
    return moves / (time.process_time() - began)


def play_ours(chance: Random) -> int:
    order = list(double_set(OPTIONS.highest_pip))
    chance.shuffle(order)
    state, moves = deal(OPTIONS, SEATS, OPTIONS.highest_pip, 0, order), 0
    while state.ended is None:
        legal = legal_moves(state)
        change(state, legal[int(chance.random() * len(legal))])  # in place, as the other package does
        moves += 1
    return moves


def play_dominoes(chance: Random) -> int:
    import dominoes  # type: ignore[import-not-found]

    game, moves = dominoes.Game.new(), 0
    while game.result is None:
        game.make_move(*game.valid_moves[int(chance.random() * len(game.valid_moves))])
        moves += 1
    return moves


if __name__ == "__main__":
    sys.exit(conclude(measure()))
