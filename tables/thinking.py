"""A bot at a table: what it gets to see, its chance and its time, and what happens if it fails."""

import logging
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.conf import settings
from django.core.cache import cache
from redis.exceptions import RedisError

from rules.bots import BOTS, advise, choose
from rules.bots.choice import Chance, Choice, Guard
from rules.moves import Move
from rules.notation import move_text, parse_move
from rules.view import View
from tables.snapshots import Snapshot

SOFT_LIMIT, HARD_LIMIT = 2, 3
"""Seconds: after the first a thinking bot is interrupted, after the second its process is ended."""
CLAIMED_FOR = 10
"""Seconds for which a claim outlives a process that was ended: longer than anybody waits for its bot."""
SUBSTITUTE = "hard"
"""The level that moves in a bot's place: one that takes no time."""

log = logging.getLogger(__name__)


def chosen(snapshot: Snapshot, level: str) -> Move:
    """The bot's move. One that fails plays the first legal move, and the failure is logged."""
    try:
        return checked_choice(snapshot, level)
    except Exception:  # whatever it is, a time limit too: the table goes on
        log.exception("The bot %s failed at %s", level, how_to_reproduce(snapshot))
        return first_legal(snapshot)


def chosen_in_its_place(snapshot: Snapshot) -> Move:
    """The move for a bot that does not answer: a good one if nobody has begun to think about it.

    Somebody who has begun and is not done hangs, or was ended: what it met there nobody else is to meet.
    """
    return first_legal(snapshot) if is_begun(snapshot) else chosen(snapshot, SUBSTITUTE)


def checked_choice(snapshot: Snapshot, level: str) -> Move:
    view = view_of(snapshot, level)
    move = choose(level, view, chance_of(snapshot), time_guard())
    if move not in view.legal_moves:
        raise ValueError(f"{move_text(move)} is not legal")
    return move


def advice(snapshot: Snapshot, level: str) -> tuple[View, Choice]:
    """What a bot of this level would do in the place of the seat to move, and on what grounds."""
    view = view_of(snapshot, level)
    return view, advise(level, view, chance_of(snapshot), time_guard())


def view_of(snapshot: Snapshot, level: str) -> View:
    """What the seat to move sees, with what the moves have shown to everybody where the level asks for that."""
    assert snapshot.state is not None
    assert snapshot.round is not None
    rules, known = snapshot.rules, None
    if BOTS[level].reads_history:
        known = rules.known_after(snapshot.dealt(snapshot.round), map(parse_move, snapshot.round.moves))
    return rules.view_for(snapshot.state, snapshot.turn, known)


def chance_of(snapshot: Snapshot) -> Chance:
    """The same for the same place in the log, so that a task that is tried again chooses the same."""
    seed = f"{snapshot.id} {snapshot.next_number} {snapshot.turn}"
    return random.Random(seed).randrange  # noqa: S311


def time_guard() -> Guard:
    """True once a bot has had its time (``bot_think_ms``)."""
    end = time.monotonic() + settings.BOT_THINK_MS / 1000
    return lambda: time.monotonic() >= end


def first_legal(snapshot: Snapshot) -> Move:
    """What is played for a bot that has nothing to say: as the clock plays for a person."""
    assert snapshot.state is not None
    return snapshot.rules.clocks_move(snapshot.state)


def how_to_reproduce(snapshot: Snapshot) -> str:
    """Which place in which log it was: position and chance follow from that, and no hidden tile is told."""
    return f"table {snapshot.id}, number {snapshot.next_number}, seat {snapshot.turn}"


@contextmanager
def alone(snapshot: Snapshot) -> Iterator[bool]:
    """Whether nobody else thinks about this move yet. A process that is killed leaves its claim to run out."""
    is_first = True
    with suppress(RedisError):
        is_first = cache.add(claim_of(snapshot), "", timeout=CLAIMED_FOR)
    try:
        yield is_first
    finally:
        if is_first:
            with suppress(RedisError):
                cache.delete(claim_of(snapshot))


def is_begun(snapshot: Snapshot) -> bool:
    """Whether somebody has begun to think about this move, and is not done; also if nobody can be asked."""
    try:
        return claim_of(snapshot) in cache
    except RedisError:
        return True


def claim_of(snapshot: Snapshot) -> str:
    return f"thinking-{snapshot.id}-{snapshot.next_number}"
