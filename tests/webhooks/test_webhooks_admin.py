"""Webhooks in the admin can be viewed, deleted and sent again, and show no secret."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from players.models import Player
from tests.cast import Caller
from tests.matches import begin
from tests.receiver import Receiver, status
from webhooks import tasks
from webhooks.models import Delivery, Webhook

DELIVERIES = "admin:webhooks_delivery_changelist"


@pytest.fixture
def keeper(db: None) -> Client:
    client = Client()
    client.force_login(Player.objects.create_superuser("keeper", "a long password"))
    return client


@pytest.fixture
def delivered_turn(alice: Caller, bob: Caller, webhook: dict[str, Any]) -> Delivery:
    begin(alice, bob)
    return Delivery.objects.get()


def test_a_webhooks_page_shows_no_secret(keeper: Client, webhook: dict[str, Any], delivered_turn: Delivery) -> None:
    pages = [
        reverse("admin:webhooks_webhook_changelist"),
        reverse("admin:webhooks_webhook_change", args=[webhook["id"]]),
        reverse(DELIVERIES),
        reverse("admin:webhooks_delivery_change", args=[delivered_turn.id]),
    ]
    for page in pages:
        shown = keeper.get(page)
        assert shown.status_code == 200
        assert "whsec" not in shown.content.decode()
        assert webhook["secret"][6:] not in shown.content.decode()
    assert webhook["url"].split("?")[0] in keeper.get(pages[1]).content.decode()


def test_webhooks_cannot_be_changed_in_the_admin(
    keeper: Client, webhook: dict[str, Any], delivered_turn: Delivery
) -> None:
    for model, pk in (("webhook", webhook["id"]), ("delivery", delivered_turn.id)):
        assert keeper.get(reverse(f"admin:webhooks_{model}_add")).status_code == 403
        assert keeper.post(reverse(f"admin:webhooks_{model}_change", args=[pk]), {"url": "x"}).status_code == 403
        assert keeper.post(reverse(f"admin:webhooks_{model}_delete", args=[pk]), {"post": "yes"}).status_code == 403


def test_an_inactive_player_gets_no_messages(
    webhook: dict[str, Any], delivered_turn: Delivery, receiver: Receiver
) -> None:
    Player.objects.filter(has_webhooks=True).update(is_active=False)
    assert tasks.sweep() == 0
    assert not tasks.deliver(webhook["id"])
    assert receiver.told == []


def send_again(client: Client, delivery: Delivery) -> None:
    chosen = {"action": "send_again", "confirmed": "yes", "_selected_action": [str(delivery.id)]}
    assert client.post(reverse(DELIVERIES), chosen).status_code == 302


def test_a_message_that_is_over_can_be_sent_again(
    keeper: Client, webhook: dict[str, Any], delivered_turn: Delivery, receiver: Receiver
) -> None:
    tasks.deliver(webhook["id"])
    send_again(keeper, delivered_turn)
    receiver.answers.append(status(503))
    tasks.deliver(webhook["id"])
    assert [each.id for each in receiver.told] == [str(delivered_turn.id)] * 2
    delivered_turn.refresh_from_db()
    assert (delivered_turn.outcome, delivered_turn.attempts) == ("waiting", 1)


def test_waiting_messages_and_those_of_disabled_webhooks_are_not_sent_again(
    keeper: Client, webhook: dict[str, Any], delivered_turn: Delivery
) -> None:
    Delivery.objects.update(attempts=3)
    send_again(keeper, delivered_turn)
    delivered_turn.refresh_from_db()
    assert delivered_turn.attempts == 3
    Delivery.objects.update(outcome="failed", due_at=None)
    Webhook.objects.update(disabled_reason="gone")
    send_again(keeper, delivered_turn)
    assert Delivery.objects.get().due_at is None


def test_staff_who_may_only_view_cannot_send_again(webhook: dict[str, Any], delivered_turn: Delivery) -> None:
    looker = Player.objects.create_user("looker", "a long password", name="Looker", is_staff=True)
    looker.user_permissions.add(Permission.objects.get(codename="view_delivery"))
    client = Client()
    client.force_login(looker)
    Delivery.objects.update(outcome="failed", due_at=None)
    send_again(client, delivered_turn)
    assert Delivery.objects.get().due_at is None
