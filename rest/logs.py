"""Logs of a fault that lasts: it is written once, and not at every attempt."""

import logging

EVERY = 60.0
"""Seconds between two records of the same message."""


class Seldom(logging.Filter):
    """Passes one record a minute of each message, whatever its arguments: for a logger that repeats itself."""

    def __init__(self) -> None:
        super().__init__()
        self._passed_at: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        message = str(record.msg)
        if record.created < self._passed_at.get(message, 0) + EVERY:
            return False
        self._passed_at[message] = record.created
        return True
