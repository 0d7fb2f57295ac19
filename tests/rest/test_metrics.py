"""``/metrics``."""

import os
import subprocess
import sys
from datetime import timedelta
from math import isnan
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from redis import Redis

from runtime import redis_commands
from runtime.health import beat
from tables.models import Table
from tests.brokers import unread
from tests.cast import Caller, open_table
from tests.matches import begin, bots
from tests.rest.checks import together
from webhooks import addressbook, outbox
from webhooks.models import Delivery

Labels = frozenset[tuple[str, str]]


@pytest.fixture(autouse=True)
def own_cache(settings: Any) -> None:
    """A cache without the heartbeats of other processes."""
    settings.CACHES = {"default": settings.CACHES["default"] | {"KEY_PREFIX": str(uuid4())}}


def scrape() -> dict[tuple[str, Labels], float]:
    """Every sample, without the prefix, by name and labels."""
    response = Client().get("/metrics")
    assert response.status_code == 200
    assert response.headers["Content-Type"].startswith("text/plain")
    families = text_string_to_metric_families(response.content.decode())
    samples = [sample for family in families for sample in family.samples]
    assert all(sample.name.startswith("mexican_train_") for sample in samples)
    return {(each.name.removeprefix("mexican_train_"), frozenset(each.labels.items())): each.value for each in samples}


def read(name: str, **labels: str) -> float:
    return scrape()[name, frozenset(labels.items())]


def requests_to(route: str, method: str, status: str) -> float:
    return scrape().get(
        ("http_requests_total", frozenset({"method": method, "route": route, "status": status}.items())), 0
    )


def test_it_works(alice: Caller, bob: Caller) -> None:
    open_table(alice)
    begin(alice, bob)
    begin(alice, bob)
    alice.post(f"tables/{open_table(alice)['id']}/cancel")
    assert (read("tables", status="open"), read("tables", status="playing")) == (1, 2)
    assert (read("up", part="database"), read("up", part="redis")) == (1, 1)


def test_on_an_empty_server_every_gauge_is_zero(db: None) -> None:
    found = scrape()
    names = {"tables", "tables_due", "tables_due_oldest_seconds", "tables_unanswered", "webhook_deliveries_waiting"}
    assert {name for name, _ in found} >= names
    assert {found[name, labels] for name, labels in found if name in names} == {0}


def test_due_tables_are_counted_with_the_longest_delay(alice: Caller, bob: Caller) -> None:
    first, second = begin(alice, bob, turn_seconds=60), begin(alice, seats=2, host_seat=1, bots=bots(0))
    Table.objects.filter(pk=first["id"]).update(due_at=timezone.now() + timedelta(minutes=1))
    Table.objects.filter(pk=second["id"]).update(due_at=timezone.now() - timedelta(seconds=90), looks=1)
    assert (read("tables_due"), read("tables_unanswered")) == (1, 0)
    assert 90 <= read("tables_due_oldest_seconds") < 120
    Table.objects.filter(pk=first["id"]).update(due_at=timezone.now(), looks=2)
    assert (read("tables_due"), read("tables_unanswered")) == (2, 1)


def test_messages_of_webhooks_are_counted(alice: Caller) -> None:
    assert alice.player is not None
    webhook = addressbook.register(alice.player, "https://1.1.1.1/", ["your_turn"])
    for _ in range(3):
        outbox.announce_test(webhook, timezone.now() - timedelta(seconds=30))
    assert read("webhook_deliveries_waiting") == 3
    assert 30 <= read("webhook_deliveries_due_oldest_seconds") < 60
    first, second, _ = Delivery.objects.all()
    for delivery, minutes in ((first, 10), (second, 70)):
        ended = timezone.now() - timedelta(minutes=minutes)
        Delivery.objects.filter(pk=delivery.pk).update(outcome="failed", due_at=None, ended_at=ended)
    assert (read("webhook_deliveries_waiting"), read("webhook_deliveries_failed_last_hour")) == (1, 1)


def test_messages_in_the_queues_are_counted(db: None) -> None:
    with unread() as broker:
        broker.delete("celery", "bots", "webhooks")
        broker.rpush("bots", "one", "two")
        assert [read("queue_messages", queue=queue) for queue in ("celery", "bots", "webhooks")] == [0, 2, 0]
        broker.delete("bots")


