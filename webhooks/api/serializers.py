"""Serializers of the API for webhooks."""

from rest_framework import serializers

from rest.bodies import StrictFields
from rest.texts import described
from webhooks.models import URL_LENGTH
from webhooks.presenters import EVENTS


@described("The address and the events of a webhook.")
class WebhookFieldsSerializer(StrictFields):
    url = serializers.CharField(max_length=URL_LENGTH, help_text="https://…, on the public internet.")
    events = serializers.ListField(
        child=serializers.ChoiceField(EVENTS),
        allow_empty=False,
        max_length=10,
        help_text="The events that messages are sent of.",
    )

    def validate_events(self, events: list[str]) -> list[str]:
        return sorted(set(events))


class WebhookChangesSerializer(WebhookFieldsSerializer):
    enabled = serializers.BooleanField(
        required=False,
        help_text="Whether the webhook is enabled; `true` also enables it after the server has disabled it.",
    )
