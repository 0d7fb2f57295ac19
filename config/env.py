"""The environment, read in one place: every variable this server knows, its default and what a wrong value is told."""

import os
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

TRUE_WORDS = {"1", "true", "yes", "on"}
FALSE_WORDS = {"0", "false", "no", "off", ""}


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


def words(name: str, default: str = "") -> list[str]:
    return [word.strip() for word in os.environ.get(name, default).split(",") if word.strip()]


def data_dir() -> Path:
    """Where one machine keeps what it must not lose: its databases, its secret key, its admin's first password."""
    return Path(text("DATA_DIR", ".data")).expanduser().resolve()


def database(url: str) -> dict[str, Any]:
    """Django's settings for ``postgresql://user:password@host:port/name?host=/socket/folder``."""
    parts = urlsplit(url)
    if parts.scheme not in {"postgres", "postgresql"}:
        raise ImproperlyConfigured("DATABASE_URL starts with postgresql://.")
    options = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")) or "postgres",
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", None) or unquote(parts.hostname or ""),
        "PORT": str(parts.port or ""),
        "OPTIONS": {"connect_timeout": 5, **options},
    }


def celery_broker(redis_url: str) -> str:
    """Celery's spelling of a Redis address: a socket is ``redis+socket://`` there and ``unix://`` everywhere else."""
    return redis_url.replace("unix://", "redis+socket://", 1).replace("?db=", "?virtual_host=")
