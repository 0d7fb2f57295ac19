"""What workers do: a bot's turn, the clock's turn, the sweep that finds both, and tidying up."""

import logging
from uuid import UUID

from celery import shared_task
from django.utils import timezone

from rest import health
from rest.away import unless_database_is_away
from rest.idempotency import forget_old_answers
from tables import codec, expiry, play, schedule, seating, thinking
from tables.codec import Snapshot

log = logging.getLogger(__name__)


@shared_task(name=schedule.TAKE_TURN, soft_time_limit=thinking.SOFT_LIMIT, time_limit=thinking.HARD_LIMIT)
@unless_database_is_away
def take_turn(table: str, number: int) -> bool:
    """Move a table on that waits at ``number``. Twice, late, or for a table that has moved on, it does nothing."""
    snapshot = waiting_at(table, number)
    if snapshot is None:
        return False
    level = play.mover(snapshot).level
    if level is None:
        return play.time_out(snapshot.id, number, timezone.now())
    with thinking.alone(snapshot, level) as is_first:
        if not is_first:
            return False
        return play.submit_bot_move(snapshot.id, number, thinking.chosen(snapshot, level), timezone.now())


@shared_task(name=schedule.LOOK_AFTER)
@unless_database_is_away
def look_after(table: str, number: int, looks: int) -> bool:
    """What is due at a table that waits at ``number``: the clock's turn, or that of a bot which has not moved.

    ``looks`` says how often that has been found. At first the bot is told once more; then its first legal move is
    played for it.
    """
    snapshot = waiting_at(table, number)
    if snapshot is None:
        return False
    level = play.mover(snapshot).level
    if level is None:
        return play.time_out(snapshot.id, number, timezone.now())
    if looks < schedule.LOOKS_AT_BOT:
        schedule.nudge(snapshot.id, number)
        return False
    log.error("The bot %s does not answer at %s", level, thinking.how_to_reproduce(snapshot))
    return play.submit_bot_move(snapshot.id, number, thinking.first_legal(snapshot), timezone.now())


def waiting_at(table: str, number: int) -> Snapshot | None:
    """The table, if it is being played and waits at this number."""
    snapshot = codec.load(UUID(table))
    is_here = snapshot is not None and snapshot.is_playing and snapshot.next_number == number
    return snapshot if is_here else None


@shared_task(name="tables.tasks.sweep")
@unless_database_is_away
def sweep() -> int:
    """Find tables whose time is over or whose bot has not moved, and have each looked after."""
    now = timezone.now()
    due = schedule.claim_due(now)
    for each in due:
        schedule.ask_to_look_after(each)
    health.beat(now)
    return len(due)


@shared_task(name="tables.tasks.tidy")
@unless_database_is_away
def tidy() -> None:
    """Forget what is kept for a day only, give on what forgotten players have left, and end what nobody comes to."""
    forget_old_answers(timezone.now())
    seating.vacate_all_forgotten()
    expiry.end_idle_tables(timezone.now())
