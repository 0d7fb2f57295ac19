"""One round in process: a level for every seat, the points, and the CPU time of each choice."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from time import process_time

from rules.game import Ended
from rules.mexican_train.bots import choose
from rules.mexican_train.knowledge import learnt, nothing_known
from rules.mexican_train.moves import Move
from rules.mexican_train.scoring import round_points
from rules.mexican_train.state import State
from rules.mexican_train.transitions import apply
from rules.mexican_train.view import View, view_for
from rules.thinking import Guard, never


class BotFailed(Exception):
    """A bot raised an exception or chose an illegal move. The message says which bot, and where."""


@dataclass(frozen=True, slots=True)
class Played:
    """A finished round. ``seconds`` are the CPU times of each seat's choices, without forced moves."""

    points: tuple[int, ...]
    is_blocked: bool
    seconds: tuple["array[float]", ...]


def play(dealt: State, levels: Sequence[str], place: str, think_ms: int) -> Played:
    """Play a round to its end.

    ``place`` names it; with the seat and the move's number it seeds the bot's random numbers.
    """
    state, number = dealt, 0
    known = nothing_known(dealt.setup.options, dealt.setup.seats)
    seconds = tuple(array("d") for _ in levels)
    while state.ended is None:
        seat, number = state.turn, number + 1
        try:
            move, spent = timed_choice(levels[seat], view_for(state, seat, known), f"{place}/{seat}/{number}", think_ms)
            after = apply(state, move)
        except Exception as fault:
            raise BotFailed(f"{levels[seat]}, {place}, seat {seat}, move {number}: {fault!r}") from fault
        seconds[seat].extend(spent)
        state, known = after, learnt(known, state, move)
    return Played(round_points(state), state.ended is Ended.BLOCKED, seconds)


def timed_choice(level: str, view: View, place: str, think_ms: int) -> tuple[Move, Sequence[float]]:
    """The move, and the CPU seconds that it took. There is no time for the only legal move."""
    if len(view.legal_moves) == 1:
        return view.legal_moves[0], ()
    chance = Random(place).randrange  # noqa: S311 - the same place has the same chance, in whichever process
    guard = guard_for(think_ms)
    began = process_time()
    move = choose(level, view, chance, guard)
    return move, (process_time() - began,)


def guard_for(think_ms: int) -> Guard:
    """A guard that counts CPU time, so that a bot is not weaker on a busy machine."""
    if not think_ms:
        return never
    until = process_time() + think_ms / 1000
    return lambda: process_time() >= until
