"""The queue of webhook messages, from the event until a message is delivered or given up.

Messages are inserted by one SQL statement, in the transaction of the move that they report. The statement locks the
webhooks, so that a move does not fail if a webhook is deleted at the same time. Tasks for workers may be lost: the rows
are the queue, and a sweep finds what is due.
"""

import json
import random
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from players.models import Player
from runtime.deletion import forget
from runtime.redis_commands import tell_worker
from webhooks.models import Delivery, Disabled, Event, Outcome, Webhook
from webhooks.posting import Result

DELIVER = "webhooks.tasks.deliver"
QUEUE = "webhooks"
"""The Celery queue of webhooks. It is separate, so that slow receivers delay no other tasks."""
DELAYS = tuple(timedelta(seconds=seconds) for seconds in (5, 60, 300, 1800, 7200, 6 * 3600, 15 * 3600))
"""The delay after each failed attempt, about a day in all. After the last attempt the message is given up."""
JITTER = 0.2
CLAIMED_FOR = timedelta(seconds=30)
"""How long a worker has a webhook for itself. An attempt takes less time, so this expires only after a crash."""
SLOW, SLOW_AT_ONCE = timedelta(seconds=2), 4
"""A receiver is slow if its last attempt took this long. Half the threads, four, may serve slow ones at once."""
REST_EACH, REST_MOST = timedelta(seconds=5), timedelta(minutes=5)
"""A failing webhook pauses for 5 seconds times its consecutive failures, at most 5 minutes: others get their turn."""
GIVEN_UP_AFTER, GIVEN_UP_FAILURES = timedelta(days=3), 20
"""A webhook is disabled after failing for at least this long and at least this many times in a row."""
KEPT_FOR = timedelta(days=7)
CLAIMS_A_SWEEP = 500
GONE = 410

is_still_news: dict[str, Callable[[Delivery], bool]] = {}
"""For each event, a function that says whether a message is still current. The app that announces the event adds it."""

# The webhooks are locked in one order. The lock prevents only deletion, so a worker can update a webhook meanwhile. An
# earlier release allowed two webhooks with one URL; of these, only the older one gets the message.
ANNOUNCE = """
with wanting as (
    select w.id, sent.body from webhooks_webhook w
      join unnest(%s::uuid[], %s::text[]) sent(player, body) on sent.player = w.player_id
     where w.disabled_reason = '' and w.events @> array[%s]::varchar[]
       and not exists (
             select 1 from webhooks_webhook earlier
              where earlier.player_id = w.player_id and earlier.url = w.url and earlier.disabled_reason = ''
                and earlier.events @> array[%s]::varchar[]
                and (earlier.created_at, earlier.id) < (w.created_at, w.id)
           )
     order by w.id for key share of w
)
insert into webhooks_delivery
       (id, webhook_id, event, "table", number, body, created_at, due_at, attempts, outcome, last_failure)
select gen_random_uuid(), wanting.id, %s, %s::uuid, %s::integer, wanting.body, %s::timestamptz, %s::timestamptz, 0,
       'waiting', ''
  from wanting
on conflict do nothing
returning webhook_id
"""


def announce(event: Event, table: UUID, number: int, data: Mapping[UUID, Mapping[str, Any]], at: datetime) -> None:
    """Insert a message for each webhook of these players that subscribes to the event. A repeated call has no effect.

    ``data`` maps each player to the data for that player. Runs in the caller's transaction; after its commit, workers
    are notified.
    """
    bodies = [body_of(event, facts, at) for facts in data.values()]
    with connection.cursor() as cursor:
        cursor.execute(ANNOUNCE, [list(data), bodies, event.value, event.value, event.value, table, number, at, at])
        webhooks = [webhook for (webhook,) in cursor.fetchall()]
    for webhook in webhooks:
        nudge_after_commit(webhook)


def announce_test(webhook: Webhook, at: datetime) -> Delivery:
    """Insert a test message to one webhook. After the commit, a worker is notified."""
    body = body_of(Event.TEST, {"webhook": webhook.id}, at)
    test = Delivery.objects.create(webhook=webhook, event=Event.TEST, body=body, created_at=at, due_at=at)
    nudge_after_commit(webhook.id)
    return test


