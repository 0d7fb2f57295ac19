"""The tasks of the workers: a bot's turn, the clock's turn, the sweep that finds both, and tidying up."""

import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any
from uuid import UUID

from celery import current_app, shared_task
from celery.exceptions import SoftTimeLimitExceeded
from celery.signals import heartbeat_sent
from django.utils import timezone
from redis.exceptions import RedisError

from players.handover import forget_expired
from players.presence import forget_old_uses
from rest.idempotency import forget_old_answers
from runtime import health, uptime
from runtime.database_away import each_apart, unless_database_is_away
from tables import memory, play, schedule, thinking
from tables.lobby import consent, expiry, leaving, renaming
from tables.snapshots import Snapshot

log = logging.getLogger(__name__)


@shared_task(name=schedule.TAKE_TURN, soft_time_limit=thinking.SOFT_LIMIT, time_limit=thinking.HARD_LIMIT)
@unless_database_is_away
def take_turn(table: str, number: int) -> bool:
    """Take the turn of a table that waits at ``number``. It does nothing if the table has moved on already."""
    try:
        return move_on(table, number, think_and_move)
    except SoftTimeLimitExceeded:  # the bot was fast enough, but the database was not: a later sweep finds the table
        log.exception("A bot's turn took too long at table %s, number %s", table, number)
        return False


@shared_task(name=schedule.LOOK_AFTER)
@unless_database_is_away
def look_after(table: str, number: int, looks: int) -> bool:
    """Do what is due at a table that waits at ``number``: the clock's turn, or that of a bot which has not moved.

    ``looks`` is how often the table was found due. At first the bot's task is sent again; after that, a move is made in
    its place.
    """
    return move_on(table, number, partial(tell_or_replace, looks))


def move_on(table: str, number: int, bots_turn: Callable[[Snapshot, str], bool]) -> bool:
    """Take the turn that a table waits for at ``number``: by the clock for a person, or by ``bots_turn`` for a bot."""
    snapshot = waiting_at(table, number)
    if snapshot is None:
        return False
    level = play.mover(snapshot).level
    if level is None:
        return play.time_out(snapshot.id, number, timezone.now())
    return bots_turn(snapshot, level)


def think_and_move(snapshot: Snapshot, level: str) -> bool:
    with thinking.alone(snapshot) as is_first:
        return is_first and submit(snapshot, thinking.chosen(snapshot, level))


def tell_or_replace(looks: int, snapshot: Snapshot, level: str) -> bool:
    """Send the bot's task again, or make a move in the bot's place."""
    if looks < schedule.LOOKS_AT_BOT:
        schedule.nudge(snapshot.id, snapshot.next_number)
        return False
    log.error("The bot %s does not answer at %s", level, thinking.how_to_reproduce(snapshot))
    return submit(snapshot, thinking.chosen_in_its_place(snapshot))


def submit(snapshot: Snapshot, move: Any) -> bool:
    return play.submit_bot_move(snapshot.id, snapshot.next_number, move, timezone.now())


def waiting_at(table: str, number: int) -> Snapshot | None:
    """Return the table if it is being played and waits at this number."""
    snapshot = memory.load(UUID(table))
    is_here = snapshot is not None and snapshot.is_playing and snapshot.next_number == number
    return snapshot if is_here else None


@shared_task(name="tables.tasks.sweep")
@unless_database_is_away
def sweep() -> int:
    """Find tables whose time is over or whose bot has not moved, and send a task for each."""
    now = timezone.now()
    due = schedule.claim_due(now)
    for each in due:
        schedule.ask_to_look_after(each)
    health.beat(now)
    return len(due)


@shared_task(name="tables.tasks.hand_on")
@unless_database_is_away
def hand_on() -> None:
    """Hand on tables whose host is gone to a person who is present, and end proposals that have lapsed."""
    now = timezone.now()
    duties = (partial(leaving.hand_tables_on, now), partial(consent.lapse_proposals, now))
    each_apart(lambda duty: duty(), duties, "Handing on")


@shared_task(name="tables.tasks.tidy")
@unless_database_is_away
def tidy() -> None:
    """Delete what is kept for a limited time, hand on what gone players have left, and end idle tables.

    It also settles names that a crash, or a process of an older release, has left unsettled.
    """
    now = timezone.now()
    duties: tuple[Callable[[], object], ...] = (
        partial(uptime.forget_long_ago, now),
        partial(forget_old_answers, now),
        partial(forget_old_uses, now),
        partial(forget_expired, now),
        leaving.vacate_all_gone,
        renaming.settle_names_left_behind,
        partial(expiry.end_idle_tables, now),
    )
    each_apart(lambda duty: duty(), duties, "Tidying")


@heartbeat_sent.connect
def tell_of_bots(**kwargs: Any) -> None:
    """Record every two seconds that this process takes bots' turns, however long its queue is."""
    if schedule.BOTS in current_app.amqp.queues.consume_from:
        with suppress(RedisError):
            health.beat(timezone.now(), health.BOTS)
