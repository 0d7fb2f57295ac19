"""A database that does not answer, for workers: as ``problems`` has it for requests."""

import logging
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import InterfaceError, NotSupportedError, OperationalError, connection

P = ParamSpec("P")
T = TypeVar("T")


def unless_database_is_away(task: Callable[P, T]) -> Callable[P, T | None]:
    """A database that does not answer is told in a line: nothing is lost, the next sweep finds what is due."""

    @wraps(task)
    def run(*args: P.args, **kwargs: P.kwargs) -> T | None:
        try:
            return task(*args, **kwargs)
        except (InterfaceError, NotSupportedError, OperationalError) as error:
            connection.close()
            log = logging.getLogger(task.__module__)
            log.warning("The database does not answer; %s is left to a later sweep: %s", task.__name__, error)
            return None

    return run
