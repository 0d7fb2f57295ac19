"""A database that does not answer: which errors say so, what is done about the connection, and how workers go on."""

import logging
from collections.abc import Callable, Iterable
from functools import wraps
from select import POLLIN, poll
from typing import ParamSpec, TypeVar

from django.db import InterfaceError, NotSupportedError, OperationalError, connection

log = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")
AWAY = (InterfaceError, NotSupportedError, OperationalError)
"""The second: a column has another type than when this connection prepared its statements."""


def unless_database_is_away(task: Callable[P, T]) -> Callable[P, T | None]:
    """A database that does not answer is told in a line: nothing is lost, the next sweep finds what is due."""

    @wraps(task)
    def run(*args: P.args, **kwargs: P.kwargs) -> T | None:
        try:
            return task(*args, **kwargs)
        except AWAY as error:
            let_go()
            told = "The database does not answer; %s is left to a later sweep: %s"
            logging.getLogger(task.__module__).warning(told, task.__name__, error)
            return None

    return run


def let_go() -> None:
    """Close a connection that failed. Where it was cut others were too, so a pool looks at those it has, once for all.

    To look at each as it is taken would cost every request a round trip.
    """
    was_cut = connection.connection is not None and connection.connection.closed
    connection.close()
    pool = getattr(connection, "pool", None)
    if was_cut and pool is not None:
        pool.check()


def close_if_cut() -> None:
    """Close a connection that the server has ended while nobody asked it anything: no round trip is needed to see it.

    A server says nothing unasked but that it ends, or what may be heard on a new connection as well.
    """
    held = connection.connection
    if held is not None and not held.closed and has_arrived(held.fileno()):
        connection.close()


def has_arrived(file: int) -> bool:
    """Whether there is something to read."""
    arrivals = poll()
    arrivals.register(file, POLLIN)
    return bool(arrivals.poll(0))


def each_apart(act: Callable[[T], R], things: Iterable[T], doing: str) -> list[R]:
    """What came of each. One that fails is logged and passed over, unless the database is away: then all would fail."""
    came = []
    for thing in things:
        try:
            came.append(act(thing))
        except Exception as error:
            if isinstance(error, AWAY) and not connection.is_usable():
                raise
            log.exception("%s failed at %s", doing, getattr(thing, "pk", thing))
    return came
