"""Limits for errors that repeat at every attempt, so that they are not logged each time."""

import logging
from threading import Lock

EVERY = 60.0
"""Seconds between two records with the same message."""


class OncePerMinute(logging.Filter):
    """Passes one record a minute of each message. Records that differ only in their arguments count as the same."""

    def __init__(self) -> None:
        super().__init__()
        self._passed_at: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        message = str(record.msg)
        if record.created < self._passed_at.get(message, 0) + EVERY:
            return False
        self._passed_at[message] = record.created
        return True


class Absence:
    """A server that may stop answering. Each process logs one line when it notices, and one when the server is back."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._lasts = False
        self._lock = Lock()

    def begin(self, log: logging.Logger, effect: str, error: Exception) -> None:
        """Log that the server does not answer, with the effect and the first line of the error, if not logged yet."""
        if self._change(lasts=True):
            reason = next(iter(str(error).splitlines()), type(error).__name__)
            log.warning("%s does not answer; %s: %s", self.name, effect, reason)

    def end(self, log: logging.Logger) -> None:
        """Log that the server answers again, if its absence was logged."""
        if self._lasts and self._change(lasts=False):
            log.warning("%s answers again.", self.name)

    def _change(self, *, lasts: bool) -> bool:
        with self._lock:
            changes = self._lasts != lasts
            self._lasts = lasts
        return changes
