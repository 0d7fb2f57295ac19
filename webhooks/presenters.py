"""Presents a player's webhooks and the messages sent to them."""

from datetime import datetime
from typing import Annotated, Literal, TypedDict

from rest.answers import Id
from rest.texts import described
from webhooks.models import WANTED, Delivery, Disabled, Event, Outcome, Webhook

DISABLED_REASONS = tuple(each for each in Disabled.values if each)
EVENTS = tuple(event.value for event in WANTED)


@described("A message. `id` is its `webhook-id`, the same in every attempt.")
class DeliveryAnswer(TypedDict):
    id: Annotated[Id, "The message's id."]
    event: Annotated[str, Event, "What the message tells of."]
    table: Annotated[Id | None, "The table's id; `null` for a test."]
    number: Annotated[int | None, "The next number of the table's log when it happened; `null` for a test."]
    created_at: Annotated[datetime, "When the message was made."]
    outcome: Annotated[str, Outcome, "Whether the message has arrived. `obsolete`: it was no longer news."]
    attempts: Annotated[int, "How often the server has sent it."]
    last_status: Annotated[int | None, "The status of the receiver's last answer; `null` if there was none."]
    last_failure: Annotated[str | None, "Why the last attempt failed; `null` if it did not."]
    next_attempt_at: Annotated[datetime | None, "When the server sends it next; `null` once that is over."]
    ended_at: Annotated[datetime | None, "When that was over; `null` before."]


@described("A webhook as its player sees it.")
class WebhookAnswer(TypedDict):
    id: Annotated[Id, "The webhook's id."]
    url: Annotated[str, "Where its messages are sent."]
    events: Annotated[list[Annotated[str, Literal[EVENTS]]], "The events that are sent there."]
    enabled: Annotated[bool, "Whether messages are sent."]
    disabled_reason: Annotated[
        Annotated[str, Literal[DISABLED_REASONS]] | None,
        (
            "Why the webhook is disabled: by its player, because the receiver answered 410 (`gone`), or because "
            "nothing has arrived for days (`failing`); `null` while it is enabled."
        ),
    ]
    failures: Annotated[int, "Failed attempts in a row."]
    failing_since: Annotated[datetime | None, "Since when every attempt has failed; `null` if the last one succeeded."]
    created_at: Annotated[datetime, "When the webhook was registered."]
    last_delivery: Annotated[DeliveryAnswer | None, "Its newest message; `null` if there is none."]


@described("A webhook with its secret. No later answer contains the secret.")
class NewWebhookAnswer(WebhookAnswer):
    secret: Annotated[str, "The key that signs the messages, as in Standard Webhooks."]


def present_delivery(delivery: Delivery) -> DeliveryAnswer:
    return {
        "id": str(delivery.id),
        "event": delivery.event,
        "table": str(delivery.table) if delivery.table else None,
        "number": delivery.number,
        "created_at": delivery.created_at,
        "outcome": delivery.outcome,
        "attempts": delivery.attempts,
        "last_status": delivery.last_status,
        "last_failure": delivery.failure,
        "next_attempt_at": delivery.due_at,
        "ended_at": delivery.ended_at,
    }


def present_webhook(webhook: Webhook, last: Delivery | None) -> WebhookAnswer:
    return {
        "id": str(webhook.id),
        "url": webhook.url,
        "events": webhook.events,
        "enabled": not webhook.disabled_reason,
        "disabled_reason": webhook.disabled_reason or None,
        "failures": webhook.failures,
        "failing_since": webhook.failing_since,
        "created_at": webhook.created_at,
        "last_delivery": present_delivery(last) if last else None,
    }
