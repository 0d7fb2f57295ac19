"""The scheduler of Celery beat. If the broker does not answer, it logs one line."""

import logging
from typing import Any

from celery.beat import PersistentScheduler, ScheduleEntry, SchedulingError
from kombu.exceptions import OperationalError

from runtime import redis_commands

log = logging.getLogger(__name__)


class Scheduler(PersistentScheduler):
    """Replaces Celery's scheduler, which logs a traceback for each task that it cannot send: one every second."""

    def apply_entry(self, entry: ScheduleEntry, producer: Any = None) -> None:
        try:
            self.apply_async(entry, producer=producer, advance=False)
        except SchedulingError as error:
            reason = error.__context__
            if isinstance(reason, OperationalError):
                redis_commands.ABSENCE.begin(log, "no task is sent", reason)
            else:
                log.exception("The task %s could not be sent", entry.name)
        else:
            redis_commands.ABSENCE.end(log)
