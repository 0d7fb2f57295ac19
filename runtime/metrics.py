"""``/metrics``: the measurements for operators, in Prometheus's text format.

Gauges are read from PostgreSQL and Redis at every scrape, so that any process answers for all. Each process counts its
own requests in files that all share (``PROMETHEUS_MULTIPROC_DIR``), and a scrape adds them up.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from functools import cache as remember
from time import perf_counter

from django.core.cache import cache
from django.db import Error
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from redis.exceptions import RedisError

from runtime import redis_commands
from runtime.database_away import is_away, let_go
from runtime.health import BOTS, WORKER, heartbeat_of

PREFIX = "mexican_train"
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 30.0)
KNOWN = {"get", "post", "put", "patch", "delete", "head", "options"}
HELD = "?wait"
"""Added to the route of long polls, which are counted separately because the caller decides how long they take."""
WHOLE_ROOMS = ("admin/",)
"""Prefixes of routes. All routes under a prefix are counted as one."""

queues = ["celery"]
"""The workers' queues; apps add their own."""
readings: list[Callable[[], Iterable[Metric]]] = []
"""Functions of the apps that read gauges from the database, each with few indexed queries."""
own = CollectorRegistry()
served = Counter("http_requests", "Requests answered.", ("method", "route", "status"), PREFIX, registry=own)
seconds = Histogram(
    "http_request_seconds", "Until there was an answer.", ("method", "route"), PREFIX, registry=own, buckets=BUCKETS
)


class CountRequests:
    """The outermost middleware: counts requests by method, route and status. A route contains no ids."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        begun = perf_counter()
        response = self.get_response(request)
        count, duration = counters(method_of(request), route_of(request), response.status_code)
        duration.observe(perf_counter() - begun)
        count.inc()
        return response


@remember
def counters(method: str, route: str, status: int) -> tuple[Counter, Histogram]:
    """Return the counters with these labels, which take longer to find than to count with."""
    return served.labels(method, route, status), seconds.labels(method, route)


def method_of(request: HttpRequest) -> str:
    method = request.method or ""
    return method if method.lower() in KNOWN else "other"


def route_of(request: HttpRequest) -> str:
    route = request.resolver_match.route if request.resolver_match else "none"
    if "wait=" in request.META.get("QUERY_STRING", ""):
        route += HELD
    return next((room for room in WHOLE_ROOMS if route.startswith(room)), route)


class Gauges(Collector):
    """The gauges. If the database or Redis does not answer, ``up`` is 0 for it, and the others are still reported."""

    def collect(self) -> Iterator[Metric]:
        up = gauge("up", "Whether it answers.", "part")
        for part, read, failure in (("database", in_database, Error), ("redis", in_redis, RedisError)):
            try:
                yield from read()
            except failure as error:
                up.add_metric([part], 0)
                if is_away(error):
                    let_go(error)
            else:
                up.add_metric([part], 1)
        yield up


def in_database() -> list[Metric]:
    return [metric for read in readings for metric in read()]


def in_redis() -> list[Metric]:
    """Return how many messages wait in each queue, and the seconds since the last heartbeats."""
    waiting = gauge("queue_messages", "Messages that no worker has taken.", "queue")
    for queue in queues:
        waiting.add_metric([queue], redis_commands.client().llen(queue))
    return [
        waiting,
        figure("worker_heartbeat_age_seconds", "Seconds since the last sweep of a worker.", silence_of(WORKER)),
        figure("bots_heartbeat_age_seconds", "Seconds since a process for bots had a heartbeat.", silence_of(BOTS)),
    ]


def silence_of(who: str) -> float:
    beaten = cache.get(heartbeat_of(who))
    return float("nan") if beaten is None else timezone.now().timestamp() - beaten


def gauge(name: str, meaning: str, *labels: str) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"{PREFIX}_{name}", meaning, labels=labels)


def figure(name: str, meaning: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"{PREFIX}_{name}", meaning, value)


def metrics(request: HttpRequest) -> HttpResponse:
    """Answer all metrics, always with 200, because a failed scrape would report nothing."""
    registry = CollectorRegistry()
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    else:
        registry.register(served)
        registry.register(seconds)
    registry.register(Gauges())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)
