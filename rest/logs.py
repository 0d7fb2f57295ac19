"""A logging filter for errors that repeat at every attempt: it limits how often they are logged."""

import logging

EVERY = 60.0
"""Seconds between two records with the same message."""


class Seldom(logging.Filter):
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
