"""Registering, changing, testing and removing a player's webhooks."""

import secrets
from base64 import b64encode
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop as N_

from players.accounts import lock_active_player
from players.models import Player
from rest.problems import Problem
from runtime.database_away import each_apart
from webhooks import outbox
from webhooks.addresses import must_be_fit, place_of
from webhooks.models import Delivery, Disabled, Webhook

MOST = 5
SECRET_BYTES = 32


class TooMany(Problem):
    detail = N_("You have five webhooks, which is the maximum; delete one first.")
    status, code = 409, "too_many_webhooks"


class AlreadyThere(Problem):
    detail = N_("You already have a webhook at this address.")
    status, code = 409, "webhook_exists"


class NotFound(Problem):
    detail = N_("You have no webhook with this id.")
    status, code = 404, "not_found"


class IsDisabled(Problem):
    detail = N_("This webhook is disabled; enable it first.")
    status, code = 409, "webhook_disabled"


def new_secret() -> str:
    """Return a random secret in the format of Standard Webhooks."""
    return f"whsec_{b64encode(secrets.token_bytes(SECRET_BYTES)).decode()}"


def register(player: Player, url: str, events: list[str]) -> Webhook:
    """Create a webhook with a new secret. Raises ``BadAddress``, ``AlreadyThere``, ``TooMany``, ``Forgotten``."""
    must_be_fit(url)
    with transaction.atomic():
        lock_active_player(player)
        must_be_only(url, player.webhooks.all())
        if player.webhooks.count() >= MOST:
            raise TooMany
        made = Webhook.objects.create(player=player, url=url, secret=new_secret(), events=events)
        outbox.update_has_webhooks(player.id)
    return made


def must_be_only(url: str, others: QuerySet[Webhook]) -> None:
    """Raise ``AlreadyThere`` if one of the others has this URL, so that no turn is sent to a URL twice."""
    if any(place_of(other.url) == place_of(url) for other in others):
        raise AlreadyThere


def own(player: Player, webhook_id: UUID) -> Webhook:
    """Return one of the player's webhooks. Raises ``NotFound``."""
    found = player.webhooks.filter(pk=webhook_id).first()
    if found is None:
        raise NotFound
    return found


def change(player: Player, webhook_id: UUID, fields: dict[str, Any]) -> Webhook:
    """Change the URL or the events, or disable or enable the webhook.

    Raises ``BadAddress``, ``AlreadyThere``, ``NotFound``, ``Forgotten``.
    """
    if "url" in fields:
        must_be_fit(fields["url"])
    with transaction.atomic():
        webhook = locked(player, webhook_id)
        others = player.webhooks.exclude(pk=webhook_id)
        if "url" in fields and place_of(fields["url"]) != place_of(webhook.url):
            must_be_only(fields["url"], others)
        if fields.get("enabled"):
            must_be_only(fields.get("url", webhook.url), others.filter(disabled_reason=Disabled.NOT))
        is_enabled = fields.pop("enabled", None)
        for name, value in fields.items():
            setattr(webhook, name, value)
        webhook.save(update_fields=tuple(fields))
        if is_enabled:
            enable(webhook)
        elif is_enabled is False and not webhook.disabled_reason:
            outbox.disable(webhook, Disabled.BY_PLAYER, timezone.now())
    return webhook


def locked(player: Player, webhook_id: UUID) -> Webhook:
    """Return a webhook, locked until the commit: until then nothing is announced or sent to it.

    The player is locked first, as everywhere. Raises ``NotFound``, ``Forgotten``.
    """
    lock_active_player(player)
    found = player.webhooks.select_for_update().filter(pk=webhook_id).first()
    if found is None:
        raise NotFound
    return found


def enable(webhook: Webhook) -> None:
    """Enable a webhook and reset its failures, so that its receiver again has three days to answer."""
    webhook.disabled_reason, webhook.failures = Disabled.NOT, 0
    webhook.failing_since = webhook.busy_until = None
    webhook.save(update_fields=("disabled_reason", "failures", "failing_since", "busy_until"))
    outbox.update_has_webhooks(webhook.player_id)


@transaction.atomic
def send_test(player: Player, webhook_id: UUID, at: datetime) -> Delivery:
    """Send a test message. Raises ``IsDisabled``, ``NotFound``, ``Forgotten``."""
    webhook = locked(player, webhook_id)
    if webhook.disabled_reason:
        raise IsDisabled
    return outbox.announce_test(webhook, at)


@transaction.atomic
def remove(player: Player, webhook_id: UUID) -> None:
    """Delete a webhook and its messages. Raises ``NotFound``, ``Forgotten``."""
    locked(player, webhook_id).delete()
    outbox.update_has_webhooks(player.id)


@transaction.atomic
def remove_all(player: Player) -> None:
    """Delete all webhooks of a deleted player. Locks them first, because workers may be using them."""
    outbox.lock_player(player.id)
    found = list(player.webhooks.select_for_update().order_by("id"))
    if found:
        Webhook.objects.filter(pk__in=[each.pk for each in found]).delete()
        outbox.update_has_webhooks(player.id)


def on_player_forgotten(player: Player, **kwargs: Any) -> None:
    remove_all(player)


def remove_all_forgotten() -> None:
    """Delete the webhooks of every deleted player, in case a crash prevented it before."""
    players = Player.objects.filter(deleted_at__isnull=False, webhooks__isnull=False).distinct()
    each_apart(remove_all, players, "Removing a forgotten player's webhooks")
