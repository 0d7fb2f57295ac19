"""Views to register, change, test and remove the caller's webhooks."""

from collections.abc import Sequence
from typing import ClassVar
from uuid import UUID

from django.urls import reverse
from django.utils import timezone
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from players.api.views import oneself
from rest.bodies import validated
from rest.headers import LOCATION
from rest.idempotency import idempotent
from rest.problems import raises
from rest.texts import operation
from rest.throttles import CallerThrottle, WebhookThrottle
from webhooks import addressbook
from webhooks.api.serializers import WebhookChangesSerializer, WebhookFieldsSerializer
from webhooks.models import Delivery, Webhook
from webhooks.presenters import DeliveryAnswer, NewWebhookAnswer, WebhookAnswer, present_delivery, present_webhook


class WebhooksApiView(APIView):
    """Base class of the views. POST and PATCH have a stricter limit, because they can make the server send requests."""

    permission_classes = (IsAuthenticated,)
    path_meanings: ClassVar = {"webhook_id": "The webhook's id."}

    def get_throttles(self) -> list[BaseThrottle]:
        return [CallerThrottle(), *([WebhookThrottle()] if self.request.method in {"POST", "PATCH"} else [])]


def with_last_delivery(webhooks: Sequence[Webhook]) -> list[WebhookAnswer]:
    """Present the webhooks, each with its last message. Takes one more query."""
    latest = Delivery.objects.filter(webhook__in=webhooks).order_by("webhook_id", "-created_at", "-id")
    deliveries = {delivery.webhook_id: delivery for delivery in latest.distinct("webhook_id")}
    return [present_webhook(webhook, deliveries.get(webhook.id)) for webhook in webhooks]


class WebhooksView(WebhooksApiView):
    @operation(
        "webhooks",
        "List the caller's webhooks, each with the result of its last message",
        responses=list[WebhookAnswer],
    )
    def get(self, request: Request) -> Response:
        webhooks = list(oneself(request).webhooks.all())
        return Response(with_last_delivery(webhooks))

    @operation(
        "add_webhook",
        "Register an https address that receives messages about the caller's turns and tables",
        (
            "The server signs messages as in Standard Webhooks with the `secret`, which only this answer contains. "
            "It sends one message per turn. If a message gets no 2xx within five seconds, the server sends it again "
            "with the same `webhook-id`, for a day. An answer of 410 disables the webhook."
        ),
        parameters=[LOCATION],
        request=WebhookFieldsSerializer,
        responses={201: NewWebhookAnswer},
    )
    @raises(addressbook.AlreadyThere, addressbook.TooMany)
    @idempotent
    def post(self, request: Request) -> Response:
        given = validated(WebhookFieldsSerializer, request.data)
        made = addressbook.register(oneself(request), given["url"], given["events"])
        at = {"Location": reverse("webhook", args=(made.pk,))}
        answer: NewWebhookAnswer = {**present_webhook(made, None), "secret": made.secret}
        return Response(answer, 201, headers=at)


class WebhookView(WebhooksApiView):
    @operation("webhook", "Show one of the caller's webhooks", responses=WebhookAnswer)
    def get(self, request: Request, webhook_id: UUID) -> Response:
        return self.answer(addressbook.own(oneself(request), webhook_id))

    @operation(
        "change_webhook",
        "Change the address or the events, or turn a webhook off and on",
        request=WebhookChangesSerializer,
        responses=WebhookAnswer,
    )
    @raises(addressbook.AlreadyThere)
    def patch(self, request: Request, webhook_id: UUID) -> Response:
        given = validated(WebhookChangesSerializer, request.data, partial=True)
        return self.answer(addressbook.change(oneself(request), webhook_id, given))

    @operation("remove_webhook", "Delete a webhook and its waiting messages", responses={204: None})
    @idempotent
    def delete(self, request: Request, webhook_id: UUID) -> Response:
        addressbook.remove(oneself(request), webhook_id)
        return Response(status=204)

    def answer(self, webhook: Webhook) -> Response:
        return Response(with_last_delivery([webhook])[0])


class WebhookTestView(WebhooksApiView):
    @operation(
        "try_webhook",
        "Send a message of type `test`",
        "The webhook's `last_delivery` has the result.",
        request=None,
        responses={202: DeliveryAnswer},
    )
    @raises(addressbook.IsDisabled)
    @idempotent
    def post(self, request: Request, webhook_id: UUID) -> Response:
        test = addressbook.send_test(oneself(request), webhook_id, timezone.now())
        return Response(present_delivery(test), 202)