def body_of(event: Event, facts: Mapping[str, Any], at: datetime) -> str:
    return json.dumps({"type": event.value, "timestamp": at, "data": facts}, cls=DjangoJSONEncoder)


def nudge_after_commit(webhook: UUID) -> None:
    transaction.on_commit(lambda: nudge(webhook))


def nudge(webhook: UUID) -> None:
    """Ask a worker to send what is due. If the broker is away, nothing is lost, because the sweep asks again."""
    tell_worker(DELIVER, str(webhook), otherwise=f"webhook {webhook} waits for the sweep", queue=QUEUE)


def nudge_next(webhook: UUID, at: datetime) -> None:
    """Ask a worker to send to the webhook of the same player whose message has been due longest."""
    due = Delivery.objects.filter(webhook__player__webhooks=webhook, due_at__lte=at).filter(is_free(at, "webhook__"))
    if (longest := due.order_by("due_at").values_list("webhook", flat=True).first()) is not None:
        nudge(longest)


def waiting(at: datetime) -> list[UUID]:
    """Return the webhooks with due messages to which no worker sends now, the longest waiting first."""
    due = Delivery.objects.filter(due_at__lte=at).filter(is_free(at, "webhook__")).order_by("due_at")
    return list(dict.fromkeys(due.values_list("webhook", flat=True)[:CLAIMS_A_SWEEP]))


def is_free(at: datetime, path: str = "") -> Q:
    idle = Q(**{f"{path}busy_until": None}) | Q(**{f"{path}busy_until__lte": at})
    return idle & Q(**{f"{path}disabled_reason": Disabled.NOT, f"{path}player__is_active": True})


@transaction.atomic
def claim(webhook_id: UUID, at: datetime) -> Delivery | None:
    """Return the message that has been due longest at a webhook, and reserve the webhook until ``settle`` or ``drop``.

    Returns ``None`` if nothing is due or the webhook must wait. Only one webhook of a player is served at a time, so
    that one player's slow receivers occupy only one thread.
    """
    free = Webhook.objects.select_related("player").select_for_update(
        of=("self", "player"), skip_locked=True, no_key=True
    )
    webhook = free.filter(is_free(at), pk=webhook_id).first()
    if webhook is None or busy_ones(webhook.player_id, at).exists() or (webhook.is_slow and are_slow_enough(at)):
        return None
    due = webhook.deliveries.filter(due_at__lte=at).order_by("due_at", "created_at").first()
    if due is None:
        return None
    Webhook.objects.filter(pk=webhook_id).update(busy_until=at + CLAIMED_FOR, sending_until=at + CLAIMED_FOR)
    due.webhook = webhook
    return due


def busy_ones(player: UUID, at: datetime) -> QuerySet[Webhook]:
    """Return the player's webhooks to which a worker sends now, without those that pause after a failure."""
    return Webhook.objects.filter(player=player, sending_until__gt=at)


def are_slow_enough(at: datetime) -> bool:
    """Whether so many slow receivers are being served that another one must wait. The sweep asks again."""
    return Webhook.objects.filter(is_slow=True, sending_until__gt=at).count() >= SLOW_AT_ONCE


def is_still_current(delivery: Delivery) -> bool:
    """Whether a message is still current. A turn may have passed while its receiver could not be reached."""
    is_news = is_still_news.get(delivery.event)
    return is_news is None or is_news(delivery)


@transaction.atomic
def drop(delivery: Delivery, at: datetime) -> None:
    """End an obsolete message without an attempt, and release its webhook."""
    Webhook.objects.filter(pk=delivery.webhook_id).update(busy_until=None, sending_until=None)
    end(delivery, Outcome.OBSOLETE, at)


