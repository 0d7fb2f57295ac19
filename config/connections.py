"""How the server connects to PostgreSQL and to Redis."""

from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

CONNECT_SECONDS = 2
"""The least that libpq allows. An attempt that began while the database was away should not outlast its return."""
KEPT_ALIVE = {"keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3, "tcp_user_timeout": 30_000}
"""So that a machine that is gone without a word is noticed within a minute; over a socket file they mean nothing."""


def database(url: str) -> dict[str, Any]:
    """Django's settings for ``postgresql://user:password@host:port/name?host=/socket/folder``."""
    parts = urlsplit(url)
    if parts.scheme not in {"postgres", "postgresql"}:
        raise ValueError("must start with postgresql://")
    try:
        port = parts.port
    except ValueError:
        raise ValueError("must have a number below 65536 as its port") from None
    options = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")) or "postgres",
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", None) or unquote(parts.hostname or ""),
        "PORT": str(port or ""),
        "OPTIONS": {"connect_timeout": CONNECT_SECONDS, **KEPT_ALIVE, **options},
    }


def pool(most: int) -> dict[str, Any]:
    """Options of ``psycopg_pool`` for up to so many connections.

    A request waits for a connection at most 1.5 seconds, so its 503 comes within two. The pool doubles the delay
    between its attempts to connect, so each attempt is given up soon; the next request begins another.
    """
    return {"min_size": 1, "max_size": most, "timeout": 1.5, "reconnect_timeout": 0.25}


def time_limits(seconds: int, others: str = "") -> str:
    """PostgreSQL's own limits for a session's statements, and ``others`` that were asked for. With 0 there are none.

    Whoever holds a lock and has stopped asking has half the time. Whoever waits for one has a tenth, for with each
    who waits a connection is missing that others could use.
    """
    limits = {
        "statement_timeout": seconds * 1000,
        "lock_timeout": seconds * 100,
        "idle_in_transaction_session_timeout": seconds * 500,
    }
    return " ".join([*(f"-c {name}={limit}" for name, limit in limits.items()), others]).strip()


def celery_broker(redis_url: str) -> str:
    """Celery's spelling of a Redis address: a socket is ``redis+socket://`` there and ``unix://`` everywhere else."""
    return redis_url.replace("unix://", "redis+socket://", 1).replace("?db=", "?virtual_host=")
