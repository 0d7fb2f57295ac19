"""Webhooks and the messages to them. The rows of ``Delivery`` are the queue."""

import uuid
from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from players.models import Player

URL_LENGTH = 500


class Event(models.TextChoices):
    YOUR_TURN = "your_turn"
    TABLE_FINISHED = "table_finished"
    TEST = "test"


WANTED = (Event.YOUR_TURN, Event.TABLE_FINISHED)
"""The events that a player can subscribe to."""


class Disabled(models.TextChoices):
    """Why a webhook gets no messages."""

    NOT = "", "not disabled"
    BY_PLAYER = "by_player"
    GONE = "gone", "its receiver has answered 410"
    FAILING = "failing", "nothing has reached it for days"


class Outcome(models.TextChoices):
    WAITING = "waiting"
    DELIVERED = "delivered"
    FAILED = "failed"
    OBSOLETE = "obsolete", "the turn was over before the message was sent"


class Webhook(models.Model):
    """A player's URL for messages. Until ``busy_until`` a worker sends to it, or it pauses after a failure.

    ``sending_until`` is set only while a worker sends. After a crash of the worker it expires.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    player = models.ForeignKey(Player, models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=URL_LENGTH)
    secret = models.CharField(
        max_length=60, help_text="The key that signs the messages. Only its player sees it, once."
    )
    events = ArrayField(models.CharField(max_length=20, choices=Event))
    created_at = models.DateTimeField(auto_now_add=True)
    disabled_reason = models.CharField(max_length=12, choices=Disabled, default=Disabled.NOT, blank=True)
    failures = models.PositiveIntegerField(default=0, help_text="Failed attempts in a row.")
    failing_since = models.DateTimeField(null=True, blank=True)
    busy_until = models.DateTimeField(null=True, blank=True)
    sending_until = models.DateTimeField(null=True, blank=True)
    is_slow = models.BooleanField(default=False, db_default=False, help_text="Whether the last attempt took long.")

    class Meta:
        ordering = ("created_at", "id")
        indexes: ClassVar = (models.Index(fields=("sending_until",), condition=Q(is_slow=True), name="webhook_slow"),)

    def __str__(self) -> str:
        return f"Webhook {str(self.id)[:8]}"


class Delivery(models.Model):
    """One message to one webhook. ``id`` is the same for every attempt; ``due_at`` is empty once the message is over.

    ``table`` is not a foreign key, because this app does not depend on ``tables``. A turn has one message, even if it
    takes several moves.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries", db_index=False)
    event = models.CharField(max_length=20, choices=Event)
    table = models.UUIDField(null=True, blank=True)
    number = models.PositiveIntegerField(null=True, blank=True, help_text="The number in the log at which it happened.")
    body = models.TextField()
    created_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    outcome = models.CharField(max_length=10, choices=Outcome, default=Outcome.WAITING)
    ended_at = models.DateTimeField(null=True, blank=True)
    last_status = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="The status of the receiver's last answer."
    )
    last_failure = models.CharField(max_length=20, blank=True)

    class Meta:
        verbose_name_plural = "deliveries"
        ordering = ("-created_at", "-id")
        indexes: ClassVar = (
            models.Index(fields=("due_at", "webhook"), condition=Q(due_at__isnull=False), name="delivery_due"),
            models.Index(fields=("webhook", "-created_at"), name="delivery_latest"),
            models.Index(fields=("created_at",), name="delivery_oldest"),
            models.Index(fields=("ended_at",), condition=Q(outcome=Outcome.FAILED), name="delivery_failed"),
        )
        constraints: ClassVar = (
            models.UniqueConstraint(fields=("webhook", "table", "number", "event"), name="one_delivery_of_a_turn"),
            models.CheckConstraint(
                condition=Q(outcome=Outcome.WAITING, due_at__isnull=False)
                | ~Q(outcome=Outcome.WAITING) & Q(due_at=None),
                name="what_waits_is_due_some_time",
            ),
        )

    def __str__(self) -> str:
        return f"{self.event} {str(self.id)[:8]}"

    @property
    def failure(self) -> str | None:
        """Why the last attempt failed; ``None`` if it did not."""
        return self.last_failure or None
