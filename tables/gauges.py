"""Metrics about tables for operators: how many there are, and whether they move on."""

from django.db.models import Count, Min, Q
from django.utils import timezone
from prometheus_client.core import Metric

from runtime.metrics import figure, gauge
from tables.models import Status, Table
from tables.schedule import LOOKS_AT_BOT

IN_PROGRESS = (Status.OPEN, Status.PLAYING)


def read() -> list[Metric]:
    """Read the metrics with two queries. Each uses a partial index of tables that are not over."""
    now = timezone.now()
    tables = gauge("tables", "Tables that are not over.", "status")
    counted = dict(Table.objects.filter(status__in=IN_PROGRESS).order_by().values_list("status").annotate(Count("pk")))
    for status in IN_PROGRESS:
        tables.add_metric([status.value], counted.get(status.value, 0))
    due = Table.objects.filter(due_at__lte=now).aggregate(
        count=Count("pk"), oldest=Min("due_at"), unanswered=Count("pk", filter=Q(looks__gte=LOOKS_AT_BOT))
    )
    age = (now - due["oldest"]).total_seconds() if due["oldest"] else 0
    return [
        tables,
        figure("tables_due", "Tables that have to be moved on: time over, or a bot's turn.", due["count"]),
        figure("tables_due_oldest_seconds", "How long the first of them has been due.", age),
        figure("tables_unanswered", "Those that the sweep has found due twice and more.", due["unanswered"]),
    ]
