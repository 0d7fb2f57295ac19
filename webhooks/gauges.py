"""Gauges of webhook messages for operators: how many wait, for how long, and how many failed."""

from datetime import timedelta

from django.db.models import Count, Min
from django.utils import timezone
from prometheus_client.core import Metric

from runtime.metrics import figure
from webhooks.models import Delivery, Outcome

LATELY = timedelta(hours=1)


def read() -> list[Metric]:
    """Return the gauges. Takes two queries, each with a partial index that contains only the rows it needs."""
    now = timezone.now()
    waiting = Delivery.objects.filter(due_at__isnull=False).aggregate(count=Count("pk"), oldest=Min("due_at"))
    age = max(0.0, (now - waiting["oldest"]).total_seconds()) if waiting["oldest"] else 0
    failed = Delivery.objects.filter(outcome=Outcome.FAILED, ended_at__gte=now - LATELY).count()
    return [
        figure("webhook_deliveries_waiting", "Messages to be sent, now or again later.", waiting["count"]),
        figure("webhook_deliveries_due_oldest_seconds", "How long the first of them has been due.", age),
        figure("webhook_deliveries_failed_last_hour", "Messages given up in the last hour.", failed),
    ]