def test_the_workers_heartbeat(db: None) -> None:
    age = read("worker_heartbeat_age_seconds")
    assert isnan(age), "there was none"
    beat(timezone.now() - timedelta(seconds=40))
    assert 40 <= read("worker_heartbeat_age_seconds") < 70


def test_requests_are_counted_by_method_route_and_status(alice: Caller, bob: Caller) -> None:
    route = "api/v1/tables/<id:table_id>"
    before = [requests_to(route, "GET", status) for status in ("200", "404")]
    for table in (open_table(alice), open_table(bob)):
        assert alice.get(f"tables/{table['id']}").status == 200
    alice.get(f"tables/{uuid4()}")
    assert [requests_to(route, "GET", status) for status in ("200", "404")] == [before[0] + 2, before[1] + 1]
    assert read("http_request_seconds_count", method="GET", route=route) >= 3


def test_invalid_requests_create_no_new_labels(db: None) -> None:
    client = Client()
    few = {labels for name, labels in scrape() if name == "http_requests_total"}
    for number in range(5):
        client.get(f"/no-such-page-{number}")
        client.generic(f"VERB{number}", "/healthz")
        client.get(f"/admin/tables/{number}")
    added = {labels for name, labels in scrape() if name == "http_requests_total"} - few
    assert len(added) <= 4
    assert "no-such-page" not in str(added)
    assert "VERB" not in str(added)


def test_the_number_of_queries_does_not_grow_with_the_tables(alice: Caller, bob: Caller) -> None:
    for _ in range(3):
        begin(alice, bob, turn_seconds=60)
    with CaptureQueriesContext(connection) as captured:
        scrape()
    assert len(captured) == 4


def test_metrics_contain_nothing_private(alice: Caller, bob: Caller) -> None:
    assert alice.player is not None
    table = begin(alice, bob, name="Kitchen")
    alice.get(f"tables/{table['id']}/position")
    text = Client().get("/metrics").content.decode()
    for secret in (table["id"], str(alice.player.pk), "Alice", "Kitchen", alice.token or ""):
        assert secret not in text


def test_without_redis_the_other_metrics_are_reported(db: None, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runtime.redis_commands.client", lambda: Redis.from_url("redis://127.0.0.1:1/0"))
    assert (read("up", part="redis"), read("up", part="database"), read("tables_due")) == (0, 1, 0)
    assert "queue_messages" not in {name for name, _ in scrape()}


@pytest.mark.django_db(transaction=True)
def test_without_a_database_the_other_metrics_are_reported() -> None:
    def ask() -> tuple[float, float, bool]:
        connection.close()
        connection.settings_dict = connection.settings_dict | {"HOST": "127.0.0.1", "PORT": "1"}
        found = scrape()
        up = [found["up", frozenset({("part", part)})] for part in ("database", "redis")]
        return up[0], up[1], any(name == "tables_due" for name, _ in found)

    assert together(ask) == [(0, 1, False)]


def test_it_is_not_redirected_to_https(db: None, settings: Any) -> None:
    from config import settings as served

    settings.SECURE_SSL_REDIRECT, settings.SECURE_REDIRECT_EXEMPT = True, served.SECURE_REDIRECT_EXEMPT
    assert Client().get("/metrics").status_code == 200
    assert Client().get("/api/v1/bots").status_code == 301


COUNT = """
import os, sys
from runtime.metrics import served
served.labels("GET", "somewhere", 200).inc(int(sys.argv[1]))
if sys.argv[1] == "3":
    import django
    django.setup()
    from django.test import RequestFactory
    from runtime import metrics
    metrics.readings.clear(), metrics.queues.clear()
    print(metrics.metrics(RequestFactory().get("/metrics")).content.decode())
"""


@pytest.mark.slow
def test_one_process_reports_the_requests_of_all(tmp_path: Path) -> None:
    environment = os.environ | {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "tests.settings"}
    said = ""
    for times in ("2", "3"):
        said = subprocess.run(
            [sys.executable, "-c", COUNT, times], env=environment, check=True, capture_output=True, text=True
        ).stdout
    assert 'mexican_train_http_requests_total{method="GET",route="somewhere",status="200"} 5.0' in said


def test_throttles_and_broker_share_one_redis_client(db: None) -> None:
    """Queues are counted where the workers' messages are."""
    from celery import current_app
    from django.conf import settings

    from config.connections import celery_broker

    assert current_app.conf.broker_url == celery_broker(settings.REDIS_URL)
    assert redis_commands.client() is redis_commands.client()
