"""Readers of environment variables: they check a value, and say in the error what it should be."""

import logging
import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

TRUE_WORDS = {"1", "true", "yes", "on"}
FALSE_WORDS = {"0", "false", "no", "off", ""}
CONNECT_SECONDS = 2
"""The least that libpq allows. An attempt that began while the database was away should not outlast its return."""
KEPT_ALIVE = {"keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3, "tcp_user_timeout": 30_000}
"""So that a machine that is gone without a word is noticed within a minute; over a socket file they mean nothing."""


def text(name: str, default: str | None = None) -> str:
    value = os.environ.get(name, default)
    if value is None:
        raise ImproperlyConfigured(f"Set the environment variable {name}.")
    return value


def flag(name: str, *, default: bool) -> bool:
    value = os.environ.get(name, str(default)).strip().lower()
    if value not in TRUE_WORDS | FALSE_WORDS:
        raise ImproperlyConfigured(f"{name} is a yes or a no, not {value!r}.")
    return value in TRUE_WORDS


def whole_number(name: str, default: int) -> int:
    value = os.environ.get(name, str(default))
    if not value.strip().isdigit():
        raise ImproperlyConfigured(f"{name} is a whole number, not {value!r}.")
    return int(value)


def rate(name: str, default: str) -> str:
    """So many requests in a period, of which DRF reads the first letter."""
    value = text(name, default)
    if not re.fullmatch(r"[1-9]\d*/[smhd][a-z]*", value):
        raise ImproperlyConfigured(f"{name} is a number of requests and a period, such as 60/min, not {value!r}.")
    return value


def log_level(name: str, default: str) -> str:
    value = text(name, default).strip().upper()
    if value not in logging.getLevelNamesMapping():
        raise ImproperlyConfigured(f"{name} is DEBUG, INFO, WARNING, ERROR or CRITICAL, not {value!r}.")
    return value


def invite_url(name: str, default: str) -> str:
    value = text(name, default)
    if "{code}" not in value or set("{}") & set(value.replace("{code}", "")):
        raise ImproperlyConfigured(f"{name} is an address with {{code}} in it and no other braces, not {value!r}.")
    return value


def words(name: str, default: str = "") -> list[str]:
    return [word.strip() for word in os.environ.get(name, default).split(",") if word.strip()]


def data_dir() -> Path:
    """Where one machine keeps what it must not lose: its databases, its secret key, its admin's first password."""
    return Path(text("DATA_DIR", ".data")).expanduser().resolve()


def watchers() -> int:
    """How many callers may wait in one web process for tables to change. gunicorn.conf.py adds a thread for each."""
    return whole_number("WATCHERS", 2000)


def database(url: str) -> dict[str, Any]:
    """Django's settings for ``postgresql://user:password@host:port/name?host=/socket/folder``."""
    parts = urlsplit(url)
    if parts.scheme not in {"postgres", "postgresql"}:
        raise ImproperlyConfigured("DATABASE_URL starts with postgresql://.")
    try:
        port = parts.port
    except ValueError as wrong:
        raise ImproperlyConfigured(f"DATABASE_URL: {wrong}.") from wrong
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


def redis_url(name: str, default: str) -> str:
    value = text(name, default)
    if urlsplit(value).scheme not in {"redis", "rediss", "unix"}:
        raise ImproperlyConfigured(f"{name} starts with redis://, rediss:// or unix://.")
    return value


def celery_broker(redis_url: str) -> str:
    """Celery's spelling of a Redis address: a socket is ``redis+socket://`` there and ``unix://`` everywhere else."""
    return redis_url.replace("unix://", "redis+socket://", 1).replace("?db=", "?virtual_host=")
