"""What is to be told, from the moment it happened until it is delivered or given up. Messages to workers may be lost.

The rows are written by hand in one statement, in the transaction of what they tell of: it locks the webhooks, so that
one that is deleted meanwhile fails nobody's move.
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
from rest.forgetting import forget
from rest.redis import tell_worker
from webhooks.models import Delivery, Disabled, Event, Outcome, Webhook
from webhooks.posting import Result

DELIVER = "webhooks.tasks.deliver"
QUEUE = "webhooks"
"""The queue in which slow receivers keep nobody waiting but each other."""
DELAYS = tuple(timedelta(seconds=seconds) for seconds in (5, 60, 300, 1800, 7200, 6 * 3600, 15 * 3600))
"""How long to wait after each attempt in vain, about a day in all; after the last it is given up."""
JITTER = 0.2
CLAIMED_FOR = timedelta(seconds=30)
"""How long a webhook is one process's; longer than an attempt can take, so that only a crash makes it run out."""
SLOW, SLOW_AT_ONCE = timedelta(seconds=2), 4
"""Of receivers that took so long the last time, half as many at once as a process has threads: others go on."""
REST_EACH, REST_MOST = timedelta(seconds=5), timedelta(minutes=5)
"""How long a webhook rests for every failure in a row, whatever waits for it: so it takes little of others' time."""
GIVEN_UP_AFTER, GIVEN_UP_FAILURES = timedelta(days=3), 20
"""A webhook that nothing has reached for so long, in so many attempts, is told no more."""
KEPT_FOR = timedelta(days=7)
CLAIMS_A_SWEEP = 500
GONE = 410

is_still_news: dict[str, Callable[[Delivery], bool]] = {}
"""By event, whether it is still worth telling; set by the room that knows."""

# Locked in one order, and only against being deleted: a worker may write to a webhook meanwhile. Two webhooks at one
# address may be left from the release that allowed it; only the earlier one gets the message.
ANNOUNCE = """
with wanting as (
    select w.id, told.body from webhooks_webhook w
      join unnest(%s::uuid[], %s::text[]) told(player, body) on told.player = w.player_id
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


def announce(event: Event, table: UUID, number: int, told: Mapping[UUID, Mapping[str, Any]], at: datetime) -> None:
    """Have players told who want to be, each in words of their own. A second time nothing happens.

    In the caller's transaction; after its commit workers are nudged.
    """
    bodies = [body_of(event, facts, at) for facts in told.values()]
    with connection.cursor() as cursor:
        cursor.execute(ANNOUNCE, [list(told), bodies, event.value, event.value, event.value, table, number, at, at])
        webhooks = [webhook for (webhook,) in cursor.fetchall()]
    for webhook in webhooks:
        nudge_after_commit(webhook)


def announce_test(webhook: Webhook, at: datetime) -> Delivery:
    """A message to one webhook that says nothing but that it arrives."""
    body = body_of(Event.TEST, {"webhook": webhook.id}, at)
    test = Delivery.objects.create(webhook=webhook, event=Event.TEST, body=body, created_at=at, due_at=at)
    nudge_after_commit(webhook.id)
    return test


def body_of(event: Event, facts: Mapping[str, Any], at: datetime) -> str:
    return json.dumps({"type": event.value, "timestamp": at, "data": facts}, cls=DjangoJSONEncoder)


def nudge_after_commit(webhook: UUID) -> None:
    transaction.on_commit(lambda: nudge(webhook))


def nudge(webhook: UUID) -> None:
    """Have a worker send what is due. Without a broker nothing is lost: the sweep asks again."""
    tell_worker(DELIVER, str(webhook), otherwise=f"webhook {webhook} waits for the sweep", queue=QUEUE)


def nudge_next(webhook: UUID, at: datetime) -> None:
    """Go on with whichever of this player's webhooks has waited longest."""
    due = Delivery.objects.filter(webhook__player__webhooks=webhook, due_at__lte=at).filter(is_free(at, "webhook__"))
    if (longest := due.order_by("due_at").values_list("webhook", flat=True).first()) is not None:
        nudge(longest)


def waiting(at: datetime) -> list[UUID]:
    """Webhooks that something is due at and that nobody sends to, longest waiting first."""
    due = Delivery.objects.filter(due_at__lte=at).filter(is_free(at, "webhook__")).order_by("due_at")
    return list(dict.fromkeys(due.values_list("webhook", flat=True)[:CLAIMS_A_SWEEP]))


