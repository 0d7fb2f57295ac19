"""Serializers of the API for webhooks."""

from typing import Any

from rest_framework import serializers

from rest.bodies import StrictFields
from rest.texts import described
from webhooks.models import URL_LENGTH, WANTED, Disabled, Event, Outcome

Answer = serializers.Serializer[Any]
DISABLED_REASONS = [each for each in Disabled.choices if each[0]]
EVENTS = [(event.value, event.value) for event in WANTED]


@described("The address and the events of a webhook.")
class WebhookFieldsSerializer(StrictFields):
    url = serializers.CharField(max_length=URL_LENGTH, help_text="https://…, on the public internet.")
    events = serializers.ListField(child=serializers.ChoiceField(EVENTS), allow_empty=False, max_length=10)

    def validate_events(self, events: list[str]) -> list[str]:
        return sorted(set(events))


class WebhookChangesSerializer(WebhookFieldsSerializer):
    enabled = serializers.BooleanField(
        required=False,
        help_text="Whether the webhook is enabled; `true` also enables it after the server has disabled it.",
    )


@described("A message. ``id`` is its ``webhook-id``, the same in every attempt.")
class DeliveryAnswer(Answer):
    id = serializers.UUIDField()
    event = serializers.ChoiceField(Event.choices)
    table = serializers.UUIDField(allow_null=True)
    number = serializers.IntegerField(allow_null=True)
    created_at = serializers.DateTimeField()
    outcome = serializers.ChoiceField(Outcome.choices)
    attempts = serializers.IntegerField()
    last_status = serializers.IntegerField(allow_null=True, help_text="The status of the receiver's last answer.")
    last_failure = serializers.CharField(allow_null=True, source="failure", help_text="Why the last attempt failed.")
    next_attempt_at = serializers.DateTimeField(allow_null=True, source="due_at")
    ended_at = serializers.DateTimeField(allow_null=True)


@described("A webhook as its player sees it.")
class WebhookAnswer(Answer):
    id = serializers.UUIDField()
    url = serializers.CharField()
    events = serializers.ListField(child=serializers.ChoiceField(EVENTS))
    enabled = serializers.BooleanField()
    disabled_reason = serializers.ChoiceField(DISABLED_REASONS, allow_null=True)
    failures = serializers.IntegerField(help_text="Failed attempts in a row.")
    failing_since = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()
    last_delivery = DeliveryAnswer(allow_null=True)


@described("A webhook with its secret. No later answer contains the secret.")
class NewWebhookAnswer(WebhookAnswer):
    secret = serializers.CharField()
