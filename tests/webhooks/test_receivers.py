"""One receiving host gets a limited number of messages a minute, for all players together."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from tests.cast import Caller, guest
from tests.rates import limit
from tests.receiver import Receiver
from webhooks import addressbook, outbox, posting, tasks
from webhooks.addresses import Target
from webhooks.models import Delivery, Outcome, Webhook
from webhooks.posting import Result
from webhooks.receivers import seconds_to_wait


def target(host: str, *addresses: str) -> Target:
    return Target(host, 443, "/", addresses)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (target("example.org", "192.0.2.1"), target("example.org.", "192.0.2.2")),
        (target("a.example.org", "192.0.2.1"), target("b.example.net", "192.0.2.1")),
        (target("a.example.org", "2001:db8::1"), target("b.example.net", "2001:db8::2")),
        (target("a.example.org", "192.0.2.7", "192.0.2.8"), target("b.example.net", "192.0.2.9", "192.0.2.8")),
    ],
)
def test_a_host_is_counted_by_its_name_and_by_its_addresses(
    db: None, monkeypatch: pytest.MonkeyPatch, one: Target, other: Target
) -> None:
    limit(monkeypatch, receiver="1/min")
    assert seconds_to_wait(one) == 0
    assert 0 < seconds_to_wait(other) <= 60


def test_another_host_is_not_delayed(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch, receiver="1/min")
    assert seconds_to_wait(target("example.org", "192.0.2.1")) == 0
    assert seconds_to_wait(target("example.net", "192.0.2.2")) == 0


def told_to(receiver: Receiver, name: str) -> UUID:
    player = guest(name).player
    assert player is not None
    webhook = addressbook.register(player, receiver.url, ["your_turn"])
    outbox.announce_test(webhook, timezone.now())
    return webhook.pk


def test_messages_beyond_the_limit_of_a_host_wait(
    db: None, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A delayed message is not a failure, and is sent later with the same id."""
    limit(monkeypatch, receiver="2/min")
    webhooks = [told_to(receiver, name) for name in ("Ann", "Ben", "Cleo")]
    for webhook in webhooks:
        assert tasks.deliver(str(webhook))
    assert len(receiver.told) == 2
    waits = Delivery.objects.get(webhook=webhooks[2])
    assert (waits.outcome, waits.attempts, waits.last_failure) == ("waiting", 0, "receiver_busy")
    resting = Webhook.objects.get(pk=webhooks[2])
    assert (resting.failures, resting.failing_since, resting.sending_until) == (0, None, None)
    assert resting.busy_until is not None
    assert timedelta(0) < resting.busy_until - timezone.now() <= timedelta(minutes=1)
    assert not tasks.deliver(str(webhooks[2]))
    limit(monkeypatch, receiver="2/min")  # the next minute
    Webhook.objects.update(busy_until=None)
    assert tasks.deliver(str(webhooks[2]))
    assert [told.id for told in receiver.told][2:] == [str(waits.pk)]
    assert Delivery.objects.get(pk=waits.pk).last_failure == ""


def test_no_connection_is_made_for_a_message_that_waits(
    alice: Caller, webhook: dict[str, Any], receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit(monkeypatch, receiver="1/min")
    delivery = outbox.announce_test(Webhook.objects.get(pk=webhook["id"]), timezone.now())
    assert posting.post(delivery, timezone.now()).failure == ""
    put_off = posting.post(delivery, timezone.now())
    assert (put_off.failure, put_off.status, put_off.wait > 0) == ("receiver_busy", None, True)
    assert len(receiver.told) == 1


def test_only_the_message_that_waits_has_receiver_busy(alice: Caller) -> None:
    assert alice.player is not None
    webhook, now = addressbook.register(alice.player, "https://1.1.1.1/", ["your_turn"]), timezone.now()
    first, later = (outbox.announce_test(webhook, now + timedelta(seconds=at)) for at in range(2))
    claimed = outbox.claim(webhook.pk, now)
    assert claimed == first
    outbox.settle(claimed, Result(None, "receiver_busy", 30), now)
    reasons = Delivery.objects.order_by("created_at").values_list("last_failure", flat=True)
    assert list(reasons) == ["receiver_busy", ""]
    Delivery.objects.filter(pk=later.pk).update(due_at=None, outcome=Outcome.FAILED, last_failure="refused")
    outbox.settle(later, Result(None, "receiver_busy", 30), now)  # it was given up while it was tried
    assert list(reasons.all()) == ["receiver_busy", "refused"]
