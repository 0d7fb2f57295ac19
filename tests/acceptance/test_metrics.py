"""``/metrics`` of a server with workers."""

import re

import requests

from tests.acceptance.server import Client, Server


def value(text: str, sample: str) -> float:
    found = re.search(rf"^mexican_train_{re.escape(sample)} (\S+)$", text, re.MULTILINE)
    assert found, sample
    return float(found[1])


def test_metrics_report_requests_queues_and_workers(server: Server, alice: Client) -> None:
    alice.done("GET", "bots")
    answer = requests.get(f"{server.url}/metrics", timeout=30)
    assert answer.status_code == 200
    assert value(answer.text, 'http_requests_total{method="GET",route="api/v1/bots",status="200"}') >= 1
    assert value(answer.text, "worker_heartbeat_age_seconds") < 30
    for queue in ("celery", "bots", "webhooks"):
        assert value(answer.text, f'queue_messages{{queue="{queue}"}}') < 10
    for part in ("database", "redis"):
        assert value(answer.text, f'up{{part="{part}"}}') == 1
