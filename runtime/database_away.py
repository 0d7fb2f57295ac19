"""A database that does not answer: which errors mean that, how the connection is closed, and how tasks go on."""

import logging
from collections.abc import Callable, Iterable
from functools import wraps
from select import POLLIN, poll
from typing import ParamSpec, TypeVar

from django.db import Error, InterfaceError, InternalError, NotSupportedError, OperationalError, connection

from runtime.logs import Absence

log = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")
AWAY = (InterfaceError, NotSupportedError, OperationalError)
"""``NotSupportedError``: a column's type has changed since this connection prepared its statements."""
ABSENCE = Absence("The database")
"""Whether this process has noticed that the database does not answer."""
CUT = ("08", "25P03", "25P04", "57P")
"""SQLSTATE prefixes of a closed connection: failure, idle in a transaction, transaction too long, shutdown."""


def is_away(error: Exception) -> bool:
    """Whether the error means that the database does not answer. A transaction that timed out counts too."""
    return isinstance(error, AWAY) or (isinstance(error, InternalError) and was_cut(error))


def was_cut(error: Exception) -> bool:
    """Whether the connection that raised this error is closed. Django may have opened another one since then."""
    state = getattr(error.__cause__, "sqlstate", None)
    return state is None or state.startswith(CUT)


def unless_database_is_away(task: Callable[P, T]) -> Callable[P, T | None]:
    """Wrap a task: if the database does not answer, log one line. Nothing is lost; the next sweep finds what is due."""
    log = logging.getLogger(task.__module__)

    @wraps(task)
    def run(*args: P.args, **kwargs: P.kwargs) -> T | None:
        try:
            result = task(*args, **kwargs)
        except Error as error:
            if not is_away(error):
                raise
            let_go(error)
            ABSENCE.begin(log, f"{task.__name__} is left to a later sweep", error)
            return None
        ABSENCE.end(log)
        return result

    return run


def let_go(error: Exception) -> None:
    """Close a connection that failed. If the server closed it, check all connections in the pool once.

    To check each connection when it is taken from the pool would cost every request a round trip.
    """
    connection.close()
    pool = getattr(connection, "pool", None)
    if was_cut(error) and pool is not None:
        pool.check()


def close_if_cut() -> None:
    """Close a connection that the server has closed while it was idle. The check needs no round trip.

    On an idle connection the server sends data only when it closes it, or messages that a new connection gets too.
    """
    held = connection.connection
    if held is not None and not held.closed and has_arrived(held.fileno()):
        connection.close()


def has_arrived(file: int) -> bool:
    """Whether this file descriptor has data to read."""
    arrivals = poll()
    arrivals.register(file, POLLIN)
    return bool(arrivals.poll(0))


def each_apart(act: Callable[[T], R], things: Iterable[T], doing: str) -> list[R]:
    """Call ``act`` for each thing and return the results. An error is logged, and the next thing is taken.

    If the database is away, the error is raised, because all the others would fail too.
    """
    came = []
    for thing in things:
        try:
            came.append(act(thing))
        except Exception as error:
            if is_away(error) and not connection.is_usable():
                raise
            log.exception("%s failed at %s", doing, getattr(thing, "pk", thing))
    return came
