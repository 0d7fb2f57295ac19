"""What workers do: a bot's turn, the clock's turn, the sweep that finds both, and tidying up."""

import logging
import random
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar
from uuid import UUID

from celery import shared_task
from django.db import InterfaceError, NotSupportedError, OperationalError, connection
from django.utils import timezone

from rest import health
from rest.idempotency import forget_old_answers
from rules.bots import choose
from rules.moves import Move
from rules.view import view_for
from tables import codec, play, schedule, seating
from tables.codec import Snapshot

log = logging.getLogger(__name__)


P = ParamSpec("P")
T = TypeVar("T")


def unless_database_is_away(task: Callable[P, T]) -> Callable[P, T | None]:
    """A database that does not answer is told in a line: nothing is lost, the next sweep finds what is due."""

    @wraps(task)
    def run(*args: P.args, **kwargs: P.kwargs) -> T | None:
        try:
            return task(*args, **kwargs)
        except (InterfaceError, NotSupportedError, OperationalError) as error:
            connection.close()
            log.warning("The database does not answer; %s is left to a later sweep: %s", task.__name__, error)
            return None

    return run


@shared_task(name=schedule.TAKE_TURN)
@unless_database_is_away
def take_turn(table: str, number: int) -> bool:
    """Move a table on that waits at ``number``. Twice, late, or for a table that has moved on, it does nothing."""
    snapshot = codec.load(UUID(table))
    if snapshot is None or not snapshot.is_playing or snapshot.next_number != number:
        return False
    level = play.mover(snapshot).level
    if level is None:
        return play.time_out(snapshot.id, number, timezone.now())
    return play.submit_bot_move(snapshot.id, number, chosen(snapshot, level), timezone.now())


def chosen(snapshot: Snapshot, level: str) -> Move:
    """The bot's move, from what its seat sees. One that fails plays the first legal move, and the failure is logged."""
    assert snapshot.state is not None
    view = view_for(snapshot.state, snapshot.turn)
    seed = f"{snapshot.id} {snapshot.next_number} {snapshot.turn}"
    try:
        move = choose(level, view, random.Random(seed).randrange)  # noqa: S311 - a retried task must choose the same
        if move in view.legal_moves:
            return move
        raise ValueError(f"{move} is not legal")
    except Exception:
        log.exception("The bot %s failed at table %s, number %s", level, snapshot.id, snapshot.next_number)
        return view.legal_moves[0]


@shared_task(name="tables.tasks.sweep")
@unless_database_is_away
def sweep() -> int:
    """Find tables whose time is over or whose bot was never told, and have each looked after."""
    now = timezone.now()
    due = schedule.claim_due(now)
    for table, number in due:
        schedule.nudge(table, number)
    health.beat(now)
    return len(due)


@shared_task(name="tables.tasks.tidy")
@unless_database_is_away
def tidy() -> None:
    """Forget what is kept for a day only, and give on what forgotten players have left."""
    forget_old_answers(timezone.now())
    seating.vacate_all_forgotten()
