"""From the event to the receiver: attempts, retries with the same id, giving up, and never two attempts at a time."""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from django.utils import timezone

from players.models import Player
from tests.at_once import await_blocked, threads
from tests.brokers import USELESS
from tests.cast import Caller, guest
from tests.receiver import Receiver, status
from tests.rest.checks import check_refused, together
from webhooks import addressbook, outbox, tasks
from webhooks.models import Delivery, Event, Webhook
from webhooks.posting import Result

PATIENT = timedelta(seconds=10)


def deliver(webhook: dict[str, Any]) -> bool | None:
    return tasks.deliver(webhook["id"])


TICK = timedelta(milliseconds=1)


def send_test(alice: Caller, webhook: dict[str, Any]) -> dict[str, Any]:
    answer = alice.post(f"players/me/webhooks/{webhook['id']}/test")
    assert answer.status == 202, answer.text
    delivery: dict[str, Any] = answer.body
    return delivery


def presented(alice: Caller, webhook: dict[str, Any]) -> dict[str, Any]:
    body: dict[str, Any] = alice.get(f"players/me/webhooks/{webhook['id']}").body
    return body


def let_it_be_due() -> None:
    Delivery.objects.filter(due_at__isnull=False).update(due_at=timezone.now())
    Webhook.objects.update(busy_until=None, sending_until=None)


def test_a_test_is_delivered(alice: Caller, webhook: dict[str, Any], receiver: Receiver) -> None:
    delivery = send_test(alice, webhook)
    assert (delivery["event"], delivery["outcome"], delivery["attempts"]) == ("test", "waiting", 0)
    assert deliver(webhook)
    (told,) = receiver.told
    assert told.id == delivery["id"]
    last = presented(alice, webhook)["last_delivery"]
    assert (last["id"], last["outcome"], last["attempts"], last["last_status"]) == (told.id, "delivered", 1, 204)
    assert (last["next_attempt_at"], last["last_failure"]) == (None, None)
    assert last["ended_at"] is not None
    assert not deliver(webhook)
    assert len(receiver.told) == 1


def test_a_players_webhooks_take_turns(alice: Caller, bob: Caller, webhook: dict[str, Any]) -> None:
    """Slow receivers of one player occupy one thread, and delay no other player's messages."""
    assert alice.player is not None
    assert bob.player is not None
    other = addressbook.register(alice.player, f"{webhook['url']}2", ["your_turn"])
    others = addressbook.register(bob.player, webhook["url"], ["your_turn"])
    now = timezone.now()
    for each in (Webhook.objects.get(pk=webhook["id"]), other, others):
        outbox.announce_test(each, now)
    first = outbox.claim(UUID(webhook["id"]), now)
    assert first is not None
    assert outbox.claim(other.id, now) is None
    assert outbox.claim(others.id, now) is not None
    outbox.settle(first, Result(500, "refused"), now)  # it rests, and the other's turn has come
    assert outbox.claim(other.id, now) is not None


def claimed(url: str, at: datetime) -> Delivery:
    """A message to a new webhook of somebody who has no other, as a worker takes it."""
    player = guest("Zoë").player
    assert player is not None
    webhook = addressbook.register(player, url, ["your_turn"])
    outbox.announce_test(webhook, at)
    delivery = outbox.claim(webhook.id, at)
    assert delivery is not None
    return delivery


def test_slow_receivers_of_many_players_leave_threads_to_others(db: None, receiver: Receiver) -> None:
    begun = timezone.now()
    slow = [claimed(receiver.url, begun) for _ in range(outbox.SLOW_AT_ONCE + 1)]
    quick = claimed(receiver.url, begun)
    for each in (*slow, quick):
        outbox.settle(each, Result(204), begun + outbox.SLOW + TICK * (each is not quick))
        outbox.announce_test(each.webhook, begun)
    now = begun + timedelta(minutes=1)
    *sent, waits = [outbox.claim(each.webhook_id, now) for each in slow]
    assert (all(sent), waits) == (True, None)
    assert outbox.claim(quick.webhook_id, now)
    assert sent[0] is not None
    outbox.settle(sent[0], Result(204), now + TICK)
    assert outbox.claim(slow[-1].webhook_id, now + TICK)


def test_a_test_again_with_the_same_key_is_the_same(alice: Caller, webhook: dict[str, Any]) -> None:
    path = f"players/me/webhooks/{webhook['id']}/test"
    first, again = (alice.post(path, None, Idempotency_Key="k") for _ in range(2))
    assert first.body == again.body
    assert Delivery.objects.count() == 1


