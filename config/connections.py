"""How the server connects to PostgreSQL and to Redis."""

from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

CONNECT_SECONDS = 2
"""The smallest value that libpq allows. An attempt that begins while the database is away should fail soon."""
KEPT_ALIVE = {"keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3, "tcp_user_timeout": 30_000}
"""With these, a database machine that disappears is noticed within a minute. On a unix socket they have no effect."""


def database(url: str) -> dict[str, Any]:
    """Return Django's settings for ``postgresql://user:password@host:port/name?host=/socket/folder``."""
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
    """Return the options of ``psycopg_pool`` for at most so many connections.

    A request waits for a connection for at most 1.25 seconds, so that a 503 is sent within two. The pool doubles the
    delay between its attempts to connect. So it gives up soon, and the next request makes it try again.
    """
    return {"min_size": 1, "max_size": most, "timeout": 1.25, "reconnect_timeout": 0.25}


def time_limits(seconds: int, others: str = "") -> str:
    """Return PostgreSQL's time limits for a session, followed by the options ``others``. With 0 there are no limits.

    An idle transaction, which may hold locks, gets half the time of a statement. A statement that waits for a lock gets
    a tenth, because its connection is missing for other requests.
    """
    limits = {
        "statement_timeout": seconds * 1000,
        "lock_timeout": seconds * 100,
        "idle_in_transaction_session_timeout": seconds * 500,
    }
    return " ".join([*(f"-c {name}={limit}" for name, limit in limits.items()), others]).strip()


def celery_broker(redis_url: str) -> str:
    """Return a Redis URL as Celery spells it: ``redis+socket://`` instead of ``unix://`` for a unix socket."""
    return redis_url.replace("unix://", "redis+socket://", 1).replace("?db=", "?virtual_host=")
