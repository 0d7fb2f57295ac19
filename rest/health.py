"""Whether this process lives, and whether everything it needs does."""

from datetime import datetime, timedelta

from django.core.cache import cache
from django.db import Error, connection
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from redis.exceptions import RedisError

HEARTBEAT = "worker-heartbeat"
ALIVE_FOR = timedelta(seconds=5)


def beat(at: datetime) -> None:
    """A worker says that it works."""
    cache.set(HEARTBEAT, at.timestamp(), timeout=None)


def healthz(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "ok"})


def readyz(request: HttpRequest) -> JsonResponse:
    """200 if database, broker and worker answer, else 503; each is named either way."""
    database = database_answers()
    broker, worker = broker_answers()
    parts = {"database": database, "broker": broker, "worker": worker}
    ready = all(parts.values())
    body = {"status": "ok" if ready else "unavailable", **{part: "ok" if ok else "down" for part, ok in parts.items()}}
    return JsonResponse(body, status=200 if ready else 503)


def database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("select 1")
    except Error:
        return False
    return True


def broker_answers() -> tuple[bool, bool]:
    """Whether the broker answers, and whether a worker has told it of itself lately."""
    try:
        last = cache.get(HEARTBEAT)
    except RedisError:
        return False, False
    return True, last is not None and timezone.now().timestamp() - last < ALIVE_FOR.total_seconds()
