"""A bot's turn at a table: its view, its random numbers, its time, and what happens if it fails."""

import logging
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.conf import settings
from django.core.cache import cache
from redis.exceptions import RedisError

from rules.game import View
from rules.thinking import Chance, Guard
from tables.snapshots import Snapshot

SOFT_LIMIT, HARD_LIMIT = 2, 3
"""Seconds. A bot that thinks longer is interrupted after the first limit; its process is killed after the second."""
CLAIMED_FOR = 10
"""Seconds after which the claim of a killed process expires. No table waits that long for its bot."""
SUBSTITUTE = "hard"
"""The level that moves in the place of a bot that does not answer. It needs almost no time."""

log = logging.getLogger(__name__)


def chosen(snapshot: Snapshot, level: str) -> Any:
    """Return the bot's move. If the bot fails, log the failure and return the move that the clock would make."""
    try:
        return checked_choice(snapshot, level)
    except Exception:  # any exception, also a time limit: the table must go on
        log.exception("The bot %s failed at %s", level, how_to_reproduce(snapshot))
        return first_legal(snapshot)


def chosen_in_its_place(snapshot: Snapshot) -> Any:
    """Return the move for a bot that does not answer: a good one, if no process is thinking about it.

    A process that has begun and not finished hangs or was killed. The same could happen to the next one, so nobody
    thinks about it again.
    """
    return first_legal(snapshot) if is_begun(snapshot) else chosen(snapshot, SUBSTITUTE)


def checked_choice(snapshot: Snapshot, level: str) -> Any:
    view = view_for_bot(snapshot, level)
    move = snapshot.rules.choose(level, view, chance_of(snapshot), time_guard())
    if move not in view.legal_moves:
        raise ValueError(f"{snapshot.rules.text(move)} is not legal")
    return move


def advice(snapshot: Snapshot, level: str) -> tuple[View[Any], Any, Any]:
    """Return the view of the seat to move, what a bot of this level would do there, and its grounds."""
    view = view_for_bot(snapshot, level)
    return view, *snapshot.rules.advise(level, view, chance_of(snapshot), time_guard())


def view_for_bot(snapshot: Snapshot, level: str) -> View[Any]:
    """Return what the seat to move sees. For a level that reads the history, it includes what moves have revealed."""
    assert snapshot.state is not None
    view: View[Any] = snapshot.rules.bots_view(snapshot.state, level, snapshot.log)
    return view


def chance_of(snapshot: Snapshot) -> Chance:
    """Return a source of random numbers that depends only on the place in the log.

    So a task that is repeated chooses the same move.
    """
    seed = f"{snapshot.id} {snapshot.next_number} {snapshot.turn}"
    return random.Random(seed).randrange  # noqa: S311


def time_guard() -> Guard:
    """Return a function that is true once a bot has used its time (``BOT_THINK_MS``)."""
    end = time.monotonic() + settings.BOT_THINK_MS / 1000
    return lambda: time.monotonic() >= end


def first_legal(snapshot: Snapshot) -> Any:
    """Return the move for a bot that fails: the one that the clock makes for a person."""
    assert snapshot.state is not None
    return snapshot.rules.clocks_move(snapshot.state)


def how_to_reproduce(snapshot: Snapshot) -> str:
    """Return the place in the log. The position and the random numbers follow from it; it reveals no hidden tile."""
    return f"table {snapshot.id}, number {snapshot.next_number}, seat {snapshot.turn}"


@contextmanager
def alone(snapshot: Snapshot) -> Iterator[bool]:
    """Yield whether nobody else is thinking about this move. The claim of a killed process expires."""
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
    """Whether a process is thinking about this move. Also true if Redis does not answer."""
    try:
        return claim_of(snapshot) in cache
    except RedisError:
        return True


def claim_of(snapshot: Snapshot) -> str:
    return f"thinking-{snapshot.id}-{snapshot.next_number}"
