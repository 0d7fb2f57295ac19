"""Health checks: whether this process runs, and whether the services it needs answer."""

from datetime import datetime, timedelta

from django.core.cache import cache
from django.db import Error, connection
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from redis.exceptions import RedisError

from runtime.database_away import let_go

WORKER, BOTS = "worker", "bots"
ALIVE_FOR = timedelta(seconds=5)


def beat(at: datetime, who: str = WORKER) -> None:
    """Record the heartbeat of a worker, or of a process for bots."""
    cache.set(heartbeat_of(who), at.timestamp(), timeout=None)


def heartbeat_of(who: str) -> str:
    return f"{who}-heartbeat"


def healthz(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "ok"})


def readyz(request: HttpRequest) -> JsonResponse:
    """Answer 200 if database, broker and worker answer, else 503. The body gives the state of each.

    The body also gives the state of the processes for bots. Without them a server is ready nevertheless, because
    matches continue, though less well.
    """
    broker, alive = broker_answers()
    needed = {"database": database_answers(), "broker": broker, WORKER: WORKER in alive}
    ready = all(needed.values())
    parts = needed | {BOTS: BOTS in alive}
    body = {"status": "ok" if ready else "unavailable", **{part: "ok" if ok else "down" for part, ok in parts.items()}}
    return JsonResponse(body, status=200 if ready else 503)


def database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("select 1")
    except Error as error:
        let_go(error)
        return False
    return True


def broker_answers() -> tuple[bool, set[str]]:
    """Return whether the broker answers, and which of ``WORKER`` and ``BOTS`` had a heartbeat in the last 5 seconds."""
    try:
        lately = cache.get_many([heartbeat_of(WORKER), heartbeat_of(BOTS)])
    except RedisError:
        return False, set()
    oldest = timezone.now().timestamp() - ALIVE_FOR.total_seconds()
    return True, {who for who in (WORKER, BOTS) if lately.get(heartbeat_of(who), oldest) > oldest}
