"""A database that does not answer: which errors say so, what is done about the connection, and how workers go on."""

import logging
from collections.abc import Callable, Iterable
from functools import wraps
from select import POLLIN, poll
from typing import ParamSpec, TypeVar

from django.db import Error, InterfaceError, InternalError, NotSupportedError, OperationalError, connection

log = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")
AWAY = (InterfaceError, NotSupportedError, OperationalError)
"""The second: a column has another type than when this connection prepared its statements."""
CUT = ("08", "25P03", "25P04", "57P")
"""PostgreSQL's codes for a connection that it ends: failed, idle or too long in a transaction, shut down."""


def is_away(error: Exception) -> bool:
    """Whether the database does not answer; so it is where it was tired of a transaction that asked nothing more."""
    return isinstance(error, AWAY) or (isinstance(error, InternalError) and was_cut(error))


def was_cut(error: Exception) -> bool:
    """Whether the connection is gone. It may be another by now: Django makes one at the end of a failed transaction."""
    state = getattr(error.__cause__, "sqlstate", None)
    return state is None or state.startswith(CUT)


def unless_database_is_away(task: Callable[P, T]) -> Callable[P, T | None]:
    """A database that does not answer is told in a line: nothing is lost, the next sweep finds what is due."""

    @wraps(task)
    def run(*args: P.args, **kwargs: P.kwargs) -> T | None:
        try:
            return task(*args, **kwargs)
        except Error as error:
            if not is_away(error):
                raise
            let_go(error)
            told = "The database does not answer; %s is left to a later sweep: %s"
            logging.getLogger(task.__module__).warning(told, task.__name__, error)
            return None

    return run


def let_go(error: Exception) -> None:
    """Close a connection that failed. Where it was cut others were too, so a pool looks at those it has, once for all.

    To look at each as it is taken would cost every request a round trip.
    """
    connection.close()
    pool = getattr(connection, "pool", None)
    if was_cut(error) and pool is not None:
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
            if is_away(error) and not connection.is_usable():
                raise
            log.exception("%s failed at %s", doing, getattr(thing, "pk", thing))
    return came
