"""What workers do: send to one webhook, find those that wait, and forget what is old."""

from collections.abc import Callable
from functools import partial
from uuid import UUID

from celery import shared_task
from django.utils import timezone

from rest.away import each_apart, unless_database_is_away
from webhooks import addressbook, outbox, posting


@shared_task(name=outbox.DELIVER)
@unless_database_is_away
def deliver(webhook: str) -> bool:
    """Send what has been due longest at a webhook, and ask for the next. Twice, late, or in vain it does nothing.

    Between the attempt and the note of it a crash may fall: then the same message, with the same id, is sent again.
    """
    delivery = outbox.claim(UUID(webhook), timezone.now())
    if delivery is None:
        return False
    if outbox.is_worth_telling(delivery):
        result = posting.post(delivery, timezone.now())
        outbox.settle(delivery, result, timezone.now())
    else:
        outbox.drop(delivery, timezone.now())
    outbox.nudge_next(UUID(webhook), timezone.now())
    return True


@shared_task(name="webhooks.tasks.sweep")
@unless_database_is_away
def sweep() -> int:
    """Find webhooks that something is due at: again after a failure, or because a nudge was lost."""
    found = outbox.waiting(timezone.now())
    for webhook in found:
        outbox.nudge(webhook)
    return len(found)


@shared_task(name="webhooks.tasks.tidy")
@unless_database_is_away
def tidy() -> None:
    """Forget old messages, and the webhooks of players who are forgotten."""
    duties: tuple[Callable[[], object], ...] = (
        partial(outbox.forget_old, timezone.now()),
        addressbook.remove_all_forgotten,
    )
    each_apart(lambda duty: duty(), duties, "Tidying")