def test_a_test_of_an_unknown_or_disabled_webhook_is_refused(
    alice: Caller, bob: Caller, webhook: dict[str, Any]
) -> None:
    path = f"players/me/webhooks/{webhook['id']}/test"
    check_refused(lambda: bob.post(path), 404, "not_found")
    alice.patch(f"players/me/webhooks/{webhook['id']}", {"enabled": False})
    check_refused(lambda: alice.post(path), 409, "webhook_disabled")


def test_a_failed_message_is_sent_again_with_the_same_id_and_a_new_time(
    alice: Caller, webhook: dict[str, Any], receiver: Receiver
) -> None:
    delivery = send_test(alice, webhook)
    receiver.answers += [status(503), status(302, Location="/elsewhere")]
    outbox_at = timezone.now()
    deliver(webhook)
    waits = Delivery.objects.get()
    assert waits.due_at is not None
    assert timedelta(seconds=3) < waits.due_at - outbox_at < PATIENT
    assert (waits.outcome, waits.attempts, waits.last_status, waits.last_failure) == ("waiting", 1, 503, "refused")
    assert not deliver(webhook)
    for _ in range(2):
        let_it_be_due()
        assert deliver(webhook)
    assert [told.id for told in receiver.told] == [delivery["id"]] * 3
    assert len({told.body for told in receiver.told}) == 1
    for told in receiver.told:
        assert told.verified(webhook["secret"])["type"] == "test"
    assert presented(alice, webhook)["failures"] == 0


def test_the_waits_grow_and_a_message_is_given_up_after_a_day(webhook: dict[str, Any]) -> None:
    """Without a receiver: only the rows are checked."""
    at = begun = timezone.now()
    delivery = outbox.announce_test(Webhook.objects.get(pk=webhook["id"]), at)
    waits = []
    while delivery.due_at is not None:
        outbox.settle(delivery, Result(None, "no_answer"), delivery.due_at)
        at, due = delivery.due_at, Delivery.objects.get(pk=delivery.pk)
        delivery = due
        waits += [due.due_at - at] if due.due_at else []
    assert waits == sorted(waits)
    assert len(waits) == len(outbox.DELAYS)
    assert timedelta(hours=18) < at - begun < timedelta(hours=36)
    assert (delivery.outcome, delivery.attempts) == ("failed", len(outbox.DELAYS) + 1)


def test_waits_are_spread(webhook: dict[str, Any]) -> None:
    at, row = timezone.now(), Webhook.objects.get(pk=webhook["id"])
    for _ in range(20):
        outbox.settle(outbox.announce_test(row, at), Result(None, "no_answer"), at)
    waits = {each.due_at - at for each in Delivery.objects.all() if each.due_at}
    assert len(waits) > 10
    assert all(timedelta(seconds=4) <= wait <= timedelta(seconds=6) for wait in waits)


@pytest.mark.parametrize(("failures", "seconds"), [(0, 5), (1, 10), (9, 50), (59, 300), (500, 300)])
def test_after_a_failure_the_webhook_pauses_for_all_messages(
    alice: Caller, webhook: dict[str, Any], failures: int, seconds: int
) -> None:
    at = timezone.now()
    Webhook.objects.update(failures=failures)
    outbox.settle(outbox.announce_test(Webhook.objects.get(), at), Result(500, "refused"), at)
    send_test(alice, webhook)
    assert not deliver(webhook)
    assert Webhook.objects.get().busy_until == at + timedelta(seconds=seconds)
    assert outbox.claim(UUID(webhook["id"]), at + timedelta(seconds=seconds))


def test_the_status_410_disables_a_webhook(alice: Caller, webhook: dict[str, Any], receiver: Receiver) -> None:
    send_test(alice, webhook)
    send_test(alice, webhook)
    receiver.answers.append(status(410))
    deliver(webhook)
    now = presented(alice, webhook)
    assert (now["enabled"], now["disabled_reason"], now["last_delivery"]["outcome"]) == (False, "gone", "failed")
    assert not Delivery.objects.filter(due_at__isnull=False).exists()
    assert not deliver(webhook)
    assert len(receiver.told) == 1


@pytest.mark.parametrize(
    ("failures", "days", "is_disabled"), [(18, 4, False), (19, 2.9, False), (19, 3.1, True), (500, 1, False)]
)
def test_a_webhook_that_fails_for_days_is_disabled(
    alice: Caller, webhook: dict[str, Any], receiver: Receiver, failures: int, days: float, is_disabled: bool
) -> None:
    send_test(alice, webhook)
    Webhook.objects.update(failures=failures, failing_since=timezone.now() - timedelta(days=days))
    receiver.answers.append(status(500))
    deliver(webhook)
    now = presented(alice, webhook)
    assert (now["failures"], now["disabled_reason"]) == (failures + 1, "failing" if is_disabled else None)


