"""Celery tasks: send to one webhook, find webhooks with due messages, and delete old messages."""

from collections.abc import Callable
from functools import partial
from uuid import UUID

from celery import shared_task
from django.utils import timezone

from runtime.database_away import each_apart, unless_database_is_away
from webhooks import addressbook, outbox, posting


@shared_task(name=outbox.DELIVER)
@unless_database_is_away
def deliver(webhook: str) -> bool:
    """Send the message that has been due longest at a webhook, and ask for the next one. A repeated call is harmless.

    If the worker crashes after the attempt and before its result is stored, the message is sent again with the same id.
    """
    delivery = outbox.claim(UUID(webhook), timezone.now())
    if delivery is None:
        return False
    if outbox.is_still_current(delivery):
        result = posting.post(delivery, timezone.now())
        outbox.settle(delivery, result, timezone.now())
    else:
        outbox.drop(delivery, timezone.now())
    outbox.nudge_next(UUID(webhook), timezone.now())
    return True


@shared_task(name="webhooks.tasks.sweep")
@unless_database_is_away
def sweep() -> int:
    """Find webhooks with due messages: retries after a failure, or messages whose task was lost."""
    found = outbox.waiting(timezone.now())
    for webhook in found:
        outbox.nudge(webhook)
    return len(found)


@shared_task(name="webhooks.tasks.tidy")
@unless_database_is_away
def tidy() -> None:
    """Delete old messages, and the webhooks of deleted players."""
    duties: tuple[Callable[[], object], ...] = (
        partial(outbox.forget_old, timezone.now()),
        addressbook.remove_all_forgotten,
    )
    each_apart(lambda duty: duty(), duties, "Tidying")