def is_free(at: datetime, path: str = "") -> Q:
    idle = Q(**{f"{path}busy_until": None}) | Q(**{f"{path}busy_until__lte": at})
    return idle & Q(**{f"{path}disabled_reason": Disabled.NOT, f"{path}player__is_active": True})


@transaction.atomic
def claim(webhook_id: UUID, at: datetime) -> Delivery | None:
    """The message that has been due longest at a webhook, which is nobody else's until ``settle`` or ``drop``.

    A player's webhooks take turns, so that slow receivers of one player keep a single thread from others.
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
    """The player's webhooks that somebody is sending to. One that rests after a failure has no message in flight."""
    return Webhook.objects.filter(player=player, sending_until__gt=at)


def are_slow_enough(at: datetime) -> bool:
    """Whether a slow receiver has to wait for another one to be done; the sweep asks again."""
    return Webhook.objects.filter(is_slow=True, sending_until__gt=at).count() >= SLOW_AT_ONCE


def is_worth_telling(delivery: Delivery) -> bool:
    """Old news is not told: a turn that has passed while its receiver could not be reached."""
    is_news = is_still_news.get(delivery.event)
    return is_news is None or is_news(delivery)


@transaction.atomic
def drop(delivery: Delivery, at: datetime) -> None:
    """Old news: end the delivery without an attempt."""
    Webhook.objects.filter(pk=delivery.webhook_id).update(busy_until=None, sending_until=None)
    end(delivery, Outcome.OBSOLETE, at)


@transaction.atomic
def settle(delivery: Delivery, result: Result, at: datetime) -> None:
    """Write down what came of an attempt, and when there is to be another."""
    lock_player(delivery.webhook.player_id)  # whom ``disable`` writes to
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
    """Let the webhook wait until its host's limit allows another message. No attempt was made, so none is counted."""
    webhook.busy_until, webhook.sending_until = at + timedelta(seconds=result.wait), None
    webhook.save(update_fields=("busy_until", "sending_until"))
    Delivery.objects.filter(pk=delivery.pk, due_at__isnull=False).update(last_failure=result.failure)


def fail(delivery: Delivery, at: datetime, tried: dict[str, Any]) -> None:
    """Another attempt, unless this was the last, or the webhook has been disabled meanwhile."""
    if delivery.attempts >= len(DELAYS):
        end(delivery, Outcome.FAILED, at, **tried)
        return
    delay = DELAYS[delivery.attempts] * random.uniform(1 - JITTER, 1 + JITTER)  # noqa: S311
    Delivery.objects.filter(pk=delivery.pk, due_at__isnull=False).update(due_at=at + delay, **tried)


def end(delivery: Delivery, outcome: Outcome, at: datetime, **more: Any) -> None:
    Delivery.objects.filter(pk=delivery.pk).update(outcome=outcome, due_at=None, ended_at=at, **more)


def lock_player(player: UUID) -> None:
    """For the rest of the transaction, before any of their webhooks."""
    Player.objects.select_for_update(no_key=True).filter(pk=player).values_list("pk").first()


def disable(webhook: Webhook, reason: Disabled, at: datetime) -> None:
    """Tell this webhook nothing more, what waits already included."""
    Webhook.objects.filter(pk=webhook.pk).update(disabled_reason=reason)
    webhook.disabled_reason = reason
    waits = Delivery.objects.filter(webhook=webhook, due_at__isnull=False)
    waits.update(outcome=Outcome.FAILED, due_at=None, ended_at=at)
    note_who_is_told(webhook.player_id)


def note_who_is_told(player: UUID) -> None:
    """Keep ``has_webhooks`` right, by which a move knows without asking that nobody is to be told."""
    enabled = Webhook.objects.filter(player=OuterRef("pk"), disabled_reason=Disabled.NOT)
    Player.objects.filter(pk=player).update(has_webhooks=Exists(enabled))


@transaction.atomic
def redeliver(delivery_id: UUID, at: datetime) -> bool:
    """Send a message again that is over, with the id it had; once, unless it fails again. Returns whether it was."""
    over = Delivery.objects.filter(pk=delivery_id, due_at=None, webhook__disabled_reason=Disabled.NOT)
    is_over = over.update(outcome=Outcome.WAITING, due_at=at, ended_at=None, attempts=0) > 0
    if is_over:
        nudge_after_commit(Delivery.objects.values_list("webhook", flat=True).get(pk=delivery_id))
    return is_over


def forget_old(at: datetime) -> None:
    """Forget messages that are a week old and over."""
    forget(Delivery.objects.filter(created_at__lt=at - KEPT_FOR, due_at=None).order_by("created_at"))
