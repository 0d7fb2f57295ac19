"""``GET``, ``PATCH`` and ``DELETE players/me/webhooks/{id}``."""

from typing import Any
from uuid import uuid4

import pytest

from players.models import Player
from tests.cast import Caller
from tests.matches import begin
from tests.rest.checks import check_refused
from webhooks.models import Delivery, Webhook


def path_of(webhook: dict[str, Any]) -> str:
    return f"players/me/webhooks/{webhook['id']}"


def is_told(caller: Caller) -> bool:
    assert caller.player is not None
    return Player.objects.get(pk=caller.player.pk).has_webhooks


def test_it_works(alice: Caller, webhook: dict[str, Any]) -> None:
    answer = alice.patch(path_of(webhook), {"events": ["your_turn"]})
    assert (answer.status, answer.body["events"], answer.body["url"]) == (200, ["your_turn"], webhook["url"])
    assert alice.get(path_of(webhook)).body == answer.body


def test_a_new_url_is_validated_like_the_first(alice: Caller, webhook: dict[str, Any]) -> None:
    check_refused(lambda: alice.patch(path_of(webhook), {"url": "https://10.0.0.1/"}), 400, "invalid", "url")
    other = f"{webhook['url']}&more"
    assert alice.patch(path_of(webhook), {"url": other}).body["url"] == other


def test_a_disabled_webhook_gets_no_messages_until_it_is_enabled(
    alice: Caller, bob: Caller, webhook: dict[str, Any]
) -> None:
    off = alice.patch(path_of(webhook), {"enabled": False}).body
    assert (off["enabled"], off["disabled_reason"], is_told(alice)) == (False, "by_player", False)
    begin(alice, bob)
    assert not Delivery.objects.exists()
    on = alice.patch(path_of(webhook), {"enabled": True}).body
    assert (on["enabled"], on["disabled_reason"], is_told(alice)) == (True, None, True)
    begin(alice, bob)
    assert Delivery.objects.count() == 1


def test_the_waiting_messages_of_a_disabled_webhook_are_not_sent_later(
    alice: Caller, bob: Caller, webhook: dict[str, Any]
) -> None:
    begin(alice, bob)
    for is_enabled in (False, True):
        shown = alice.patch(path_of(webhook), {"enabled": is_enabled}).body["last_delivery"]
        assert (shown["outcome"], shown["next_attempt_at"]) == ("failed", None)


def test_a_deleted_webhook_is_gone_with_its_messages(alice: Caller, bob: Caller, webhook: dict[str, Any]) -> None:
    begin(alice, bob)
    assert Delivery.objects.exists()
    assert alice.delete(path_of(webhook)).status == 204
    assert not Webhook.objects.exists()
    assert not Delivery.objects.exists()
    assert not is_told(alice)
    check_refused(lambda: alice.delete(path_of(webhook)), 404, "not_found")


def test_deleting_again_with_the_same_key_has_the_same_answer(alice: Caller, webhook: dict[str, Any]) -> None:
    key = {"Idempotency_Key": "k"}
    assert [alice.delete(path_of(webhook), **key).status for _ in range(2)] == [204, 204]


def test_deleting_one_webhook_leaves_the_others_active(alice: Caller, webhook: dict[str, Any]) -> None:
    other = alice.post("players/me/webhooks", {"url": f"{webhook['url']}2", "events": ["your_turn"]}).body
    alice.delete(path_of(webhook))
    assert is_told(alice)
    alice.delete(path_of(other))
    assert not is_told(alice)


@pytest.mark.parametrize("method", ["GET", "PATCH", "DELETE"])
def test_another_players_webhook_is_not_found(bob: Caller, webhook: dict[str, Any], method: str) -> None:
    check_refused(lambda: bob.ask(method, path_of(webhook), {}), 404, "not_found")
    check_refused(lambda: bob.ask(method, path_of({"id": uuid4()}), {}), 404, "not_found")


@pytest.mark.parametrize("method", ["GET", "PATCH", "DELETE"])
def test_a_caller_without_a_token_has_no_webhooks(spectator: Caller, webhook: dict[str, Any], method: str) -> None:
    check_refused(lambda: spectator.ask(method, path_of(webhook), {}), 401, "not_authenticated")


def test_a_guest_who_registers_keeps_the_webhooks(alice: Caller, webhook: dict[str, Any]) -> None:
    alice.post("players/register", {"username": "alice", "password": "tiles-and-trains"})
    assert [each["id"] for each in alice.get("players/me/webhooks").body] == [webhook["id"]]


def test_the_webhooks_of_a_deleted_player_are_deleted_at_once(
    alice: Caller, bob: Caller, webhook: dict[str, Any]
) -> None:
    begin(alice, bob)
    assert alice.delete("players/me").status == 204
    assert not Webhook.objects.exists()
    assert not Delivery.objects.exists()
    assert not is_told(alice)


def test_after_a_crash_the_tidying_deletes_the_webhooks_of_a_deleted_player(
    alice: Caller, webhook: dict[str, Any]
) -> None:
    from django.utils import timezone

    from webhooks import tasks

    tasks.tidy()
    assert Webhook.objects.exists()
    Player.objects.filter(has_webhooks=True).update(deleted_at=timezone.now(), is_active=False)
    tasks.tidy()
    assert not Webhook.objects.exists()