@transaction.atomic
def settle(delivery: Delivery, result: Result, at: datetime) -> None:
    """Record the result of an attempt and the time of the next one, and release the webhook."""
    lock_player(delivery.webhook.player_id)  # ``disable`` updates the player
    webhook = Webhook.objects.select_for_update(no_key=True).filter(pk=delivery.webhook_id).first()
    if webhook is None:
        return
    if result.wait:
        put_off(webhook, delivery, result, at)
        return
    tried = {"attempts": delivery.attempts + 1, "last_status": result.status, "last_failure": result.failure}
    if not result.failure:
        end(delivery, Outcome.DELIVERED, at, **tried)
        webhook.failures, webhook.failing_since, webhook.busy_until = 0, None, None
    else:
        fail(delivery, at, tried)
        webhook.failures, webhook.failing_since = webhook.failures + 1, webhook.failing_since or at
        webhook.busy_until = at + min(REST_EACH * webhook.failures, REST_MOST)
    webhook.is_slow = webhook.sending_until is not None and at > webhook.sending_until - CLAIMED_FOR + SLOW
    webhook.sending_until = None
    webhook.save(update_fields=("failures", "failing_since", "busy_until", "sending_until", "is_slow"))
    if result.status == GONE:
        disable(webhook, Disabled.GONE, at)
    elif webhook.failures >= GIVEN_UP_FAILURES and (webhook.failing_since or at) <= at - GIVEN_UP_AFTER:
        disable(webhook, Disabled.FAILING, at)


def put_off(webhook: Webhook, delivery: Delivery, result: Result, at: datetime) -> None:
    """Pause the webhook until its host's limit allows another message. No attempt was made, so none is counted."""
    webhook.busy_until, webhook.sending_until = at + timedelta(seconds=result.wait), None
    webhook.save(update_fields=("busy_until", "sending_until"))
    Delivery.objects.filter(pk=delivery.pk, due_at__isnull=False).update(last_failure=result.failure)


def fail(delivery: Delivery, at: datetime, tried: dict[str, Any]) -> None:
    """Schedule the next attempt, unless this was the last or the webhook has been disabled meanwhile."""
    if delivery.attempts >= len(DELAYS):
        end(delivery, Outcome.FAILED, at, **tried)
        return
    delay = DELAYS[delivery.attempts] * random.uniform(1 - JITTER, 1 + JITTER)  # noqa: S311
    Delivery.objects.filter(pk=delivery.pk, due_at__isnull=False).update(due_at=at + delay, **tried)


def end(delivery: Delivery, outcome: Outcome, at: datetime, **more: Any) -> None:
    Delivery.objects.filter(pk=delivery.pk).update(outcome=outcome, due_at=None, ended_at=at, **more)


def lock_player(player: UUID) -> None:
    """Lock a player until the commit. Call it before locking any of the player's webhooks."""
    Player.objects.select_for_update(no_key=True).filter(pk=player).values_list("pk").first()


def disable(webhook: Webhook, reason: Disabled, at: datetime) -> None:
    """Disable a webhook, and end its waiting messages as failed. The player must be locked."""
    Webhook.objects.filter(pk=webhook.pk).update(disabled_reason=reason)
    webhook.disabled_reason = reason
    waits = Delivery.objects.filter(webhook=webhook, due_at__isnull=False)
    waits.update(outcome=Outcome.FAILED, due_at=None, ended_at=at)
    update_has_webhooks(webhook.player_id)


def update_has_webhooks(player: UUID) -> None:
    """Update ``has_webhooks``, which tells a move without a query whether the player has enabled webhooks."""
    enabled = Webhook.objects.filter(player=OuterRef("pk"), disabled_reason=Disabled.NOT)
    Player.objects.filter(pk=player).update(has_webhooks=Exists(enabled))


@transaction.atomic
def redeliver(delivery_id: UUID, at: datetime) -> bool:
    """Queue a message that is over again, with the same id. Returns whether it was over and its webhook is enabled."""
    over = Delivery.objects.filter(pk=delivery_id, due_at=None, webhook__disabled_reason=Disabled.NOT)
    is_over = over.update(outcome=Outcome.WAITING, due_at=at, ended_at=None, attempts=0) > 0
    if is_over:
        nudge_after_commit(Delivery.objects.values_list("webhook", flat=True).get(pk=delivery_id))
    return is_over


def forget_old(at: datetime) -> None:
    """Delete messages that are over and older than a week."""
    forget(Delivery.objects.filter(created_at__lt=at - KEPT_FOR, due_at=None).order_by("created_at"))