def test_a_success_resets_the_failures(alice: Caller, webhook: dict[str, Any], receiver: Receiver) -> None:
    send_test(alice, webhook)
    Webhook.objects.update(failures=300, failing_since=timezone.now() - timedelta(days=9))
    deliver(webhook)
    now = presented(alice, webhook)
    assert (now["failures"], now["failing_since"], now["enabled"]) == (0, None, True)


def test_messages_are_sent_in_the_order_in_which_they_are_due(
    alice: Caller, webhook: dict[str, Any], receiver: Receiver
) -> None:
    sent = [send_test(alice, webhook)["id"] for _ in range(3)]
    while deliver(webhook):
        pass
    assert [told.id for told in receiver.told] == sent


def test_the_sweep_finds_exactly_the_due_messages(alice: Caller, webhook: dict[str, Any]) -> None:
    assert tasks.sweep() == 0
    send_test(alice, webhook)
    send_test(alice, webhook)
    assert tasks.sweep() == 1
    for column, value in [("busy_until", timezone.now() + PATIENT), ("disabled_reason", "gone")]:
        Webhook.objects.update(**{"busy_until": None, column: value})
        assert tasks.sweep() == 0
    Webhook.objects.update(busy_until=None, disabled_reason="")
    Delivery.objects.update(due_at=timezone.now() + PATIENT)
    assert tasks.sweep() == 0


def test_after_a_crash_the_message_is_sent_again_with_the_same_id(
    alice: Caller, webhook: dict[str, Any], receiver: Receiver
) -> None:
    from webhooks import posting

    send_test(alice, webhook)
    claimed = outbox.claim(UUID(webhook["id"]), timezone.now())
    assert claimed is not None
    posting.post(claimed, timezone.now())  # and here the process ends
    assert not deliver(webhook)
    assert tasks.sweep() == 0
    Webhook.objects.update(busy_until=timezone.now(), sending_until=timezone.now())
    assert tasks.sweep() == 1
    assert deliver(webhook)
    first, again = receiver.told
    assert (first.id, first.body) == (again.id, again.body)


def test_a_claim_outlasts_every_attempt() -> None:
    from webhooks import addresses, posting

    assert outbox.CLAIMED_FOR.total_seconds() > 2 * (addresses.PATIENCE + posting.PATIENCE)


def test_a_webhook_can_be_deleted_during_an_attempt(alice: Caller, webhook: dict[str, Any]) -> None:
    send_test(alice, webhook)
    claimed = outbox.claim(UUID(webhook["id"]), timezone.now())
    assert claimed is not None
    alice.delete(f"players/me/webhooks/{webhook['id']}")
    outbox.settle(claimed, Result(204), timezone.now())
    outbox.drop(claimed, timezone.now())
    assert not deliver(webhook)
    assert tasks.deliver(str(uuid4())) is False


def test_messages_that_are_over_are_kept_for_a_week(alice: Caller, webhook: dict[str, Any]) -> None:
    send_test(alice, webhook)
    outbox.forget_old(timezone.now() + timedelta(days=8))
    assert Delivery.objects.count() == 1
    deliver(webhook)
    outbox.forget_old(timezone.now() + timedelta(days=6))
    assert Delivery.objects.count() == 1
    outbox.forget_old(timezone.now() + timedelta(days=8))
    assert Delivery.objects.count() == 0


@pytest.mark.parametrize(
    ("of_first", "told"),
    [
        ({}, {"first"}),
        ({"disabled_reason": "gone"}, {"later"}),
        ({"events": ["table_finished"]}, {"later"}),
        ({"url": "https://1.1.1.1/another"}, {"first", "later"}),
        ({"player": "Bob"}, {"first", "later"}),
    ],
)
def test_of_two_webhooks_with_one_url_the_first_subscriber_gets_the_message(
    alice: Caller, bob: Caller, of_first: dict[str, Any], told: set[str]
) -> None:
    assert alice.player is not None
    assert bob.player is not None
    url, at = "https://1.1.1.1/turns", timezone.now()
    webhooks = {
        name: addressbook.register(alice.player, f"{url}/{name}", ["your_turn"]).pk for name in ("first", "later")
    }
    Webhook.objects.update(url=url)
    Webhook.objects.filter(pk=webhooks["first"]).update(
        **of_first | ({"player": bob.player} if "player" in of_first else {})
    )
    outbox.announce(Event.YOUR_TURN, uuid4(), 1, {alice.player.pk: {}, bob.player.pk: {}}, at)
    told_to = set(Delivery.objects.values_list("webhook", flat=True))
    assert told_to == {webhooks[name] for name in told}


