"""Spans of time, short enough to name where they are used."""

from datetime import timedelta

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
