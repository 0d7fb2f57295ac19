"""Checks whether the existing servers that DATABASE_URL and REDIS_URL name answer."""

import psycopg
import redis

from local.console import last_line
from local.errors import LocalError

PATIENCE = 5


def check_database(url: str) -> None:
    try:
        psycopg.connect(url, connect_timeout=PATIENCE).close()
    except psycopg.ProgrammingError:
        raise LocalError("DATABASE_URL is not an address such as postgresql://user:password@host:5432/name.") from None
    except psycopg.OperationalError as error:
        raise LocalError(
            f"The database that DATABASE_URL names does not answer ({first_line(error)}). "
            "Start it, correct the address, or unset DATABASE_URL to have one started here."
        ) from None


def check_redis(url: str) -> None:
    try:
        with redis.Redis.from_url(url, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE) as client:
            client.ping()
    except ValueError:
        raise LocalError("REDIS_URL is not an address such as redis://host:6379/0 or unix:///path/to/socket.") from None
    except redis.RedisError as error:
        raise LocalError(
            f"The Redis that REDIS_URL names does not answer ({first_line(error)}). "
            "Start it, correct the address, or unset REDIS_URL to have one started here."
        ) from None


def first_line(error: Exception) -> str:
    return last_line(str(error).strip().split("\n")[0])
