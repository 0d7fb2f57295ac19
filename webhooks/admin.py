"""The admin pages of webhooks and their messages. They show no secrets."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from rest.admin import ReadOnly
from rest.admin_actions import ConfirmedActions
from webhooks import outbox
from webhooks.models import Delivery, Webhook


@admin.register(Webhook)
class WebhookAdmin(ReadOnly):
    """To stop a webhook, make its player inactive: inactive players get no messages."""

    list_display = ("__str__", "player", "url", "events", "why_disabled", "failures", "failing_since", "created_at")
    list_filter = ("disabled_reason", "created_at")
    list_select_related = ("player",)
    search_fields = ("id", "url", "player__name", "player__username")
    fields = ("id", *list_display[1:], "busy_until", "is_slow")
    ordering = ("-created_at", "-id")

    @admin.display(description="Disabled", ordering="disabled_reason", empty_value="no")
    def why_disabled(self, webhook: Webhook) -> str | None:
        return webhook.get_disabled_reason_display() if webhook.disabled_reason else None


@admin.register(Delivery)
class DeliveryAdmin(ConfirmedActions, ReadOnly):
    list_display = (
        "__str__",
        "webhook",
        "event",
        "table",
        "number",
        "outcome",
        "attempts",
        "last_status",
        "created_at",
    )
    list_filter = ("outcome", "event", "created_at")
    list_select_related = ("webhook",)
    search_fields = ("id", "table", "webhook__id", "webhook__url", "webhook__player__name")
    fields = ("id", *list_display[1:], "last_failure", "due_at", "ended_at", "body")
    ordering = ("-created_at", "-id")
    actions = ("send_again",)

    @admin.action(description="Send the selected deliveries again…", permissions=["view"])
    def send_again(self, request: HttpRequest, deliveries: QuerySet[Delivery]) -> HttpResponse | None:
        if not request.user.has_perm("webhooks.change_delivery"):
            self.message_user(request, "You may look at deliveries, and no more.", messages.ERROR)
            return None
        return self.confirm(
            request,
            list(deliveries),
            lambda delivery: outbox.redeliver(delivery.id, timezone.now()),
            question="Messages that are over are sent again if their webhook is enabled. Send them?",
            done="Queued to be sent again",
        )
