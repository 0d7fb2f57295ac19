"""Serializers of the export of a player's data, for the schema."""

from typing import Any

from rest_framework import serializers

from players.api.serializers import SessionAnswer
from players.models import Kind
from rest.texts import described
from tables.models import Status
from webhooks.api.serializers import DISABLED_REASONS, EVENTS, DeliveryAnswer

Answer = serializers.Serializer[Any]


@described("The stored data about the player.")
class ExportedPlayer(Answer):
    id = serializers.UUIDField(help_text="The player's id.")
    kind = serializers.ChoiceField(Kind.choices, help_text="A person or a bot.")
    name = serializers.CharField(help_text="The name that others see.")
    username = serializers.CharField(allow_null=True, help_text="An account's username; null for a guest.")
    has_password = serializers.BooleanField(help_text="Whether a password is set. Only its hash is kept.")
    is_active = serializers.BooleanField(help_text="Whether the player may use the API.")
    is_staff = serializers.BooleanField(help_text="Whether the player may enter the admin.")
    is_superuser = serializers.BooleanField(help_text="Whether the player may do everything there.")
    has_webhooks = serializers.BooleanField(help_text="Whether a webhook of the player is enabled.")
    groups = serializers.ListField(child=serializers.CharField(), help_text="The player's groups in the admin.")
    permissions = serializers.ListField(
        child=serializers.CharField(), help_text="The player's other permissions in the admin."
    )
    created_at = serializers.DateTimeField(help_text="When the player was created.")
    last_login = serializers.DateTimeField(allow_null=True, help_text="When the player last entered the admin.")
    deleted_at = serializers.DateTimeField(allow_null=True, help_text="When the player was deleted.")


@described("A table where the player sits or which they host.")
class ExportedTable(Answer):
    id = serializers.UUIDField(help_text="The table's id.")
    name = serializers.CharField(allow_blank=True, help_text="The table's name.")
    status = serializers.ChoiceField(Status.choices, help_text="The status of the table.")
    is_host = serializers.BooleanField(help_text="Whether the player is the host.")
    seat = serializers.IntegerField(allow_null=True, help_text="The player's seat; null for a host without one.")
    shown_name = serializers.CharField(
        allow_null=True, help_text="The player's name at this table; empty if it is their usual name."
    )
    has_left = serializers.BooleanField(allow_null=True, help_text="Whether the match counts as left.")
    total = serializers.IntegerField(allow_null=True, help_text="The points of the seat.")
    stand_in = serializers.CharField(allow_null=True, help_text="The bot that plays for the player; empty for none.")
    stand_in_until = serializers.CharField(allow_null=True, help_text="How long it plays for the player.")
    timeouts = serializers.IntegerField(allow_null=True, help_text="Turns in a row that the clock ended.")
    client_seed = serializers.CharField(allow_null=True, help_text="The player's seed for the next deal.")
    client_seeds = serializers.ListField(
        child=serializers.CharField(allow_blank=True), help_text="The player's seeds of the rounds dealt, in order."
    )
    created_at = serializers.DateTimeField(help_text="When the table was opened.")
    started_at = serializers.DateTimeField(allow_null=True, help_text="When the match began.")
    ended_at = serializers.DateTimeField(allow_null=True, help_text="When the table ended.")
    moves = serializers.CharField(help_text="The address of the moves, the player's among them.")
    record = serializers.CharField(help_text="The address of the match as one document, once it is over.")


@described("A message to a webhook, with its body.")
class ExportedDelivery(DeliveryAnswer):
    body = serializers.CharField(help_text="The message, as it is sent.")


@described("A webhook of the player, without its secret.")
class ExportedWebhook(Answer):
    id = serializers.UUIDField(help_text="The webhook's id.")
    url = serializers.CharField(help_text="Where its messages are sent.")
    events = serializers.ListField(child=serializers.ChoiceField(EVENTS), help_text="The events that are sent there.")
    disabled_reason = serializers.ChoiceField(
        DISABLED_REASONS, allow_null=True, help_text="Why the webhook is disabled; null while it is enabled."
    )
    failures = serializers.IntegerField(help_text="Failed attempts in a row.")
    failing_since = serializers.DateTimeField(allow_null=True, help_text="Since when every attempt has failed.")
    created_at = serializers.DateTimeField(help_text="When it was registered.")
    deliveries = ExportedDelivery(many=True, help_text="Its messages of the last week, oldest first.")


@described("An action of the player in the admin.")
class ExportedAction(Answer):
    at = serializers.DateTimeField(help_text="When the action was taken.")
    action = serializers.CharField(help_text="`added`, `changed` or `deleted`.")
    model = serializers.CharField(allow_null=True, help_text="The model of the changed object.")


@described("All stored data about the caller.")
class ExportAnswer(Answer):
    exported_at = serializers.DateTimeField(help_text="When the export was made.")
    player = ExportedPlayer(help_text="The data of the player.")
    sessions = SessionAnswer(many=True, help_text="The player's tokens, without the tokens.")
    handover_expires_at = serializers.DateTimeField(
        allow_null=True, help_text="When the code for another device expires; null if there is none."
    )
    tables = ExportedTable(many=True, help_text="The player's tables, newest first.")
    webhooks = ExportedWebhook(many=True, help_text="The player's webhooks.")
    admin_actions = ExportedAction(many=True, help_text="The player's actions in the admin, newest first.")