def test_of_two_webhooks_created_at_the_same_moment_one_gets_the_message(alice: Caller) -> None:
    assert alice.player is not None
    for name in ("one", "other"):
        addressbook.register(alice.player, f"https://1.1.1.1/{name}", ["your_turn"])
    Webhook.objects.update(url="https://1.1.1.1/", created_at=timezone.now())
    outbox.announce(Event.YOUR_TURN, uuid4(), 1, {alice.player.pk: {}}, timezone.now())
    assert Delivery.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_several_workers_at_once_one_sends(receiver: Receiver) -> None:
    alice = guest("Alice")
    webhook = alice.post("players/me/webhooks", {"url": receiver.url, "events": ["your_turn"]}).body
    send_test(alice, webhook)
    assert sorted(map(str, together(*[lambda: deliver(webhook)] * 4))) == ["False", "False", "False", "True"]
    assert len(receiver.told) == 1


@pytest.mark.django_db(transaction=True)
def test_sweeps_at_once_send_nothing_twice(receiver: Receiver) -> None:
    alice = guest("Alice")
    webhook = alice.post("players/me/webhooks", {"url": receiver.url, "events": ["your_turn"]}).body
    send_test(alice, webhook)
    assert together(tasks.sweep, tasks.sweep) == [1, 1]
    together(*[lambda: deliver(webhook)] * 2)
    assert len(receiver.told) == 1


@pytest.mark.django_db(transaction=True)
def test_deleting_waits_for_a_message_that_is_being_announced(receiver: Receiver) -> None:
    """Or the move that is announced would fail for the webhook that is gone, or the removal for the message."""
    from django.db import transaction

    alice = guest("Alice")
    assert alice.player is not None
    webhook = alice.post("players/me/webhooks", {"url": receiver.url, "events": ["your_turn"]}).body
    with threads() as begin:
        with transaction.atomic():
            outbox.announce(Event.YOUR_TURN, uuid4(), 1, {alice.player.id: {}}, timezone.now())
            removal = begin(lambda: alice.delete(f"players/me/webhooks/{webhook['id']}"))
            from tests.at_once import await_blocked

            await_blocked(1)
        assert removal.result(20).status == 204
    assert not Delivery.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("broker", USELESS)
def test_without_a_broker_a_message_waits_for_the_sweep(
    broker: Any, alice: Caller, webhook: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    with broker():
        send_test(alice, webhook)
        assert tasks.sweep() == 1
    assert f"webhook {webhook['id']} waits for the sweep" in caplog.text
    assert deliver(webhook)


OWNERS_CALLS: dict[str, Callable[[Player, UUID], Any]] = {
    "turned off": lambda player, webhook: addressbook.change(player, webhook, {"enabled": False}),
    "on again": lambda player, webhook: addressbook.change(player, webhook, {"enabled": True}),
    "removed": addressbook.remove,
    "tried out": lambda player, webhook: addressbook.send_test(player, webhook, timezone.now()),
    "all removed": lambda player, _: addressbook.remove_all(player),
}
RESULTS = {"gone": Result(410, "refused"), "delivered": Result(204), "not worth telling": None}


def ended(delivery: Delivery, result: Result | None) -> None:
    if result is None:
        outbox.drop(delivery, timezone.now())
    else:
        outbox.settle(delivery, result, timezone.now())


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_owner_first", [True, False])
@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
@pytest.mark.parametrize("call", OWNERS_CALLS.values(), ids=OWNERS_CALLS)
def test_an_attempt_can_end_while_the_owner_changes_the_webhook(
    call: Callable[[Player, UUID], Any], result: Result | None, is_owner_first: bool
) -> None:
    """Both wait for the webhook, in either order; then both come to their end."""
    player = guest("Alice").player
    assert player is not None
    webhook = addressbook.register(player, "https://example.org/", ["your_turn"])
    outbox.announce_test(webhook, timezone.now())
    delivery = outbox.claim(webhook.id, timezone.now())
    assert delivery is not None
    calls = [lambda: call(player, webhook.id), lambda: ended(delivery, result)]
    with threads() as begin:
        with transaction.atomic():
            Webhook.objects.select_for_update().get(pk=webhook.pk)
            running = []
            for make in calls if is_owner_first else reversed(calls):
                running.append(begin(make))
                await_blocked(len(running))
        for each in running:
            with suppress(addressbook.IsDisabled):
                each.result(20)
